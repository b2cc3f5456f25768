package toolcall

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// deepestTidy is how far what is repaired may nest.
const deepestTidy = 64

// What a tidier expects next.
const (
	expectKey = iota
	expectColon
	expectValue
	expectNext // a comma or a closing bracket
)

// Marks around the number of a text that was set aside. They are of the private use area; words that hold them are left
// alone.
const (
	markStart = "\uE000"
	markEnd   = "\uE001"
)

var (
	bareKey    = lazily(`^[\pL_$][\pL\pN_$.-]*$`) // what may name a member without quotes
	listGoesOn = lazily(`^\s*,\s*["']`)
	keyAhead   = lazily(`^["'][\pL_$][\pL\pN_$. -]{0,60}["']\s{0,8}:`) // how a member begins
)

// tidier goes once through what is nearly a JSON object, and writes down the JSON that it probably was. It knows where
// texts begin and end, and so where the object does.
type tidier struct {
	in    string
	at    int
	guess bool // a quote ends a text only where a text can end

	out   []byte   // JSON, if all went well
	bare  []byte   // the same with every text set aside
	texts []string // those texts, as JSON without their quotes
	did   []string

	stack    []byte // brackets that are open
	expect   int
	comma    int  // after a comma: where it stands in out; else -1
	commaB   int  // the same in bare
	word     bool // the last thing was a word that is neither a number nor a literal
	text     bool // the last thing was a text
	end      int  // behind the bracket that closed the first one; 0 while there is none
	open     bool // the end came inside a text
	crossed  bool // a bracket was closed by one of the other sort
	hopeless bool // nobody knows what was meant
}

// tidy reads the object or array that in begins with.
func tidy(in string, guess bool) *tidier {
	s := &tidier{in: in, guess: guess, comma: -1, expect: expectValue}
	s.out = make([]byte, 0, len(in)+16)
	for s.at < len(in) && s.end == 0 && !s.open {
		s.step()
	}
	return s
}

func (s *tidier) note(text string) {
	if !slices.Contains(s.did, text) {
		s.did = append(s.did, text)
	}
}

func (s *tidier) emit(text string) {
	s.out = append(s.out, text...)
	s.bare = append(s.bare, text...)
}

func (s *tidier) step() {
	rest := s.in[s.at:]
	switch c := rest[0]; c {
	case ' ', '\t', '\r', '\n':
		s.emit(rest[:1])
		s.at++
	case '{', '[':
		s.push(c)
	case '}', ']':
		s.pop(c)
	case ',':
		s.listed()
	case ':':
		if s.expect != expectColon {
			s.hopeless = true
		}
		s.token(":", expectValue)
	default:
		switch q := opener(rest); {
		case q != "":
			s.str(q)
		case strings.HasPrefix(rest, "//"), strings.HasPrefix(rest, "/*"):
			s.comment(rest)
		case strings.HasPrefix(rest, "\u00a0"), strings.HasPrefix(rest, "\ufeff"), strings.HasPrefix(rest, "\u200b"):
			_, n := utf8.DecodeRuneInString(rest)
			s.emit(" ")
			s.at += n
			s.note(otherBlanks)
		default:
			s.bareword(rest)
		}
	}
}

// token writes a mark of punctuation.
func (s *tidier) token(text string, expect int) {
	s.emit(text)
	s.at += len(text)
	s.expect, s.comma, s.word, s.text = expect, -1, false, false
}

func (s *tidier) top() byte {
	if len(s.stack) == 0 {
		return 0
	}
	return s.stack[len(s.stack)-1]
}

func (s *tidier) push(c byte) {
	if s.expect != expectValue && !(s.expect == expectNext && s.top() == '[') || len(s.stack) >= deepestTidy {
		s.hopeless = true
	}
	s.stack = append(s.stack, c)
	s.token(string(c), expectValue)
	if c == '{' {
		s.expect = expectKey
	}
}

