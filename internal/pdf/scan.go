package pdf

import (
	"bytes"
	"strconv"
)

// Kinds of token.
const (
	aNumber  = 'n'
	aString  = 's' // decoded
	aName    = '/' // without the slash
	aKeyword = 'k' // an operator; also [ ] << >> { }
)

// token is a piece of a drawing, or of a table of characters.
type token struct {
	kind  byte
	text  string
	value float64
}

// scanner splits a drawing into tokens. Whatever it is given, it goes forward.
type scanner struct {
	src []byte
	pos int
}

// next returns the next token, and false at the end.
func (s *scanner) next() (token, bool) {
	s.skip()
	if s.pos >= len(s.src) {
		return token{}, false
	}
	c := s.src[s.pos]
	s.pos++
	switch c {
	case '(':
		return token{kind: aString, text: s.literal()}, true
	case '<':
		if s.peek() == '<' {
			s.pos++
			return token{kind: aKeyword, text: "<<"}, true
		}
		return token{kind: aString, text: s.hex()}, true
	case '>':
		if s.peek() == '>' {
			s.pos++
		}
		return token{kind: aKeyword, text: ">>"}, true
	case '[', ']', '{', '}', ')':
		return token{kind: aKeyword, text: string(c)}, true
	case '/':
		return token{kind: aName, text: s.name()}, true
	}
	s.pos--
	word := s.word()
	if c == '+' || c == '-' || c == '.' || '0' <= c && c <= '9' {
		if v, err := strconv.ParseFloat(word, 64); err == nil {
			return token{kind: aNumber, value: v}, true
		}
	}
	return token{kind: aKeyword, text: word}, true
}

// peek returns the next byte, 0 at the end.
func (s *scanner) peek() byte {
	if s.pos < len(s.src) {
		return s.src[s.pos]
	}
	return 0
}

// skip skips blanks and comments.
func (s *scanner) skip() {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case blank(c):
			s.pos++
		case c == '%':
			end := bytes.IndexAny(s.src[s.pos:], "\r\n")
			if end < 0 {
				end = len(s.src) - s.pos
			}
			s.pos += end
		default:
			return
		}
	}
}

func blank(c byte) bool {
	return c == 0 || c == '\t' || c == '\n' || c == '\f' || c == '\r' || c == ' '
}

// word reads to the next blank or delimiter.
func (s *scanner) word() string {
	from := s.pos
	for s.pos < len(s.src) && !blank(s.src[s.pos]) && bytes.IndexByte([]byte("()<>[]{}/%"), s.src[s.pos]) < 0 {
		s.pos++
	}
	return string(s.src[from:s.pos])
}

func (s *scanner) name() string {
	word := s.word()
	out := make([]byte, 0, len(word))
	for i := 0; i < len(word); i++ {
		if word[i] == '#' && i+2 < len(word) {
			if v, err := strconv.ParseUint(word[i+1:i+3], 16, 8); err == nil {
				out = append(out, byte(v))
				i += 2
				continue
			}
		}
		out = append(out, word[i])
	}
	return string(out)
}

// hex reads a <...> string; the "<" is read already. What is no digit is skipped, as readers do.
func (s *scanner) hex() string {
	var out []byte
	digits, v := 0, byte(0)
	for s.pos < len(s.src) {
		c := s.src[s.pos]
		s.pos++
		if c == '>' {
			break
		}
		d := bytes.IndexByte([]byte("0123456789abcdef"), c|0x20)
		if d < 0 {
			continue
		}
		v = v<<4 | byte(d)
		if digits++; digits%2 == 0 {
			out = append(out, v)
		}
	}
	if digits%2 == 1 {
		out = append(out, v<<4)
	}
	return string(out)
}

// literal reads a (...) string; the "(" is read already.
func (s *scanner) literal() string {
	var out []byte
	for depth := 1; s.pos < len(s.src); {
		c := s.src[s.pos]
		s.pos++
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return string(out)
			}
		case '\\':
			out = s.escape(out)
			continue
		}
		out = append(out, c)
	}
	return string(out)
}

// escape reads what follows a backslash and adds what it means.
func (s *scanner) escape(out []byte) []byte {
	if s.pos >= len(s.src) {
		return out
	}
	c := s.src[s.pos]
	s.pos++
	if i := bytes.IndexByte([]byte("nrtbf"), c); i >= 0 {
		return append(out, "\n\r\t\b\f"[i])
	}
	switch {
	case c == '\r':
		if s.peek() == '\n' {
			s.pos++
		}
		return out
	case c == '\n':
		return out
	case '0' <= c && c <= '7':
		v := int(c - '0')
		for range 2 {
			d := s.peek()
			if d < '0' || d > '7' {
				break
			}
			v = v*8 + int(d-'0')
			s.pos++
		}
		return append(out, byte(v))
	}
	return append(out, c) // an escape that there is not means itself
}

// skipImage skips the bytes of a picture that stands in the drawing; its "ID" is read already.
func (s *scanner) skipImage() {
	for {
		i := bytes.Index(s.src[s.pos:], []byte("EI"))
		if i < 0 {
			s.pos = len(s.src)
			return
		}
		at := s.pos + i
		s.pos = at + 2
		if at > 0 && blank(s.src[at-1]) && (s.pos == len(s.src) || blank(s.src[s.pos])) {
			return
		}
	}
}
