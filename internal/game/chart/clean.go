package chart

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/display"
)

const (
	nameRunes  = 80 // of a name; the rest is cut
	stackMarks = 2  // combining marks on one letter; names with more run over their neighbours
)

// clean returns s as one line that can stand in any document: no control and no format characters (such as those that turn
// the direction of the text after them), valid UTF-8, single spaces, at most nameRunes and an ellipsis.
func clean(s string) string {
	marks := stackMarks // a word does not begin with one
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			marks = stackMarks
			return ' '
		case !unicode.IsGraphic(r):
			return -1
		case !unicode.Is(unicode.M, r):
			marks = 0
			return r
		}
		if marks++; marks > stackMarks {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return display.Truncate(display.Join(s), nameRunes+1)
}

// columns returns how many columns of a terminal s takes.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += display.RuneWidth(r)
	}
	return n
}

// isRightToLeft tells whether s has letters of a script that is written from right to left. On a line of a terminal they would
// draw their neighbours with them.
func isRightToLeft(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return 0x590 <= r && r <= 0x8ff || 0xfb1d <= r && r <= 0xfdff || 0xfe70 <= r && r <= 0xfeff || 0x10800 <= r && r <= 0x10fff ||
			0x1e800 <= r && r <= 0x1efff
	})
}

// cutColumns returns the beginning of s that takes at most limit columns.
func cutColumns(s string, limit int) string {
	n := 0
	for i, r := range s {
		if n += display.RuneWidth(r); n > limit {
			return s[:i]
		}
	}
	return s
}

// breakLine splits s into its beginning of at most limit columns, at a space where there is one, and the rest.
func breakLine(s string, limit int) (head, rest string) {
	head = cutColumns(s, limit)
	if len(head) == len(s) {
		return s, ""
	}
	if head == "" { // a wide rune in a single column
		_, n := utf8.DecodeRuneInString(s)
		return "?", s[n:]
	}
	if at := strings.LastIndexByte(head, ' '); at > 0 && s[len(head)] != ' ' {
		head = head[:at]
	}
	return strings.TrimRight(head, " "), strings.TrimLeft(s[len(head):], " ")
}
