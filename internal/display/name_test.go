package display_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"hob/internal/display"
)

// A name is one line without what cannot be seen, with at most two marks on a letter; a long one ends with "…".
func TestName(t *testing.T) {
	for text, want := range map[string]string{
		"Old Mill": "Old Mill", " a\n\tb\u202e ": "a b", "\u0301x": "x", "e\u0301\u0301\u0301\u0301": "e\u0301\u0301", "a \u0301b": "a b",
		"\xff\xfe!": "\uFFFD!", strings.Repeat("ж", 9): strings.Repeat("ж", 9), strings.Repeat("ж", 10): strings.Repeat("ж", 8) + "…",
		"seven w ords": "seven w…", "\u200d": "",
	} {
		if got := display.Name(text, 8); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A clean line stays as it is, and so does a name.
func TestNameOfName(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.SampledFrom([]rune{'a', '~', ' ', ' ', 'b', '\n', 0x7f, 0x301}), 0, 6, -1).Draw(t, "s")
		n := rapid.IntRange(1, 8).Draw(t, "n")
		name := display.Name(s, n)
		if again := display.Name(name, n); again != name || strings.Join(strings.Fields(name), " ") != name || utf8.RuneCountInString(name) > n+1 {
			t.Fatalf("%q at %d: %q, %q", s, n, name, again)
		}
		clean := !strings.ContainsAny(s, "\n\x7f\u0301") && strings.Join(strings.Fields(s), " ") == s
		if clean && len(s) <= n && name != s {
			t.Fatalf("%q at %d: %q", s, n, name)
		}
	})
}
