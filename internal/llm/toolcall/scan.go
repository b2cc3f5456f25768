package toolcall

import (
	"strings"
	"unicode/utf8"

	"hob/internal/lazyregexp"
)

// confidence is how sure a candidate is to be a call.
type confidence int

const (
	bare   confidence = iota // it only looks like one
	fenced                   // it is alone in a fence
	marked                   // it has the marks that models are trained to call with
)

// candidate is a piece of a text that is a call, or looks like one.
type candidate struct {
	start, end int // in the text, with its tags
	calls      []found
	sure       confidence
	doubts     doubts
	stray      bool   // it is a closing tag and nothing else
	thought    string // what stood before it and was thought
	broken     string // why there are no calls although this was meant to be one, for the model to read
}

// scan finds the candidates in a text without thoughts. The same code reads a whole text and one that still grows: a method that
// looks at the end of the text sets touched, and while the text grows, run takes back a step in which one did.
//
// It takes time in proportion to the text: what could be looked at again and again (an object that never ends, a tag that
// is never closed) is remembered or has a budget.
type scan struct {
	offer *Offer

	src   string
	whole bool // nothing follows src
	at    int  // everything before is decided

	bol     bool   // at is where a line begins
	text    int    // where the text of the line begins, behind the marks of lists and quotes
	tick    bool   // an odd number of backticks stand before at on its line
	fence   string // what closes the fence that at is in
	inList  bool   // the line belongs to an item of a list
	shows   int    // fences that show JSON and hold no call
	fences  int
	over    bool // the turn ends at at, whatever follows
	touched bool // the end of src was looked at in this step
	wasted  int  // bytes that were looked at for nothing

	spoken   int  // marks that were only mentioned and not closed yet
	trusting bool // inside of a mark: what looks like a call of a tool that there is not is one
	lax      bool // see lenient

	found map[string]seen     // see find
	names map[string]*offered // see resolve

	candidates []candidate
	count      int // of calls in candidates
}

// mostCalls is how many calls one reply may hold. A model that writes more has lost its way.
const mostCalls = 32

// seen is the result of a search: from is where it began, at where the words are, or -1.
type seen struct{ from, at int }

func newScan(o *Offer) *scan { return &scan{offer: o, bol: true} }

// scanned is the scan of a whole text.
func (o *Offer) scanned(text string) *scan {
	s := newScan(o)
	s.grow(text, true)
	s.run()
	return s
}

// grow sets the text, of which the last one was the beginning.
func (s *scan) grow(src string, whole bool) {
	s.src, s.whole, s.found, s.names = src, whole, map[string]seen{}, map[string]*offered{}
}

// run reads on, step by step. While the text grows it stops before a step that what follows may change, and for good before
// the first candidate.
func (s *scan) run() {
	for s.at < len(s.src) && s.count <= mostCalls && !s.over && (s.whole || len(s.candidates) == 0) {
		before := *s
		s.touched = false
		if s.at == 0 {
			s.at = s.leading()
		}
		switch {
		case s.fence != "":
			s.inFence()
		case s.bol:
			s.line()
		default:
			s.inLine()
		}
		if s.touched && !s.whole {
			*s = before
			return
		}
	}
}

// line reads at the beginning of a line: what counts only there.
func (s *scan) line() {
	i := s.blanks(s.at)
	s.tick = false
	if s.byte(i) == '\n' {
		s.at = i + 1
		return
	}
	s.text = i
	for after := s.bullet(i); after > s.text; after = s.bullet(s.text) {
		s.text = s.blanks(after)
	}
	if item := s.text > i; item || i == s.at {
		s.inList = item
	}
	if !s.opens(i) {
		s.tryLine(i)
	}
}

// tryLine reads what counts only where a line begins, whose text begins at i.
func (s *scan) tryLine(i int) {
	s.at, s.bol = i, false
	s.try(i, s.beginsLine)
}

// inLine goes on to what may be a mark, or to the end of the line.
func (s *scan) inLine() {
	i := s.at
	for i < len(s.src) && s.src[i] != '\n' && s.src[i] != '`' && s.src[i] != '{' && s.src[i] != '(' && !marks(s.src[i]) {
		i++
	}
	if i > s.at {
		s.at = i
		return
	}
	switch s.src[i] {
	case '\n', '{', '(':
		if s.src[i] == '{' && s.try(i, s.behindSentence) {
			return
		}
		name := s.nameBehindSentence(i)
		if name == i || !s.try(i, func(i int) (candidate, bool) { return s.glued(name, i) }) {
			s.at, s.bol = i+1, s.src[i] == '\n'
		}
		return
	case '`':
		s.at, s.tick = s.skip(i, "`"), !s.tick
		return
	}
	if i+1 < len(s.src) && strings.IndexByte("|/<"+"｜"[:1]+"✿"[1:2], s.src[i+1]) < 0 && !isNameByte(s.src[i+1]) || i+2 < len(s.src) && s.src[i+2] == '<' { // no mark and no control token
		s.at = i + 1
		return
	}
	if s.try(i, s.mark) || s.at > i || s.try(i, s.behindSentence) {
		return
	}
	end := s.control(i)
	if end > i && endsTurn(s.src[i:end]) && !s.mentioned(i, end) {
		s.src, s.over = s.src[:i], true
		return
	}
	s.at = max(end, i+1)
}

