package toolcall

import (
	"slices"
	"strings"
)

// nameKeys are what models call the name of a tool, the most certain first, and argumentKeys its arguments.
func nameKeys() []string {
	return []string{"name", "tool_name", "function_name", "tool", "function", "action", "func", "recipient_name"}
}

func argumentKeys() []string {
	return []string{
		"arguments", "parameters", "args", "input", "kwargs", "params", "tool_input", "action_input", "tool_args", "tool_arguments",
		"tool_parameters", "function_args",
	}
}

// mostNested bounds how deep calls are looked for inside of objects.
const mostNested = 4

// reading is what was read of calls at one place.
type reading struct {
	calls []found
	end   int
	keyed bool // see candidate
	ok    bool // all that is there are calls
}

// objectCalls returns the calls that an object at i is or holds.
func (s *scan) objectCalls(i, depth int) reading {
	pairs, end, closed := s.object(i)
	r := reading{end: end}
	if depth > mostNested {
		return r
	}
	for _, p := range pairs {
		switch strings.ToLower(p.key) {
		case "tool_calls", "function_calls", "calls", "tool_call", "function_call":
			in := reading{}
			switch s.byte(p.from) {
			case '[':
				in = s.list(p.from, depth+1)
			case '{':
				in = s.objectCalls(p.from, depth+1)
			}
			if in.ok {
				if in.end = end; !closed {
					lacks(in.calls, noBrace)
				}
				return in
			}
		}
	}
	balanced := !closed && s.balanced(pairs, end)
	if in := s.inner(pairs, depth); in.ok {
		if in.end = end; balanced {
			lacks(in.calls, noBrace)
		}
		in.calls[0].whole = in.calls[0].whole && (closed || balanced)
		return in
	}
	f, keyed, ok := s.named(pairs)
	if ok {
		if f.whole = closed; !closed {
			if last := pairs[len(pairs)-1].to; f.args == "" && !balanced && s.space(last) < end {
				f.args = "{" + s.src[last:end] // whatever it is: the call is not one without arguments
			}
			f.end(keyed, balanced)
			keyed = keyed || f.args != "" && s.resolve(f.name) != nil
		}
		r.calls, r.keyed, r.ok = []found{f}, keyed, true
		return r
	}
	for _, p := range pairs { // the name is the key
		if s.byte(p.from) != '{' || slices.Contains(argumentKeys(), p.key) || len(pairs) > 1 && s.resolve(p.key) == nil {
			r.calls = nil
			return r
		}
		r.calls = append(r.calls, found{name: p.key, args: s.src[p.from:p.to], whole: closed || p.closed})
	}
	if r.ok = len(r.calls) > 0; !closed {
		lacks(r.calls, noBrace)
		r.keyed = true
	}
	return r
}

// balanced reports whether nothing but the last brace of an object is missing: its last value has an end that can be seen.
func (s *scan) balanced(pairs []pair, end int) bool {
	if len(pairs) == 0 {
		return false
	}
	last := pairs[len(pairs)-1]
	return last.closed && last.to > last.from && strings.IndexByte("}]\"'", s.src[last.to-1]) >= 0 && s.space(last.to) >= end
}

// end says what follows from the missing end of an object: arguments that have a name of their own may have an end of
// their own, and those that stand beside the name have none.
func (f *found) end(keyed, balanced bool) {
	switch {
	case keyed && balanced:
		f.whole, f.missing = true, noBrace
	case !keyed:
		f.args = strings.TrimSuffix(f.args, "}")
	}
}

// inner reads {"function": {"name": …, "arguments": …}}, also with the arguments beside it.
func (s *scan) inner(pairs []pair, depth int) reading {
	for _, p := range pairs {
		if k := strings.ToLower(p.key); s.byte(p.from) != '{' || k != "function" && k != "tool" && k != "action" {
			continue
		}
		in := s.objectCalls(p.from, depth+1)
		if !in.ok || len(in.calls) != 1 {
			continue
		}
		for _, q := range pairs {
			if in.calls[0].args == "" && slices.Contains(argumentKeys(), strings.ToLower(q.key)) {
				in.calls[0].args, in.keyed = s.src[q.from:q.to], true
			}
		}
		return in
	}
	return reading{}
}

