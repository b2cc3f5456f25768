package toolcall

import (
	"strings"
	"sync"
	"unicode/utf8"

	"hob/internal/schema"
)

// format is a way in which models mark that they call.
type format struct {
	open  string
	close string // "" is none
	in    string // its name in a repair: "in a <tool_call> tag"
	body  body
	shy   bool // it is a mark only where a call can be read behind it
	line  bool // it is a mark only where a line begins
}

// body says what stands behind the opening mark of a format. From element on that mark is a part of the body.
type body int

const (
	anyForm   body = iota // calls in any form
	nameForm              // see [scan.named]
	element               // see [scan.element]
	harmony               // see [scan.harmony]
	gemma                 // see [scan.gemma]
	functools             // functools[{…}]
)

// formats are all ways to mark a call. What they have in common, and all that has no marks, [scan.calls] reads.
var formats = sync.OnceValue(func() []format {
	bodies := map[string]body{"name": nameForm, "element": element, "harmony": harmony, "gemma": gemma, "functools": functools}
	var all []format
	for _, row := range table("formats") {
		f := format{open: row[0], close: row[1], in: row[2]}
		for word := range strings.FieldsSeq(row[3]) {
			f.shy, f.line, f.body = f.shy || word == "shy", f.line || word == "line", max(f.body, bodies[word])
		}
		all = append(all, f)
	}
	return all
})

// self reports whether the mark is a part of the body.
func (f format) self() bool { return f.body >= element }

// opener returns the format whose mark begins at i. line says whether those of a line's beginning count.
func (s *scan) opener(i int, line bool) (format, bool) {
	first := s.byte(i)
	if !line && !marks(first) || line && strings.IndexByte("cfta>", first) < 0 {
		return format{}, false
	}
	for _, f := range formats() {
		if f.line == line && f.open != "" && s.has(i, f.open) {
			return f, true
		}
	}
	return format{}, false
}

// marks reports whether a mark may begin with b.
func marks(b byte) bool { return b == '<' || b == '[' || b == "✿"[0] }

// closer returns the mark that ends a call, or a section of calls, at i, or "".
func (s *scan) closer(i int) string {
	if !marks(s.byte(i)) {
		return ""
	}
	for _, f := range formats() {
		if f.close != "" && s.has(i, f.close) {
			return f.close
		}
	}
	return ""
}

// mark reads the calls in the marks that begin at i.
func (s *scan) mark(i int) (candidate, bool) {
	c := candidate{start: i, sure: marked}
	o, ok := s.opener(i, false)
	stray := ""
	if !ok {
		stray = s.closer(i)
	}
	if !ok && stray == "" {
		return c, false
	}
	if s.mentioned(i, i+len(o.open)+len(stray)) || stray == "" && s.inSentence(i, o) || stray != "" && s.spoken > 0 {
		if s.spoken++; stray != "" {
			s.spoken = max(s.spoken-2, 0)
		}
		return c, false
	}
	switch {
	case s.inList && s.text == i:
		if c.sure, c.doubts = bare, inItem; stray != "" {
			return c, false
		}
		return s.shy(c, o, i)
	case o.shy:
		return s.shy(c, o, i)
	case !s.whole:
		c.end = len(s.src)
		return c, true
	case stray != "":
		c.end = i + len(stray)
		c.stray = true
		c.broken = "there is " + stray + " without a call before it"
		return c, true
	case s.tired():
		c.end, c.broken = len(s.src), "there are too many tags that hold no call"
		return c, true
	}
	s.trusting = true
	s.section(&c, o, i)
	s.trusting = false
	if len(c.calls) == 0 {
		s.unreadable(&c, o)
	}
	if before, _ := utf8.DecodeLastRuneInString(s.src[:i]); closes(before) != 0 && closes(before) == runeAt(s.src, c.end) {
		return c, false
	}
	return c, true
}

// shy reads the calls behind a mark that other texts hold, too.
func (s *scan) shy(c candidate, o format, i int) (candidate, bool) {
	from := i
	if !o.self() {
		from = s.space(i + len(o.open))
	}
	if r := s.fieldElements(i); r.ok && (s.knows(r) || s.isAll(c, r.end)) {
		c.calls, c.end = formed(r.calls, "a call "+o.in), r.end
		return c, true
	}
	r := s.bodyOf(o, from, 0)
	ok := r.ok && len(r.calls) > 0 && (s.knows(r) || r.keyed && o.close == "" && s.isAll(c, r.end)) && (o.body == anyForm || r.calls[0].args != "")
	if !ok {
		c.end = min(i+len(o.open), len(s.src))
		s.wasted += max(r.end-i, 0)
		return c, false
	}
	s.section(&c, o, i)
	return c, true
}

