// Package cli shows a chat in a terminal and reads a person's words there.
//
// Its pieces know nothing of each other; package main wires them:
//
//   - [Markdown] renders a whole text; [Stream] does so while the text is still being written.
//   - [Printer] shows the events of a turn to a person, [JSONLines] to a program.
//   - [Prompt] reads lines with editing and history, and asks questions.
//   - [Progress] shows how far a download is.
//
// Everything that somebody else wrote (a model, a tool's result, a file's name) is hostile: it must not move the
// cursor, set the title, hide text or look like a line of hob's own. Three rules see to that:
//
//  1. No control character gets to a terminal, but for those that this package writes itself. They are shown as
//     pictures such as ␛, or as numbers such as ⟨U+202E⟩.
//  2. hob's own lines begin with one of its marks (→ ✓ ✗ · ◆ ›) in the first column. No other line does: where a
//     mark would come to stand there, a blank goes before it.
//  3. What a person is asked to allow is shown whole, and every rune that cannot be seen is shown as its number.
//
// Widths are columns of a terminal; East Asian text takes two a rune. A width of 0 means that nothing is wrapped or
// cut, which is for pipes.
package cli

import (
	"fmt"
	"strings"
	"unicode"
)

// marks begin hob's own lines.
const marks = "→✓✗·◆›"

func isMark(r rune) bool { return strings.ContainsRune(marks, r) }

// Clean makes what a terminal would obey, or would let hide something, visible. Line ends and tabs stay.
func Clean(s string) string {
	return show(s, func(r rune) bool { return r == '\n' || r == '\t' || !obeyed(r) })
}

// exact is Clean for what must be read to the letter: it also shows all that cannot be seen, and all blanks but the
// common one.
func exact(s string) string {
	return show(s, func(r rune) bool {
		return r == '\n' || r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unseen(r)
	})
}

// unseen reports whether r is graphic by its class but shows nothing: what selects a variant, joins or fills.
func unseen(r rune) bool {
	return 0xfe00 <= r && r <= 0xfe0f || 0xe0100 <= r && r <= 0xe01ef || 0x180b <= r && r <= 0x180f ||
		strings.ContainsRune("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0", r)
}

// oneLine is Clean for a line's part: line ends are shown too.
func oneLine(s string) string {
	return show(strings.TrimSpace(s), func(r rune) bool { return !obeyed(r) })
}

// obeyed reports whether r makes a terminal do something other than to show it.
func obeyed(r rune) bool {
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
