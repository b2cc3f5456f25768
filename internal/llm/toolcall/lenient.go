package toolcall

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/lazyregexp"
)

// lenient reads values as models write them: JSON, what is nearly JSON, the arguments and literals of Python, the quotes of
// gemma. The same code finds the end of a call in a text and reads its arguments once the tool is known. It adds no name and
// no value, and leaves none out: where one is missing, or two could be meant, it gives up or says that there is a doubt.
//
// It goes through its text once, from left to right. JSON that is known to be valid takes the same way, without its guesses.
type lenient struct {
	src      string
	at       int
	valid    bool     // the value is known to be JSON: there is nothing to mend
	markdown bool     // underscores have backslashes
	names    []string // of the tool's arguments; nil where the tool is not known
	lax      bool     // texts without quotes may hold any letters
	plain    bool     // texts without quotes are none
	begin    byte     // the bracket that the reading began with

	did     []string // what was mended
	doubt   string   // why other values may have been meant than those that were read; "" where that cannot be
	stack   []byte   // brackets that are open
	open    int      // those that were never closed
	sound   bool     // the last value has an end that can be seen
	torn    bool     // the text ends inside of a text
	comma   bool     // the comma behind the last value was read with it
	lost    bool     // the end of a text cannot be told
	touched bool     // the end of src was looked at
}

// deepest is how far values may nest.
const deepest = 64

// white is the white space that JSON has.
const white = " \t\r\n"

// longestKey bounds what may name a member, in bytes.
const longestKey = 80

// What is told of repairs.
const (
	otherBlanks = "its JSON had blanks of another sort"
	noBrackets  = "its closing brackets were missing"
	mendedJSON  = "its JSON was mended"
	innerQuotes = "quotes inside of a text were not escaped"
	noQuote     = "the quote at the end of a text was missing"
)

// Why there is a doubt.
const (
	swallowed = "the end of a text cannot be told"
	crossed   = "a bracket of another sort closes it"
	noValue   = "an argument has no value"
	noName    = "an argument has no name"
)

func (r *lenient) note(text string) {
	if !slices.Contains(r.did, text) {
		r.did = append(r.did, text)
	}
}

func (r *lenient) doubts(why string) {
	r.doubt = cmp.Or(r.doubt, why)
}

// peek returns the next byte, or 0 at the end.
func (r *lenient) peek() byte {
	if r.at >= len(r.src) {
		r.touched = true
		return 0
	}
	return r.src[r.at]
}

// pastWhite returns where the white space ends that begins at i.
func (r *lenient) pastWhite(i int) int { return len(r.src) - len(strings.TrimLeft(r.src[i:], white)) }

func (r *lenient) rest() string { return r.src[min(r.at, len(r.src)):] }

// blank goes on to what is neither white space nor a comment.
func (r *lenient) blank() {
	for {
		switch c := r.peek(); {
		case c != 0 && strings.IndexByte(white, c) >= 0:
			r.at++
		case c == '/' && isComment(r.rest()):
			end := "\n"
			if r.src[r.at+1] == '*' {
				end = "*/"
			}
			if n := strings.Index(r.rest(), end); n < 0 {
				r.at, r.touched = len(r.src), true
			} else {
				r.at += n + len(end)
			}
			r.note("its JSON had comments")
		case c >= 0x80 && strings.ContainsRune("\u00a0\ufeff\u200b", runeAt(r.src, r.at)):
			r.at += utf8.RuneLen(runeAt(r.src, r.at))
			r.note(otherBlanks)
		default:
			return
		}
	}
}

// closing returns the bracket that closes what open opens.
func closing(open byte) byte {
	switch open {
	case '[':
		return ']'
	case '(':
		return ')'
	}
	return '}'
}