// bodyOf reads what stands behind the mark of o, or what begins with it.
func (s *scan) bodyOf(o format, i, depth int) reading {
	switch o.body {
	case nameForm:
		return s.named(i, depth)
	case element:
		return s.element(i)
	case harmony:
		return s.harmony(i)
	case gemma:
		return s.gemma(i)
	case functools:
		return s.list(i+len("functools"), depth)
	}
	return s.calls(i, depth)
}

// section reads marks and calls as they follow each other from i on, where o begins.
func (s *scan) section(c *candidate, o format, i int) {
	c.end = i
	if !o.self() {
		c.end += len(o.open)
	}
	open := true
	for len(c.calls) <= mostCalls {
		j := s.between(c.end, len(c.calls) > 0)
		if closer := s.closer(j); closer != "" {
			if open {
				c.ended(closer)
			}
			c.end, open = j+len(closer), false
			continue
		}
		next, marks := s.opener(j, o.line)
		if marks {
			if o, open = next, true; !o.self() {
				c.end = j + len(o.open)
				continue
			}
		}
		if !open {
			break
		}
		r := reading{}
		if marks || !o.self() {
			r = s.bodyOf(o, j, 0)
		}
		if before := len(c.calls); !r.ok || r.end <= j || before > 0 && s.idle(r) {
			if s.wasted += max(r.end-j, 0); before > 0 && !o.line {
				s.litter(c, j)
			}
			break
		}
		c.calls = append(c.calls, formed(r.calls, "a call "+o.in)...)
		c.end = r.end
		if n := len(c.calls); s.closer(s.space(c.end)) == "" && !c.calls[n-1].whole {
			if !o.line {
				s.litter(c, s.space(c.end))
			}
			break
		}
	}
}

// between skips what stands between two calls: blanks, commas, semicolons, and behind a call brackets that are too many.
func (s *scan) between(i int, brackets bool) int {
	j := s.space(i)
	for b := s.byte(j); b == ';' || b == ',' || brackets && (b == '}' || b == ']' || b == ')'); b = s.byte(j) {
		j = s.space(j + 1)
	}
	return j
}

// idle reports whether what was read is a word that only looks like a call without arguments.
func (s *scan) idle(r reading) bool {
	return len(r.calls) == 1 && r.calls[0].args == "" && s.resolve(r.calls[0].name) == nil
}

// mostLitter is how many bytes beside a call in its tag are taken for a remark.
const mostLitter = 400

// behindIt is why other arguments may be meant.
const behindIt = "there is something behind it"

// litter drops a remark that begins at i behind the calls of c, up to the tag that ends them. Text that may be one more call is not
// dropped: it makes the candidate unreadable, since nobody knows what it was meant to call.
func (s *scan) litter(c *candidate, i int) {
	end, open, last := i, true, &c.calls[len(c.calls)-1]
	for end < len(s.src) && end-i <= mostLitter {
		if b := s.src[end]; b == '<' || b == '[' {
			if closer := s.closer(end); closer != "" {
				open = false
				break
			}
			if _, opens := s.opener(end, false); opens {
				break
			}
		} else if b == '{' {
			c.broken = "there is something behind a call that cannot be read"
			last.doubt = behindIt
			return
		}
		end++
	}
	text := strings.TrimSpace(s.src[i:end])
	if text != "" && strings.IndexByte("\"'", text[0]) >= 0 {
		last.doubt = behindIt
	}
	if end-i > mostLitter || open { // without an end of the tag it stands behind the call, and is dropped anyway
		return
	}
	if text != "" {
		last.repair("after it stood " + schema.Shorten(text))
	}
	if strings.ContainsAny(text, `"'`) {
		last.doubt = behindIt
	}
	c.end = end
	s.closing(c)
}

// ended notes that the end of the last call was written.
func (c *candidate) ended(closer string) {
	if len(c.calls) == 0 {
		return
	}
	if last := &c.calls[len(c.calls)-1]; !last.whole || last.missing != "" {
		last.whole, last.missing = true, ""
		last.repair("its end was missing before " + closer)
	}
}

// unreadable says that there is no call behind o, and takes everything up to where a call would end.
func (s *scan) unreadable(c *candidate, o format) {
	c.broken = "there is no call that can be read " + o.in
	at, tag := s.first(c.end, list("ends of what cannot be read")...)
	if tag != "" && tag != "<tool_call>" {
		at += len(tag)
	}
	c.end = max(at, c.start+1)
}
