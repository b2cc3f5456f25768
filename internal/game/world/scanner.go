package world

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
)

// Scanner reads the JSON that hob wrote, members and values one after the other. A reader for all JSON takes several times as
// long. It is strict: spaces between values, unknown members and numbers in another form are errors. After the first error it
// reads nothing.
type Scanner struct {
	b   []byte
	i   int
	err error
}

// Scan returns a scanner of b, which must not change while it is used.
func Scan(b []byte) *Scanner { return &Scanner{b: b} }

// Err returns the first error, or nil.
func (s *Scanner) Err() error { return s.err }

// Fail rejects the value that was read last.
func (s *Scanner) Fail() { s.fail("") }

// At returns how many bytes were read.
func (s *Scanner) At() int { return s.i }

func (s *Scanner) fail(why string) {
	if s.err == nil {
		s.err = fmt.Errorf("byte %d is not what hob writes there%s", s.i, why)
	}
}

// Expect reads c, or fails.
func (s *Scanner) Expect(c byte) {
	if !s.Next(c) {
		s.Fail()
	}
}

// Next reports whether c comes next, and reads it if it does.
func (s *Scanner) Next(c byte) bool {
	if !s.peek(c) {
		return false
	}
	s.i++
	return true
}

// peek reports whether c comes next, and reads nothing.
func (s *Scanner) peek(c byte) bool { return s.err == nil && s.i < len(s.b) && s.b[s.i] == c }

// literal reads a literal word if it comes next.
func (s *Scanner) literal(word string) bool {
	if s.err != nil || !bytes.HasPrefix(s.b[s.i:], []byte(word)) {
		return false
	}
	s.i += len(word)
	return true
}

// End fails where something is left.
func (s *Scanner) End() {
	if s.i != len(s.b) {
		s.Fail()
	}
}

// Member reads the name of the next member of an object whose brace was taken, with its colon. At the end of the object it
// reads the closing brace and reports false. n counts members from 0. The name may be part of the scanner's bytes.
func (s *Scanner) Member(n int) (name []byte, ok bool) {
	if s.Next('}') || s.err != nil {
		return nil, false
	}
	if n > 0 {
		s.Expect(',')
	}
	name = s.bytes()
	s.Expect(':')
	return name, s.err == nil
}

// Item prepares for the next item of an array whose bracket was taken. At the end of the array it reads the closing bracket
// and reports false. n counts items from 0.
func (s *Scanner) Item(n int) bool {
	if s.Next(']') || s.err != nil {
		return false
	}
	if n > 0 {
		s.Expect(',')
	}
	return s.err == nil
}

// Text reads a string.
func (s *Scanner) Text() string { return string(s.bytes()) }

// bytes reads a string. The result may be part of the scanner's bytes.
func (s *Scanner) bytes() []byte {
	from := s.i
	if escaped := s.skipString(); s.err != nil {
		return nil
	} else if !escaped {
		return s.b[from+1 : s.i-1]
	}
	var text string
	if json.Unmarshal(s.b[from:s.i], &text) != nil {
		s.Fail()
	}
	return []byte(text)
}

// skipString passes over a string, and reports whether it has escapes.
func (s *Scanner) skipString() (escaped bool) {
	s.Expect('"')
	for ; s.err == nil && s.i < len(s.b); s.i++ {
		switch c := s.b[s.i]; {
		case c == '"':
			s.i++
			return escaped
		case c == '\\':
			escaped = true
			s.i++
		case c < ' ':
			s.Fail()
		}
	}
	s.Fail()
	return false
}

// Int reads a whole number in the one form in which hob writes it: no plus, no leading zeros, no -0.
func (s *Scanner) Int() int64 {
	from := s.i
	s.Next('-')
	for s.err == nil && s.i < len(s.b) && s.b[s.i] >= '0' && s.b[s.i] <= '9' {
		s.i++
	}
	text := s.b[from:s.i]
	n, err := strconv.ParseInt(string(text), 10, 64)
	var space [20]byte
	if err != nil || !bytes.Equal(strconv.AppendInt(space[:0], n, 10), text) {
		s.Fail()
		return 0
	}
	return n
}

// Bool reads true or false.
func (s *Scanner) Bool() bool {
	if s.literal("true") {
		return true
	}
	if !s.literal("false") {
		s.Fail()
	}
	return false
}

// Strings reads a list of strings.
func (s *Scanner) Strings() []string {
	s.Expect('[')
	list := []string{}
	for s.Item(len(list)) {
		list = append(list, s.Text())
	}
	return list
}

// Ints reads a list of as many numbers as to has.
func (s *Scanner) Ints(to ...*int64) {
	s.Expect('[')
	for i, n := range to {
		if i > 0 {
			s.Expect(',')
		}
		*n = s.Int()
	}
	s.Expect(']')
}

