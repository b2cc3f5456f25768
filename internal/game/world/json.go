package world

import (
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"
)

// AppendObject appends fields as a JSON object without spaces, in their order. A zero value is left out; an empty list or map
// that is not nil is not zero.
func AppendObject(b []byte, fields []Field) []byte {
	b = append(b, '{')
	begin := len(b)
	for _, f := range fields {
		before := len(b)
		if before > begin {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), f.Name...), '"', ':')
		named := len(b)
		if b = appendValue(b, f.Value); len(b) == named {
			b = b[:before]
		}
	}
	return append(b, '}')
}

// appendValue appends the value of a field, or nothing where it is zero.
func appendValue(b []byte, value any) []byte {
	switch v := value.(type) {
	case *string:
		if *v != "" {
			return AppendString(b, *v)
		}
	case *rawJSON:
		return append(b, *v...)
	case *int64:
		if *v != 0 {
			return strconv.AppendInt(b, *v, 10)
		}
	case *bool:
		if *v {
			return append(b, "true"...)
		}
	case *[]string:
		if *v != nil {
			return AppendStrings(b, *v)
		}
	case *map[string]string:
		return appendMap(b, *v, AppendString)
	case *map[string]int64:
		return appendMap(b, *v, func(b []byte, n int64) []byte { return strconv.AppendInt(b, n, 10) })
	case **Point:
		if p := *v; p != nil {
			return AppendInts(b, p.X, p.Y, p.Z)
		}
	case **Cell:
		if c := *v; c != nil {
			return AppendInts(b, c.X, c.Y)
		}
	case *[]Talk:
		if *v != nil {
			return AppendList(b, len(*v), func(b []byte, i int) []byte { return appendStruct(b, &(*v)[i]) })
		}
	case Value:
		return v.AppendJSON(b)
	}
	return b
}

func appendMap[V any](b []byte, m map[string]V, appendValue func([]byte, V) []byte) []byte {
	if m == nil {
		return b
	}
	b = append(b, '{')
	for i, k := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(AppendString(b, k), ':')
		b = appendValue(b, m[k])
	}
	return append(b, '}')
}

// AppendRecord appends r as canonical JSON: an object, its members in the order of their names, without zero values and
// spaces, with whole numbers only.
func AppendRecord(b []byte, r Record) []byte { return appendStruct(b, r) }

func appendStruct(b []byte, of any) []byte {
	var space fieldSpace
	return AppendObject(b, fieldsOf(of, &space))
}

// AppendList appends n items as a JSON array.
func AppendList(b []byte, n int, appendItem func(b []byte, i int) []byte) []byte {
	b = append(b, '[')
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendItem(b, i)
	}
	return append(b, ']')
}

// AppendInts appends list as a JSON array.
func AppendInts(b []byte, list ...int64) []byte {
	return AppendList(b, len(list), func(b []byte, i int) []byte { return strconv.AppendInt(b, list[i], 10) })
}

// AppendStrings appends list as a JSON array.
func AppendStrings(b []byte, list []string) []byte {
	return AppendList(b, len(list), func(b []byte, i int) []byte { return AppendString(b, list[i]) })
}

// AppendString appends s as a JSON string. It escapes quotes, backslashes and control characters and nothing else. Bytes that
// are not UTF-8 become U+FFFD.
func AppendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	from := 0 // of the text that is not appended yet
	for i, r := range s {
		if r >= ' ' && r != '"' && r != '\\' && r != utf8.RuneError {
			continue
		}
		b = append(b, s[from:i]...)
		from = i + 1
		switch r {
		case '"', '\\':
			b = append(b, '\\', byte(r))
		case '\n':
			b = append(b, '\\', 'n')
		case '\t':
			b = append(b, '\\', 't')
		case '\r':
			b = append(b, '\\', 'r')
		case utf8.RuneError:
			b = utf8.AppendRune(b, r)
			if _, size := utf8.DecodeRuneInString(s[i:]); size > 1 {
				from = i + size
			}
		default:
			b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		}
	}
	return append(append(b, s[from:]...), '"')
}
