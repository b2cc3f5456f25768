package tomlfile

import (
	"slices"
	"strconv"
	"strings"
)

// Scan returns the layout of a text that [Decode] accepts.
func Scan(src string) Layout {
	s := &scanner{src: src, i: len(src) - len(strings.TrimPrefix(src, "\ufeff")), listLengths: map[string]int{}}
	var table []string
	for s.blank(true); s.i < len(s.src); s.blank(true) {
		if s.src[s.i] == '[' {
			table = s.header()
		} else {
			s.pair(table, len(table), false)
		}
		s.toLineEnd()
	}
	return Layout{Positions: s.positions, src: src}
}

type scanner struct {
	src         string
	i           int
	positions   []Position
	listLengths map[string]int // how many [[tables]] there were by now, by path

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

// header reads the line of a table, notes it and returns its path.
func (s *scanner) header() []string {
	p := Position{Header: true, Line: s.lineAt(s.i), Start: s.i}
	s.i += len(s.src[s.i:]) - len(strings.TrimLeft(s.src[s.i:], "["))
	isList := s.i-p.Start > 1
	names := s.key()
	for i, name := range names {
		p.Path = append(p.Path, name)
		list := strings.Join(p.Path, "\x00")
		if isList && i == len(names)-1 {
			s.listLengths[list]++
		}
		if n := s.listLengths[list]; n > 0 { // [profile.match] belongs to the last [[profile]]
			p.Path = append(p.Path, strconv.Itoa(n-1))
		}
	}
	p.Table, p.Value, p.End = len(p.Path), s.i, s.i
	s.positions = append(s.positions, p)
	return p.Path
}

// pair reads key = value and notes it, and what an inline table holds.
func (s *scanner) pair(above []string, table int, inline bool) {
	p := Position{Table: table, Inline: inline, Line: s.lineAt(s.i), Start: s.i}
	p.Path = slices.Concat(above, s.key())
	s.blank(false)
	if s.i < len(s.src) && s.src[s.i] == '=' {
		s.i++
	}
	s.blank(false)
	p.Value = s.i
	n := len(s.positions)
	s.positions = append(s.positions, p)
	s.value(p.Path, table)
	s.positions[n].End = s.i
	if s.i == p.Start {
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
			for s.i < len(s.src) && (s.src[s.i] >= 0x80 || IsBare(rune(s.src[s.i]))) {
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

// value skips a value and notes the pairs of the inline tables in it.
func (s *scanner) value(path []string, table int) {
	if s.i >= len(s.src) {
		return
	}
	switch s.src[s.i] {
	case '"', '\'':
		s.quoted()
	case '[':
		n := 0
		s.list(']', func() {
			s.value(append(path[:len(path):len(path)], strconv.Itoa(n)), table)
			n++
		})
	case '{':
		s.list('}', func() { s.pair(path, table, true) })
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
