package chart

import (
	"strings"
	"unicode/utf8"

	"hob/internal/display"
)

const nameRunes = 80 // of a name; the rest is cut

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
