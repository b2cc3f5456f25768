package config

import (
	"slices"
	"strconv"
	"strings"
)

// layout says where things stand in the text of a TOML file. The decoder says what they are but not where.
type layout struct {
	headers []header
	entries []entry
}

// header is a [table] line.
type header struct {
	path  []string
	line  int // from 1
	after int // offset of the line after it
}

// entry is a key with its value.
type entry struct {
	path       []string // the table's included
	under      int      // how many elements of path come from the [table] line
	inline     bool     // it stands in an inline table
	line       int
	at         int // offset of the key
	start, end int // offsets of the value
}

// line returns the line of the first thing at or below path, or 0.
func (l layout) line(path ...string) int {
	best := 0
	below := func(p []string) bool { return len(p) >= len(path) && slices.Equal(p[:len(path)], path) }
	for _, h := range l.headers {
		if below(h.path) && (best == 0 || h.line < best) {
			best = h.line
		}
	}
	for _, e := range l.entries {
		if below(e.path) && (best == 0 || e.line < best) {
			best = e.line
		}
	}
	return best
}

// scan finds the layout of src, which the decoder has accepted: it leaves out every check. On any other text it
// returns something, and ends.
func scan(src string) layout {
	s := &scanner{src: src, i: len(src) - len(strings.TrimPrefix(src, "\ufeff"))}
	var table []string
	for s.blank(true); s.i < len(s.src); s.blank(true) {
		if s.src[s.i] != '[' {
			s.pair(table, len(table), false)
			s.toLineEnd()
			continue
		}
		line := s.lineAt(s.i)
		s.i += len(s.src[s.i:]) - len(strings.TrimLeft(s.src[s.i:], "["))
		table = s.key()
		s.toLineEnd()
		s.out.headers = append(s.out.headers, header{path: table, line: line, after: min(s.i+1, len(src))})
	}
	return s.out
}

type scanner struct {
	src string
	i   int
	out layout

	lineFrom, lines int // lines counted up to an offset
}

func (s *scanner) lineAt(offset int) int {
	s.lines += strings.Count(s.src[s.lineFrom:offset], "\n")
	s.lineFrom = offset
	return s.lines + 1
}

// blank skips blanks, and with newlines also line ends and comments.
func (s *scanner) blank(newlines bool) {
	for s.i < len(s.src) {
		switch c := s.src[s.i]; {
		case c == ' ' || c == '\t':
			s.i++
		case newlines && (c == '\n' || c == '\r'):
			s.i++
		case newlines && c == '#':
			s.toLineEnd()
		default:
			return
		}
	}
}

func (s *scanner) toLineEnd() {
	if n := strings.IndexByte(s.src[s.i:], '\n'); n >= 0 {
		s.i += n
		return
	}
	s.i = len(s.src)
}

// pair reads key = value and notes it, and what an inline table holds.
func (s *scanner) pair(table []string, under int, inline bool) {
	at, line := s.i, s.lineAt(s.i)
	path := slices.Concat(table, s.key())
	s.blank(false)
	if s.i < len(s.src) && s.src[s.i] == '=' {
		s.i++
	}
	s.blank(false)
	n := len(s.out.entries)
	s.out.entries = append(s.out.entries, entry{path: path, under: under, inline: inline, line: line, at: at, start: s.i})
	s.value(path, under)
	s.out.entries[n].end = s.i
	if s.i == at {
		s.i++ // never stand still
	}
}

// key reads a dotted key.
func (s *scanner) key() []string {
	var path []string
	for {
		s.blank(false)
		start := s.i
		if s.i < len(s.src) && (s.src[s.i] == '"' || s.src[s.i] == '\'') {
			s.quoted()
			path = append(path, unquote(s.src[start:s.i]))
		} else {
			for s.i < len(s.src) && isBare(s.src[s.i]) {
				s.i++
			}
			path = append(path, s.src[start:s.i])
		}
		s.blank(false)
		if s.i >= len(s.src) || s.src[s.i] != '.' {
			return path
		}
		s.i++
	}
}

func isBare(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c >= 0x80
}

func unquote(s string) string {
	if u, err := strconv.Unquote(s); err == nil && s[0] == '"' {
		return u
	}
	return strings.Trim(s, `"'`)
}

// quoted skips a text of any of the four forms.
func (s *scanner) quoted() {
	q := s.src[s.i : s.i+1]
	if triple := q + q + q; strings.HasPrefix(s.src[s.i:], triple) {
		q = triple
	}
	for s.i += len(q); s.i < len(s.src); s.i++ {
		if s.src[s.i] == '\\' && q[0] == '"' {
			s.i++
			continue
		}
		if strings.HasPrefix(s.src[s.i:], q) {
			s.i += len(q)
			for len(q) == 3 && s.i < len(s.src) && s.src[s.i] == q[0] {
				s.i++ // up to two quotes may stand before the closing three
			}
			return
		}
		if len(q) == 1 && s.src[s.i] == '\n' {
			return
		}
	}
	s.i = min(s.i, len(s.src))
}

// value skips a value and notes the pairs of an inline table.
func (s *scanner) value(path []string, under int) {
	if s.i >= len(s.src) {
		return
	}
	switch s.src[s.i] {
	case '"', '\'':
		s.quoted()
	case '[':
		s.list(']', func() { s.value(append(path[:len(path):len(path)], "[]"), under) })
	case '{':
		s.list('}', func() { s.pair(path, under, true) })
	default:
		n := strings.IndexAny(s.src[s.i:], ",]}#\r\n")
		if n < 0 {
			n = len(s.src) - s.i
		}
		s.i += len(strings.TrimRight(s.src[s.i:s.i+n], " \t"))
	}
}

// list reads elements with commas between them up to the closing bracket.
func (s *scanner) list(closing byte, element func()) {
	for s.i++; ; {
		s.blank(true)
		if s.i >= len(s.src) {
			return
		}
		switch s.src[s.i] {
		case closing:
			s.i++
			return
		case ',':
			s.i++
			continue
		}
		if at := s.i; true {
			if element(); s.i == at {
				s.i++
			}
		}
	}
}
