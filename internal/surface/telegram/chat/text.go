package chat

import (
	"strings"
	"unicode"
)

// OneLine makes a short line of a text that a stranger may have chosen, without what cannot be seen and without brackets,
// which here mean that hob itself speaks.
func OneLine(s string, most int) string {
	var b strings.Builder
	n, blank := 0, false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			blank = true
			continue
		case !unicode.IsGraphic(r) || strings.ContainsRune("[]<>", r):
			continue
		}
		if n >= most {
			return b.String() + "..."
		}
		if blank && n > 0 {
			b.WriteByte(' ')
			n++
		}
		blank = false
		b.WriteRune(r)
		n++
	}
	return b.String()
}
