package toolcall

import (
	"encoding/json"
	"slices"
	"strings"
)

// python reads calls as Python writes them, one after the other: f(a="x", b=3), f({'a': 1}), f(city: Antwerp), and
// print(f(a=1)), which is how some models are told to call.
func (s *scan) python(i int) reading {
	r := reading{}
	for j := i; ; {
		name, open := s.word(j)
		if name == "" || s.byte(open) != '(' {
			return r
		}
		if name == "print" && s.resolve(name) == nil {
			in := s.python(s.space(open + 1))
			if !in.ok || s.byte(s.space(in.end)) != ')' {
				return r
			}
			in.end = s.space(in.end) + 1
			r.calls, r.end, r.ok, r.keyed = append(r.calls, in.calls...), in.end, true, r.keyed || in.keyed
		} else {
			f, end, ok := s.pythonCall(name, open+1)
			if !ok {
				r.end, r.ok = end, false
				return r
			}
			r.calls, r.end, r.ok = append(r.calls, f), end, true
			r.keyed = r.keyed || f.named
			if !f.whole {
				return r
			}
		}
		if len(r.calls) > mostCalls {
			return r
		}
		j = s.space(r.end)
		for c := s.byte(j); c == ';'; c = s.byte(j) {
			j = s.space(j + 1)
		}
	}
}

// pythonCall reads the arguments of a call of name, whose parenthesis was opened before i.
func (s *scan) pythonCall(name string, i int) (f found, end int, ok bool) {
	f = found{name: name, whole: true}
	if strings.HasSuffix(name, ".call") {
		f.name = strings.TrimSuffix(name, ".call")
	}
	out := s.writer(f.name)
	var lone []string
	for j := i; ; {
		j = s.space(j)
		for s.byte(j) == ',' {
			j = s.space(j + 1)
		}
		switch c := s.byte(j); {
		case c == ')':
			return s.called(f, &out, lone), j + 1, true
		case c == 0 && j >= len(s.src):
			f.whole = false
			if len(lone) == 1 && out.empty() && strings.HasPrefix(lone[0], "{") {
				f.args, f.named = lone[0], true
				return f, j, true
			}
			f.torn = f.torn || strings.HasSuffix(strings.TrimRight(s.src[:j], " \t\r\n"), ",")
			return s.called(f, &out, lone), j, true
		case c == '*':
			j++
			continue
		case c == '{' && len(lone) == 0 && out.empty():
			to, _ := s.container(j)
			if k := s.space(to); s.byte(k) == ')' {
				f.args = s.src[j:to]
				return f, k + 1, true
			}
		}
		key, after := s.argumentName(j)
		value, to, ok := s.argument(after, key, &out)
		from := s.space(after)
		f.named = f.named || slices.Contains(out.takes.names, key)
		if to >= len(s.src) && (!ok || !s.delimited(from)) {
			f.whole, f.torn, f.named = false, true, f.named || s.delimited(from)
			if value == "" {
				return s.called(f, &out, lone), len(s.src), true
			}
		} else if !ok || to <= j || len(lone) > mostCalls {
			return f, j, false
		}
		s.judge(&f, key, from, to, s.src[after-1], &out)
		if key == "" {
			lone = append(lone, value)
		} else {
			out.set(key, value)
		}
		j = to
	}
}

// argumentName reads the name of an argument and the sign behind it. Without them the argument itself begins at i.
func (s *scan) argumentName(i int) (key string, after int) {
	var j int
	if c := s.byte(i); c == '"' || c == '\'' {
		if end, closed := s.text(i); closed && s.byte(s.space(end)) == ':' {
			return meaning(s.src[i:end]), s.space(end) + 1
		}
		return "", i
	}
	key, j = s.word(i)
	j = s.blanks(j)
	if c := s.byte(j); key == "" || c != '=' && c != ':' || s.byte(j+1) == '=' || s.has(j, "://") {
		return "", i
	}
	return plainName(key), j + 1
}

// namesArgument reports whether a name and the sign behind it stand at i.
func (s *scan) namesArgument(i int) bool {
	if c := s.byte(i); c == '"' || c == '\'' {
		return false
	}
	key, _ := s.argumentName(i)
	return key != ""
}

