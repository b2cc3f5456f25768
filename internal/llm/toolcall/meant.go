package toolcall

import (
	"strings"

	"hob/internal/lazyregexp"
)

// meant makes a candidate of what begins at j as a call of a tool does and cannot be read.
func (s *scan) meant(c candidate, j, end int) (candidate, bool) {
	name := s.beginsTool(j, end)
	if name == "" && s.fence == "" && c.start <= most {
		if spelled, ok := s.spelled(c, j); ok {
			return spelled, true
		}
	}
	if name == "" {
		c.end = j
		if s.whole && end >= len(s.src) { // it does not end: what looks like one more line may be one
			c.end = j + 1
		}
		return c, false
	}
	c.end, _ = s.first(max(end, j), "\n")
	c.calls = []found{{name: name, unread: true}}
	c.doubts |= cannotBeRead
	return c, true
}

// saysName is how an object says which tool it calls, saysKey how it does with its first key, and saysArguments how it gives the
// arguments. nextArgument is what follows the name of a tool in a list.
var (
	saysName      = lazyregexp.New(`["'“]?\b(?:name|tool|function|tool_name|action)["'”]?\s*[:=]\s*["'“]?([\w.\-\\]+)`)
	saysArguments = lazyregexp.New(`["'“]?\b(?:arguments|parameters|args|input|kwargs|action_input)["'”]?\s*:\s*["{]`)
	saysKey       = lazyregexp.New(`^\s*\{\s*["']([\w.\-\\]+)["']\s*:\s*\{`)
	nextArgument  = lazyregexp.New(`^\s*,\s*(?:\{|["']?\w+["']?\s*[=:])`)
	signature     = lazyregexp.New(`^\(\s*[A-Za-z]\w*(?:\s*:\s*\w+)?\s*(?:,\s*[A-Za-z]\w*(?:\s*:\s*\w+)?\s*)*\)`)
)

// lookAhead is how many bytes are looked at of what may be a call.
const lookAhead = 400

// beginsTool returns the name of the tool whose call begins at i, as far as its beginning can be read, or "".
func (s *scan) beginsTool(i, end int) string {
	listed := false
	for range mostNested {
		if s.has(i, "print(") && s.resolve("print") == nil {
			i += len("print")
		}
		c := s.byte(i)
		if c == 0 || strings.IndexByte("[\"'`(", c) < 0 {
			break
		}
		listed = listed || c == '['
		i = s.space(i + 1)
	}
	if s.byte(i) == '{' {
		return s.objectTool(i, end)
	}
	name, j := s.word(i)
	if name == "" || s.resolve(name) == nil || s.fence != "" && s.foreign(name) {
		return ""
	}
	if c := s.byte(j); listed && (c == '\'' || c == '"' || c == '`') {
		if j++; s.has(j, "](") {
			j++
		}
	}
	text := s.src[j:min(len(s.src), j+lookAhead)]
	var isCall bool
	var ends string
	switch c := s.byte(j); {
	case listed && c == ',':
		isCall, ends = nextArgument().MatchString(text), "\n"
	case c == '(':
		isCall, ends = !signature().MatchString(text), ")\n"
	default:
		return ""
	}
	s.touched = s.touched || len(text) < lookAhead && !strings.ContainsAny(text, ends)
	if !isCall {
		return ""
	}
	return name
}

// objectTool returns the name of the tool that the object at i calls, or "".
func (s *scan) objectTool(i, end int) string {
	if end <= i { // what holds the object could not be read
		end = i + lookAhead
		s.touched = s.touched || end > len(s.src)
	}
	text := s.src[i:min(end, i+lookAhead, len(s.src))]
	s.wasted += 2 * len(text)
	m := saysName().FindStringSubmatch(text)
	if key := saysKey().FindStringSubmatch(text); key != nil && (m == nil || s.resolve(key[1]) != nil) {
		m = key
	}
	if m == nil {
		return ""
	}
	if s.resolve(m[1]) != nil || saysArguments().MatchString(text) && trim(s.src[:i]) == "" && !strings.Contains(text, "\n\n") {
		return m[1]
	}
	return ""
}
