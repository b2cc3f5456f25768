package display_test

import (
	"testing"

	"hob/internal/display"
)

// A rune takes no column, one or two.
func TestRuneWidth(t *testing.T) {
	for r, want := range map[rune]int{
		'\n': 0, '\x7f': 0, '\u0085': 0, 'a': 1, ' ': 1, '\u00ad': 1, 'ж': 1, '\u0301': 0, '\u200d': 0, '\ufe0f': 0,
		'한': 2, '\u1161': 0, '世': 2, '。': 2, 'Ａ': 2, 'ｱ': 1, '☀': 1, '😀': 2, '\U0001f1e9': 1, '\U00020000': 2,
	} {
		if got := display.RuneWidth(r); got != want {
			t.Errorf("%U %q: %d columns, want %d", r, r, got, want)
		}
	}
}

func TestExpandTabs(t *testing.T) {
	for in, want := range map[string]string{
		"a\tb": "a   b", "\t\tx": "        x", "none": "none", "abcd\te": "abcd    e", "ab\tc\na\td": "ab  c\na   d",
		"天\tx": "天  x", // which takes two columns
	} {
		if got := display.ExpandTabs(in); got != want {
			t.Errorf("%q is %q, not %q", in, got, want)
		}
	}
}
