// Package display writes text, sizes and numbers for people, and for models where they read the same: without characters that a
// terminal would obey, shortened in one way, and in the same units everywhere.
package display

import (
	"fmt"
	"strings"
	"unicode"
)

// Clean makes what a terminal would obey, or would let hide something, visible. Line ends and tabs stay.
func Clean(s string) string {
	return show(s, func(r rune) bool { return r == '\n' || r == '\t' || !Obeyed(r) })
}

// Exact is Clean for what must be read to the letter: it also shows all that cannot be seen, and all blanks but the
// common one.
func Exact(s string) string {
	return show(s, func(r rune) bool {
		return r == '\n' || r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unseen(r)
	})
}

// unseen reports whether r is graphic by its class but shows nothing: what selects a variant, joins or fills.
func unseen(r rune) bool {
	return 0xfe00 <= r && r <= 0xfe0f || 0xe0100 <= r && r <= 0xe01ef || 0x180b <= r && r <= 0x180f ||
		strings.ContainsRune("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0", r)
}

// OneLine is Clean for a line's part: line ends are shown too.
func OneLine(s string) string {
	return show(strings.TrimSpace(s), func(r rune) bool { return !Obeyed(r) })
}

// Obeyed reports whether r makes a terminal do something other than to show it.
func Obeyed(r rune) bool {
	return r < 0x20 || 0x7f <= r && r < 0xa0 || // controls
		0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069 || // directions that reorder what comes after
		r == 0x2028 || r == 0x2029 || // line ends of another kind
		0xe0000 <= r && r <= 0xe0fff || 0xfff9 <= r && r <= 0xfffb // hidden text
}

// show returns s with each rune that may not stay replaced by its picture or number. Bytes that are no UTF-8 become
// U+FFFD: some terminals obey them too.
func show(s string, stays func(rune) bool) string {
	if strings.IndexFunc(s, func(r rune) bool { return r == unicode.ReplacementChar || !stays(r) }) < 0 {
		return s
	}
	b := &strings.Builder{}
	for _, r := range s {
		switch {
		case stays(r):
			b.WriteRune(r)
		case r < 0x20:
			b.WriteRune('␀' + r)
		case r == 0x7f:
			b.WriteRune('␡')
		default:
			fmt.Fprintf(b, "⟨U+%04X⟩", r)
		}
	}
	return b.String()
}