func (s *tidier) pop(c byte) {
	if s.comma >= 0 {
		s.out = slices.Delete(s.out, s.comma, s.comma+1)
		s.bare = slices.Delete(s.bare, s.commaB, s.commaB+1)
		s.note("a comma stood before a closing bracket")
	} else if s.expect == expectColon || s.expect == expectValue && s.top() == '{' {
		s.hopeless = true // a name without a value
	}
	for len(s.stack) > 1 && closing(s.top()) != c && slices.Contains(s.stack, c-2) {
		s.stack = s.stack[:len(s.stack)-1]
		s.crossed = true
	}
	if closing(s.top()) != c { // a bracket too many, or one for another
		s.crossed = true
		s.token(string(c), expectNext)
		return
	}
	s.stack = s.stack[:len(s.stack)-1]
	s.token(string(c), expectNext)
	if len(s.stack) == 0 {
		s.end = s.at
	}
}

// listed reads a comma.
func (s *tidier) listed() {
	comma, bare := len(s.out), len(s.bare)
	if s.expect != expectNext {
		s.hopeless = s.hopeless || s.expect == expectColon || s.expect == expectValue && s.top() == '{'
		comma = -1
	}
	expect := expectValue
	if s.top() == '{' {
		expect = expectKey
	}
	s.token(",", expect)
	s.comma, s.commaB = comma, bare
}

// comment leaves out what is not for machines.
func (s *tidier) comment(rest string) {
	end := len(rest)
	if rest[1] == '*' {
		if i := strings.Index(rest, "*/"); i >= 0 {
			end = i + 2
		}
	} else if i := strings.IndexByte(rest, '\n'); i >= 0 {
		end = i
	}
	s.at += end
	s.note("its JSON had comments")
}

// delimiters end a word.
const delimiters = "{}[],:\"'` \t\r\n"

// bareword reads something without quotes: a number, a literal, a name, or what should have been a text.
func (s *tidier) bareword(rest string) {
	end := strings.IndexAny(rest, delimiters)
	if end < 0 {
		end = len(rest)
	}
	word := rest[:end]
	s.at += end
	_, known := parse(word)
	switch {
	case s.expect == expectKey && bareKey().MatchString(word) && strings.HasPrefix(strings.TrimLeft(s.in[s.at:], " \t\r\n"), ":"):
		s.note("its names had no quotes")
		s.emit(quote(word))
		s.expect, s.comma = expectColon, -1
		return
	case s.expect == expectValue && (word == "True" || word == "False" || word == "None"):
		s.note("it wrote " + word + " as Python does")
		word, known = map[string]string{"True": "true", "False": "false", "None": "null"}[word], true
	}
	follows := word != "+" && (s.text || s.expect == expectNext && !s.word)
	if follows || s.expect == expectColon || !utf8.ValidString(word) ||
		strings.ContainsAny(word, `\()`) || strings.Contains(word, "..") || strings.Contains(word, markStart) {
		s.hopeless = true
	}
	s.emit(word)
	s.word, s.text, s.expect, s.comma = !known && word != "+", false, expectNext, -1
}

// opener returns the quote that text begins with, or "".
func opener(text string) string {
	for _, q := range []string{`"""`, `'''`, `"`, `'`, "`", "\u201c", "\u201e", "\u2018"} {
		if strings.HasPrefix(text, q) {
			return q
		}
	}
	return ""
}

// enders returns what ends a text that q began.
func enders(q string) []string {
	switch q {
	case "\u201c", "\u201e":
		return []string{"\u201d", "\u201c", `"`}
	case "\u2018":
		return []string{"\u2019", "'"}
	}
	return []string{q}
}