// stops reports whether a tag of the models begins at i, or the end of a fence: the end of everything before it.
func stops(src string, i int) bool {
	if src[i] == '`' {
		return strings.HasPrefix(src[i:], "```")
	}
	if src[i] != '<' || i+1 >= len(src) {
		return false
	}
	switch src[i+1] {
	case '/', '|', 't', 'f', 'a', 0xEF:
		return !strings.HasPrefix(src[i:], `<|"|>`)
	}
	return false
}

// value reads one value. in is the bracket that it stands in. It reports false where there is none that can be read.
func (r *lenient) value(in byte) (v *value, ok bool) {
	r.blank()
	from := r.at
	switch r.peek() {
	case '{', '[', '(':
		v, ok = r.brackets()
	default:
		if q := r.quote(); q != "" {
			v, ok = r.text(q, in)
		} else {
			v, ok = r.words(in)
		}
	}
	if v != nil {
		v.from, v.to = from, r.at
	}
	return v, ok
}

// brackets reads an object, a list or the arguments of a call. A tuple is a list.
func (r *lenient) brackets() (*value, bool) {
	open := r.src[r.at]
	if len(r.stack) >= deepest && !r.valid {
		return nil, false
	}
	arguments := open == '(' && len(r.stack) == 0 && r.begin == '('
	v := &value{kind: '{', from: r.at}
	if open == '[' || open == '(' && !arguments {
		v.kind = '['
	}
	r.stack = append(r.stack, open)
	r.at++
	r.sound = false
	ok := r.inside(v, open)
	r.stack = r.stack[:len(r.stack)-1]
	v.to = r.at
	if open == '(' && !arguments && ok {
		if len(v.items) == 1 && !v.comma {
			v = v.items[0]
		} else {
			r.note("tuples became lists")
		}
	}
	return v, ok
}

// inside reads what stands between two brackets, and the second one.
func (r *lenient) inside(v *value, open byte) bool {
	comma := true // there is room for one more
	for first := true; ; first = false {
		r.blank()
		for r.peek() == ',' {
			if comma && !first {
				return false // a value may be missing between two commas
			}
			r.at++
			comma, v.comma, r.sound = true, !first, false
			r.blank()
		}
		switch c := r.peek(); {
		case r.at >= len(r.src) || stops(r.src, r.at):
			r.touched = r.touched || len(r.rest()) < len(`<|"|>`)
			v.open = true
			r.open++
			return true
		case c == '}' || c == ']' || c == ')':
			if c != closing(open) {
				if r.crosses(c) {
					return true
				}
				continue
			}
			if r.at++; comma && v.comma && open != '(' {
				r.note("a comma stood before a closing bracket")
			}
			r.sound = true
			return true
		}
		if !comma && !r.goesOn(open) {
			return false
		}
		ok := false
		if v.kind == '{' {
			ok = r.member(v, open)
		} else if item, is := r.value(open); is {
			v.items, ok = append(v.items, item), true
		}
		if !ok {
			if r.at >= len(r.src) && !r.lost { // it was cut off here
				v.open, r.sound, r.torn = true, false, true
				r.open++
				return true
			}
			return false
		}
		comma, r.comma, v.comma = r.comma, false, false
	}
}

// crosses reads a bracket of another sort than the one that is open. Where it closes one further out, the value ends before it.
func (r *lenient) crosses(c byte) (ends bool) {
	r.doubts(crossed)
	r.note(mendedJSON)
	if ends = slices.ContainsFunc(r.stack[:len(r.stack)-1], func(open byte) bool { return closing(open) == c }); !ends {
		r.at++ // one too many
	}
	return ends
}

// goesOn reports whether a value may follow another without a comma: a text in a list, a name in an object.
func (r *lenient) goesOn(open byte) bool {
	switch open {
	case '[':
		r.note(mendedJSON)
		return r.quote() != "" && r.at > 0 && strings.IndexByte(white, r.src[r.at-1]) >= 0
	case '{':
		r.note("commas were missing")
		return r.nameAhead(r.at, '{')
	}
	return false
}