// try lets read say whether a candidate begins at i, and goes on behind it, or behind what is none.
func (s *scan) try(i int, read func(i int) (candidate, bool)) bool {
	c, ok := read(i)
	switch {
	case ok:
		s.candidates = append(s.candidates, c)
		s.count += len(c.calls)
		if s.whole { // else nothing behind it may be shown before it is read whole
			s.at, s.bol, s.tick = max(c.end, i+1), true, false
		}
	case c.end > i:
		s.wasted += c.end - i
		s.at, s.bol = c.end, false
	}
	return ok
}

// tired reports whether more of the text was read for nothing than it is worth. What follows is no call then, unless the
// text still grows, and with it what it is worth.
func (s *scan) tired() bool {
	tired := s.wasted > 8*len(s.src)+4096
	s.touched = s.touched || tired
	return tired
}

var (
	item     = lazyregexp.New(`^(?:>|(?:[-*+•]|\d{1,4}[.)])[ \t])`)
	halfItem = lazyregexp.New(`^(?:[-*+•]|\d{1,4}[.)]?)?$`)
)

// bullet returns where the text of an item of a list begins whose line begins at i, or of a quoted line; or i.
func (s *scan) bullet(i int) int {
	const longest = len("1000. ")
	if s.byte(i) == '>' && !s.isQuoted(i) {
		return i
	}
	text := s.src[i:min(len(s.src), i+longest)]
	s.touched = s.touched || len(text) < longest && halfItem().MatchString(text)
	return i + len(item().FindString(text))
}

// byte returns the byte at i, or 0 at the end of the text.
func (s *scan) byte(i int) byte {
	if i >= len(s.src) {
		s.touched = true
		return 0
	}
	return s.src[i]
}

// has reports whether the text goes on with prefix at i.
func (s *scan) has(i int, prefix string) bool {
	text := s.src[min(i, len(s.src)):min(i+len(prefix), len(s.src))]
	is := text == prefix[:len(text)]
	s.touched = s.touched || is && len(text) < len(prefix)
	return is && len(text) == len(prefix)
}

// hasFold is has for small letters and capitals.
func (s *scan) hasFold(i int, prefix string) bool {
	text := s.src[min(i, len(s.src)):min(i+len(prefix), len(s.src))]
	return strings.EqualFold(text, prefix[:len(text)]) && s.has(i, text+prefix[len(text):])
}

// blanks returns where the blanks on the line end that begin at i.
func (s *scan) blanks(i int) int { return s.skip(i, " \t\r") }

// space returns where the white space ends that begins at i.
func (s *scan) space(i int) int { return s.skip(i, white) }

// skip returns where the bytes of set end that begin at i.
func (s *scan) skip(i int, set string) int {
	for i < len(s.src) && strings.IndexByte(set, s.src[i]) >= 0 {
		i++
	}
	s.touched = s.touched || i >= len(s.src)
	return i
}

// find returns where words next stand at or after i, or -1.
func (s *scan) find(words string, i int) int {
	at := s.seek(words, i)
	s.touched = s.touched || at < 0
	return at
}

// near returns where a byte of set next stands within most bytes of i, or -1.
func (s *scan) near(set string, i, most int) int {
	i = min(i, len(s.src))
	end := min(len(s.src), i+most)
	at := strings.IndexAny(s.src[i:end], set)
	if at < 0 {
		s.touched = s.touched || end == len(s.src)
		return -1
	}
	return i + at
}

// seek is find for callers that set touched themselves. All calls for the same words together take time in
// proportion to the text.
func (s *scan) seek(words string, i int) int {
	i = min(i, len(s.src))
	last, ok := s.found[words]
	if !ok || i < last.from || last.at >= 0 && last.at < i {
		last = seen{from: i, at: strings.Index(s.src[i:], words)}
		if last.at >= 0 {
			last.at += i
		}
		s.found[words] = last
	}
	return last.at
}

// first returns where the first of words stands at or after i and which it is, or the end of the text and "".
func (s *scan) first(i int, words ...string) (int, string) {
	at, which := len(s.src), ""
	for _, w := range words {
		if k := s.seek(w, i); k >= 0 && k < at {
			at, which = k, w
		}
	}
	s.touched = s.touched || which == ""
	return at, which
}

// longestWord bounds what is read as a name in a text, in bytes.
const longestWord = 100

// word returns the name that begins at i, without backslashes, and where it ends.
func (s *scan) word(i int) (string, int) {
	j := i
	for j < i+longestWord {
		c := s.byte(j)
		if c == '\\' && s.byte(j+1) == '_' {
			j += 2
			continue
		}
		if c != '_' && c != '.' && c != '-' && c != '/' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			break
		}
		j++
	}
	j = min(j, len(s.src))
	return s.src[i:j], j
}

// resolves is how many unknown names a text may hold before they are compared to the letter: it bounds the time.
const resolves = 64

// resolve is [Offer.resolve] with a memory.
func (s *scan) resolve(name string) *offered {
	name = plainName(name)
	tool, ok := s.names[name]
	switch {
	case !ok && len(s.names) >= resolves:
		return s.offer.named(name)
	case !ok:
		tool = s.offer.resolve(name)
		s.names[name] = tool
	}
	return tool
}

// plainName takes out the backslashes that Markdown needs before an underscore.
func plainName(name string) string {
	return strings.TrimSpace(strings.ReplaceAll(name, `\_`, "_"))
}

// runeAt returns the rune that begins at i, or utf8.RuneError.
func runeAt(text string, i int) rune {
	if i < 0 || i >= len(text) {
		return utf8.RuneError
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	return r
}
