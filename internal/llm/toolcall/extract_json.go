package toolcall

import (
	"encoding/json"
	"slices"
	"strings"
)

// pair is a name in something like an object, and where what it stands for begins and ends in the text.
type pair struct {
	key      string
	raw      string // the key as it was written
	from, to int
}

// text returns where the string ends whose quote is at i, and whether it was closed. A quote inside that somebody forgot
// to escape does not end it: after the end of a string there is a comma, a colon, or a bracket.
func (s *scan) text(i int) (end int, closed bool) {
	q := s.src[i]
	for j := i + 1; j < len(s.src); j++ {
		switch s.src[j] {
		case '\\':
			j++
		case q:
			if s.endsText(j + 1) {
				return j + 1, true
			}
		}
	}
	s.touched = true
	return len(s.src), false
}

func (s *scan) endsText(i int) bool {
	j := s.space(i)
	if j >= len(s.src) {
		return true
	}
	switch s.src[j] {
	case ',', ':', '}', ']', ')', '<', '=':
		return true
	case '"', '`':
		return strings.IndexByte(s.src[i:j], '\n') >= 0 // a comma is missing, or this is the end of a fence
	}
	return false
}

// container returns where the object or list ends that begins at i, and whether it was closed. It ends without being
// closed where a tag or a fence says so.
func (s *scan) container(i int) (end int, closed bool) {
	var stack []byte
	braces := 0 // on the stack
	last := byte(0)
	for j := i; j < len(s.src); j++ {
		c := s.src[j]
		switch {
		case c <= ' ':
			continue
		case c == '{' || c == '[':
			stack = append(stack, c+2)
			if c == '{' {
				braces++
			}
		case c == '}' || c == ']':
			open := braces
			if c == ']' {
				open = len(stack) - braces
			}
			if open == 0 {
				continue // one too many
			}
			for k := len(stack) - 1; ; k-- {
				was := stack[k]
				if was == '}' {
					braces--
				}
				if stack = stack[:k]; was == c {
					break
				}
			}
			if len(stack) == 0 {
				return j + 1, true
			}
		case c == '"', c == '\'' && strings.IndexByte("{[,:(=", last) >= 0:
			end, closed := s.text(j)
			if !closed {
				return end, false
			}
			j = end - 1
		case c == '<' && s.stops(j), c == '`' && s.has(j, "```"):
			return j, false
		}
		last = c
	}
	s.touched = true
	return len(s.src), false
}

// stops reports whether a tag of the models begins at i, which is the end of everything before it.
func (s *scan) stops(i int) bool {
	switch s.byte(i + 1) {
	case '/', '|', 't', 'f', 'a', 0xEF:
		return true
	}
	return false
}

// value returns where the value that begins at i ends.
func (s *scan) value(i int) (end int, closed bool) {
	switch s.byte(i) {
	case '"', '\'':
		return s.text(i)
	case '{', '[':
		return s.container(i)
	}
	for j := i; j < len(s.src); j++ {
		switch s.src[j] {
		case ',', '}', ']', '\n', '<':
			return j, j > i
		}
	}
	s.touched = true
	return len(s.src), false
}

// object reads what stands at the top of the object that begins at i.
func (s *scan) object(i int) (pairs []pair, end int, closed bool) {
	j := i + 1
	for {
		j = s.space(j)
		for s.byte(j) == ',' {
			j = s.space(j + 1)
		}
		if s.byte(j) == '}' {
			return pairs, j + 1, true
		}
		p, at, ok := s.key(j)
		if !ok {
			end, closed = s.container(i)
			return pairs, max(end, j), closed
		}
		p.from = s.space(at)
		p.to, closed = s.value(p.from)
		pairs = append(pairs, p)
		if j = p.to; !closed {
			end, closed = s.container(i)
			return pairs, max(end, j), closed
		}
	}
}

// key reads a name and the colon after it.
func (s *scan) key(i int) (p pair, after int, ok bool) {
	j := i
	if c := s.byte(i); c == '"' || c == '\'' {
		end, closed := s.text(i)
		if !closed {
			return p, end, false
		}
		j, p.raw, p.key = end, s.src[i:end], meaning(s.src[i:end])
	} else {
		p.key, j = s.word(i)
		if p.key == "" {
			return p, i, false
		}
		p.key = plainName(p.key)
		p.raw = quote(p.key)
	}
	j = s.space(j)
	if c := s.byte(j); c != ':' && c != '=' {
		return p, j, false
	}
	return p, j + 1, true
}

// meaning returns what a string with its quotes means, as well as it can be said.
func meaning(raw string) string {
	if raw[0] == '"' && json.Valid([]byte(raw)) {
		return unquote(raw)
	}
	raw = strings.TrimSuffix(raw[1:], raw[:1])
	if !strings.Contains(raw, `\`) {
		return raw
	}
	return strings.NewReplacer(`\_`, "_", `\\`, `\`, `\"`, `"`, `\'`, "'", `\n`, "\n", `\t`, "\t", `\r`, "\r").Replace(raw)
}

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
				in.end = end
				return in
			}
		}
	}
	if in := s.inner(pairs, depth); in.ok {
		in.end, in.calls[0].whole = end, closed
		return in
	}
	f, keyed, ok := s.named(pairs)
	if ok {
		f.whole = closed
		r.calls, r.keyed, r.ok = []found{f}, keyed, true
		return r
	}
	for _, p := range pairs { // the name is the key
		if s.byte(p.from) != '{' || slices.Contains(argumentKeys(), p.key) || len(pairs) > 1 && s.resolve(p.key) == nil {
			r.calls = nil
			return r
		}
		r.calls = append(r.calls, found{name: p.key, args: s.src[p.from:p.to], whole: closed})
	}
	r.ok = len(r.calls) > 0
	return r
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
		if at < 0 || pairs[at].from >= pairs[at].to {
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
			return r
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
	in := reading{}
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
