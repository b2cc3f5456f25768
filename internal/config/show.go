package config

import (
	"fmt"
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
		fmt.Fprintf(b, "# from %s\n", strings.Map(printable, source))
	}
	table := ""
	for _, k := range keysOf(&c) {
		if k.table != table {
			table = k.table
			fmt.Fprintf(b, "\n[%s]\n", table)
		}
		fmt.Fprintf(b, "%s = %s\n", k.name, formatValue(k.field.Interface()))
	}
	return b.String()
}

func printable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return '\uFFFD'
}
