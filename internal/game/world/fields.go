package world

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Field is a member of a JSON object: its name, and a pointer to the variable that holds its value. The variable is a string,
// an int64, a bool, a []string, a map of strings to strings or to int64, one of this package's types, or a [Value].
type Field struct {
	Name  string
	Value any
}

// Value is the pointer to a variable that has a form of its own in JSON.
type Value interface {
	AppendJSON(b []byte) []byte // appends nothing where the member is left out
	ReadJSON(s *Scanner)
}

// rawJSON is canonical JSON in a string: a field with the tag json:",raw".
type rawJSON string

// member is a field of a struct: its index there, and its name in JSON, the field's in small letters with "_" between its words.
type member struct {
	index int
	name  string
	raw   bool
}

// members returns the members of the structs of records, and of those in records, in the order of their names.
var members = sync.OnceValue(func() map[reflect.Type][]member {
	all := map[reflect.Type][]member{}
	structs := []reflect.Type{reflect.TypeFor[Talk]()}
	for kind := PlaceKind; int(kind) <= kinds; kind++ {
		structs = append(structs, shapes()[kind].record)
	}
	for _, t := range structs {
		for f := range t.Fields() {
			all[t] = append(all[t], member{f.Index[0], memberName(f.Name), f.Tag.Get("json") == ",raw"})
		}
		slices.SortFunc(all[t], func(a, b member) int { return cmp.Compare(a.name, b.name) })
	}
	return all
})

// memberName returns the name of a member for that of its field: hp_max for HPMax.
func memberName(field string) string {
	var b strings.Builder
	for i, c := range field {
		ends := i+1 == len(field) || isUpper(field[i+1])
		if i > 0 && isUpper(field[i]) && !(isUpper(field[i-1]) && ends) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

// fieldSpace is space for the fields of any record.
type fieldSpace [35]Field

// fieldsOf returns the fields of what a pointer to a struct leads to, in the order of their names. They are in space.
func fieldsOf(of any, space *fieldSpace) []Field {
	fields, v := space[:0], reflect.ValueOf(of).Elem()
	for _, m := range members()[v.Type()] {
		value := v.Field(m.index).Addr().Interface()
		if m.raw {
			value = (*rawJSON)(value.(*string))
		}
		fields = append(fields, Field{m.name, value})
	}
	return fields
}
