package fetch

import (
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html/charset"
)

// The character set of a page that does not name it is guessed from its bytes. These are sentences that leave no doubt,
// and single characters that must not mislead.
func TestUndeclaredCharset(t *testing.T) {
	const english = " The quick brown fox jumps over the lazy dog while the other animals look on in silence. "
	for _, c := range []struct{ charset, text string }{
		{"windows-1251", "Привет, мир. Это страница о погоде в Москве: сегодня дождь, а завтра — солнце."},
		{"koi8-r", "Привет, мир. Это страница о погоде в Москве: сегодня дождь, а завтра солнце."},
		{"shift_jis", "今日の天気は晴れです。東京では気温が二十度まで上がるでしょう。"},
		{"euc-jp", "今日の天気は晴れです。東京では気温が二十度まで上がるでしょう。"},
		{"gb18030", "今天天气晴朗。北京的气温将上升到二十度。明天可能会下雨。"},
		{"big5", "今天天氣晴朗。臺北的氣溫將上升到二十度。明天可能會下雨。"},
		{"euc-kr", "오늘 날씨는 맑습니다. 서울의 기온은 이십도까지 오를 것입니다."},
		{"windows-1253", "Καλημέρα κόσμε. Αυτή είναι μια σελίδα για τον καιρό στην Αθήνα: σήμερα θα βρέξει."},
		{"windows-1255", "שלום עולם. זהו דף על מזג האוויר בירושלים: היום ירד גשם, ומחר תהיה שמש."},
		{"windows-1256", "مرحبا بالعالم. هذه صفحة عن الطقس في القاهرة: اليوم سوف تمطر وغدا ستكون مشمسة."},
		{"windows-1252", "Grüße aus München. Heute wird es regnen, morgen scheint die Sonne über den Bergen."},
		{"windows-1252", "Le café est fermé aujourd’hui à cause de la météo, mais il sera ouvert demain après-midi."},
		{"windows-1252", english + "It’s “fine” – really…" + english},
		{"windows-1252", english + "© 2024" + english},
		{"windows-1252", english + "It costs £5." + english},
		{"windows-1252", english + "It is 20° here." + english},
		{"windows-1252", "10 µm"},
		{"windows-1252", "€ 5"},
	} {
		for _, page := range []string{c.text, "<html><head><title>x</title></head><body><p>" + strings.Repeat(c.text+"\n", 20) + "</p></body></html>"} {
			enc, _ := charset.Lookup(c.charset)
			body, err := enc.NewEncoder().String(page)
			if err != nil {
				t.Fatal(err)
			}
			if got := toUTF8([]byte(body), "", false); got != page {
				t.Errorf("%s guessed as %q: %.120q", c.charset, guessCharset([]byte(body)), got)
			}
		}
	}
}

// Two guesses are as good for this sentence; which of them counts must not be the scheduler's choice.
func TestUndeclaredCharset_ATieIsAlwaysDecidedTheSameWay(t *testing.T) {
	enc, _ := charset.Lookup("windows-1252")
	body, err := enc.NewEncoder().String("Le café est fermé aujourd’hui à cause de la météo, mais il sera ouvert demain après-midi.")
	if err != nil {
		t.Fatal(err)
	}
	const guesses, each = 16, 50
	var wg sync.WaitGroup
	other := make([]string, guesses)
	for i := range other {
		wg.Go(func() {
			for range each {
				if got := guessCharset([]byte(body)); got != "windows-1252" {
					other[i] = got
				}
			}
		})
	}
	wg.Wait()
	for _, got := range other {
		if got != "" {
			t.Fatalf("the same bytes were taken for windows-1252 and for %s", got)
		}
	}
}

func TestCommoner(t *testing.T) {
	for _, c := range [][2]string{
		{"UTF-8", "windows-1252"}, {"windows-1252", "windows-1250"}, {"windows-1252", "windows-1254"}, {"ISO-8859-1", "ISO-8859-2"},
		{"ISO-8859-1", "ISO-8859-9"}, {"windows-1251", "KOI8-R"}, {"GB18030", "Big5"}, {"ISO-8859-8-I", "ISO-8859-8"},
		{"ISO-8859-5", "IBM420_rtl"}, {"IBM420_ltr", "IBM420_rtl"},
	} {
		if !isCommoner(c[0], c[1]) || isCommoner(c[1], c[0]) {
			t.Errorf("of %s and %s the first is not the more common one", c[0], c[1])
		}
	}
}
