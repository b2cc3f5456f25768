package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Show prints the configuration as TOML that [Load] reads back as the same. source is the path of the file it came
// from, empty if there was none. No secret is among the keys, so none is shown.
func Show(c Config, source string) string {
	b := &strings.Builder{}
	if source == "" {
		b.WriteString("# defaults; no file was read\n")
	} else {
		fmt.Fprintf(b, "# from %s\n", strings.Map(visible, source))
	}
	table := ""
	for _, k := range keysOf(c) {
		if k.table != table {
			table = k.table
			fmt.Fprintf(b, "\n[%s]\n", table)
		}
		fmt.Fprintf(b, "%s = %s\n", k.name, k.show(c))
	}
	return b.String()
}

func visible(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return '\uFFFD'
}

// quote writes a TOML basic string. What a terminal or a reader could take for something else is escaped.
func quote(s string) string {
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

func quoteList(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = quote(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

func quoteTable(table map[string]string) string {
	entries := make([]string, 0, len(table))
	for _, name := range slices.Sorted(maps.Keys(table)) {
		entries = append(entries, name+" = "+quote(table[name]))
	}
	return "{" + strings.Join(entries, ", ") + "}"
}
