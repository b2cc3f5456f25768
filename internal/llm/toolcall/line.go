package toolcall

import (
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/lazyregexp"
)

// codeIndent is what Markdown sets before code.
const codeIndent = "    "

// beginsLine reads calls that count only where a line begins. Where it reads none it may still say how far there is none.
func (s *scan) beginsLine(i int) (candidate, bool) {
	c := candidate{start: i}
	if s.byte(i) == '>' && s.isQuoted(i) || s.tired() {
		return c, false
	}
	if s.inList {
		c.doubts |= inItem
		i = max(i, s.text)
	}
	if s.fence != "" {
		c.doubts |= behindCode
	}
	if strings.HasSuffix(s.src[:i], codeIndent) && !s.inList && s.fence == "" && trim(s.src[:i]) != "" {
		c.doubts |= behindCode // Markdown sets it as code
	}
	i = s.between(i, true) // braces that were closed once too often
	if action, ok := s.action(c, i); ok {
		return action, true
	}
	if o, ok := s.opener(i, true); ok {
		c.sure = marked
		s.section(&c, o, i)
		return c, len(c.calls) > 0
	}
	j, d := s.dress(i)
	c.doubts |= d
	if _, ok := s.opener(j, false); ok || s.closer(j) != "" {
		return c, false // mark reads it
	}
	r := s.calls(j, 0)
	if !r.ok {
		s.wasted += 8 * max(r.end-j, 0) // it takes longer than to count braces
		if after := s.space(r.end); (s.byte(j) == '{' || s.byte(j) == '[') && after > j && s.src[r.end-1] == closing(s.src[j]) && s.closer(after) != "" {
			c.sure, c.broken, c.end = marked, "the call before "+s.closer(after)+" cannot be read", after
			s.closing(&c)
			return c, true
		}
		return s.meant(c, j, r.end)
	}
	if s.fence != "" && s.shown(r) {
		return c, false
	}
	return s.known(c, r, j)
}

// isQuoted reports whether the line at i, which begins with >, is somebody else's or Python's, and not a call in Functionary's form.
func (s *scan) isQuoted(i int) bool {
	if !s.has(i, ">>>") {
		return true
	}
	name, _ := s.word(i + len(">>>"))
	return s.resolve(name) == nil
}

// foreign reports whether a name has the name of a tool behind one of something else: fs.readFile.
func (s *scan) foreign(name string) bool {
	tool, dot := s.resolve(name), strings.LastIndexByte(name, '.')
	return tool != nil && dot > 0 && !spellsCall(name[:dot]) && letters(name) != letters(tool.def.Name)
}

// shown reports whether calls in a fence are code that is no call of a tool, or its definition.
func (s *scan) shown(r reading) bool {
	return s.foreign(r.calls[0].name) || !slices.ContainsFunc(r.calls, func(f found) bool { return !defines(f) })
}

// dress returns where a call can begin on a line that begins at i: behind a label, a tag that sets code, or the beginning of
// a statement.
func (s *scan) dress(i int) (int, doubts) {
	d := doubts(0)
	for range 4 {
		from := i
		i = s.skip(i, "*")
		for _, tag := range list("dress") {
			if s.has(i, tag) {
				i = s.space(i + len(tag))
			}
		}
		i = s.field(i, list("labels"))
		if i > from {
			d |= dressed
		}
		if after := s.statement(i); after > i {
			i, d = after, d|inStatement
		}
		if i == from {
			break
		}
	}
	return i, d
}

// statement returns where the beginning of a statement ends that begins at i: x =, return, await; or i.
func (s *scan) statement(i int) int {
	name, j := s.word(i)
	if name == "" || strings.ContainsAny(name, "-./") || s.byte(j) != ' ' {
		return i
	}
	j = s.blanks(j)
	switch {
	case name == "return" || name == "await":
		return j
	case s.byte(j) == '=' && s.byte(j+1) != '=':
		return s.blanks(j + 1)
	}
	return i
}

// form says how calls without marks were written that begin at j.
func (s *scan) form(j int) string {
	switch s.byte(j) {
	case '{':
		return "a call written as JSON"
	case '<':
		return "a call written as an element"
	case '[', '(', '"', '\'', '`':
		return "a list of calls written as text"
	}
	if _, at := s.word(j); s.byte(at) == '(' {
		return "a call written as Python"
	}
	return "a call with its arguments behind its name"
}

// known makes a candidate of what was read at j, if these are calls of tools that there are, or a closing tag says that they
// are meant to be, or nothing else is in the reply.
func (s *scan) known(c candidate, r reading, j int) (candidate, bool) {
	known := s.knows(r)
	c.end, c.calls, c.doubts = r.end, formed(r.calls, s.form(j)), c.doubts|r.doubts
	name, at := s.word(j)
	args := name != "" && (s.has(at, "[ARGS]") || s.has(at, "[CALL_ID]"))
	after := s.space(r.end)
	closer := s.closer(after)
	if closer == "" && s.has(after, "<tool_call>") { // which some models write for </tool_call>
		closer = "<tool_call>"
	}
	switch {
	case args:
		c.sure = marked
		c.calls = formed(c.calls, "a call behind its name and [ARGS]")
	case closer != "":
		c.sure, c.end = marked, after
		c.calls = formed(c.calls, "a call before "+closer)
	case !known && !(len(s.offer.tools) > 0 && (r.keyed || s.byte(j) == '[') && c.doubts < asked && s.isAll(c, r.end)):
		s.wasted += r.end - j
		return c, false
	case r.bare():
		if s.endsLine(r.end) && name == "" {
			break
		}
		if !s.isAll(c, r.end) {
			return c, false
		}
		c.doubts |= onlyName
	case name != "" && s.byte(at) == '(' && !s.endsLine(r.end):
		c.doubts |= goesOn
	}
	if s.closing(&c) {
		c.sure = marked
	}
	return c, true
}

