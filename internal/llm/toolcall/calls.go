package toolcall

import (
	"slices"
	"strings"

	"hob/internal/lazyregexp"
	"hob/internal/schema"
)

// reading is the calls that were read at one place.
type reading struct {
	calls  []found
	end    int
	doubts doubts
	keyed  bool // it names its arguments
	ok     bool // all that is there are calls
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
	missing string   // the only part of its end that is missing, for Repairs; in a reply that was cut off the call is not whole then
}

// The only parts that may be missing at the end of a call.
const (
	noBrace = "its last brace was missing"
	noList  = "the end of its list was missing"
	noTag   = "its end tag was missing"
	noEnd   = "its end was missing"
)

// lacks notes that the last of calls lacks a part of its end, and nothing else.
func lacks(calls []found, text string) {
	if n := len(calls); n > 0 && calls[n-1].whole && calls[n-1].missing == "" {
		calls[n-1].missing = text
	}
}

// repair notes what the finding mended.
func (f *found) repair(text string) { f.repairs = append(f.repairs, text) }

// mostNested bounds how deep calls are looked for inside of others.
const mostNested = 4

// calls reads the calls that follow each other from i on: on lines of their own, or with commas or semicolons between them.
func (s *scan) calls(i, depth int) reading {
	r := s.call(i, depth)
	for r.ok && len(r.calls) <= mostCalls && r.calls[len(r.calls)-1].whole {
		j := s.between(r.end, false)
		if c := s.byte(j); c == '<' || c == '`' {
			break
		}
		next := s.call(j, depth)
		if !next.ok || next.end <= j || s.idle(next) || next.bare() {
			s.wasted += max(next.end-j, 0)
			break
		}
		r.calls, r.end, r.keyed, r.doubts = append(r.calls, next.calls...), next.end, r.keyed || next.keyed, r.doubts|next.doubts
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
	case c == '{' && s.has(i+1, "{"):
		return s.reread(i, depth, strings.NewReplacer("{{", "{", "}}", "}").Replace)
	case c == '{' && s.has(i+1, `\"`):
		return s.reread(i, depth, func(text string) string {
			raw, _ := literalOf(text, "'")
			return unquote(`"` + raw + `"`)
		})
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
		if r := s.toolElement(i, depth); r.ok {
			return r
		}
		return s.fieldElements(i)
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
			if in = s.pair(j); !in.ok {
				in = s.quoted(j, depth+1)
			}
		case closes == ')' && depth == 0: // a tuple of calls, and no remark
			in = s.named(j, depth+1)
			in.ok, in.doubts = in.ok && in.keyed, in.doubts|inTuple
		default:
			in = s.call(j, depth+1)
			if name, end := s.word(j); !in.ok && name != "" && (s.byte(end) == ']' || s.byte(end) == ',') {
				in = reading{calls: []found{{name: name, whole: true, isName: true}}, end: end, ok: s.resolve(name) != nil}
			}
		}
		if r.ok = in.ok && in.end > j; r.ok {
			r.calls, r.keyed, r.doubts, j = append(r.calls, in.calls...), r.keyed || in.keyed, r.doubts|in.doubts, in.end
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
	if q == "`" {
		return reading{end: i}
	}
	l := lenient{src: s.src, at: i}
	v, ok := l.text(q, '[')
	if s.touched = s.touched || l.touched; !ok || !strings.Contains(v.raw, `\`) {
		return reading{end: i}
	}
	r := s.within(v.text(), depth)
	r.end = l.at
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
	i, name, j = s.nameAround(i, name, j)
	end := s.separator(j)
	if known := s.resolve(name) != nil; !known && !s.trusting && end == j {
		return reading{end: i}
	}
	k := s.space(end)
	if s.byte(end) == ':' {
		k = s.space(end + 1)
	}
	f := found{name: name, whole: true}
	switch {
	case s.has(k, "```"):
		from := s.fenced(k)
		if s.has(from, "tool_call(") { // ChatGLM: a name of its own stands for the tool's
			from += len("tool_call")
		} else if s.byte(from) != '{' {
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
		v, after, closed := s.elements(k)
		f.args, f.whole = s.src[k:after], closed && !v.open
		if f.whole && s.closer(s.space(after)) == "" {
			f.missing = noTag
		}
		return reading{calls: []found{f}, end: after, ok: true}
	case k >= len(s.src):
		f.isName, f.missing = true, noEnd
		return reading{calls: []found{f}, end: end, ok: s.resolve(name) != nil}
	case s.closer(k) != "" && s.trusting:
		f.isName = true
		return reading{calls: []found{f}, end: end, ok: true}
	}
	return reading{end: end}
}

// nameAround goes past what some models write around a name: it returns where the name begins, the name, and what is behind it.
func (s *scan) nameAround(i int, name string, j int) (int, string, int) {
	if after := s.separator(j); name == "function" && after > j { // DeepSeek: what kind of tool it is, then its name
		i = after
		name, j = s.word(i)
	}
	if s.byte(j) == ':' && s.byte(j+1) >= '0' && s.byte(j+1) <= '9' { // Kimi: the running number of the call
		j = s.skip(j+1, "0123456789")
		name = s.src[i:j]
	}
	if s.has(j, "[CALL_ID]") {
		if at := s.find("[ARGS]", j); at >= 0 && at-j < longestWord {
			j = at
		}
	}
	return i, name, j
}

// separator returns where the mark between a name and its arguments ends, or i if there is none.
func (s *scan) separator(i int) int {
	j := i
	if s.byte(i) == '\n' {
		j++
	}
	for _, mark := range list("between name and arguments") {
		if s.has(j, mark) {
			return j + len(mark)
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
			r.doubts |= printed
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
	case variables == len(v.members) && variables > 0 && !s.trusting:
		return reading{end: v.to} // what it takes, and not a call
	case len(v.members) == 1 && v.members[0].key == "" && v.members[0].value.kind == '{':
		f.args = s.raw(v.members[0].value)
		if f.doubt == noName {
			f.doubt = ""
		}
	}
	r.calls = []found{f}
	return r
}

// typeName is what stands for a value where a call is described.
var typeName = lazyregexp.New(`^(?:str|string|int|integer|float|number|bool|boolean|list|dict|tuple|any|array|object|Optional)\b`)

// harmony reads a message to a tool: to=functions.f <|constrain|>json<|message|>{…}.
func (s *scan) harmony(i int) reading {
	const far = 120 // bytes that the marks before the name, and between it and the arguments, may take
	to := s.find("to=", i)
	if to < 0 || to-i > far {
		return reading{}
	}
	name, j := s.word(to + len("to="))
	from := s.find("{", j)
	if name == "" || from < 0 || from-j > far || strings.ContainsAny(s.src[j:from], "\n.!?") {
		return reading{}
	}
	return s.applied(name, from)
}

// gemma reads call:f{k:<|"|>v<|"|>,n:5} and call:f{k:<escape>v<escape>}.
func (s *scan) gemma(i int) reading {
	name, at := s.word(s.blanks(i + len("call:")))
	if at = s.blanks(at); name == "" || s.byte(at) != '{' {
		return reading{}
	}
	s.lax = true
	r := s.applied(name, at)
	s.lax = false
	return r
}