func readMap[V any](s *Scanner, read func() V) map[string]V {
	m := map[string]V{}
	s.Expect('{')
	for n := 0; ; n++ {
		key, ok := s.Member(n)
		if !ok {
			return m
		}
		name := string(key)
		m[name] = read()
	}
}

// maxDepth is how many levels of arrays and objects [Scanner.Raw] takes.
const maxDepth = 100

// Raw reads a value of any kind and returns its bytes, which are part of the scanner's. It takes up to 100 levels.
func (s *Scanner) Raw() []byte {
	from := s.i
	s.skip(maxDepth)
	if s.err != nil {
		return nil
	}
	return s.b[from:s.i]
}

// skip passes over a value of up to so many levels.
func (s *Scanner) skip(levels int) {
	from := s.i
	switch {
	case levels == 0:
		s.Fail()
	case s.Next('{'):
		for n := 0; ; n++ {
			if _, ok := s.Member(n); !ok {
				return
			}
			s.skip(levels - 1)
		}
	case s.Next('['):
		for n := 0; s.Item(n); n++ {
			s.skip(levels - 1)
		}
	case s.peek('"'):
		if escaped := s.skipString(); escaped && !json.Valid(s.b[from:s.i]) {
			s.Fail()
		}
	default: // a number, or a word
		for s.i < len(s.b) && s.b[s.i] > ' ' && s.b[s.i] != ',' && s.b[s.i] != ']' && s.b[s.i] != '}' {
			s.i++
		}
		if !json.Valid(s.b[from:s.i]) {
			s.Fail()
		}
	}
}

// Object reads a whole object into fields. kind names the object for an error.
func (s *Scanner) Object(kind string, fields []Field) { s.object(kind, fields, s.value) }

// object is Object with what reads the value of a field.
func (s *Scanner) object(kind string, fields []Field, read func(value any)) {
	s.Expect('{')
	for n := 0; ; n++ {
		name, ok := s.Member(n)
		if !ok {
			return
		}
		s.read(kind, name, fields, read)
	}
}

// Read reads the value of a member into the field of that name. It fails where there is none.
func (s *Scanner) Read(kind string, name []byte, fields []Field) {
	s.read(kind, name, fields, s.value)
}

func (s *Scanner) read(kind string, name []byte, fields []Field, read func(value any)) {
	for i := range fields {
		if fields[i].Name == string(name) {
			read(fields[i].Value)
			return
		}
	}
	s.fail(fmt.Sprintf(": %s has no %q", kind, name))
}

// value reads a value into the variable of a field.
func (s *Scanner) value(value any) {
	switch v := value.(type) {
	case *string:
		*v = s.Text()
	case *rawJSON:
		*v = rawJSON(s.Raw())
	case *int64:
		*v = s.Int()
	case *bool:
		*v = s.Bool()
	case *[]string:
		*v = s.Strings()
	case *map[string]string:
		*v = readMap(s, s.Text)
	case *map[string]int64:
		*v = readMap(s, s.Int)
	case **Point:
		*v = &Point{}
		s.Ints(&(*v).X, &(*v).Y, &(*v).Z)
	case **Cell:
		*v = &Cell{}
		s.Ints(&(*v).X, &(*v).Y)
	case *[]Talk:
		*v = []Talk{}
		s.Expect('[')
		for n := 0; s.Item(n); n++ {
			*v = append(*v, Talk{})
			var space fieldSpace
			s.Object("talk", fieldsOf(&(*v)[n], &space))
		}
	case Value:
		v.ReadJSON(s)
	}
}

// Record reads a record of kind as [AppendRecord] writes it.
func (s *Scanner) Record(kind Kind) Record {
	r := New(kind)
	if r == nil {
		s.Fail()
		return &Self{}
	}
	s.record(r, s.valueOrNull)
	return r
}

// record reads the members of a record. read reads the value of each.
func (s *Scanner) record(r Record, read func(value any)) {
	var space fieldSpace
	s.object(r.Kind().String(), fieldsOf(r, &space), read)
}

// valueOrNull reads a value, or null for a zero one.
func (s *Scanner) valueOrNull(value any) {
	if s.literal("null") {
		reflect.ValueOf(value).Elem().SetZero()
		return
	}
	s.value(value)
}

// readOlder reads the first of the two values of a field that changed.
func (s *Scanner) readOlder(value any) {
	s.Expect('[')
	s.valueOrNull(value)
	s.Expect(',')
	s.Raw()
	s.Expect(']')
}

// readNewer reads the second of the two values of a field that changed.
func (s *Scanner) readNewer(value any) {
	s.Expect('[')
	s.Raw()
	s.Expect(',')
	s.valueOrNull(value)
	s.Expect(']')
}
