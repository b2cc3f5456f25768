package toolcall

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// value reads the value that begins at i: strictly, or else as models write it. What is not one has no value, and ends where
// it was given up.
func (s *scan) value(i int) (*value, lenient) {
	var raw json.RawMessage
	err := json.NewDecoder(strings.NewReader(s.src[i:])).Decode(&raw)
	if err == nil {
		r := lenient{src: s.src[:i+len(raw)], at: i, valid: true}
		v, _ := r.value(0)
		return v, lenient{sound: true}
	}
	if bad := (*json.SyntaxError)(nil); errors.As(err, &bad) {
		s.wasted += int(bad.Offset)
	} else {
		s.wasted += len(s.src) - i
		s.touched = true // what follows may make good JSON of it
	}
	if s.tired() {
		return nil, lenient{at: i}
	}
	r := lenient{src: s.src, at: i, begin: s.byte(i), lax: s.lax}
	v, ok := r.value(0)
	if s.touched = s.touched || r.touched; !ok {
		v = nil
	}
	return v, r
}

// object reads the calls that the object at i is or holds.
func (s *scan) object(i, depth int) reading {
	v, l := s.value(i)
	if v == nil {
		return reading{end: max(l.at, i)}
	}
	r := s.objectCalls(v, depth)
	r.end = v.to
	for k := range r.calls {
		if r.ok && l.doubt != "" {
			r.calls[k].doubt = l.doubt
		}
	}
	if n := len(r.calls); r.ok && v.open && !l.sound && r.calls[n-1].args == "" {
		r.calls[n-1].args = `{"` // whatever was to come: the call is not one without arguments
	}
	if r.ok && slices.Contains(l.did, "its quotes were \u201c") {
		r.calls[0].repair("its quotes were “”")
	}
	return r
}

// objectCalls returns the calls that an object is or holds.
func (s *scan) objectCalls(v *value, depth int) reading {
	if depth > mostNested {
		return reading{}
	}
	if in := s.callList(v, depth); in.ok {
		return in
	}
	balanced := v.open && ends(v)
	if in := s.inner(v, depth); in.ok {
		if balanced {
			lacks(in.calls, noBrace)
		}
		in.calls[0].whole = in.calls[0].whole && (!v.open || balanced)
		return in
	}
	if f, keyed, ok := s.oneCall(v); ok {
		if f.whole = !v.open; v.open {
			f.end(keyed, balanced)
		}
		return reading{calls: []found{f}, keyed: keyed, ok: true}
	}
	if depth == 0 {
		if calls := s.wrapped(&value{items: []*value{v}}, 0); len(calls) > 0 {
			return reading{calls: calls, ok: true, keyed: true, doubts: dressed}
		}
	}
	return s.byKey(v)
}

// callList reads {"tool_calls": […]} under all the names that the list has.
func (s *scan) callList(v *value, depth int) reading {
	for _, m := range v.members {
		if !slices.Contains(list("calls"), strings.ToLower(m.key)) {
			continue
		}
		items := m.value.items
		if m.value.kind == '{' {
			items = []*value{m.value}
		}
		in := reading{ok: len(items) > 0}
		for _, item := range items {
			one := s.objectCalls(item, depth+1)
			if item.kind == '"' {
				one = s.within(item.text(), depth+1)
			}
			in.calls, in.keyed, in.ok = append(in.calls, one.calls...), in.keyed || one.keyed, in.ok && one.ok
		}
		if in.ok {
			if v.open || m.value.open {
				lacks(in.calls, noBrace)
			}
			return in
		}
	}
	return reading{}
}

// byKey reads {"f": {…}}, also with several tools, or with several calls of one in a list.
func (s *scan) byKey(v *value) (r reading) {
	for _, m := range v.members {
		items, isTool := m.value.items, s.resolve(m.key) != nil
		isObjects := len(items) > 0 && !slices.ContainsFunc(items, func(v *value) bool { return v.kind != '{' })
		switch {
		case isTool && isObjects:
		case len(v.members) == 1 && m.value.scalar() && s.offer.named(m.key) != nil:
			return reading{calls: []found{{name: m.key, unread: true}}, ok: true}
		case m.value.kind != '{' || slices.Contains(argumentKeys(), m.key) || len(v.members) > 1 && !isTool:
			return reading{}
		default:
			items = []*value{m.value}
		}
		for _, item := range items {
			r.calls = append(r.calls, found{name: m.key, args: s.raw(item), whole: !item.open})
		}
	}
	if r.ok = len(r.calls) > 0; v.open {
		lacks(r.calls, noBrace)
		r.keyed = true
	}
	return r
}

// wrapped returns the calls of tools that there are, with their arguments, that stand anywhere in v: all are in one wrapper
// or another.
func (s *scan) wrapped(v *value, depth int) (calls []found) {
	if depth > 2*mostNested {
		return nil
	}
	values := v.items
	for _, m := range v.members {
		values = append(values, m.value)
	}
	for _, in := range values {
		if f, ok := s.anyCall(in); ok {
			f.whole = !in.open && !v.open
			calls = append(calls, f)
		} else {
			calls = append(calls, s.wrapped(in, depth+1)...)
		}
	}
	return calls
}