// argument reads the value of the argument key, or of one without a name, as JSON.
func (s *scan) argument(i int, key string, out *objectWriter) (value string, end int, ok bool) {
	i = s.space(i)
	switch s.byte(i) {
	case '"', '\'':
		for _, long := range []string{`"""`, `'''`} {
			if s.has(i, long) {
				if k := s.find(long, i+3); k >= 0 {
					return quote(s.src[i+3 : k]), k + 3, true
				}
			}
		}
		end, closed := s.text(i)
		return quote(meaningOfPython(s.src[i:end])), end, closed
	case '{', '[':
		end, closed := s.container(i)
		return s.src[i:end], end, closed
	}
	end = s.loose(i)
	text := strings.TrimSpace(s.src[i:end])
	return out.word(key, text), end, text != ""
}

// loose returns where an argument without quotes ends: at the parenthesis, or at the comma before the next name.
func (s *scan) loose(i int) int {
	depth := 0
	for j := i; j < len(s.src); j++ {
		switch s.src[j] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return j
			}
		case ',':
			if depth == 0 {
				if s.namesArgument(s.space(j+1)) || literal(strings.TrimSpace(s.src[i:j])) != "" {
					return j
				}
			}
		case '\n', '<':
			if s.src[j] == '\n' || s.stops(j) {
				return j
			}
		}
	}
	s.touched = true
	return len(s.src)
}

// called finishes a call. One argument without a name is that of a tool which takes or needs only one.
func (s *scan) called(f found, out *objectWriter, lone []string) found {
	if len(lone) == 1 && out.empty() {
		if key := out.takes.only; key != "" {
			out.set(key, lone[0])
			f.repairs = append(f.repairs, "the argument without a name was taken for "+quote(key))
			lone = nil
		}
	}
	if len(lone) > 0 {
		out.set("", lone[0]) // nothing takes it, and the model is told
	}
	f.args = out.json()
	return f
}

// parameters is what a schema says of arguments that are written without quotes or without names.
type parameters struct {
	names []string // all
	texts []string // those that are strings and nothing else
	only  string   // the only one that the tool has or needs

	careful bool // see offered
}

// writer returns a writer of the arguments for the tool that name means.
func (s *scan) writer(name string) objectWriter {
	tool := s.resolve(name)
	if tool == nil {
		return objectWriter{}
	}
	if p, ok := s.takes[tool]; ok {
		return objectWriter{takes: p}
	}
	var words struct {
		Required   []string `json:"required"`
		Properties map[string]struct {
			Type any `json:"type"`
		} `json:"properties"`
	}
	p := parameters{names: tool.schema.Names(), careful: tool.careful}
	if json.Unmarshal(tool.schema.Raw(), &words) == nil {
		for name, property := range words.Properties {
			if property.Type == "string" {
				p.texts = append(p.texts, name)
			}
			if len(words.Properties) == 1 {
				p.only = name
			}
		}
		if len(words.Required) == 1 {
			p.only = words.Required[0]
		}
	}
	if s.takes == nil {
		s.takes = map[*offered]parameters{}
	}
	s.takes[tool] = p
	return objectWriter{takes: p}
}

// meaningOfPython returns what a Python string means.
func meaningOfPython(raw string) string {
	if raw[0] == '\'' || !json.Valid([]byte(raw)) {
		return meaning(raw)
	}
	return unquote(raw)
}

// objectWriter makes the JSON object of arguments that were written in another way.
type objectWriter struct {
	takes  parameters
	fields []byte
}

func (o *objectWriter) empty() bool { return len(o.fields) == 0 }

func (o *objectWriter) set(key, value string) {
	if len(o.fields) > 0 {
		o.fields = append(o.fields, ',')
	}
	o.fields = append(append(append(o.fields, quote(key)...), ':'), value...)
}

// json is the object, or nothing if there are no arguments.
func (o *objectWriter) json() string {
	if o.empty() {
		return ""
	}
	return "{" + string(o.fields) + "}"
}

// literal returns the JSON of a value that was written without quotes. What is a string for the tool stays the text that
// it is.
func (o *objectWriter) literal(key, text string) string {
	if value := literal(strings.TrimSpace(text)); value != "" && !slices.Contains(o.takes.texts, key) {
		return value
	}
	return quote(text)
}

// word is literal for what has quotes around its texts where they matter: null is nothing, also for a string.
func (o *objectWriter) word(key, text string) string {
	if text == "None" || text == "null" {
		return "null"
	}
	return o.literal(key, text)
}

// literal returns the JSON of what is plainly a number, a truth value, null, an object or a list, or "".
func literal(text string) string {
	switch text {
	case "":
		return ""
	case "true", "True":
		return "true"
	case "false", "False":
		return "false"
	case "null", "None":
		return "null"
	}
	if c := text[0]; (c == '{' || c == '[' || c == '-' || c >= '0' && c <= '9') && json.Valid([]byte(text)) {
		return text
	}
	return ""
}
