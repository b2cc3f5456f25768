package toolcall

import "strings"

// gemma reads call:f{k:<|"|>v<|"|>,n:5} and call:f{k:<escape>v<escape>}, one after the other.
func (s *scan) gemma(i int) reading {
	r := reading{}
	for j := i; s.has(j, "call:"); {
		name, at := s.word(s.blanks(j + len("call:")))
		at = s.blanks(at)
		if name == "" || s.byte(at) != '{' {
			return r
		}
		g := gemma{scan: s, out: s.writer(name)}
		f := found{name: name, whole: true}
		var ok bool
		if f.args, at, ok = g.object(at, 0); !ok {
			if at < len(s.src) && s.src[at] != '<' {
				return r
			}
			f.whole, f.torn = false, g.torn
		}
		r.calls, r.end, r.ok = append(r.calls, f), at, true
		if !f.whole || len(r.calls) > mostCalls {
			return r
		}
		j = s.space(at)
		for c := s.byte(j); c == ',' || c == ';'; c = s.byte(j) {
			j = s.space(j + 1)
		}
	}
	return r
}

// gemma reads the arguments of one call.
type gemma struct {
	*scan
	out  objectWriter
	torn bool // the text ends within an argument
}

// deepest bounds how deep such arguments nest.
const deepest = 32

// object reads {k:v,…} as JSON. It reports false where the text ends before it does, with what was read until there.
func (g *gemma) object(i, depth int) (json string, end int, ok bool) {
	out := objectWriter{}
	j := i + 1
	for depth < deepest {
		j = g.space(j)
		for g.byte(j) == ',' {
			j = g.space(j + 1)
		}
		if g.byte(j) == '}' {
			return "{" + string(out.fields) + "}", j + 1, true
		}
		key, after := g.key(j)
		if key == "" {
			g.torn = g.torn || j < len(g.src) || strings.HasSuffix(strings.TrimRight(g.src[:j], " \t\r\n"), ",")
			break
		}
		value, to, ok := g.value(after, key, depth)
		if ok || value != "" {
			out.set(key, value)
		}
		if j = to; !ok {
			g.torn = true
			break
		}
	}
	return "{" + string(out.fields) + "}", j, false
}

func (g *gemma) key(i int) (key string, after int) {
	switch mark := g.mark(i); {
	case mark != "":
		if k := g.find(mark, i+len(mark)); k >= 0 {
			key, after = g.src[i+len(mark):k], k+len(mark)
		}
	case g.byte(i) == '"' || g.byte(i) == '\'':
		end, closed := g.text(i)
		if closed {
			key, after = meaning(g.src[i:end]), end
		}
	default:
		key, after = g.word(i)
	}
	after = g.space(after)
	if g.byte(after) != ':' {
		return "", i
	}
	return key, after + 1
}

// mark returns the quotes of gemma that stand at i.
func (g *gemma) mark(i int) string {
	for _, mark := range []string{`<|"|>`, "<escape>"} {
		if g.has(i, mark) {
			return mark
		}
	}
	return ""
}

func (g *gemma) value(i int, key string, depth int) (json string, end int, ok bool) {
	i = g.space(i)
	if mark := g.mark(i); mark != "" {
		from := i + len(mark)
		if k := g.find(mark, from); k >= 0 {
			return quote(g.src[from:k]), k + len(mark), true
		}
		return "", len(g.src), false
	}
	switch g.byte(i) {
	case '{':
		return g.object(i, depth+1)
	case '[':
		return g.list(i, depth+1)
	case '"', '\'':
		end, closed := g.text(i)
		return quote(meaning(g.src[i:end])), end, closed
	}
	for end = i; end < len(g.src); end++ {
		switch g.src[end] {
		case ',', '}', ']', '<':
			if depth > 0 { // the schema speaks of the top only
				return (&objectWriter{}).literal(key, strings.TrimSpace(g.src[i:end])), end, end > i
			}
			return g.out.word(key, strings.TrimSpace(g.src[i:end])), end, true
		}
	}
	g.touched = true
	return "", end, false
}

func (g *gemma) list(i, depth int) (json string, end int, ok bool) {
	var items []string
	j := i + 1
	for depth < deepest {
		j = g.space(j)
		for g.byte(j) == ',' {
			j = g.space(j + 1)
		}
		if g.byte(j) == ']' {
			return "[" + strings.Join(items, ",") + "]", j + 1, true
		}
		item, to, ok := g.value(j, "", depth+1)
		if !ok || to <= j {
			break
		}
		items, j = append(items, item), to
	}
	return "[" + strings.Join(items, ",") + "]", j, false
}
