package toolcall

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/lazyregexp"
	"hob/internal/schema"
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
	if r.doubt == "" {
		r.doubt = why
	}
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
		case c == '/' && strings.HasPrefix(r.rest(), "//"), c == '/' && strings.HasPrefix(r.rest(), "/*"):
			end := "\n"
			if r.src[r.at+1] == '*' {
				end = "*/"
			}
			n := strings.Index(r.rest(), end)
			if n < 0 {
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
	switch c := r.peek(); {
	case c == '{', c == '[', c == '(':
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
				if r.crosses(v, c) {
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

// crosses reads a bracket of another sort than the one that is open. Where it closes one further out, v ends before it.
func (r *lenient) crosses(v *value, c byte) (ends bool) {
	r.doubts(crossed)
	r.note(mendedJSON)
	for _, open := range r.stack[:len(r.stack)-1] {
		if closing(open) == c {
			return true
		}
	}
	r.at++ // one too many
	return false
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

// nameAt returns the name that begins at i, with the sign behind it, or "".
func (r *lenient) nameAt(i int, open byte) string {
	i = r.pastWhite(i)
	text := r.src[i:min(len(r.src), i+longestKey)]
	n, name := 0, ""
	cut := i+len(text) >= len(r.src) // the text may end within the name
	if q := quoteOf(text); q != "" {
		end := -1
		for _, e := range enders(q) {
			if k := strings.Index(text[len(q):], e); k >= 0 && (end < 0 || k < end) {
				end, n = k, len(q)+k+len(e)
			}
		}
		if end < 0 && cut && !strings.ContainsAny(text[len(q):], "\n,:{}[]") {
			r.touched = true
			return text
		}
		if end <= 0 || strings.ContainsAny(text[len(q):len(q)+end], "\n,:{}[]") {
			return ""
		}
		name = text[len(q) : len(q)+end]
	} else {
		n = nameLength(text)
		name = text[:n]
	}
	after := strings.TrimLeft(text[n:], white)
	if after == "" && cut {
		r.touched = true
		return name
	}
	if strings.HasPrefix(after, ":") && open != '(' || strings.HasPrefix(after, "=") && open != '{' && !strings.HasPrefix(after, "==") ||
		open == ':' && strings.HasPrefix(after, ":") {
		return name
	}
	return ""
}

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
	switch {
	case q[0] == '<':
		v.raw = quote(body)
	default:
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
	if inner > 0 && in == '(' && operated(r.src[from:after]) {
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
		c := r.src[i]
		if c == '\\' {
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
			if in == '{' && oneMore().MatchString(r.src[i+len(e):min(len(r.src), i+longestKey)]) {
				r.lost = true
				return -1, 0, 0 // another text follows: it may be a name without a value as well as more of this text
			}
			if in == 'k' {
				r.lost = true
				return -1, 0, 0
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
	c := rest[0]
	if in == 'k' {
		return c == ':' || c == '='
	}
	if stops(r.src, i) || strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*") {
		return true
	}
	if len(rest) < 2 {
		r.touched = true
	}
	switch in {
	case '(', ':':
		switch c {
		case ')':
			return true
		case ',':
			next := strings.TrimLeft(rest[1:], white)
			return next == "" || r.nameAhead(i+1, in) || strings.IndexByte("\"'{[()*-.0123456789TFN", next[0]) >= 0
		}
		return false
	case '[':
		return strings.IndexByte(",]})+", c) >= 0 || quoteOf(rest) != "" && i > at
	}
	if c == '+' {
		return quoteOf(strings.TrimLeft(rest[1:], white)) != ""
	}
	behind := strings.TrimLeft(rest, "}] \t\r\n")
	brackets := rest[:len(rest)-len(behind)]
	closed := strings.Count(brackets, "}") + strings.Count(brackets, "]")
	if behind == "" {
		r.touched = true
		return true
	}
	at = len(r.src) - len(behind)
	switch {
	case closed == 0 && behind[0] == ',':
		next := strings.TrimLeft(behind[1:], ", \t\r\n")
		return next == "" || next[0] == '}' || next[0] == ']' || strings.HasPrefix(next, "//") || strings.HasPrefix(next, "/*") || r.nameAhead(at+1, '{')
	case closed == 0:
		return r.nameAhead(at, '{') && quoteOf(behind) != "" || i > at && r.nameAhead(at, '{')
	case closed < len(r.stack):
		return behind[0] == ',' || behind[0] == ')' && slices.Contains(r.stack, '(') || stops(r.src, at)
	}
	return behind[0] != ',' && !strings.HasPrefix(behind, q) || behind[0] == ',' && !r.nameAhead(at+1, '{') ||
		strings.TrimSpace(behind) == q && r.src[0] == q[0] // all of it is in quotes
}

// operated reports whether something is done with a text in quotes: it is added to another, formatted, or called on.
func operated(text string) bool {
	q := text[0]
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case q:
			rest := strings.TrimLeft(text[i+1:], white)
			return rest != "" && (strings.IndexByte("+%*[", rest[0]) >= 0 || rest[0] == '.' && strings.Contains(rest, "(") ||
				strings.HasPrefix(rest, "if ") || strings.HasPrefix(rest, "or ") || strings.HasPrefix(rest, "and "))
		}
	}
	return false
}

var (
	// computed is in what Python would have to compute: a call, a text that is formatted, an operation, a piece of a list.
	computed = lazyregexp.New(`"|(?:^|[\s(])[fFrRbBuU]{0,2}'|'\s*[+%]|[\pL\pN_]\(|[\pL_][\pL\pN_]*\[|\s[+*/%-]\s|\d\s*[*%+]\s*\d|\*\*|\sif\s.*\selse\s|^(?:not|lambda|await)\s`)
	// computedAll is a value that is nothing but a call or a text that is formatted.
	computedAll = lazyregexp.New(`^[fFrRbBuU]{1,2}["'].*["']$|^[\pL_][\pL\pN_.]*\(.*\)$`)
)

// words reads what stands without quotes: a number, a literal, or the words of a text.
func (r *lenient) words(in byte) (*value, bool) {
	switch {
	case r.valid:
		return r.scalar(), true
	case in == '(' || in == ':':
		return r.loose(in)
	}
	ends := "{}[],:\"\n"
	if r.lax {
		ends = "}],<\n"
	}
	n := strings.IndexAny(r.rest(), ends)
	if n < 0 {
		r.touched, r.sound = true, false
		n = len(r.rest())
	}
	text := strings.TrimSpace(r.rest()[:n])
	if k := strings.IndexByte(text, '<'); k >= 0 && stops(r.src, r.at+k) {
		text = strings.TrimSpace(text[:k])
	}
	if cut := strings.Index(text, " //"); cut >= 0 {
		text = strings.TrimSpace(text[:cut])
	} else if cut := strings.Index(text, "/*"); cut > 0 {
		text = strings.TrimSpace(text[:cut])
	}
	if text == "" {
		return nil, false
	}
	known := literal(text) != ""
	if !known && !r.lax && (r.plain || !plainWords(text)) {
		return nil, false
	}
	switch first, _, more := strings.Cut(text, " "); {
	case !known && !r.lax && more && literal(first) != "":
		return nil, false
	case !known && !r.lax:
		r.note(mendedJSON)
	case text == "True" || text == "False" || text == "None":
		r.note("it wrote " + text + " as Python does")
	case literal(text) != text:
		r.note("it wrote " + text + " in its own way")
	}
	r.at += strings.Index(r.rest(), text) + len(text)
	r.sound = false
	if v, ok := parse(text); ok && r.begin != '(' && !r.lax {
		return v, true
	}
	if !known && (r.begin == '(' || !r.lax && nameLength(text) == len(text)) {
		return &value{kind: 'v', raw: text}, true
	}
	return &value{kind: 'w', raw: text}, true
}

// scalar reads the number or the literal that comes next.
func (r *lenient) scalar() *value {
	text := r.rest()
	if n := strings.IndexAny(text, " \t\r\n,]}"); n >= 0 {
		text = text[:n]
	}
	r.at += len(text)
	switch text[0] {
	case 't', 'f':
		return &value{kind: 't', raw: text}
	case 'n':
		return &value{kind: 'n', raw: text}
	}
	return &value{kind: '0', raw: text}
}

// loose reads an argument of a call that has no quotes: up to the parenthesis, or to the comma before the next name.
func (r *lenient) loose(in byte) (*value, bool) {
	depth, end := 0, -1
	start := r.at
	for j := start; j < len(r.src) && end < 0; j++ {
		switch c := r.src[j]; c {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				end = j
			}
		case ',':
			if depth == 0 && (r.nameAhead(j+1, in) || literal(strings.TrimSpace(r.src[start:j])) != "" || in == '(' && len(r.stack) > 1) {
				end = j
			}
		case '\n', '<', '`':
			if c == '\n' || stops(r.src, j) {
				end = j
			}
		}
	}
	r.sound = false
	if end < 0 {
		r.touched, end = true, len(r.src)
	}
	text := strings.TrimSpace(r.src[start:end])
	if r.markdown {
		text = strings.ReplaceAll(text, `\_`, "_")
	}
	if r.at = end; text == "" || in == '(' && strings.IndexByte("+:", text[0]) >= 0 && literal(text) == "" {
		return nil, false // nothing, or a sign between values
	}
	v := &value{kind: 'w', raw: text}
	switch {
	case literal(text) != "":
	case in == ':' && !computedAll().MatchString(text):
	case in == ':', strings.ContainsAny(text, "\"'([+*/% -") && computed().MatchString(text), strings.Contains(text, "..."):
		v.wrong = "must be a value, not the expression " + schema.Shorten(text)
	default:
		v.kind = 'v'
	}
	return v, true
}

// plainWords reports whether words without quotes can only be a text: nothing in them is a sum, a path that may go on or half
// a quote, and they begin with nothing that is nearly a number.
func plainWords(run string) bool {
	if strings.Contains(run, "..") {
		return false
	}
	for _, r := range run {
		if !unicode.IsPrint(r) || strings.ContainsRune("/+\\()'`<>\u00b4\u2018\u2019\u201c\u201d\uE000", r) {
			return false
		}
	}
	if strings.Trim(run, "0123456789") == "" { // no number has a zero before it; 007 has
		return true
	}
	first, _, _ := strings.Cut(run, " ")
	_, err := strconv.ParseFloat(first, 64)
	number := err == nil || errors.Is(err, strconv.ErrRange) || first == "-"
	return !number || strings.IndexByte("-.0123456789", first[0]) < 0
}

var odd = lazyregexp.New(`^([+-]?)(\d*(?:_\d+)*)(\.?)(\d*)((?:[eE][+-]?\d+)?)$`)

// literal returns the JSON of what is plainly a number, a truth value, null, an object or a list, or "".
func literal(text string) string {
	switch text {
	case "":
		return ""
	case "true", "True", "TRUE":
		return "true"
	case "false", "False", "FALSE":
		return "false"
	case "null", "Null", "NULL", "None", "undefined":
		return "null"
	}
	c := text[0]
	if (c == '{' || c == '[' || c == '-' || c >= '0' && c <= '9') && json.Valid([]byte(text)) {
		return text
	}
	if strings.IndexByte("+-.0123456789", c) < 0 {
		return ""
	}
	m := odd().FindStringSubmatch(text)
	if m == nil || m[2]+m[4] == "" {
		return ""
	}
	whole, fraction := strings.ReplaceAll(m[2], "_", ""), m[4]
	if whole == "" {
		whole = "0"
	}
	number := strings.TrimPrefix(m[1], "+") + whole
	if fraction != "" {
		number += "." + fraction
	}
	if number += m[5]; !json.Valid([]byte(number)) {
		return ""
	}
	return number
}
