package config

import (
	"fmt"
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
		fmt.Fprintf(b, "# from %s\n", strings.Map(printable, source))
	}
	b.WriteString("\n")
	showKeys(b, keysOf(&c))
	return b.String()
}

// ShowPart prints one table of the configuration, such as ollama, those below it, as of mcp, or one key, such as ollama.host, as [Show] does.
func ShowPart(c Config, name string) (string, error) {
	all := keysOf(&c)
	some := slices.DeleteFunc(slices.Clone(all), func(k key) bool {
		return name != k.table && name != k.table+"."+k.name && !strings.HasPrefix(k.table, name+".")
	})
	if len(some) == 0 {
		return "", noKey(all, name)
	}
	b := &strings.Builder{}
	showKeys(b, some)
	return b.String(), nil
}

func showKeys(b *strings.Builder, some []key) {
	table := ""
	for _, k := range some {
		if k.table != table {
			if table != "" {
				b.WriteString("\n")
			}
			table = k.table
			fmt.Fprintf(b, "[%s]\n", table)
		}
		fmt.Fprintf(b, "%s = %s\n", k.name, formatValue(k.field.Interface()))
	}
}

func printable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return '\uFFFD'
}
