package world

import (
	"errors"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Scanner reads JSON that hob itself wrote, several times as fast as a reader for all JSON could: members and values one after
// the other. It is strict all the same; what it cannot read is its Err, after which it reads nothing.
type Scanner struct {
	b   []byte
	i   int
	err error
	dec *decoder // to be used again
}

// Scan returns a scanner of b, which must not change while it is used.
func Scan(b []byte) *Scanner { return &Scanner{b: b} }

// Err returns what could not be read, or nil.
func (s *Scanner) Err() error { return s.err }

// Fail makes what was read last what cannot be read.
func (s *Scanner) Fail() { s.fail() }

// At returns how many bytes were read.
func (s *Scanner) At() int { return s.i }

func (s *Scanner) fail() {
	if s.err == nil {
		s.err = errors.New("byte " + strconv.Itoa(s.i) + " is not what hob writes there")
	}
}

// Take reads c, or fails.
func (s *Scanner) Take(c byte) {
	if !s.Next(c) {
		s.fail()
	}
}

// Next reports whether c comes next, and reads it if it does.
func (s *Scanner) Next(c byte) bool {
	if s.err == nil && s.i < len(s.b) && s.b[s.i] == c {
		s.i++
		return true
	}
	return false
}

// null reads null if that is what comes next. A field that is zero is written so where it changed.
func (s *Scanner) null() bool {
	if !s.ahead('n') || len(s.b)-s.i < 4 || string(s.b[s.i:s.i+4]) != "null" {
		return false
	}
	s.i += 4
	return true
}

// End fails where something is left.
func (s *Scanner) End() {
	if s.err == nil && s.i != len(s.b) {
		s.fail()
	}
}

// Member reads the name of the next member of an object whose brace was taken, with its colon. At the object's end it reads the
// closing brace and reports false. n counts members from 0.
func (s *Scanner) Member(n int) (name []byte, ok bool) {
	if s.Next('}') || s.err != nil {
		return nil, false
	}
	if n > 0 {
		s.Take(',')
	}
	name = s.word()
	s.Take(':')
	return name, s.err == nil
}

// word reads a string. The bytes may be the scanner's own.
func (s *Scanner) word() []byte {
	s.Take('"')
	from := s.i
	for i := from; i < len(s.b) && s.err == nil; i++ {
		switch c := s.b[i]; {
		case c == '"':
			s.i = i + 1
			return s.b[from:i]
		case c == '\\':
			s.i = from - 1
			return []byte(s.Text())
		case c < ' ':
			s.i = i
			s.fail()
		}
	}
	s.fail()
	return nil
}

// pass passes over a string.
func (s *Scanner) pass() {
	s.Take('"')
	for i := s.i; i < len(s.b) && s.err == nil; i++ {
		switch c := s.b[i]; {
		case c == '"':
			s.i = i + 1
			return
		case c == '\\':
			s.rest(s.i)
			return
		case c < ' ':
			s.i = i
			s.fail()
		}
	}
	s.fail()
}

// Item prepares for the next item of an array whose bracket was taken. At the array's end it reads the closing bracket and
// reports false. n counts items from 0.
func (s *Scanner) Item(n int) bool {
	if s.Next(']') || s.err != nil {
		return false
	}
	if n > 0 {
		s.Take(',')
	}
	return s.err == nil
}

// Text reads a string.
func (s *Scanner) Text() string {
	s.Take('"')
	from := s.i
	for i := from; i < len(s.b) && s.err == nil; i++ {
		switch c := s.b[i]; {
		case c == '"':
			s.i = i + 1
			return string(s.b[from:i])
		case c == '\\':
			s.i = i
			return s.rest(from)
		case c < ' ':
			s.i = i
			s.fail()
		}
	}
	s.fail()
	return ""
}

// rest reads a string that has an escape in it, from its beginning.
func (s *Scanner) rest(from int) string {
	out := append([]byte(nil), s.b[from:s.i]...)
	for s.err == nil && s.i < len(s.b) {
		c := s.b[s.i]
		s.i++
		switch {
		case c == '"':
			return string(out)
		case c < ' ':
			s.fail()
		case c != '\\':
			out = append(out, c)
		case s.i < len(s.b):
			out = s.escape(out)
		}
	}
	s.fail()
	return ""
}

// escape reads what follows a backslash.
func (s *Scanner) escape(out []byte) []byte {
	c := s.b[s.i]
	s.i++
	switch c {
	case '"', '\\', '/':
		return append(out, c)
	case 'n':
		return append(out, '\n')
	case 't':
		return append(out, '\t')
	case 'r':
		return append(out, '\r')
	case 'b':
		return append(out, '\b')
	case 'f':
		return append(out, '\f')
	case 'u':
		r := s.unit()
		if utf16.IsSurrogate(r) && s.i+1 < len(s.b) && s.b[s.i] == '\\' && s.b[s.i+1] == 'u' {
			s.i += 2
			r = utf16.DecodeRune(r, s.unit())
		}
		return utf8.AppendRune(out, r)
	}
	s.fail()
	return out
}

func (s *Scanner) unit() rune {
	if s.i+4 > len(s.b) {
		s.fail()
		return 0
	}
	n, err := strconv.ParseUint(string(s.b[s.i:s.i+4]), 16, 16)
	if err != nil {
		s.fail()
	}
	s.i += 4
	return rune(n)
}

// Int reads a whole number in the one form in which it is written: no plus, no zeros before it, no minus before 0.
func (s *Scanner) Int() int64 {
	from := s.i
	minus := s.Next('-')
	first := s.i
	var n uint64
	for s.err == nil && s.i < len(s.b) && s.b[s.i] >= '0' && s.b[s.i] <= '9' {
		n = n*10 + uint64(s.b[s.i]-'0')
		s.i++
	}
	digits := s.i - first
	if digits == 0 || s.b[first] == '0' && (digits > 1 || minus) {
		s.fail()
		return 0
	}
	if digits > 18 { // it may be more than there is room for
		v, err := strconv.ParseInt(string(s.b[from:s.i]), 10, 64)
		if err != nil {
			s.fail()
		}
		return v
	}
	if minus {
		return -int64(n)
	}
	return int64(n)
}

// Bool reads true or false.
func (s *Scanner) Bool() bool {
	for _, word := range [...]string{"true", "false"} {
		if s.err == nil && len(s.b)-s.i >= len(word) && string(s.b[s.i:s.i+len(word)]) == word {
			s.i += len(word)
			return word == "true"
		}
	}
	s.fail()
	return false
}

// Strings reads a list of strings.
func (s *Scanner) Strings() []string {
	s.Take('[')
	list := []string{}
	for s.Item(len(list)) {
		list = append(list, s.Text())
	}
	return list
}

// rawDepth is how many levels of arrays and objects [Scanner.Raw] takes.
const rawDepth = 100

// Raw reads a value of any kind and returns its bytes, which are those of the scanner's. It takes up to 100 levels.
func (s *Scanner) Raw() []byte {
	from := s.i
	s.skip(rawDepth)
	if s.err != nil {
		return nil
	}
	return s.b[from:s.i]
}

func (s *Scanner) skip(levels int) {
	if s.err != nil || s.i >= len(s.b) || levels == 0 {
		s.fail()
		return
	}
	switch c := s.b[s.i]; {
	case c == '{':
		s.i++
		for n := 0; ; n++ {
			if _, ok := s.Member(n); !ok {
				return
			}
			s.skip(levels - 1)
		}
	case c == '[':
		s.i++
		for n := 0; s.Item(n); n++ {
			s.skip(levels - 1)
		}
	case c == '"':
		s.pass()
	case c == 't' || c == 'f':
		s.Bool()
	case c == 'n' && len(s.b)-s.i >= 4 && string(s.b[s.i:s.i+4]) == "null":
		s.i += 4
	default:
		s.number()
	}
}

// number skips any number of JSON.
func (s *Scanner) number() {
	s.Next('-')
	if !s.Next('0') {
		s.digits()
	}
	if s.Next('.') {
		s.digits()
	}
	if s.Next('e') || s.Next('E') {
		if !s.Next('-') {
			s.Next('+')
		}
		s.digits()
	}
}

// digits skips one digit or more.
func (s *Scanner) digits() {
	from := s.i
	for s.i < len(s.b) && s.b[s.i] >= '0' && s.b[s.i] <= '9' {
		s.i++
	}
	if s.i == from {
		s.fail()
	}
}
