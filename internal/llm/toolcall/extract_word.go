package toolcall

import "strings"

// wordBody reads a call that begins with the name of the tool.
func (s *scan) wordBody(i int) reading {
	name, j := s.word(i)
	if name == "" {
		return reading{}
	}
	if s.byte(j) == '(' {
		return s.python(i)
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
	j = s.separator(j)
	k := s.space(j)
	if s.byte(j) == ':' {
		k = s.space(j + 1)
	}
	f := found{name: name, whole: true}
	switch {
	case s.has(k, "```"):
		line := s.find("\n", k)
		if line < 0 || line-k > 40 || s.byte(s.space(line+1)) != '{' {
			return reading{}
		}
		from := s.space(line + 1)
		end, closed := s.container(from)
		f.args, f.whole = s.src[from:end], closed
		if j := s.space(end); s.has(j, "```") {
			end = j + 3
		}
		return reading{calls: []found{f}, end: end, ok: true}
	case s.byte(k) == '{':
		if in := s.behindWord(name, k); in.ok {
			return in
		}
		end, closed := s.container(k)
		f.args, f.whole = s.src[k:end], closed
		return reading{calls: []found{f}, end: end, ok: true}
	case s.has(k, "<arg_key>"):
		f, end := s.glm(name, k)
		return reading{calls: []found{f}, end: end, ok: true}
	case k >= len(s.src):
		f.missing = noEnd
		fallthrough
	case s.closer(k) != "":
		return reading{calls: []found{f}, end: j, ok: s.resolve(name) != nil || k < len(s.src)}
	}
	return reading{}
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
	end, closed := s.container(from)
	f := found{name: name, args: s.src[from:end], whole: closed}
	return reading{calls: []found{f}, end: end, ok: true}
}
