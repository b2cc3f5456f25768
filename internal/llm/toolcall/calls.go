package toolcall

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"hob/internal/lazyregexp"
	"hob/internal/schema"
)

// reading is what was read of calls at one place.
type reading struct {
	calls []found
	end   int
	doubt doubt
	keyed bool // it names its arguments
	ok    bool // all that is there are calls
}

// found is a call as it stands in a text or came off the wire, before anything is mended.
type found struct {
	id      string
	name    string   // as written
	args    string   // as written: JSON, nearly JSON, (a=1), or elements; "" is none
	beside  []string // objects with arguments that stood beside those
	lax     bool     // see lenient
	form    string   // how it was written, for Repairs: "a call in a <tool_call> tag"; "" for one that the server read
	repairs []string // what the finding itself mended
	doubt   string   // why other arguments may be meant
	whole   bool     // its end was written, or all but missing; only then is a writing tool run
	isName  bool     // it is a name and nothing else
	unread  bool     // it was begun as a call and cannot be read
	missing string   // what alone was not written of its end, for Repairs; of a reply that was cut off it is not whole then
}

// What alone may be missing at the end of a call.
const (
	noBrace = "its last brace was missing"
	noList  = "the end of its list was missing"
	noTag   = "its end tag was missing"
	noEnd   = "its end was missing"
)

// lacks notes that the last of calls has no end but for text.
func lacks(calls []found, text string) {
	if n := len(calls); n > 0 && calls[n-1].whole && calls[n-1].missing == "" {
		calls[n-1].missing = text
	}
}

// repair notes what the finding mended.
func (f *found) repair(text string) { f.repairs = append(f.repairs, text) }

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

// mostNested bounds how deep calls are looked for inside of others.
const mostNested = 4

// calls reads the calls that follow each other from i on: on lines of their own, or with commas or semicolons between them.
func (s *scan) calls(i, depth int) reading {
	r := s.call(i, depth)
	for r.ok && len(r.calls) <= mostCalls && r.calls[len(r.calls)-1].whole {
		j := s.between(r.end, false)
		if c := s.byte(j); c == '<' || c == '`' || j >= len(s.src) {
			break
		}
		next := s.call(j, depth)
		if !next.ok || next.end <= j || s.idle(next) || next.bare() {
			s.wasted += max(next.end-j, 0)
			break
		}
		r.calls, r.end, r.keyed, r.doubt = append(r.calls, next.calls...), next.end, r.keyed || next.keyed, max(r.doubt, next.doubt)
	}
	return r
}

// bare reports whether all that was read are names.
func (r reading) bare() bool {
	return !slices.ContainsFunc(r.calls, func(f found) bool { return f.args != "" || !f.isName })
}

// call reads the call, or the list of calls, that begins at i, in whatever form.
func (s *scan) call(i, depth int) reading {
	if depth > mostNested {
		return reading{end: i}
	}
	switch c := s.byte(i); {
	case c == '{':
		return s.object(i, depth)
	case c == '[', c == '(':
		return s.list(i, depth)
	case c == '`' && s.has(i, "```"):
		from := s.fenced(i)
		if from == i {
			return reading{end: i}
		}
		r := s.calls(from, depth+1)
		r.end = s.pastFence(r.end)
		return r
	case c == '"', c == '\'', c == '`':
		return s.quoted(i, depth)
	case c == '<':
		if o, ok := s.opener(i, false); ok && o.self() {
			return s.bodyOf(o, i, depth)
		}
		return reading{}
	case s.has(i, "call:"):
		return s.gemma(i)
	}
	return s.named(i, depth)
}

// fenced returns where the text begins of a fence that stands at i inside of a mark, or i if there is none.
func (s *scan) fenced(i int) int {
	const longest = 40 // bytes of the line that opens it
	if line := s.find("\n", i); s.has(i, "```") && line >= 0 && line-i <= longest {
		return s.space(line + 1)
	}
	return i
}