// anyCall reads an object with the name of a tool and its arguments, under whatever keys.
func (s *scan) anyCall(v *value) (f found, ok bool) {
	if f, keyed, ok := s.oneCall(v); v.kind == '{' && ok && keyed && s.resolve(f.name) != nil && !defines(f) {
		return f, true
	}
	var tool *offered
	flat := &value{kind: '{'}
	objects := []*value{flat}
	for _, m := range v.members {
		switch {
		case m.value.kind == '{':
			objects = append(objects, m.value)
		case m.value.kind == '"' && s.offer.named(m.value.text()) != nil:
			if tool != nil {
				return f, false
			}
			tool = s.offer.named(m.value.text())
		default:
			flat.members = append(flat.members, m)
		}
	}
	if tool == nil {
		return f, false
	}
	flat.members = slices.DeleteFunc(flat.members, func(m member) bool { return !slices.Contains(tool.schema.Names(), m.key) })
	for _, args := range objects {
		unknown := slices.ContainsFunc(args.members, func(m member) bool { return !slices.Contains(tool.schema.Names(), m.key) })
		if unknown || !tool.shape().complete(args) || len(args.members) == 0 && args == flat {
			continue
		}
		if ok {
			return f, false
		}
		f, ok = found{name: tool.def.Name, args: args.String()}, true
	}
	return f, ok
}

// defines reports whether what looks like a call is only the definition of its tool.
func defines(f found) bool {
	if !strings.Contains(f.args, "properties") {
		return false
	}
	r := lenient{src: f.args}
	v, ok := r.value(0)
	return ok && (describes(v) || slices.ContainsFunc(v.members, func(m member) bool { return describes(m.value) }))
}

// describes reports whether v is the schema of an object.
func describes(v *value) bool {
	kind := v.get("type")
	return v.get("properties") != nil && kind != nil && kind.text() == "object"
}

// ends reports whether the last value of an object that has no end has one that can be seen.
func ends(v *value) bool {
	n := len(v.members)
	if n == 0 || v.comma {
		return false
	}
	last := v.members[n-1].value
	return !last.open && (!last.scalar() || last.kind == '"')
}

// end sets what the missing end of an object means for the call: arguments under a key of their own may be complete all the same,
// and those beside the tool's name have no end either.
func (f *found) end(keyed, balanced bool) {
	switch {
	case keyed && balanced:
		f.whole, f.missing = true, noBrace
	case !keyed:
		f.args = strings.TrimSuffix(f.args, "}")
	}
}

// raw is a value as it was written.
func (s *scan) raw(v *value) string {
	if v.from >= v.to {
		return v.String()
	}
	return s.src[v.from:v.to]
}

// inner reads {"function": {"name": …, "arguments": …}}, also with the arguments beside it.
func (s *scan) inner(v *value, depth int) reading {
	for _, m := range v.members {
		if k := strings.ToLower(m.key); m.value.kind != '{' || k != "function" && k != "tool" && k != "action" {
			continue
		}
		in := s.objectCalls(m.value, depth+1)
		if !in.ok || len(in.calls) != 1 {
			continue
		}
		for _, q := range v.members {
			if in.calls[0].args == "" && slices.Contains(argumentKeys(), strings.ToLower(q.key)) {
				in.calls[0].args, in.keyed = s.raw(q.value), true
			}
		}
		return in
	}
	return reading{}
}

// oneCall reads {"name": …, "arguments": …} under all the names these have, and {"name": …} with the arguments beside it.
func (s *scan) oneCall(v *value) (f found, keyed, ok bool) {
	name, tool := s.nameIn(v)
	if name < 0 {
		return f, false, false
	}
	f.name = plainName(v.members[name].value.text())
	takes := func(key string) bool { return tool != nil && slices.Contains(tool.schema.Names(), key) }
	var flat []string
	for i, m := range v.members {
		k, isObject := strings.ToLower(m.key), m.value.kind == '{'
		isArguments := slices.Contains(argumentKeys(), k) && (isObject || tool == nil && m.value.kind != '[' || tool != nil && !takes(m.key))
		switch {
		case i == name:
		case isArguments && !keyed:
			f.args, keyed = s.raw(m.value), true
		case isArguments && isObject:
			f.beside = append(f.beside, s.raw(m.value))
		case slices.Contains([]string{"id", "type", "thought", "tool_call_id"}, k) && !takes(m.key):
		default:
			raw := m.raw + ":" + s.raw(m.value)
			if keyed && (takes(m.key) || tool != nil && !tool.shape().closed()) {
				f.beside = append(f.beside, "{"+raw+"}")
			}
			flat = append(flat, raw)
		}
	}
	switch {
	case keyed, len(flat) == 0:
		return f, keyed, true
	case tool == nil && !s.trusting:
		return f, false, false // a person, a place
	}
	f.args = "{" + strings.Join(flat, ",") + "}"
	f.repair("its arguments stood beside its name")
	return f, false, true
}

// nameIn returns which member of an object is the name of a call, or -1, and the tool: the first name that a tool has, or the first.
func (s *scan) nameIn(v *value) (name int, tool *offered) {
	name = -1
	for _, k := range nameKeys() {
		at := slices.IndexFunc(v.members, func(m member) bool { return strings.ToLower(m.key) == k })
		if at < 0 || strings.IndexByte(`"wv`, v.members[at].value.kind) < 0 {
			continue
		}
		if tool = s.resolve(v.members[at].value.text()); tool != nil {
			return at, tool
		}
		if name < 0 {
			name = at
		}
	}
	return name, nil
}
