package numerals_test

import (
	"strings"
	"testing"

	"hob/internal/numerals"
)

// TestRead reads numbers, and what stands behind them.
func TestRead(t *testing.T) {
	for _, test := range []struct {
		lang, text string
		value      float64
		rest       string
	}{
		{"en", "seven", 7, ""}, {"en", "twenty-five minutes", 25, " minutes"}, {"en", "twenty five", 25, ""}, {"en", "seventy", 70, ""},
		{"en", "two hundred and forty metres", 240, " metres"}, {"en", "three thousand six", 3006, ""}, {"en", "twelve hundred", 1200, ""}, {"en", "a hundred and six", 106, ""}, {"en", "a six", 0, "a six"},
		{"en", "one hundred and", 100, " and"}, {"en", "two three", 2, " three"}, {"en", "twenty thirty", 20, " thirty"}, {"en", "zero", 0, ""},
		{"en", "sevenths", 0, "sevenths"}, {"en", "acht", 0, "acht"}, {"en", "one. two", 1, ". two"}, {"en", "", 0, ""}, {"en", "five\ntwo", 5, "\ntwo"},
		{"de", "dreiundzwanzig", 23, ""}, {"de", "fünfundfünfzig uhr", 55, " uhr"}, {"de", "zweihundertdreiundvierzig", 243, ""}, {"de", "hunderteins", 101, ""},
		{"de", "siebentausendzweihundert", 7200, ""}, {"de", "zweieinhalb", 2.5, ""}, {"de", "einundeinhalb", 1.5, ""}, {"de", "anderthalb", 1.5, ""},
		{"de", "zwoelf", 12, ""}, {"de", "zwanzigund", 0, "zwanzigund"}, {"de", "hund", 0, "hund"}, {"de", "zehnundzwanzig", 0, "zehnundzwanzig"},
		{"de", "zwei hundert und drei", 203, ""}, {"de", "tausendhundert", 1100, ""}, {"de", "hunderttausend", 100_000, ""},
		{"ru", "сорок два", 42, ""}, {"ru", "двести тридцать", 230, ""}, {"ru", "пять тысяч", 5000, ""}, {"ru", "трёх", 3, ""}, {"ru", "полтора часа", 1.5, " часа"},
		{"zh", "三百六十五", 365, ""}, {"zh", "十五分", 15, "分"}, {"zh", "一百〇五", 105, ""}, {"zh", "一百五", 150, ""}, {"zh", "两万三", 23_000, ""},
		{"zh", "二〇二六年", 2026, "年"}, {"zh", "三亿五千万", 350_000_000, ""}, {"zh", "廿五", 25, ""}, {"zh", "百货", 0, "百货"}, {"zh", "万一", 0, "万一"},
		{"zh", "一萬兩千", 12_000, ""}, {"zh", "二十三四", 23, "四"}, {"zh", "一万亿", 1e12, ""}, {"zh", "五千零三", 5003, ""},
		{"", "acht", 8, ""}, {"", "three", 3, ""}, {"", "три", 3, ""}, {"", "三", 3, ""}, {"", "anna", 0, "anna"},
	} {
		value, size := numerals.Read(test.text, test.lang)
		if value != test.value || test.text[size:] != test.rest {
			t.Errorf("%s %q is %v and %q, want %v and %q", test.lang, test.text, value, test.text[size:], test.value, test.rest)
		}
	}
}

// Of a word or a Chinese number without an end only so much is read, since a text is asked at each of its letters.
func TestRead_Long(t *testing.T) {
	t.Parallel()
	if _, size := numerals.Read(strings.Repeat("eins", 100), "de"); size != 0 {
		t.Errorf("a word of 400 letters is a number of %d bytes", size)
	}
	if _, size := numerals.Read(strings.Repeat("零", 300), "zh"); size == 0 || size > 180 {
		t.Errorf("of 300 noughts %d bytes are read", size)
	}
}