// str reads a text.
func (s *tidier) str(q string) {
	if len(q) == 3 && q[0] < 0x80 && s.expect != expectValue { // an empty text, and then a quote
		q = q[:1]
	}
	if s.expect == expectNext {
		s.between()
	}
	start := s.at + len(q)
	end, size, inner := s.ending(start, q)
	if end < 0 {
		s.open = true
		return
	}
	if q != `"` {
		s.note("its quotes were " + q)
	}
	if inner {
		s.note("quotes inside of a text were not escaped")
	}
	text, did := literalOf(s.in[start:end], q)
	for _, d := range did {
		s.note(d)
	}
	s.out = append(append(append(s.out, '"'), text...), '"')
	s.bare = append(s.bare, `"`+markStart+strconv.Itoa(len(s.texts))+markEnd+`"`...)
	s.texts = append(s.texts, text)
	s.at = end + size
	if s.word || s.expect == expectColon {
		s.hopeless = true
	}
	s.word, s.text, s.comma = false, true, -1
	if s.expect == expectKey {
		s.expect = expectColon
	} else {
		s.expect = expectNext
	}
}

// between writes the comma that is missing before a name. Another text after a text is nobody knows what, unless there
// are blanks between them.
func (s *tidier) between() {
	switch {
	case s.top() == '{' && keyAhead().MatchString(s.in[s.at:]):
		s.emit(",")
		s.expect, s.word, s.text = expectKey, false, false
		s.note("commas were missing")
	case s.at > 0 && s.text && !strings.ContainsRune(" \t\r\n", rune(s.in[s.at-1])) && !strings.HasSuffix(s.in[:s.at], "+"):
		s.hopeless = true
	}
}

// ending finds the end of a text that starts at start: where its last quote stands and how long that is, and whether
// there are quotes inside. It returns -1 if there is no end.
func (s *tidier) ending(start int, q string) (end, size int, inner bool) {
	ends := enders(q)
	for i := start; i < len(s.in); i++ {
		if s.in[i] == '\\' {
			i++
			continue
		}
		for _, e := range ends {
			if !strings.HasPrefix(s.in[i:], e) {
				continue
			}
			if !s.guess || len(q) == 3 && q[0] < 0x80 || s.endsHere(i+len(e)) {
				return i, len(e), inner
			}
			if !inner && listGoesOn().MatchString(s.in[i+len(e):]) {
				s.open = true
				return -1, 0, false // one more text follows: it may be a name without a value as well as more of this text
			}
			inner = true
			break
		}
	}
	return -1, 0, false
}

// endsHere reports whether a text can end before at, going by what follows.
func (s *tidier) endsHere(at int) bool {
	rest := strings.TrimLeft(s.in[at:], " \t\r\n")
	if s.expect == expectKey {
		return strings.HasPrefix(rest, ":")
	}
	if s.top() != '{' {
		return true
	}
	behind := strings.TrimLeft(rest, "}] \t\r\n")
	closed := strings.Count(rest[:len(rest)-len(behind)], "}") + strings.Count(rest[:len(rest)-len(behind)], "]")
	switch {
	case closed == 0 && strings.HasPrefix(behind, ","):
		return keyAhead().MatchString(strings.TrimLeft(behind[1:], " \t\r\n"))
	case closed == 0:
		return behind == "" || keyAhead().MatchString(behind)
	case closed < len(s.stack):
		return behind == "" || behind[0] == ','
	}
	return behind == "" || behind[0] != ',' && opener(behind) == ""
}

// restore puts the texts back that were set aside.
func (s *tidier) restore(v *value) {
	if v.kind == '"' {
		v.raw = s.restored(v.raw)
	}
	for i, m := range v.members {
		v.members[i].raw = s.restored(m.raw)
		v.members[i].key = unquote(v.members[i].raw)
		s.restore(m.value)
	}
	for _, item := range v.items {
		s.restore(item)
	}
}

func (s *tidier) restored(raw string) string {
	var out strings.Builder
	for {
		before, marked, ok := strings.Cut(raw, markStart)
		out.WriteString(before)
		if !ok {
			return out.String()
		}
		number, after, _ := strings.Cut(marked, markEnd)
		if n, err := strconv.Atoi(number); err == nil && n < len(s.texts) {
			out.WriteString(s.texts[n])
		}
		raw = after
	}
}
