package toolcall

import (
	"fmt"
	"strings"

	"hob/internal/lazyregexp"
)

// drive is how a path of Windows begins whose backslashes nobody escaped.
var drive = lazyregexp.New(`^[A-Za-z]:\\[^\\]`)

// literalOf writes what stands between two quotes as JSON does, without quotes around it, and says what it mended. What
// is good JSON stays as it is, escapes included. A backslash that escapes nothing is meant as one. A text that has such
// backslashes was not escaped by its author: then \b and \f are two characters each, for nobody means a backspace, and
// all backslashes of a path of Windows are meant.
func literalOf(text, q string) (raw string, did []string) {
	unescaped := stray(text)
	windows := unescaped && drive().MatchString(text)
	out := make([]byte, 0, len(text)+8)
	broken, apostrophe := false, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text):
			next := text[i+1]
			switch {
			case next == '\\' || next == '"' || next == '/' && !windows:
				out = append(out, c, next)
				i++
			case next == '\'' || next == '`' && q == "`":
				out = append(out, next)
				apostrophe = true
				i++
			case escapes(text[i:]) && !windows && (!unescaped || next != 'b' && next != 'f'):
				out = append(out, c, next)
				i++
			default:
				out = append(out, `\\`...)
			}
		case c == '\\':
			out = append(out, `\\`...)
		case c == '"':
			out = append(out, `\"`...)
		case c < ' ':
			out = append(out, control(c)...)
			broken = true
		default:
			out = append(out, c)
		}
	}
	if unescaped {
		did = append(did, "backslashes were not escaped")
	}
	if apostrophe && q == `"` {
		did = append(did, "apostrophes were escaped")
	}
	if broken {
		did = append(did, "line breaks inside of a text were not escaped")
	}
	return string(out), did
}

// escapes reports whether text begins with an escape that JSON has.
func escapes(text string) bool {
	if strings.IndexByte(`"\/bfnrt`, text[1]) >= 0 {
		return true
	}
	if text[1] != 'u' || len(text) < 6 {
		return false
	}
	for _, c := range []byte(text[2:6]) {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F') {
			return false
		}
	}
	return true
}

// stray reports whether a backslash in text escapes nothing.
func stray(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		if i+1 >= len(text) {
			return true
		}
		if next := text[i+1]; next != '\'' && next != '`' && !escapes(text[i:]) {
			return true
		}
		i++
	}
	return false
}

// control writes a control character.
func control(c byte) string {
	switch c {
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	return fmt.Sprintf(`\u%04x`, c)
}
