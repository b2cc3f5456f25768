package tomlfile

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"hob/internal/display"
	"hob/internal/lists"
)

// Set returns src with a key of a table set to a value, and adds the table and the key where they are missing. written is the value in
// TOML, and value is what the decoder reads there. All other bytes stay. It is false where the decoder would read something else in the
// new text.
func Set(src, table, name, written string, value any) (string, bool) {
	before, bad := Decode(src)
	if bad != nil {
		return "", false
	}
	edited := set(src, table, name, written)
	after, bad := Decode(edited)
	if bad != nil {
		return "", false
	}
	values, isTable := before[table].(map[string]any)
	if !isTable {
		values = map[string]any{}
	}
	values[name] = value
	before[table] = values
	return edited, reflect.DeepEqual(before, after)
}

func set(src, table, name, value string) string {
	l, newline := Scan(src), "\n"
	if strings.Contains(src, "\r\n") {
		newline = "\r\n"
	}
	put := func(from, to int, s string) string { return src[:from] + s + src[to:] }
	find := func(is func(Position) bool) (Position, bool) {
		i := slices.IndexFunc(l.Positions, is)
		if i < 0 {
			return Position{}, false
		}
		return l.Positions[i], true
	}
	is := func(path ...string) func(Position) bool {
		return func(p Position) bool { return slices.Equal(p.Path, path) }
	}
	if p, ok := find(is(table, name)); ok && !p.Header {
		return put(p.Value, p.End, value)
	}
	p, ok := find(is(table))
	switch inside := strings.Trim(src[p.Value:p.End], "{} \t"); {
	case ok && p.Header:
		at, line := l.nextLine(p.End), name+" = "+value+newline
		if !strings.HasSuffix(src[:at], "\n") {
			line = newline + line
		}
		return put(at, at, line)
	case ok && inside == "": // ollama = {}
		return put(p.Value, p.End, "{ "+name+" = "+value+" }")
	case ok: // ollama = { host = "..." }
		return put(p.Value+1, p.Value+1, " "+name+" = "+value+",")
	}
	dotted := func(p Position) bool { return p.Table == 0 && !p.Inline && p.isBelow([]string{table}) }
	if p, ok := find(dotted); ok { // ollama.host = "..."
		return put(p.Start, p.Start, table+"."+name+" = "+value+newline)
	}
	end := ""
	switch {
	case src != "" && !strings.HasSuffix(src, "\n"):
		end = newline + newline
	case src != "":
		end = newline
	}
	return src + end + "[" + table + "]" + newline + name + " = " + value + newline
}

// Quote writes a basic string. What a terminal or a reader could take for something else is escaped.
func Quote(s string) string {
	b := &strings.Builder{}
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r <= 0xffff:
			fmt.Fprintf(b, `\u%04X`, r)
		default:
			fmt.Fprintf(b, `\U%08X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// QuoteList writes a list of texts.
func QuoteList[S ~string](list []S) string {
	quoted := lists.Map(list, func(s S) string { return Quote(string(s)) })
	return "[" + strings.Join(quoted, ", ") + "]"
}

// Float writes a number with a point, without which it would be a whole one.
func Float(f float64) string {
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// Name makes the name of a key safe to show: a file can be somebody else's. A dotted key stays as it is.
func Name(s string) string {
	s = display.Truncate(s, 64)
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return !IsBare(r) && r != '.' }) {
		return Quote(s)
	}
	return s
}

// IsBare reports whether r may stand in a key without quotes.
func IsBare(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-'
}
