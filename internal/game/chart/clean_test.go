package chart

import (
	"os"
	"testing"
	"unicode"

	"golang.org/x/text/width"
)

func TestRuneColumns(t *testing.T) {
	step := rune(61) // beyond the scripts, where there are few borders
	if os.Getenv("HOB_TEST_FULL") != "" {
		step = 1
	}
	for r := rune(' '); r <= unicode.MaxRune; r++ {
		if r > 0x1ffff {
			r += step - 1
		}
		want := 1
		switch k := width.LookupRune(r).Kind(); {
		case unicode.In(r, unicode.Mn, unicode.Me):
			want = 0
		case k == width.EastAsianWide || k == width.EastAsianFullwidth:
			want = 2
		}
		if got := runeColumns(r); got != want && unicode.IsGraphic(r) {
			t.Errorf("%U takes %d columns, want %d", r, got, want)
		}
	}
}