// formed is calls with how they were written.
func formed(calls []found, form string) []found {
	for k := range calls {
		calls[k].form = form
	}
	return calls
}

// knows reports whether one of the calls is of a tool that there is.
func (s *scan) knows(r reading) bool {
	return slices.ContainsFunc(r.calls, func(f found) bool { return s.resolve(f.name) != nil })
}

// closing takes the closing tags behind a candidate, and reports whether there are any.
func (s *scan) closing(c *candidate) (any bool) {
	for {
		j := s.space(c.end)
		closer := s.closer(j)
		if closer == "" && (any || c.sure == marked) && s.has(j, "<tool_call>") && s.space(j+len("<tool_call>")) >= len(s.src) {
			closer = "<tool_call>"
		}
		if closer == "" {
			return any
		}
		any, c.end = true, j+len(closer)
		c.ended(closer)
	}
}

// nameBehindSentence returns where the name of a tool begins that ends a line, or stands before a brace, at i, and begins a
// sentence: "I will look. read_file", also without the blank. Where there is none it returns i.
func (s *scan) nameBehindSentence(i int) int {
	end := len(strings.TrimRight(s.src[:i], " "))
	from := end
	for from > max(0, end-longestWord) && isNameByte(s.src[from-1]) {
		from--
	}
	if from == end || s.tick || s.offer.named(s.src[from:end]) == nil {
		return i
	}
	before, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s.src[:from], " "))
	if !strings.ContainsRune(".!?:…。！？：", before) {
		return i
	}
	return from
}

func isNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// glued reads the arguments at i, or on the next line, of the tool whose name begins at from, if nothing stands behind them. It may
// be an example, so the model is asked.
func (s *scan) glued(from, i int) (candidate, bool) {
	c := candidate{start: i, doubts: behindSentence}
	j := s.space(i)
	if s.byte(j) != '{' && s.byte(i) != '(' {
		return c, false
	}
	r := s.calls(from, 0)
	if !r.ok || r.calls[0].args == "" || r.end <= j || s.byte(i) == '(' && !r.keyed || !s.endsReply(r.end) {
		c.end = i
		return c, false
	}
	c.calls, c.end = formed(r.calls, "a call behind a sentence"), r.end
	return c, true
}

// behindSentence reads an element with the name of a tool, or JSON, that stands behind a sentence, if nothing stands behind it.
func (s *scan) behindSentence(i int) (candidate, bool) {
	c := candidate{start: i, doubts: behindSentence}
	if s.tick {
		return c, false
	}
	before, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s.src[max(0, i-longestWord):i], " "))
	if !strings.ContainsRune(".!?:…。！？：", before) || i > 1 && s.src[i-2] == '"' {
		return c, false
	}
	r := reading{end: i}
	if s.byte(i) == '<' {
		r = s.toolElement(i, 0)
	} else if m := beginsName().FindStringSubmatch(s.src[i:min(len(s.src), i+longestWord)]); m != nil && s.resolve(m[1]) != nil {
		r = s.calls(i, 0)
	}
	s.wasted += longestWord
	s.touched = s.touched || i+longestWord > len(s.src)
	c.calls, c.end = formed(r.calls, "a call behind a sentence"), r.end
	if !r.ok || !s.knows(r) || !s.endsReply(r.end) {
		c.end = i
		return c, false
	}
	return c, true
}

// beginsName is an object that says first which tool it calls.
var beginsName = lazyregexp.New(`^\{\s*["'“](?:name|tool|function|tool_name|action)["'”]\s*:\s*["'“]([\w.\-\\]+)`)

// endsLine reports whether nothing but a closing tag and punctuation stands on the line behind i.
func (s *scan) endsLine(i int) bool {
	for strings.IndexByte(" \t\r;,.`'\")]}", s.byte(i)) >= 0 && i < len(s.src) {
		i++
	}
	return i >= len(s.src) || s.src[i] == '\n' || s.closer(i) != "" || s.control(i) > i || s.has(i, "</") || s.has(i, "//") || s.has(i, "#")
}

// isAll reports whether nothing but c, which ends at end, is in the reply.
func (s *scan) isAll(c candidate, end int) bool {
	return trim(s.src[:c.start]) == "" && s.endsReply(end)
}

// endsReply reports whether nothing but brackets, punctuation and tags stands behind i.
func (s *scan) endsReply(i int) bool {
	for i < len(s.src) {
		if s.src[i] == '<' {
			end := strings.IndexByte(s.src[i:min(len(s.src), i+longestToken)], '>')
			if end < 0 {
				s.touched = true
				return false
			}
			i += end + 1
			continue
		}
		if strings.IndexByte(" \t\r\n`])}.,;\"'", s.src[i]) < 0 {
			return false
		}
		i++
	}
	s.touched = true
	return true
}
