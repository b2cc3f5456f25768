package world

import (
	"slices"
	"sort"
	"strconv"
	"unicode/utf8"
)

// visitor is shown the fields of a record one after the other, in the order of their names.
type visitor interface {
	text(name string, v *string)
	raw(name string, v *string) // canonical JSON
	num(name string, v *int64)
	maybe(name string, v *Number)
	flag(name string, v *bool)
	list(name string, v *[]string)
	words(name string, v *map[string]string)
	nums(name string, v *map[string]int64)
	point(name string, v **Point)
	cell(name string, v **Cell)
	talks(name string, v *[]Talk)
}

// encoder appends a record's fields as members of a JSON object. What is zero is left out; an empty list or map that is not
// nil is not zero.
type encoder struct {
	b     []byte
	begun bool
	bare  bool // only values are wanted, without names and commas
}

// name begins a member.
func (e *encoder) name(name string) {
	if e.bare {
		return
	}
	if e.begun {
		e.b = append(e.b, ',')
	}
	e.begun = true
	e.b = append(e.b, '"')
	e.b = append(e.b, name...)
	e.b = append(e.b, '"', ':')
}

func (e *encoder) text(name string, v *string) {
	if *v != "" {
		e.name(name)
		e.b = AppendString(e.b, *v)
	}
}

func (e *encoder) raw(name string, v *string) {
	if *v != "" {
		e.name(name)
		e.b = append(e.b, *v...)
	}
}

func (e *encoder) num(name string, v *int64) {
	if *v != 0 {
		e.name(name)
		e.b = strconv.AppendInt(e.b, *v, 10)
	}
}

func (e *encoder) maybe(name string, v *Number) {
	if v.Known {
		e.name(name)
		e.b = strconv.AppendInt(e.b, v.N, 10)
	}
}

func (e *encoder) flag(name string, v *bool) {
	if *v {
		e.name(name)
		e.b = append(e.b, "true"...)
	}
}

func (e *encoder) list(name string, v *[]string) {
	if *v != nil {
		e.name(name)
		e.b = AppendStrings(e.b, *v)
	}
}

func (e *encoder) words(name string, v *map[string]string) {
	if *v == nil {
		return
	}
	e.name(name)
	e.b = append(e.b, '{')
	for i, k := range sortedKeys(*v) {
		if i > 0 {
			e.b = append(e.b, ',')
		}
		e.b = append(AppendString(e.b, k), ':')
		e.b = AppendString(e.b, (*v)[k])
	}
	e.b = append(e.b, '}')
}

func (e *encoder) nums(name string, v *map[string]int64) {
	if *v == nil {
		return
	}
	e.name(name)
	e.b = append(e.b, '{')
	for i, k := range sortedKeys(*v) {
		if i > 0 {
			e.b = append(e.b, ',')
		}
		e.b = append(AppendString(e.b, k), ':')
		e.b = strconv.AppendInt(e.b, (*v)[k], 10)
	}
	e.b = append(e.b, '}')
}

func (e *encoder) point(name string, v **Point) {
	if *v != nil {
		e.ints(name, (*v).X, (*v).Y, (*v).Z)
	}
}

func (e *encoder) cell(name string, v **Cell) {
	if *v != nil {
		e.ints(name, (*v).X, (*v).Y)
	}
}

func (e *encoder) talks(name string, v *[]Talk) {
	if *v == nil {
		return
	}
	e.name(name)
	e.b = append(e.b, '[')
	for i := range *v {
		if i > 0 {
			e.b = append(e.b, ',')
		}
		e.b = appendTalk(e.b, &(*v)[i])
	}
	e.b = append(e.b, ']')
}

func (e *encoder) ints(name string, values ...int64) {
	e.name(name)
	e.b = append(e.b, '[')
	for i, n := range values {
		if i > 0 {
			e.b = append(e.b, ',')
		}
		e.b = strconv.AppendInt(e.b, n, 10)
	}
	e.b = append(e.b, ']')
}

// AppendRecord appends r as canonical JSON: an object, its members in the order of their names, nothing that is zero, no
// spaces, whole numbers only.
func AppendRecord(b []byte, r Record) []byte {
	e := encoder{b: append(b, '{')}
	r.visit(&e)
	return append(e.b, '}')
}

// AppendStrings appends list as a JSON array.
func AppendStrings(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = AppendString(b, s)
	}
	return append(b, ']')
}

// AppendString appends s as a JSON string: quotes, backslashes and control characters are escaped and nothing else is.
// What is no UTF-8 becomes U+FFFD.
func AppendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			if r, n := utf8.DecodeRuneInString(s[i:]); r != utf8.RuneError || n > 1 {
				i += n
				continue
			}
			b = append(append(b, s[from:i]...), "\uFFFD"...)
		} else if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		} else {
			b = append(b, s[from:i]...)
			switch c {
			case '"', '\\':
				b = append(b, '\\', c)
			case '\n':
				b = append(b, '\\', 'n')
			case '\t':
				b = append(b, '\\', 't')
			case '\r':
				b = append(b, '\\', 'r')
			default:
				b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
		}
		i++
		from = i
	}
	return append(append(b, s[from:]...), '"')
}

// sortedKeys returns the keys of m in order.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	if len(keys) > 1 {
		sort.Strings(keys)
	}
	return keys
}

// With returns a copy of m with v at key.
func With[V any](m map[string]V, key string, v V) map[string]V {
	c := make(map[string]V, len(m)+1)
	for k, old := range m {
		c[k] = old
	}
	c[key] = v
	return c
}

// Without returns a copy of m without key.
func Without[V any](m map[string]V, key string) map[string]V {
	c := make(map[string]V, len(m))
	for k, old := range m {
		if k != key {
			c[k] = old
		}
	}
	return c
}

// Append returns a copy of list with more at its end.
func Append(list []string, more ...string) []string { return append(slices.Clone(list), more...) }

// Remove returns a copy of list without s.
func Remove(list []string, s string) []string {
	c := make([]string, 0, len(list))
	for _, old := range list {
		if old != s {
			c = append(c, old)
		}
	}
	return c
}
