package markdown

import (
	"html"
	"strings"

	"github.com/yuin/goldmark/util"

	"hob/internal/lazyregexp"
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

// written are the marks that [Plain] takes away, with what stays of them.
var written = lazyregexp.New(`\\([[:punct:]])|\*\*|  (\n)`)

// Plain returns the text of Markdown that was written by [Escape], with ** around what is bold and two blanks where a line is broken: what
// is left is no Markdown.
func Plain(s string) string { return written().ReplaceAllString(s, "$1$2") }

// escapes are backslashes with what they escape, and entities of HTML.
var escapes = lazyregexp.New(`\\[[:punct:]]|&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][0-9A-Za-z]{1,31});`)

// Unescape resolves the backslashes and the entities of HTML in the text of a node. What comes of them may be any character.
func Unescape(s string) string {
	return escapes().ReplaceAllStringFunc(s, func(e string) string {
		switch {
		case e[0] == '\\':
			return e[1:]
		case e[1] == '#':
			return html.UnescapeString(e)
		}
		return string(util.ResolveEntityNames([]byte(e))) // only whole names: that of html would make ¬it; of &notit;
	})
}
