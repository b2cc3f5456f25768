package toolcall

import (
	"strings"

	"hob/internal/schema"
)

// computed is in what Python would have to compute: a call, a text that is formatted, an operation, a piece of a list.
var computed = lazily(`"|(?:^|[\s(])[fFrRbBuU]{0,2}'|'\s*[+%]|[\pL\pN_]\(|[\pL_][\pL\pN_]*\[|\s[+*/%]\s|\d\s*[*%+]\s*\d|\*\*|\sif\s.*\selse\s|^(?:not|lambda|await)\s`)

// computedAll is a value that is nothing but a call or a text that is formatted.
var computedAll = lazily(`^[fFrRbBuU]{1,2}["'].*["']$|^[\pL_][\pL\pN_.]*\(.*\)$`)

// delimited reports whether a value that begins at i has an end that can be seen.
func (s *scan) delimited(i int) bool {
	c := s.byte(i)
	return c == '"' || c == '\'' || c == '{' || c == '['
}

// judge notes what is wrong with how the argument key was written, which stands from from to to behind sign. What follows
// = or no name is Python, where a text has quotes; behind a colon it may be any words. A word without them is taken for a text only where nothing comes of it.
func (s *scan) judge(f *found, key string, from, to int, sign byte, out *objectWriter) {
	if key == "" {
		if len(f.wrong) > 0 {
			return
		}
		key, sign = out.takes.only, '='
	}
	text := strings.TrimSpace(s.src[from:max(from, to)])
	if text == "" || text[0] == '{' || text[0] == '[' {
		return
	}
	problem := schema.Problem{Path: below("", key), Kind: schema.Format}
	switch c := text[0]; {
	case c == '"' || c == '\'':
		if !operated(text) {
			return
		}
		problem.Text = "must be a value, not the expression " + schema.Shorten(text)
	case literal(text) != "", sign != '=' && !computedAll().MatchString(text):
		return
	case sign != '=', strings.ContainsAny(text, "\"'([+*/% ") && computed().MatchString(text):
		problem.Text = "must be a value, not the expression " + schema.Shorten(text)
	case out.takes.careful:
		problem.Text = "must be a value in quotes, not the name " + schema.Shorten(text)
	default:
		return
	}
	f.wrong = append(f.wrong, problem)
}

// operated reports whether something is done with a text in quotes: it is added to another, formatted, or called on.
func operated(text string) bool {
	q := text[0]
	if len(text) > 2 && text[1] == q && text[2] == q {
		return false
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case q:
			rest := strings.TrimLeft(text[i+1:], " \t\r\n")
			return rest != "" && (strings.IndexByte("+%*[", rest[0]) >= 0 || rest[0] == '.' && strings.Contains(rest, "(") ||
				strings.HasPrefix(rest, "if ") || strings.HasPrefix(rest, "or ") || strings.HasPrefix(rest, "and "))
		}
	}
	return false
}
