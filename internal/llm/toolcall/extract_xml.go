package toolcall

import "strings"

// xml reads calls whose arguments are elements: <function=f><parameter=k>v</parameter></function> and
// <invoke name="f"><parameter name="k">v</parameter></invoke>, with or without DSML's bars, one after the other. The
// arguments may also be JSON.
func (s *scan) xml(i int) reading {
	r := reading{}
	for j := i; ; {
		name, at, ok := s.head(j)
		if !ok {
			return r
		}
		f, end := s.elements(name, at)
		r.calls, r.end, r.ok = append(r.calls, f), end, true
		if !f.whole || len(r.calls) > mostCalls {
			return r
		}
		j = s.space(end)
	}
}

// dsml is what DeepSeek writes before the names of its elements.
const dsml = "｜DSML｜"

// head reads the opening tag of a call.
func (s *scan) head(i int) (name string, after int, ok bool) {
	for _, open := range []string{"<function=", "<function name=", "<invoke name=", "<" + dsml + "invoke name="} {
		if s.has(i, open) {
			name, _, after = s.attribute(i + len(open))
			return name, after, name != ""
		}
	}
	return "", i, false
}

// attribute reads what stands after name= in a tag that began before i, and returns the rest of the tag and where it ends.
func (s *scan) attribute(i int) (name, rest string, after int) {
	const longest = 300
	end := strings.IndexAny(s.src[min(i, len(s.src)):min(i+longest, len(s.src))], ">\n")
	if end < 0 {
		s.touched = s.touched || i+longest > len(s.src)
		return "", "", i
	}
	end += i
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
	return strings.TrimSpace(name), rest, after
}

// ends are the closing tags of a call.
func ends() []string {
	return []string{"</function>", "</invoke>", "</" + dsml + "invoke>"}
}

// elements reads the arguments of a call of name that begin at i, and its closing tag.
func (s *scan) elements(name string, i int) (f found, end int) {
	f = found{name: name}
	j := s.space(i)
	if s.byte(j) == '{' {
		end, f.whole = s.container(j)
		f.args = s.src[j:end]
		end = s.ending(s.space(end), &f)
		return f, end
	}
	out := s.writer(name)
	closed := true
	for {
		j = s.space(j)
		key, rest, from, ok := s.parameter(j)
		if !ok {
			break
		}
		var value string
		value, j, closed = s.content(from)
		switch {
		case strings.Contains(rest, `string="true"`):
			out.set(key, quote(value))
		default:
			out.set(key, out.literal(key, value))
		}
	}
	f.args = out.json()
	f.whole = closed && !out.empty()
	end = s.ending(j, &f)
	f.torn = f.torn || !closed && !f.whole
	return f, end
}

// ending reads the closing tag of a call at i, if there is one. A call that has neither that nor the end of its last
// argument is not whole.
func (s *scan) ending(i int, f *found) (end int) {
	for _, tag := range ends() {
		if s.has(i, tag) {
			f.whole = true
			return i + len(tag)
		}
	}
	if closer := s.closer(i); closer != "" {
		f.whole = true
		return i
	}
	if f.whole {
		f.missing = noTag
	}
	if rest := s.src[min(i, len(s.src)):]; strings.HasPrefix(rest, "<par") || rest != "" && strings.HasPrefix("<par", rest) {
		f.torn, f.whole = true, false
		return len(s.src)
	}
	return i
}

// parameter reads the opening tag of an argument.
func (s *scan) parameter(i int) (key, rest string, after int, ok bool) {
	for _, open := range []string{"<parameter=", "<parameter name=", "<" + dsml + "parameter name=", "<param name="} {
		if s.has(i, open) {
			key, rest, after = s.attribute(i + len(open))
			return plainName(key), rest, after, key != ""
		}
	}
	return "", "", i, false
}

// content reads the value of an argument that begins at i. Without a closing tag the next tag ends it.
func (s *scan) content(i int) (value string, end int, closed bool) {
	at, tag := s.first(i, "</parameter>", "</"+dsml+"parameter>", "</param>")
	if next, other := s.first(i, "<parameter=", "<parameter name=", "<"+dsml+"parameter name="); other != "" && next < at {
		return onLines(s.src[i:next]), next, true
	}
	if tag == "" {
		at, tag = s.first(i, append(ends(), "</tool_call>", "</"+dsml+"function_calls>", "</function_calls>")...)
		return onLines(s.src[i:at]), at, tag != ""
	}
	return onLines(s.src[i:at]), at + len(tag), true
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

// glm reads the arguments of a call of name as <arg_key>k</arg_key><arg_value>v</arg_value>, beginning at i.
func (s *scan) glm(name string, i int) (f found, end int) {
	f = found{name: name, whole: true}
	out := s.writer(name)
	j := i
	for {
		j = s.space(j)
		if !s.has(j, "<arg_key>") {
			break
		}
		from := j + len("<arg_key>")
		to, tag := s.first(from, "</arg_key>", "<arg_value>")
		if tag == "" {
			f.whole, f.torn, j = false, true, len(s.src)
			break
		}
		key := strings.TrimSpace(s.src[from:to])
		if j = to; tag == "</arg_key>" {
			j = s.space(to + len(tag))
		}
		if !s.has(j, "<arg_value>") {
			f.whole, f.torn = false, true
			break
		}
		from = j + len("<arg_value>")
		to, tag = s.first(from, "</arg_value>", "<arg_key>", "</tool_call>")
		out.set(key, out.literal(key, s.src[from:to]))
		switch j = to; tag {
		case "</arg_value>":
			j += len(tag)
		case "":
			f.whole, f.torn = false, true
		}
	}
	f.args = out.json()
	if f.whole && s.closer(s.space(j)) == "" {
		f.missing = noTag
	}
	return f, j
}
