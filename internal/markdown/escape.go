package markdown

import (
	"strings"

	"github.com/yuin/goldmark/util"
)

// Escape returns Markdown that shows s as it is. Line ends become blanks: only within a line is there no other markup.
func Escape(s string) string {
	b := &strings.Builder{}
	for _, r := range strings.Join(strings.Fields(s), " ") {
		if r < 0x80 && util.IsPunct(byte(r)) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Fenced returns Markdown that shows s as code, whatever is in it.
func Fenced(s string) string {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + "\n" + s + "\n" + fence
}
