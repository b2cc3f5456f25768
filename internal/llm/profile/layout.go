package profile

import (
	"slices"
	"strconv"
	"strings"
)

// layout is where things stand in a file. It is right for every text that the decoder accepts, and harmless for others:
// it is only used to name lines, and to cut an entry out of a file, which is checked afterwards.
type layout struct {
	places []place
}

// place is a table's header, or a key with its value.
type place struct {
	path       []string // the third [[profile]] is "profile", "2"
	line       int      // from 1
	start, end int      // bytes, from the begin of its first line to past the end of its last
	header     bool
}

// of returns the line of the thing at path, or of the nearest around it; 1 if there is none.
func (l layout) of(path ...string) int {
	for n := len(path); n > 0; n-- {
		for _, p := range l.places {
			if slices.Equal(p.path, path[:n]) {
				return p.line
			}
		}
		for _, p := range l.places { // a table that has no place of its own: its first key's
			if len(p.path) > n && slices.Equal(p.path[:n], path[:n]) {
				return p.line
			}
		}
	}
	return 1
}

// scanner goes through a text.
type scanner struct {
	src string
	at  int
}

func scan(src string) layout {
	s := scanner{src: src}
	var l layout
	var table []string
	seen := map[string]int{}
	line, counted := 1, 0
	for s.skipBlank(); s.at < len(src); s.skipBlank() {
		start := s.at
		line += strings.Count(src[counted:start], "\n")
		counted = start
		p := place{line: line, start: strings.LastIndexByte(src[:start], '\n') + 1}
		if src[s.at] == '[' {
			p.header = true
			isList := strings.HasPrefix(src[s.at:], "[[")
			s.at++
			if isList {
				s.at++
			}
			table = s.key()
			if name := strings.Join(table, "\x00"); isList {
				table = append(table, strconv.Itoa(seen[name]))
				seen[name]++
			} else if n := seen[table[0]]; n > 0 { // [profile.match] belongs to the last [[profile]]
				table = slices.Insert(table, 1, strconv.Itoa(n-1))
			}
			p.path = table
		} else {
			p.path = slices.Concat(table, s.key())
			s.value()
		}
		s.restOfLine()
		p.end = s.at
		l.places = append(l.places, p)
	}
	return l
}

// skipBlank goes to the next thing that is neither space nor comment.
func (s *scanner) skipBlank() {
	for s.at < len(s.src) {
		switch s.src[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		case '#':
			s.restOfLine()
		default:
			return
		}
	}
}

// restOfLine goes past the end of the line.
func (s *scanner) restOfLine() {
	if i := strings.IndexByte(s.src[s.at:], '\n'); i >= 0 {
		s.at += i + 1
		return
	}
	s.at = len(s.src)
}

// key reads a dotted key and goes past the = or ] that ends it. There is at least one part.
func (s *scanner) key() []string {
	var parts []string
	var part []byte
	for s.at < len(s.src) {
		c := s.src[s.at]
		switch c {
		case '"', '\'':
			part = append(part, s.quotedKey()...)
			continue
		case '.':
			parts, part = append(parts, string(part)), nil
		case ' ', '\t', '\r', '=', ']', '\n':
		default:
			part = append(part, c)
		}
		s.at++
		if c == '=' || c == ']' || c == '\n' {
			return append(parts, string(part))
		}
	}
	return append(parts, string(part))
}

// quotedKey goes past a part of a key in quotes and returns what it says.
func (s *scanner) quotedKey() string {
	from := s.at
	s.text()
	text := s.src[from:s.at]
	if unquoted, err := strconv.Unquote(text); err == nil && text[0] == '"' {
		return unquoted
	}
	return strings.Trim(text, `'`)
}

// value goes past a value.
func (s *scanner) value() {
	for depth := 0; s.at < len(s.src); {
		switch s.src[s.at] {
		case '"', '\'':
			s.text()
			continue
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '#':
			if depth <= 0 {
				return
			}
			s.restOfLine()
			continue
		case '\n':
			if depth <= 0 {
				return
			}
		}
		s.at++
	}
}

// text goes past a text in quotes of any of the four kinds.
func (s *scanner) text() {
	quote := s.src[s.at : s.at+1]
	end := quote
	if long := strings.Repeat(quote, 3); strings.HasPrefix(s.src[s.at:], long) {
		end = long
	}
	s.at += len(end)
	for s.at < len(s.src) {
		switch {
		case quote == `"` && s.src[s.at] == '\\':
			s.at = min(s.at+2, len(s.src))
		case strings.HasPrefix(s.src[s.at:], end):
			s.at += len(end)
			for len(end) == 3 && strings.HasPrefix(s.src[s.at:], quote) { // """a"""" ends with a quote of its own
				s.at++
			}
			return
		case len(end) == 1 && s.src[s.at] == '\n':
			return
		default:
			s.at++
		}
	}
}
