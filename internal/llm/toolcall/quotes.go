package toolcall

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/lazyregexp"
	"hob/internal/schema"
)

// quoteOf returns the quote that text begins with, or "".
func quoteOf(text string) string {
	for _, q := range []string{`"""`, `'''`, `"`, `'`, "`", "\u201c", "\u201d", "\u201e", "\u2018", "\u2019", `<|"|>`, "<escape>"} {
		if strings.HasPrefix(text, q) {
			return q
		}
	}
	return ""
}

// enders returns what ends a text that q began.
func enders(q string) []string {
	switch q {
	case "\u201c", "\u201d", "\u201e":
		return []string{"\u201d", "\u201c", `"`}
	case "\u2018", "\u2019":
		return []string{"\u2019", "'"}
	}
	return []string{q}
}

// quote returns the quote that comes next, or "". Two quotes right before a letter are one that stands twice.
func (r *lenient) quote() string {
	r.peek()
	q := quoteOf(r.rest())
	if rest := r.rest(); q == "" && (!utf8.FullRuneInString(rest) || strings.HasPrefix(`<|"|>`, rest) || strings.HasPrefix("<escape>", rest)) {
		r.touched = true
	}
	if n := len(r.rest()); n < 3 && len(q) == 1 {
		r.touched = true
	}
	if rest := r.rest(); len(q) == 1 && len(rest) > 2 && rest[1] == q[0] && (unicode.IsLetter(runeAt(rest, 2)) || unicode.IsDigit(runeAt(rest, 2))) &&
		strings.Contains(rest[2:min(len(rest), longestKey)], q+q) {
		return q + q
	}
	return q
}

// text reads a text in quotes. A quote that somebody forgot to escape does not end it: after the end of a text stands what
// may stand there.
func (r *lenient) text(q string, in byte) (*value, bool) {
	from := r.at
	if r.valid {
		for r.at++; r.src[r.at] != '"'; r.at++ {
			if r.src[r.at] == '\\' {
				r.at++
			}
		}
		r.at++
		return &value{kind: '"', raw: r.src[from:r.at]}, true
	}
	start := from + len(q)
	end, after, inner := r.ending(start, q, in)
	if inner > 0 && end >= 0 && (inner%2 == 1 && q[0] < 0x80 || in == '[' || strings.Contains(r.src[start:end], `\`+q) || strings.HasPrefix(r.src[start:end], q) ||
		strings.Contains(strings.ReplaceAll(r.src[start:end], " ", ""), q+q)) {
		r.doubts(swallowed) // quotes that are part of a text come in pairs
	}
	if end < 0 {
		if r.sound = false; !r.lost {
			r.at, r.torn, r.touched = len(r.src), true, true
		}
		return nil, false
	}
	body := r.src[start:end]
	r.at = after
	v := &value{kind: '"'}
	if q[0] == '<' {
		v.raw = quote(body)
	} else {
		if r.markdown {
			body = strings.ReplaceAll(body, `\_`, "_")
		}
		raw, did := literalOf(body, q)
		v.raw = `"` + raw + `"`
		if q != `"` {
			r.note("its quotes were " + q)
		}
		if inner > 0 {
			r.note(innerQuotes)
		}
		for _, d := range did {
			r.note(d)
		}
	}
	if inner > 0 && in == '(' && operated().MatchString(r.src[from:after]) {
		v.wrong = "must be a value, not the expression " + schema.Shorten(r.src[from:after])
	}
	r.sound = true
	if in == '{' || in == '[' {
		return r.sum(v, in)
	}
	return v, true
}

// sum adds the texts that stand behind a plus.
func (r *lenient) sum(v *value, in byte) (*value, bool) {
	at := r.at
	r.blank()
	if r.peek() != '+' {
		r.at = at
		return v, true
	}
	r.at++
	r.blank()
	q := r.quote()
	if q == "" {
		return nil, false
	}
	next, ok := r.text(q, in)
	if !ok {
		return nil, false
	}
	r.note(mendedJSON)
	return &value{kind: '"', raw: v.raw[:len(v.raw)-1] + next.raw[1:]}, true
}

