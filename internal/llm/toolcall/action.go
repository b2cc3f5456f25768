package toolcall

import (
	"strings"
)

// action reads Action: f and Action Input: {…} at i, or calls in another form behind Action:, also after a Thought:, which is
// thought then.
func (s *scan) action(c candidate, i int) (candidate, bool) {
	thought := i
	if s.has(i, "Thought:") {
		at, mark := s.first(i, "\nAction:", "\nFinal Answer:")
		if mark != "\nAction:" {
			return c, false
		}
		i = at + 1
	}
	if !s.has(i, "Action:") {
		return c, false
	}
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
