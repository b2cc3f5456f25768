package toolcall

import (
	"slices"
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

// within reads calls in a text that is not the one of s. All of it must be calls.
func (s *scan) within(text string, depth int) reading {
	sub := newScan(s.offer)
	sub.grow(strings.TrimSpace(text), true)
	sub.names, sub.trusting = s.names, s.trusting
	r := sub.calls(0, depth+1)
	r.ok = r.ok && !r.bare() && sub.space(r.end) >= len(sub.src)
	return r
}

// reread reads the calls from i on, up to a tag or the end of a fence, after mend has undone what a template did to all of them.
func (s *scan) reread(i, depth int, mend func(string) string) reading {
	end, _ := s.first(i, "</", "<|", "```")
	s.wasted += end - i
	r := s.within(mend(s.src[i:end]), depth)
	if r.end = end; !r.ok {
		return reading{end: i}
	}
	for k, f := range r.calls {
		if s.src[i+1] == '{' && slices.ContainsFunc(inQuotes().FindAllString(f.args, -1), func(text string) bool { return strings.ContainsAny(text, "{}") }) {
			r.calls[k].doubt = "braces in a text may have stood twice"
		}
	}
	r.calls[0].repair(mendedJSON)
	return r
}
