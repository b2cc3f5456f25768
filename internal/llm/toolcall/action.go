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
		f := found{name: name}
		f.args, r.end, f.whole = s.input(s.space(input + len("Action Input:")))
		r.calls = []found{f}
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

// input reads what stands behind Action Input: as arguments.
func (s *scan) input(i int) (args string, end int, whole bool) {
	if from := s.fenced(i); from > i {
		args, end, whole = s.input(from)
		return args, s.pastFence(end), whole
	}
	if s.byte(i) == '{' {
		v, l := s.value(i)
		if v == nil {
			end, _ = s.first(max(i, l.at), "\n")
			return s.src[i:end], end, false
		}
		return s.src[i:v.to], v.to, !v.open
	}
	end, _ = s.first(i, "\n")
	switch text := strings.TrimSpace(s.src[i:end]); {
	case text == "" || text == "None":
	case text[0] == '"':
		args = "(" + text + ")"
	default:
		args = "(" + quote(text) + ")"
	}
	return args, end, true
}
