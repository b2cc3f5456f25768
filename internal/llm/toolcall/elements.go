package toolcall

import (
	"slices"
	"strings"

	"hob/internal/lazyregexp"
)

// element reads a call that is an element: <function=f> or <invoke name="f">, with its arguments as elements or as JSON.
func (s *scan) element(i int) reading {
	o, _ := s.opener(i, false)
	name, _, at := s.attribute(i + len(o.open))
	if name == "" {
		return reading{}
	}
	j := s.space(at)
	f := found{name: name}
	var end int
	if s.byte(j) == '{' {
		r := s.applied(name, j)
		if !r.ok {
			return r
		}
		f, end = r.calls[0], r.end
	} else {
		v, to, closed := s.elements(j)
		if end = to; len(v.members) > 0 || v.open {
			f.args = s.src[j:to]
		}
		f.whole = closed && len(v.members) > 0
	}
	after := s.space(end)
	switch closer := s.closer(after); {
	case closer != "" && elementEnd(closer):
		f.whole, end = true, after+len(closer)
	case closer != "":
		f.whole, end = true, after
	case f.whole:
		f.missing = noTag
	}
	return reading{calls: []found{f}, end: end, ok: true}
}

// elementEnd reports whether closer ends an element that is a call.
func elementEnd(closer string) bool {
	return slices.ContainsFunc(formats(), func(f format) bool { return f.close == closer && f.body == element })
}

// attribute reads what stands after name= in a tag that began before i, and returns the rest of the tag and where it ends.
func (s *scan) attribute(i int) (name, rest string, after int) {
	const longest = 300
	i = min(i, len(s.src))
	tag := s.src[i:min(i+longest, len(s.src))]
	from := 0
	if tag != "" && (tag[0] == '"' || tag[0] == '\'') { // tokens of the template may stand in the quotes
		from = 1 + max(strings.IndexAny(tag[1:], tag[:1]+"\n"), 0)
		if from+1 < len(tag) && strings.IndexByte(" \t\n/>", tag[from+1]) < 0 { // this quote opens another text
			from = 0
		}
	}
	end := s.near(">\n", i+from, longest-from)
	if end < 0 {
		return "", "", i
	}
	after = end
	if s.src[end] == '>' {
		after++
	}
	text := strings.TrimSuffix(strings.TrimSpace(s.src[i:end]), "/")
	if text == "" {
		return "", "", after
	}
	if q := text[0]; q == '"' || q == '\'' {
		name, rest, _ = strings.Cut(text[1:], text[:1])
	} else {
		name, rest, _ = strings.Cut(text, " ")
	}
	for open := strings.Index(name, "<|"); open >= 0; open = strings.Index(name, "<|") {
		_, behind, _ := strings.Cut(name[open:], "|>")
		name = name[:open] + behind
	}
	return strings.TrimSpace(name), rest, after
}

// elements reads arguments that are elements from i on: <parameter=k>v</parameter>, or <arg_key>k</arg_key><arg_value>v</arg_value>.
// closed says whether the last one has an end; the object is open where the text ends within a tag.
func (s *scan) elements(i int) (v *value, end int, closed bool) {
	v, closed = &value{kind: '{'}, true
	for j := i; ; {
		end, j = j, s.space(j)
		m, to, is, done := s.argument(j)
		if !is {
			if rest := s.src[j:]; rest != "" && (strings.HasPrefix(rest, "<par") || strings.HasPrefix(rest, "<arg_key") || strings.HasPrefix("<parameter", rest) || strings.HasPrefix("<arg_key", rest)) {
				v.open, closed, end = true, false, len(s.src)
			}
			return v, end, closed
		}
		v.members = append(v.members, m)
		if closed, j = done, to; to >= len(s.src) && !done {
			v.open = true
			return v, to, false
		}
	}
}

// argument reads one element that is an argument.
func (s *scan) argument(i int) (m member, end int, is, closed bool) {
	if s.has(i, "<arg_key>") {
		from := i + len("<arg_key>")
		to, tag := s.first(from, "</arg_key>", "<arg_value>")
		if tag == "</arg_key>" {
			to = s.space(to + len(tag))
		}
		if !s.has(to, "<arg_value>") {
			return m, i, false, false
		}
		key, _, _ := strings.Cut(s.src[from:to], "</arg_key>")
		from = to + len("<arg_value>")
		to, tag = s.first(from, "</arg_value>", "<arg_key>", "</tool_call>")
		if end = to; tag == "</arg_value>" {
			end += len(tag)
		}
		return elementOf(key, 'e', s.src[from:to]), end, true, tag != ""
	}
	for _, t := range table("arguments as elements") {
		if !s.has(i, t[0]) {
			continue
		}
		key, rest, from := s.attribute(i + len(t[0]))
		if key == "" {
			return m, i, false, false
		}
		to, tag := s.first(from, t[1], t[0])
		if tag == "" {
			to, tag = s.first(from, list("ends of elements")...)
		}
		if end = to; tag == t[1] {
			end += len(tag)
		}
		kind := byte('e')
		if strings.Contains(rest, `string="true"`) {
			kind = '"'
		}
		return elementOf(key, kind, onLines(s.src[from:to])), end, true, tag != ""
	}
	name, at := s.tag(i)
	if _, marks := s.opener(i, false); name == "" || s.byte(at) != '>' || marks || s.control(i) > i {
		return m, i, false, false
	}
	to, tag := s.first(at+1, "</"+name+">")
	return elementOf(name, 'e', onLines(s.src[at+1:to])), to + len(tag), true, tag != ""
}