// ending finds the end of a text that starts at start: where its last quote stands and where what follows begins, and
// how many quotes are inside. end is -1 where there is no end.
func (r *lenient) ending(start int, q string, in byte) (end, after, inner int) {
	if q[0] == '<' || len(q) == 3 && q[0] < 0x80 {
		if k := strings.Index(r.src[start:], q); k >= 0 {
			return start + k, start + k + len(q), 0
		}
		return -1, 0, 0
	}
	ends := enders(q)
	for i := start; i < len(r.src); i++ {
		if c := r.src[i]; c == '\\' {
			i++
			continue
		}
		for _, e := range ends {
			if !strings.HasPrefix(r.src[i:], e) {
				continue
			}
			if r.endsHere(i+len(e), in, e) {
				return i, i + len(e), inner
			}
			if end, after, ok := r.swallows(start, i, in); ok {
				return end, after, inner
			}
			if in == 'k' || in == '{' && oneMore().MatchString(r.src[i+len(e):min(len(r.src), i+longestKey)]) {
				r.lost = true
				return -1, 0, 0 // another text follows: it may be a name without a value as well as more of this text
			}
			inner++
			break
		}
	}
	return -1, 0, 0
}

var oneMore = lazyregexp.New(`^\s*,\s*["']`)

// swallows reports whether the quote at i belongs to the next argument, because the one at the end of the text that began at
// start is missing: where that text ends then, and where the next argument begins.
func (r *lenient) swallows(start, i int, in byte) (end, after int, ok bool) {
	before := strings.TrimRight(r.src[start:i], white)
	name := ""
	switch after = i; in {
	case '{':
		name = r.nameAt(i, '{')
	case '(', ':':
		if sign, is := strings.CutSuffix(before, "="); is {
			sign = strings.TrimRight(sign, " \t")
			name = sign[strings.LastIndexAny(sign, " ,\"'\n")+1:]
			after = start + len(sign) - len(name)
			before = strings.TrimRight(r.src[start:after], white)
		}
	}
	if name == "" {
		return 0, 0, false
	}
	before, comma := strings.CutSuffix(before, ",")
	known := slices.Contains(r.names, name)
	if known || comma {
		r.doubts(swallowed)
	}
	if !comma || !known && (r.names != nil || in != '{') {
		return 0, 0, false
	}
	r.note(noQuote)
	r.comma = true
	return start + len(strings.TrimRight(before, white)), after, true
}

// endsHere reports whether a text can end before at, going by what follows.
func (r *lenient) endsHere(at int, in byte, q string) bool {
	i := r.pastWhite(at)
	if i >= len(r.src) {
		r.touched = true
		return true
	}
	rest := r.src[i:]
	if in == 'k' {
		return rest[0] == ':' || rest[0] == '='
	}
	if stops(r.src, i) || isComment(rest) {
		return true
	}
	r.touched = r.touched || len(rest) < 2
	switch {
	case in == '(', in == ':':
		return rest[0] == ')' || rest[0] == ',' && r.argumentAhead(i+1, in)
	case in == '[':
		return strings.IndexByte(",]})+", rest[0]) >= 0 || quoteOf(rest) != "" && i > at
	case rest[0] == '+':
		return quoteOf(strings.TrimLeft(rest[1:], white)) != ""
	}
	return r.endsMember(rest, q)
}

func isComment(text string) bool {
	return strings.HasPrefix(text, "//") || strings.HasPrefix(text, "/*")
}

// argumentAhead reports whether behind the comma before i an argument can begin.
func (r *lenient) argumentAhead(i int, in byte) bool {
	next := strings.TrimLeft(r.src[i:], white)
	return next == "" || r.nameAhead(i, in) || strings.IndexByte("\"'{[()*-.0123456789TFN", next[0]) >= 0
}

// endsMember reports whether a text of an object, which q began, can end before rest.
func (r *lenient) endsMember(rest, q string) bool {
	behind := strings.TrimLeft(rest, "}] \t\r\n")
	if behind == "" {
		r.touched = true
		return true
	}
	brackets := rest[:len(rest)-len(behind)]
	closed := strings.Count(brackets, "}") + strings.Count(brackets, "]")
	at, comma := len(r.src)-len(behind), behind[0] == ','
	switch {
	case closed == 0 && comma:
		next := strings.TrimLeft(behind[1:], ", \t\r\n")
		return next == "" || next[0] == '}' || next[0] == ']' || isComment(next) || r.nameAhead(at+1, '{')
	case closed == 0:
		return r.nameAhead(at, '{') && quoteOf(behind) != ""
	case closed < len(r.stack):
		return comma || behind[0] == ')' && slices.Contains(r.stack, '(') || stops(r.src, at)
	case comma:
		return !r.nameAhead(at+1, '{')
	}
	return !strings.HasPrefix(behind, q) || strings.TrimSpace(behind) == q && r.src[0] == q[0] // all of it is in quotes
}

// operated is a text in quotes with which something is done: it is added to another, formatted, or called on.
var operated = lazyregexp.New(`(?s)^(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*(?:[+%*\[]|\..*\(|(?:if|or|and) )`)