// member reads a name and its value.
func (r *lenient) member(v *value, open byte) bool {
	for open == '(' && r.peek() == '*' {
		r.at++
	}
	m := member{}
	start := r.at
	var sign byte
	if m.key, m.raw, sign = r.key(open); sign == 0 {
		if r.at >= len(r.src) || open != '(' {
			return false
		}
		r.at, m.raw = start, `""`
		r.doubts(noName)
	}
	r.blank()
	if c := r.peek(); c == ',' || c == closing(open) { // nothing is not what somebody meant to give
		r.doubts(noValue)
		r.note(mendedJSON)
		m.value = &value{kind: 'n', raw: "null", from: r.at, to: r.at}
		v.members = append(v.members, m)
		return true
	}
	in := open
	if open == '(' && sign == ':' {
		in = ':'
	}
	value, ok := r.value(in)
	if ok {
		m.value = value
		v.members = append(v.members, m)
	}
	return ok
}

// key reads a name and the sign behind it, which is 0 where there is none.
func (r *lenient) key(open byte) (key, raw string, sign byte) {
	if q := r.quote(); q != "" {
		if open == '(' && !r.nameAhead(r.at, '{') {
			return "", "", 0
		}
		v, ok := r.text(q, 'k')
		if !ok {
			return "", "", 0
		}
		key, raw = plainName(v.text()), v.raw
		if r.valid {
			key = v.text()
		} else if strings.Contains(v.raw, `\\_`) {
			raw = quote(key)
		}
	} else {
		n := nameLength(r.rest()[:min(len(r.rest()), 2*longestKey)])
		if n == 0 || n >= 2*longestKey {
			return "", "", 0
		}
		key = plainName(r.rest()[:n])
		r.markdown = r.markdown || len(key) < n
		raw = quote(key)
		r.at += n
		if open == '{' && !r.lax {
			r.note("its names had no quotes")
		}
	}
	r.blank()
	rest := r.rest()
	switch {
	case strings.HasPrefix(rest, "=>"):
		r.at += 2
	case strings.HasPrefix(rest, ":") && !(open == '(' && strings.HasPrefix(rest, "://")), strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "=="):
		r.at++
	default:
		r.peek()
		return "", "", 0
	}
	return key, raw, rest[0]
}

// nameLength returns how long the name without quotes is that text begins with.
func nameLength(text string) int {
	for i, c := range text {
		if unicode.IsLetter(c) || unicode.IsDigit(c) || c == '_' || i > 0 && (c == '$' || c == '.' || c == '-') || c == '\\' && strings.HasPrefix(text[i:], `\_`) {
			continue
		}
		return i
	}
	return len(text)
}

// nameAhead reports whether a name with the sign behind it begins at i.
func (r *lenient) nameAhead(i int, open byte) bool { return r.nameAt(i, open) != "" }

// nameThere is a name, in quotes or without, and the sign behind it, as far as they are there.
var nameThere = lazyregexp.New("^(?:[\"'`\u201c\u201d\u201e\u2018\u2019]([^\"'`\u201c\u201d\u2018\u2019\\n,:{}\\[\\]]*)([\"'`\u201c\u201d\u2018\u2019]?)|" +
	`((?:[\pL\pN_]|\\_)(?:[\pL\pN_$.-]|\\_)*(?:\\$)?))[ \t\r\n]*(==|[:=])?`)

// nameAt returns the name that begins at i, with the sign behind it, or "". What may still become one counts as one.
func (r *lenient) nameAt(i int, open byte) string {
	i = r.pastWhite(i)
	text := r.src[i:min(len(r.src), i+longestKey)]
	m := nameThere().FindStringSubmatch(text)
	if text == "" || m != nil && len(m[0]) == len(text) && m[4] == "" && i+len(text) >= len(r.src) { // the text may end within the name
		r.touched = true
		return text
	}
	if m != nil && (m[2] != "" || m[3] != "") && (m[4] == ":" && open != '(' || m[4] == "=" && open != '{') {
		return m[1] + m[3]
	}
	return ""
}
