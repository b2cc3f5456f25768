package toolcall

import (
	"strings"
)

// react reads Thought: … Action: f Action Input: {…}.
func (s *scan) react(c candidate, i int) (candidate, bool) {
	s.touched = true // it may go on for long
	at := s.find("\nAction:", i)
	if at < 0 || s.find("\nFinal Answer:", i) >= 0 && s.find("\nFinal Answer:", i) < at {
		return c, false
	}
	return s.action(c, at+1, i)
}

// action reads Action: f and Action Input: {…}, which begin at i, or calls in another form behind Action:. What stands before
// it from thought on was thought.
func (s *scan) action(c candidate, i, thought int) (candidate, bool) {
	const form = "a call behind Action:"
	c.sure = marked
	from := s.space(i + len("Action:"))
	name, j := s.word(from)
	input := s.space(j)
	var r reading
	switch {
	case name != "" && s.has(input, "Action Input:"):
		r = s.input(name, s.space(input+len("Action Input:")))
	case name == "" || s.byte(j) == '(':
		if r = s.calls(from, 0); !r.ok {
			r.calls = nil
		}
	case s.resolve(name) != nil && s.endsLine(j):
		r.calls, r.end = []found{{name: name, whole: true}}, j
	}
	if len(r.calls) == 0 {
		return c, false
	}
	if k := s.space(r.end); s.has(k, "Observation:") { // what comes then was made up
		r.end = len(s.src)
	}
	c.start, c.thought = thought, strings.TrimSpace(strings.TrimPrefix(s.src[thought:i], "Thought:"))
	c.end, c.calls = r.end, formed(r.calls, form)
	return c, true
}

// input is a call of name with what stands behind Action Input: an object, or a line that is the only argument.
func (s *scan) input(name string, i int) reading {
	from := s.fenced(i)
	if s.byte(from) == '{' {
		if r := s.applied(name, from); r.ok {
			if from > i {
				r.end = s.pastFence(r.end)
			}
			return r
		}
	}
	f := found{name: name, whole: true}
	end, _ := s.first(from, "\n")
	switch text := strings.TrimSpace(s.src[from:end]); {
	case text == "" || text == "None":
	case text[0] == '{':
		f.args, f.whole = text, false
	case text[0] == '"':
		f.args = "(" + text + ")"
	default:
		f.args = "(" + quote(text) + ")"
	}
	return reading{calls: []found{f}, end: end, ok: true}
}
