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
		case next == '\\' || next == '"', next != 0 && escape().MatchString(text[i:min(len(text), i+len(`\u0000`))]) && !windows && (!unescaped || next != 'b' && next != 'f'):
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

// escape is an escape that JSON has, and escaped one that models have, too.
var (
	escape  = lazyregexp.New(`^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})`)
	escaped = lazyregexp.New(`\\(?:["\\/bfnrt'` + "`" + `]|u[0-9a-fA-F]{4})`)
)

// stray reports whether a backslash in text escapes nothing.
func stray(text string) bool {
	return strings.Contains(text, `\`) && strings.Contains(escaped().ReplaceAllString(text, ""), `\`)
}
