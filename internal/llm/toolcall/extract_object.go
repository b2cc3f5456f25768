package toolcall

import (
	"encoding/json"
	"strings"
)

// pair is a name in something like an object, and where what it stands for begins and ends in the text.
type pair struct {
	key      string
	raw      string // the key as it was written
	from, to int
	closed   bool // the value has an end
}

// text returns where the string ends whose quote is at i, and whether it was closed. A quote inside that somebody forgot
// to escape does not end it: after the end of a string there is a comma, a colon, or a bracket.
func (s *scan) text(i int) (end int, closed bool) {
	q := s.src[i]
	for j := i + 1; j < len(s.src); j++ {
		switch s.src[j] {
		case '\\':
			j++
		case q:
			if s.endsText(j + 1) {
				return j + 1, true
			}
		}
	}
	s.touched = true
	return len(s.src), false
}

func (s *scan) endsText(i int) bool {
	j := s.space(i)
	if j >= len(s.src) {
		return true
	}
	switch s.src[j] {
	case ',', ':', '}', ']', ')', '<', '=':
		return true
	case '"', '`':
		return strings.IndexByte(s.src[i:j], '\n') >= 0 // a comma is missing, or this is the end of a fence
	}
	return false
}

// container returns where the object or list ends that begins at i, and whether it was closed. It ends without being
// closed where a tag or a fence says so.
func (s *scan) container(i int) (end int, closed bool) {
	var stack []byte
	braces := 0 // on the stack
	last := byte(0)
	for j := i; j < len(s.src); j++ {
		c := s.src[j]
		switch {
		case c <= ' ':
			continue
		case c == '{' || c == '[':
			stack = append(stack, c+2)
			if c == '{' {
				braces++
			}
		case c == '}' || c == ']':
			open := braces
			if c == ']' {
				open = len(stack) - braces
			}
			if open == 0 {
				continue // one too many
			}
			for k := len(stack) - 1; ; k-- {
				was := stack[k]
				if was == '}' {
					braces--
				}
				if stack = stack[:k]; was == c {
					break
				}
			}
			if len(stack) == 0 {
				return j + 1, true
			}
		case c == '"', c == '\'' && strings.IndexByte("{[,:(=", last) >= 0:
			end, closed := s.text(j)
			if !closed {
				return end, false
			}
			j = end - 1
		case c == '<' && s.stops(j), c == '`' && s.has(j, "```"):
			return j, false
		}
		last = c
	}
	s.touched = true
	return len(s.src), false
}

// stops reports whether a tag of the models begins at i, which is the end of everything before it.
func (s *scan) stops(i int) bool {
	switch s.byte(i + 1) {
	case '/', '|', 't', 'f', 'a', 0xEF:
		return true
	}
	return false
}

// value returns where the value that begins at i ends.
func (s *scan) value(i int) (end int, closed bool) {
	switch s.byte(i) {
	case '"', '\'':
		return s.text(i)
	case '{', '[':
		return s.container(i)
	}
	for j := i; j < len(s.src); j++ {
		switch s.src[j] {
		case ',', '}', ']', '\n', '<':
			return j, j > i
		}
	}
	s.touched = true
	return len(s.src), false
}

// object reads what stands at the top of the object that begins at i. One in which something stands that is no pair has
// none: what was to stand there is not known, and a call must not run without it. (Where the text ends in it, it was cut.)
func (s *scan) object(i int) (pairs []pair, end int, closed bool) {
	j := i + 1
	for {
		j = s.space(j)
		for s.byte(j) == ',' {
			j = s.space(j + 1)
		}
		if s.byte(j) == '}' {
			return pairs, j + 1, true
		}
		p, at, ok := s.key(j)
		if !ok {
			end, closed = s.container(i)
			if end = max(end, j); end < len(s.src) && strings.Trim(s.src[j:end], " \t\r\n,{}[]();\"'`") != "" {
				return nil, end, closed
			}
			return pairs, end, closed
		}
		p.from = s.space(at)
		p.to, closed = s.value(p.from)
		p.closed = closed
		pairs = append(pairs, p)
		if j = p.to; !closed {
			end, closed = s.container(i)
			return pairs, max(end, j), closed
		}
	}
}

// key reads a name and the colon after it.
func (s *scan) key(i int) (p pair, after int, ok bool) {
	var j int
	if c := s.byte(i); c == '"' || c == '\'' {
		end, closed := s.text(i)
		if !closed {
			return p, end, false
		}
		j, p.raw, p.key = end, s.src[i:end], meaning(s.src[i:end])
	} else {
		p.key, j = s.word(i)
		if p.key == "" {
			return p, i, false
		}
		p.key = plainName(p.key)
		p.raw = quote(p.key)
	}
	j = s.space(j)
	if c := s.byte(j); c != ':' && c != '=' {
		return p, j, false
	}
	return p, j + 1, true
}

// meaning returns what a string with its quotes means, as well as it can be said.
func meaning(raw string) string {
	if raw[0] == '"' && json.Valid([]byte(raw)) {
		return unquote(raw)
	}
	raw = strings.TrimSuffix(raw[1:], raw[:1])
	if !strings.Contains(raw, `\`) {
		return raw
	}
	return strings.NewReplacer(`\_`, "_", `\\`, `\`, `\"`, `"`, `\'`, "'", `\n`, "\n", `\t`, "\t", `\r`, "\r").Replace(raw)
}
