package toolcall

import (
	"slices"
	"strings"
)

// opens enters the fence that begins at i, or reads the calls in it. It reports whether there is one.
func (s *scan) opens(i int) bool {
	fence := s.src[i:s.ticks(i)]
	if len(fence) < 3 {
		return false
	}
	line := s.find("\n", i)
	if line < 0 {
		line = len(s.src)
	}
	const longest = 200 // bytes of what stands behind the fence on its line
	info := s.src[i+len(fence) : min(line, i+len(fence)+longest)]
	if strings.Contains(info, "`") && !strings.ContainsAny(info, "{[(") {
		return false
	}
	lang, name := strings.ToLower(strings.TrimSpace(info)), ""
	for _, word := range strings.FieldsFunc(info, func(r rune) bool { return r == ' ' || r == ':' }) {
		if s.offer.named(strings.TrimSpace(word)) != nil {
			name = strings.TrimSpace(word)
		}
	}
	from := min(line+1, len(s.src))
	if at := strings.IndexAny(lang, " \t{[(`"); at >= 0 {
		if rest := strings.TrimSpace(lang[at:]); rest != "" && (rest[0] == '{' || rest[0] == '[') { // all on one line
			from = i + len(fence) + strings.IndexAny(info, "{[")
		} else if rest != "" && rest[0] == '(' {
			from, at = i+len(fence), 0
		}
		lang = strings.TrimSpace(lang[:at])
	}
	tired := s.tired()
	s.fences++
	c := candidate{start: i}
	if c.sure, c.doubts = counted(lang); !tired {
		if s.inList {
			c.doubts |= inItem
		}
		if s.try(i, func(int) (candidate, bool) { return s.inside(c, name, from, fence) }) || s.at > i {
			return true
		}
		if b := s.byte(s.space(from)); c.sure == fenced && (b == '{' || b == '[') {
			s.shows++
		}
	}
	s.at, s.bol, s.fence = line, false, fence
	return true
}

// counted says how sure calls in a fence of that language are meant.
func counted(lang string) (confidence, doubts) {
	switch {
	case lang == "" || strings.HasPrefix(lang, "json"):
		return fenced, 0
	case slices.Contains(list("languages of calls"), lang):
		return marked, 0
	}
	return fenced, inCode
}

// inside reads the calls in a fence whose text begins at from, as c, which has its beginning. name is that of a tool behind
// the fence on its line.
func (s *scan) inside(c candidate, name string, from int, fence string) (candidate, bool) {
	isMarked := c.sure == marked
	s.trusting = isMarked
	r, k := s.fencedCalls(&c, name, s.space(from))
	s.trusting = false
	if r.ok && !isMarked && s.shown(r) {
		return c, false
	}
	end, closed := r.end, false
	if r.ok {
		end = s.between(r.end, true)
		closed = s.has(end, fence)
	}
	known := s.knows(r)
	isWhole := r.ok && (isMarked || !r.bare()) && (closed || end >= len(s.src))
	if isWhole && !known && c.sure != marked { // a strange tool
		isWhole = len(s.offer.tools) > 0 && r.keyed && c.doubts == 0 && s.isAll(c, end)
	}
	switch {
	case isWhole:
		c.calls = formed(r.calls, "a call in a fence")
		if c.end = end; closed {
			c.ended(fence)
			c.end += len(fence)
		}
		return c, true
	case isMarked:
		c.broken, end = "there is no call that can be read in the fence", from
	case r.ok && known: // code goes on behind it
		c.calls, c.doubts, end = formed(r.calls, "a call in a fence"), c.doubts|goesOn, r.end
	default:
		s.wasted += max(r.end-k, 0)
		j, _ := s.dress(k)
		meant, ok := s.meant(c, j, max(r.end, j))
		if !ok {
			meant.end = c.start // its lines are read one by one
		}
		return meant, ok
	}
	c.end = len(s.src)
	if at := s.find(fence, end); at >= 0 {
		c.end = at + len(fence)
	}
	return c, true
}

// fencedCalls reads the calls at k, where the text of a fence begins, and returns where they begin.
func (s *scan) fencedCalls(c *candidate, name string, k int) (reading, int) {
	o, ok := s.opener(k, false)
	if !ok {
		o, ok = s.opener(k, true)
	}
	if ok && !o.shy {
		in := candidate{start: k}
		s.section(&in, o, k)
		if c.doubts == 0 && !o.line {
			c.sure = marked
		}
		return reading{calls: in.calls, end: in.end, ok: len(in.calls) > 0}, k
	}
	if name != "" && s.byte(k) == '{' {
		r := s.applied(name, k)
		c.doubts = dressed | r.doubts
		return r, k
	}
	r, d := s.fields(k), doubts(0)
	if !r.ok {
		k, d = s.dress(k)
		r = s.calls(k, 0)
	}
	c.doubts |= d | r.doubts
	return r, k
}

// ticks returns where the backticks or tildes end that begin at i.
func (s *scan) ticks(i int) int {
	if c := s.byte(i); c == '`' || c == '~' {
		return s.skip(i, s.src[i:i+1])
	}
	return min(i, len(s.src))
}

// inFence goes on to the end of the fence.
func (s *scan) inFence() {
	if !s.bol {
		k := strings.IndexAny(s.src[s.at:], "\n<")
		if k < 0 {
			s.at = len(s.src)
			return
		}
		if k += s.at; s.src[k] == '\n' {
			s.at, s.bol = k+1, true
			return
		}
		s.at = max(s.control(k), k+1)
		return
	}
	i := s.blanks(s.at)
	end := i
	if s.byte(i) == s.fence[0] {
		end = s.ticks(i)
	}
	rest := s.blanks(end)
	if end-i >= len(s.fence) && (rest >= len(s.src) || s.src[rest] == '\n' || s.src[rest] == '<') {
		s.fence, s.tick = "", false
		s.at, s.bol = rest, false
		return
	}
	s.tryLine(i)
}