// pastFence returns where the end of a fence ends that stands at i, or i if there is none.
func (s *scan) pastFence(i int) int {
	if j := s.space(i); s.has(j, "```") {
		return j + len("```")
	}
	return i
}

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
	if n := len(r.calls); r.ok && l.doubt != "" {
		for k := range n {
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
	r := reading{}
	if depth > mostNested {
		return r
	}
	for _, m := range v.members {
		switch strings.ToLower(m.key) {
		case "tool_calls", "function_calls", "calls", "tool_call", "function_call":
			items := m.value.items
			if m.value.kind == '{' {
				items = []*value{m.value}
			}
			in := reading{ok: len(items) > 0}
			for _, item := range items {
				one := s.objectCalls(item, depth+1)
				in.calls, in.keyed, in.ok = append(in.calls, one.calls...), in.keyed || one.keyed, in.ok && one.ok
			}
			if in.ok {
				if v.open || m.value.open {
					lacks(in.calls, noBrace)
				}
				return in
			}
		}
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
	for _, m := range v.members { // the name is the key
		if items := m.value.items; s.resolve(m.key) != nil && len(items) > 0 && !slices.ContainsFunc(items, func(v *value) bool { return v.kind != '{' }) {
			for _, item := range items {
				r.calls = append(r.calls, found{name: m.key, args: s.raw(item), whole: !item.open})
			}
			continue
		}
		if m.value.kind != '{' || slices.Contains(argumentKeys(), m.key) || len(v.members) > 1 && s.resolve(m.key) == nil {
			return reading{}
		}
		r.calls = append(r.calls, found{name: m.key, args: s.raw(m.value), whole: !m.value.open})
	}
	if r.ok = len(r.calls) > 0; v.open {
		lacks(r.calls, noBrace)
		r.keyed = true
	}
	return r
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
	name := -1
	var tool *offered
	for _, k := range nameKeys() {
		at := slices.IndexFunc(v.members, func(m member) bool { return strings.ToLower(m.key) == k })
		if at < 0 || strings.IndexByte(`"wv`, v.members[at].value.kind) < 0 {
			continue
		}
		t := s.resolve(v.members[at].value.text())
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
	f.name = plainName(v.members[name].value.text())
	takes := func(key string) bool { return tool != nil && slices.Contains(tool.schema.Names(), key) }
	var flat []string
	for i, m := range v.members {
		k := strings.ToLower(m.key)
		raw := m.raw + ":" + s.raw(m.value)
		switch isArguments := slices.Contains(argumentKeys(), k) && (tool == nil || m.value.kind == '{' || !takes(m.key)); {
		case i == name:
		case isArguments && !keyed:
			f.args, keyed = s.raw(m.value), true
		case isArguments && m.value.kind == '{':
			f.beside = append(f.beside, s.raw(m.value))
		case (k == "id" || k == "type" || k == "thought" || k == "tool_call_id") && !takes(m.key):
		default:
			if keyed && (takes(m.key) || tool != nil && !tool.shape().closed()) {
				f.beside = append(f.beside, "{"+raw+"}")
			}
			flat = append(flat, raw)
		}
	}
	if keyed {
		return f, true, true
	}
	if tool == nil && len(flat) > 0 && !s.trusting {
		return f, false, false // a person, a place
	}
	if len(flat) > 0 {
		f.args = "{" + strings.Join(flat, ",") + "}"
		f.repair("its arguments stood beside its name")
	}
	return f, false, true
}

// list reads a list of calls: objects, f(a=1), strings that hold either, pairs of a name and its arguments, or bare names.
func (s *scan) list(i, depth int) reading {
	closes := closing(s.byte(i))
	r := reading{ok: true}
	j := i + 1
	for r.ok && depth <= mostNested && len(r.calls) <= 2*mostCalls {
		j = s.between(j, false)
		var in reading
		switch c := s.byte(j); {
		case c == closes:
			r.end, r.ok = j+1, len(r.calls) > 0
			return r
		case c == 0 && j >= len(s.src), len(r.calls) > 0 && (c == '`' && s.has(j, "```") || c == '<' && stops(s.src, j)):
			r.end, r.ok = j, len(r.calls) > 0 // what is there was written whole
			lacks(r.calls, noList)
			return r
		case c == '"' || c == '\'':
			if in = s.pair(j); !in.ok && !s.undecided() {
				in = s.quoted(j, depth+1)
			}
		case closes == ')' && depth == 0: // a tuple of calls, and no remark
			in = s.named(j, depth+1)
			in.ok, in.doubt = in.ok && in.keyed, max(in.doubt, unsure)
		default:
			in = s.call(j, depth+1)
			if name, end := s.word(j); !in.ok && name != "" && (s.byte(end) == ']' || s.byte(end) == ',') {
				in = reading{calls: []found{{name: name, whole: true, isName: true}}, end: end, ok: s.resolve(name) != nil}
			}
		}
		if r.ok = in.ok && in.end > j; r.ok {
			r.calls, r.keyed, r.doubt, j = append(r.calls, in.calls...), r.keyed || in.keyed, max(r.doubt, in.doubt), in.end
		}
	}
	r.ok, r.end = false, max(j, i+1)
	return r
}

// pair reads 'name', {…}.
func (s *scan) pair(i int) reading {
	name, end := s.word(i + 1)
	if name == "" || s.byte(end) != s.src[i] {
		return reading{end: i}
	}
	comma := s.space(end + 1)
	if s.byte(comma) != ',' {
		return reading{end: i}
	}
	from := s.space(comma + 1)
	if s.byte(from) != '{' {
		return reading{end: i}
	}
	return s.applied(name, from)
}

// applied is a call of name with the arguments in the brackets at i.
func (s *scan) applied(name string, i int) reading {
	v, l := s.value(i)
	if v == nil {
		return reading{end: max(l.at, i)}
	}
	f := found{name: plainName(name), args: s.src[i:v.to], whole: !v.open, doubt: l.doubt, lax: s.lax}
	return reading{calls: []found{f}, end: v.to, ok: true, keyed: true}
}

// quoted reads calls that stand in quotes, or whose name does.
func (s *scan) quoted(i, depth int) reading {
	q := s.src[i : i+1]
	if q == "`" && s.byte(i+1) == '`' {
		i++ // two are one, around a text that holds one
		r := s.quoted(i, depth)
		if r.ok = r.ok && s.byte(r.end) == '`'; r.ok {
			r.end++
		}
		return r
	}
	name, end := s.word(i + 1)
	if name != "" && s.has(end, q) && s.byte(end+1) == '(' {
		return s.python(name, end+1, depth)
	}
	if name == "" && strings.IndexByte("{[<", s.byte(s.space(i+1))) < 0 {
		return reading{end: i}
	}
	if r := s.calls(s.space(i+1), depth+1); r.ok && !r.bare() {
		end := s.space(r.end)
		if s.has(end, q) {
			r.end = end + 1
			return r
		}
		if s.byte(end) == ']' && depth > 0 { // its last quote is missing
			return r
		}
	}
	if s.undecided() || q == "`" {
		return reading{end: i}
	}
	l := lenient{src: s.src, at: i}
	v, ok := l.text(q, '[')
	if s.touched = s.touched || l.touched; !ok || !strings.Contains(v.raw, `\`) {
		return reading{end: i}
	}
	sub := newScan(s.offer)
	sub.grow(strings.TrimSpace(v.text()), true)
	sub.names = s.names
	r := sub.calls(0, depth+1)
	r.ok, r.end = r.ok && !r.bare() && sub.space(r.end) >= len(sub.src), l.at
	return r
}

// named reads a call that begins with the name of the tool: f(a=1), f[ARGS]{…}, f and its arguments behind it, f alone.
func (s *scan) named(i, depth int) reading {
	name, j := s.word(i)
	if name == "" {
		return reading{end: i}
	}
	if s.byte(j) == '(' {
		return s.python(name, j, depth)
	}
	if after := s.separator(j); name == "function" && after > j { // DeepSeek: what kind of tool it is, then its name
		i = after
		name, j = s.word(i)
	}
	if s.byte(j) == ':' && s.byte(j+1) >= '0' && s.byte(j+1) <= '9' { // Kimi: the running number of the call
		for j++; s.byte(j) >= '0' && s.byte(j) <= '9'; j++ {
		}
		name = s.src[i:j]
	}
	if s.has(j, "[CALL_ID]") {
		if at := s.find("[ARGS]", j); at >= 0 && at-j < longestWord {
			j = at
		}
	}
	marks := s.separator(j)
	if known := s.resolve(name) != nil; !known && !s.trusting && marks == j {
		return reading{end: i}
	}
	j = marks
	k := s.space(j)
	if s.byte(j) == ':' {
		k = s.space(j + 1)
	}
	switch {
	case s.has(k, "```"):
		from := s.fenced(k)
		if s.byte(from) != '{' {
			return reading{end: i}
		}
		r := s.applied(name, from)
		r.end = s.pastFence(r.end)
		return r
	case s.byte(k) == '{':
		if s.trusting && s.resolve(name) == nil { // a word before the call
			if in := s.object(k, 0); in.ok && s.resolve(in.calls[0].name) != nil {
				in.calls[0].repair("before it stood " + schema.Shorten(name))
				return in
			}
		}
		return s.applied(name, k)
	case s.has(k, "<arg_key>"):
		v, end, closed := s.elements(k)
		f := found{name: name, args: s.src[k:end], whole: closed && !v.open}
		if f.whole && s.closer(s.space(end)) == "" {
			f.missing = noTag
		}
		return reading{calls: []found{f}, end: end, ok: true}
	}
	f := found{name: name, whole: true, isName: true}
	switch {
	case k >= len(s.src):
		f.missing = noEnd
		return reading{calls: []found{f}, end: j, ok: s.resolve(name) != nil}
	case s.closer(k) != "" && s.trusting:
		return reading{calls: []found{f}, end: j, ok: true}
	}
	return reading{end: j}
}

// separator returns where the mark between a name and its arguments ends, or i if there is none.
func (s *scan) separator(i int) int {
	for _, mark := range []string{"[ARGS]", "<｜tool▁sep｜>", "<|tool▁sep|>", "<|tool_sep|>", "<|tool_call_argument_begin|>"} {
		if s.has(i, mark) {
			return i + len(mark)
		}
	}
	return i
}

// python reads a call as Python writes it, whose parenthesis is at i: f(a="x", b=3), f({'a': 1}), f(city: Antwerp), and
// print(f(a=1)), which is how some models are told to call.
func (s *scan) python(name string, i, depth int) reading {
	if name == "print" && s.resolve(name) == nil {
		r := s.calls(s.space(i+1), depth+1)
		if r.ok = r.ok && s.byte(s.space(r.end)) == ')'; r.ok {
			r.end = s.space(r.end) + 1
			r.doubt = asking
		}
		return r
	}
	v, l := s.value(i)
	if v == nil {
		return reading{end: max(l.at, i)}
	}
	f := found{name: plainName(strings.TrimSuffix(name, ".call")), args: s.src[i:v.to], whole: !v.open, doubt: l.doubt}
	r := reading{end: v.to, ok: true}
	tool := s.resolve(f.name)
	variables := 0
	for _, m := range v.members {
		r.keyed = r.keyed || tool == nil && m.key != "" || tool != nil && slices.Contains(tool.schema.Names(), m.key)
		if m.key == "" && m.value.kind == 'v' || typeName().MatchString(m.value.raw) {
			variables++
		}
	}
	switch {
	case len(v.members) == 0 && !v.open:
		f.args = ""
	case variables == len(v.members) && variables > 0 && !s.trusting:
		return reading{end: v.to} // what it takes, and not a call
	case len(v.members) == 1 && v.members[0].key == "" && v.members[0].value.kind == '{':
		f.args = s.raw(v.members[0].value)
	}
	r.calls = []found{f}
	return r
}

// typeName is what stands for a value where a call is described.
var typeName = lazyregexp.New(`^(?:str|string|int|integer|float|number|bool|boolean|list|dict|tuple|any|array|object|Optional)\b`)