// tag returns the name of the tag that begins at i, and where it ends, or "".
func (s *scan) tag(i int) (name string, at int) {
	if s.byte(i) != '<' || s.byte(i+1) == '/' {
		return "", i
	}
	name, at = s.word(i + 1)
	if n := strings.IndexByte(name, '/'); n >= 0 {
		name, at = name[:n], i+1+n
	}
	return name, at
}

// openTag is a tag with its attributes, and oneAttribute one of them.
var (
	openTag      = lazyregexp.New(`^<([\w.-]+)((?:\s+[\w.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(/?)>`)
	oneAttribute = lazyregexp.New(`([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')`)
)

// toolElement reads an element that has the name of a tool, or says it as an attribute, with its arguments as attributes, elements or JSON.
func (s *scan) toolElement(i, depth int) reading {
	const longest = 1000
	tag, at := s.tag(i)
	if c := s.byte(at); tag == "" || c != '>' && c != '/' && strings.IndexByte(white, c) < 0 {
		return reading{end: i}
	}
	m := openTag().FindStringSubmatch(s.src[i:min(len(s.src), i+longest)])
	if m == nil {
		s.wasted += longest
		s.touched = s.touched || i+longest > len(s.src)
		return reading{end: i}
	}
	f, attributes := found{name: tag}, ""
	for _, a := range oneAttribute().FindAllStringSubmatch(m[2], -1) {
		if s.resolve(tag) == nil && f.name == tag && slices.Contains(nameKeys(), a[1]) {
			f.name = a[2] + a[3]
			continue
		}
		attributes += "<" + a[1] + ">" + a[2] + a[3] + "</" + a[1] + ">"
	}
	end, closer := i+len(m[0]), "</"+tag+">"
	if s.resolve(f.name) == nil {
		if !slices.ContainsFunc(formats(), func(f format) bool { return f.close == closer }) {
			return reading{end: i}
		}
		r := s.calls(s.space(end), depth+1)
		if end := s.space(r.end); r.ok && s.has(end, closer) {
			r.end = end + len(closer)
		}
		return r
	}
	if m[3] == "" {
		var ok bool
		if f.args, end, ok = s.content(f.name, end, closer); !ok {
			return reading{end: i}
		}
	}
	if f.args != "" && f.args[0] != '<' && attributes != "" {
		return reading{end: i}
	}
	f.args = attributes + f.args
	if f.whole = m[3] != ""; !f.whole && s.has(s.space(end), closer) {
		f.whole, end = true, s.space(end)+len(closer)
	}
	return reading{calls: []found{f}, end: end, ok: true, keyed: true}
}

// content reads the arguments in an element from i on: as JSON, as elements, or the text of the only one.
func (s *scan) content(tool string, i int, closer string) (args string, end int, ok bool) {
	i = s.space(i)
	switch c := s.byte(i); {
	case s.has(i, closer):
		return "", i, true
	case c == '{':
		r := s.applied(tool, i)
		return s.src[i:max(i, r.end)], r.end, r.ok
	case c == '<':
		v, end, _ := s.elements(i)
		return s.src[i:end], end, len(v.members) > 0
	}
	end, which := s.first(i, closer)
	return "(" + quote(strings.TrimSpace(s.src[i:end])) + ")", end, which != ""
}

// fieldElements reads a call that says its name in one element and its arguments in the next.
func (s *scan) fieldElements(i int) reading {
	name := ""
	for range mostNested {
		key, at := s.tag(i)
		if key == "" || s.byte(at) != '>' {
			break
		}
		closer := "</" + key + ">"
		switch {
		case name != "" && slices.Contains(argumentKeys(), key):
			args, end, ok := s.content(name, at+1, closer)
			f := found{name: name, args: args}
			if end = s.space(end); s.has(end, closer) {
				f.whole, end = true, end+len(closer)
			}
			return reading{calls: []found{f}, end: end, ok: ok, keyed: true}
		case name == "" && slices.Contains(nameKeys(), key):
			word, end := s.word(s.space(at + 1))
			if at = s.space(end); word == "" || !s.has(at, closer) {
				return reading{end: i}
			}
			name = word
		case name == "" && slices.Contains(list("before a name in elements"), key):
			_, end := s.word(s.space(at + 1))
			at = s.space(end)
		default:
			return reading{end: i}
		}
		if !s.has(at, closer) {
			break
		}
		i = s.space(at + len(closer))
	}
	return reading{end: i}
}

func elementOf(key string, kind byte, text string) member {
	key = plainName(key)
	if kind == '"' {
		text = quote(text)
	}
	return member{key: key, raw: quote(key), value: &value{kind: kind, raw: text}}
}

// onLines takes off the line breaks around a value that stands on lines of its own, one each. All others belong to it.
func onLines(value string) string {
	inner, ok := strings.CutPrefix(strings.TrimPrefix(value, "\r"), "\n")
	if !ok {
		return value
	}
	if outer, ok := strings.CutSuffix(inner, "\n"); ok {
		return strings.TrimSuffix(outer, "\r")
	}
	return inner
}
