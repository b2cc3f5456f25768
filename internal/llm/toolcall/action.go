package toolcall

import (
	"strings"

	"hob/internal/lazyregexp"
)

// action reads calls behind Action: at i, in any form, also after a Thought:, which is thought then; or see [scan.fields].
func (s *scan) action(c candidate, i int) (candidate, bool) {
	thought := i
	if s.has(i, "Thought:") {
		at, mark := s.first(i, "\nAction:", "\nFinal Answer:")
		if mark != "\nAction:" {
			return c, false
		}
		i = at + 1
	}
	form := "a call with its arguments behind its name"
	isAction := s.has(i, "Action:")
	if isAction {
		c.sure, form = marked, "a call behind Action:"
	}
	r := s.fields(i)
	if isAction && !r.ok {
		from := s.space(i + len("Action:"))
		switch name, j := s.word(from); {
		case name == "" || s.byte(j) == '(':
			if r = s.calls(from, 0); !r.ok {
				r.calls = nil
			}
		case s.resolve(name) != nil && s.endsLine(j):
			r.calls, r.end = []found{{name: name, whole: true}}, j
		}
	}
	if len(r.calls) == 0 {
		return c, false
	}
	if k := s.space(r.end); isAction && s.has(k, "Observation:") { // what comes then was made up
		r.end = len(s.src)
	}
	c.start, c.thought = thought, strings.TrimSpace(strings.TrimPrefix(s.src[thought:i], "Thought:"))
	c.end, c.calls = r.end, formed(r.calls, form)
	return c, true
}

// fields reads a call that says its name on one line and its arguments on the next, behind labels: Action: and Action Input:,
// Tool: and Arguments:, or as YAML does.
func (s *scan) fields(i int) reading {
	from := s.field(i, nameKeys())
	name, j := s.word(s.skip(from, "`"))
	j = s.skip(j, "`")
	if from == i || name == "" || !s.has(i, "Action:") && s.byte(s.blanks(j)) != '\n' {
		return reading{end: i}
	}
	input := s.space(j)
	if from = s.field(input, argumentKeys()); from == input {
		return reading{end: i}
	}
	r := s.input(name, from)
	if f := &r.calls[0]; !s.has(i, "Action:") && strings.HasPrefix(f.args, "(") {
		f.unread = true // it may tell what the arguments are
	}
	if !s.has(i, "Action:") && !s.knows(r) && !(s.byte(from) == '{' && s.isAll(candidate{start: i}, r.end)) {
		return reading{end: i}
	}
	return r
}

// field returns where the value begins of a label that is one of keys and begins at i, or i.
func (s *scan) field(i int, keys []string) int {
	at := s.skip(i, "*")
	first := s.byte(at) | 0x20
	for _, key := range keys {
		if key[0] != first || !s.hasFold(at, key) && !(strings.Contains(key, "_") && s.hasFold(at, strings.ReplaceAll(key, "_", " "))) {
			continue
		}
		if j := s.skip(at+len(key), "*"); s.byte(j) == ':' {
			return s.blanks(s.skip(j+1, "*"))
		}
	}
	return i
}

// input is a call of name with what stands at i behind the label of the arguments: an object, lines of YAML, or a line that is
// the only argument.
func (s *scan) input(name string, i int) reading {
	f := found{name: name, whole: true}
	if s.byte(i) == '\n' {
		if v, end, ok := s.block(i + 1); ok {
			if f.args = v.String(); end >= len(s.src) {
				f.missing = noEnd
			}
			return reading{calls: []found{f}, end: end, ok: true, keyed: true}
		}
		i = s.space(i)
	}
	from := s.fenced(i)
	if from == i {
		from = s.skip(i, "`")
	}
	if s.byte(from) == '{' {
		if r := s.applied(name, from); r.ok {
			if from > i {
				r.end = s.pastFence(r.end)
			}
			return r
		}
	}
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
	return reading{calls: []found{f}, end: end, ok: true, keyed: true}
}

// blockLine is a line of YAML: its indent, the sign of an item, a key and a value.
var blockLine = lazyregexp.New(`^( *)(- +)?(?:([\pL_][\pL\pN_.-]*):(?: +|$))?(.*?)[ \r]*$`)

// block reads an object whose members stand on lines from i on: key: value, or items below a key. Of YAML it knows no more; ok
// is false for all else.
func (s *scan) block(i int) (v *value, end int, ok bool) {
	v, end = &value{kind: '{'}, i
	indent := s.skip(i, " ") - i
	for end < len(s.src) {
		next, _ := s.first(end, "\n")
		m := blockLine().FindStringSubmatch(s.src[end:next])
		in, item, key := len(m[1]), m[2] != "", m[3]
		if in < indent || !item && in == 0 || m[2]+key+m[4] == "" {
			break
		}
		one, is := scalarOfBlock(m[4])
		list := &value{}
		if n := len(v.members); n > 0 {
			list = v.members[n-1].value
		}
		switch {
		case key != "" && in == indent && m[4] == "":
			v.members = append(v.members, member{key: key, raw: quote(key), value: &value{kind: '[', open: true}})
		case key != "" && in == indent && is && !(item && list.open):
			v.members = append(v.members, member{key: key, raw: quote(key), value: one})
		case key == "" && item && is && list.open:
			list.items = append(list.items, one)
		default:
			return nil, i, false
		}
		end = min(next+1, len(s.src))
	}
	return v, end, len(v.members) > 0
}

// scalarOfBlock is a value on a line of YAML: JSON, nearly JSON, or words. A value on more than one line is none.
func scalarOfBlock(text string) (*value, bool) {
	if text == "" || strings.IndexByte("|>&*!", text[0]) >= 0 {
		return nil, false
	}
	if strings.IndexByte("\"'[{", text[0]) < 0 {
		return &value{kind: 'w', raw: text}, !strings.Contains(text, " #") && !strings.Contains(text, ": ")
	}
	r := lenient{src: text}
	v, ok := r.value(0)
	return v, ok && r.at == len(text) && r.open == 0 && r.doubt == ""
}
