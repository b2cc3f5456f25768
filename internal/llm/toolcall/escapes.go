package toolcall

import (
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
	var out strings.Builder
	broken, apostrophe := false, false
	for i := 0; i < len(text); i++ {
		c, next := text[i], byte(0)
		if c == '\\' && i+1 < len(text) {
			next = text[i+1]
		}
		switch {
		case next == '\'' || next == '`' && q == "`":
			out.WriteByte(next)
			apostrophe = true
			i++
		case next == '\\' || next == '"', next != 0 && escapes(text[i:]) && !windows && (!unescaped || next != 'b' && next != 'f'):
			out.WriteString(text[i : i+2])
			i++
		case c == '\\', c == '"':
			out.WriteString(`\` + text[i:i+1])
		case c < ' ':
			out.WriteString(strings.Trim(quote(text[i:i+1]), `"`))
			broken = true
		default:
			out.WriteByte(c)
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
	return out.String(), did
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