// named reads {"name": …, "arguments": …} under all the names these have, and {"name": …} with the arguments beside it.
func (s *scan) named(pairs []pair) (f found, keyed, ok bool) {
	name := -1
	var tool *offered
	for _, k := range nameKeys() {
		at := slices.IndexFunc(pairs, func(p pair) bool { return strings.ToLower(p.key) == k })
		if at < 0 || pairs[at].from >= pairs[at].to || !pairs[at].closed {
			continue
		}
		if c := s.src[pairs[at].from]; c != '"' && c != '\'' {
			continue
		}
		t := s.resolve(meaning(s.src[pairs[at].from:pairs[at].to]))
		if name < 0 || t != nil {
			name = at
		}
		if tool = t; t != nil {
			break
		}
	}
	if name < 0 {
		return f, false, false
	}
	f.name = meaning(s.src[pairs[name].from:pairs[name].to])
	var flat []string
	for i, p := range pairs {
		switch k := strings.ToLower(p.key); {
		case i == name:
		case slices.Contains(argumentKeys(), k) && !keyed && (tool == nil || s.byte(p.from) == '{' || !slices.Contains(tool.schema.Names(), p.key)):
			f.args, keyed = s.src[p.from:p.to], true
		case (k == "id" || k == "type" || k == "thought") && (tool == nil || !slices.Contains(tool.schema.Names(), p.key)):
		default:
			flat = append(flat, p.raw+":"+s.src[p.from:p.to])
		}
	}
	if !keyed && tool == nil && len(flat) > 0 && !s.trusting {
		return f, false, false // a person, a place
	}
	if !keyed && len(flat) > 0 {
		f.args = "{" + strings.Join(flat, ",") + "}"
		f.repairs = append(f.repairs, "its arguments stood beside its name")
	}
	return f, keyed, true
}

// list reads a list of calls: objects, f(a=1), strings that hold either, or bare names.
func (s *scan) list(i, depth int) reading {
	r := reading{ok: true}
	j := i + 1
	for depth <= mostNested {
		j = s.space(j)
		for s.byte(j) == ',' || s.byte(j) == ';' {
			j = s.space(j + 1)
		}
		var in reading
		switch c := s.byte(j); c {
		case ']':
			r.end, r.ok = j+1, r.ok && len(r.calls) > 0
			return r
		case 0:
			r.end, r.ok = j, len(r.calls) > 0 // what is there was written whole
			lacks(r.calls, noList)
			return r
		case '<', '`':
			if len(r.calls) > 0 && (s.stops(j) || c == '`') {
				lacks(r.calls, noList)
				r.end = j
				return r
			}
		case '{':
			in = s.objectCalls(j, depth+1)
		case '"', '\'':
			end, _ := s.text(j)
			in = s.quoted(j, end, depth)
		default:
			in = s.python(j)
			if name, end := s.word(j); !in.ok && name != "" && (s.byte(end) == ']' || s.byte(end) == ',') {
				in = reading{calls: []found{{name: name, whole: true}}, end: end, ok: s.resolve(name) != nil}
			}
		}
		if !in.ok || in.end <= j {
			break
		}
		r.calls, r.keyed, j = append(r.calls, in.calls...), r.keyed || in.keyed, in.end
	}
	r.ok = false
	r.end, _ = s.container(i)
	return r
}

// quoted reads calls in a string that stands from i to end.
func (s *scan) quoted(i, end, depth int) reading {
	sub := newScan(s.offer, nothing)
	sub.grow(strings.TrimSpace(meaning(s.src[i:end])), true)
	sub.names = s.names
	var in reading
	if sub.byte(0) == '{' {
		in = sub.objectCalls(0, depth+1)
	} else {
		in = sub.python(0)
	}
	in.ok = in.ok && sub.space(in.end) >= len(sub.src)
	in.end = end
	return in
}

// objects reads the objects that begin at i, one after the other, that are calls.
func (s *scan) objects(i int) reading {
	r := s.objectCalls(i, 0)
	if !r.ok {
		if curly := s.curly(i); curly.ok {
			return curly
		}
	}
	for r.ok && len(r.calls) <= mostCalls {
		j := s.space(r.end)
		for c := s.byte(j); c == ';' || c == ','; c = s.byte(j) {
			j = s.space(j + 1)
		}
		if s.byte(j) != '{' {
			break
		}
		next := s.objectCalls(j, 0)
		if !next.ok {
			s.spent += next.end - j
			break
		}
		r.calls, r.end, r.keyed = append(r.calls, next.calls...), next.end, r.keyed || next.keyed
	}
	return r
}
