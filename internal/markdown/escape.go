package markdown

import (
	"strings"

	"github.com/yuin/goldmark/util"
)

// Escape returns Markdown that shows s as it is. Line ends become blanks: only within a line is there no other markup.
func Escape(s string) string { return EscapeInline(strings.Join(strings.Fields(s), " ")) }

// EscapeInline is Escape for a part of a line: its blanks stay.
func EscapeInline(s string) string {
	b := &strings.Builder{}
	for _, r := range s {
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

// Plain returns the text of Markdown that was written by [Escape], with ** around what is bold and two blanks where a line is broken: what
// is left is no Markdown.
func Plain(s string) string {
	b := &strings.Builder{}
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && util.IsPunct(s[i+1]):
			i++
			b.WriteByte(s[i])
		case strings.HasPrefix(s[i:], "**"):
			i++
		case strings.HasPrefix(s[i:], "  \n"):
			i++
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}
