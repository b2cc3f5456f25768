package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"hob/internal/editdistance"
)

// key is one key of the file, for one field of a Config. The field's tags say how it is called (toml), what it may be (kind, for
// [kinds]; min and max, and auto for a number that may be 0) and, with its type, how it is written.
type key struct {
	table, name string // a table below another is written mcp.files
	field       reflect.Value
	read        reader
}

func (k key) path() string { return "[" + k.table + "] " + k.name }

// at is where the key stands, for [tomlfile.Layout].
func (k key) at() []string { return append(strings.Split(k.table, "."), k.name) }

// set reads a TOML value into the field. The error is the end of a sentence that begins with the key.
func (k key) set(v any) error {
	value, err := k.read(v)
	if err == nil {
		k.field.Set(reflect.ValueOf(value))
	}
	return err
}

// keysOf lists every key of c in the order in which Show prints them.
func keysOf(c *Config) []key {
	var all []key
	of := kinds()
	add := func(table string, fields reflect.Value) {
		for i := range fields.NumField() {
			f := fields.Type().Field(i)
			if name := f.Tag.Get("toml"); name != "" {
				all = append(all, key{table, name, fields.Field(i), readerOf(f, of)})
			}
		}
	}
	tables := reflect.ValueOf(c).Elem()
	for i := range tables.NumField() {
		if table := tables.Type().Field(i).Tag.Get("toml"); table != "" {
			add(table, tables.Field(i))
		}
	}
	for i := range c.MCP {
		add("mcp."+c.MCP[i].Name, reflect.ValueOf(&c.MCP[i]).Elem())
	}
	return all
}

// hasKey reports whether there is a key of that name in the table.
func hasKey(all []key, table, name string) bool {
	return slices.ContainsFunc(all, func(k key) bool { return k.table == table && k.name == name })
}

// suggest returns the end of a warning about the unknown path: the known key that was most likely meant, or "".
func suggest(all []key, path []string) string {
	tables, last := []string{"mcp"}, len(path)-1
	for _, k := range all {
		if !slices.Contains(tables, k.table) {
			tables = append(tables, k.table)
		}
	}
	table := strings.Join(path[:last], ".")
	switch {
	case len(path) == 1:
		if near := nearest(path[0], tables); near != "" {
			return fmt.Sprintf("did you mean [%s]?", near)
		}
	case table == "mcp":
		return "what belongs to a server stands in a table with its name, such as [mcp.files]"
	default:
		var names []string
		for _, k := range all {
			if k.table == table {
				names = append(names, k.name)
			}
		}
		if near := nearest(path[last], names); near != "" {
			return fmt.Sprintf("did you mean %s?", near)
		}
	}
	for _, k := range all { // a key at the top that belongs into a table, or one in another
		if k.name == path[last] {
			return fmt.Sprintf("did you mean %s in [%s]?", k.name, k.table)
		}
	}
	return ""
}

// nearest returns the one of names that is at most a third of its length away from name, else the one that goes on from it, as
// token_file does from token, or "".
func nearest(name string, names []string) string {
	best, bestDistance, word := "", len(name), []rune(strings.ToLower(name))
	for _, n := range names {
		if len(word) > 2*len(n)+1 {
			continue // it is too far away, and to count how far takes long
		}
		d := editdistance.WithSwaps(word, []rune(n))
		if d < bestDistance && d <= max(1, len(n)/3) {
			best, bestDistance = n, d
		}
	}
	if i := slices.IndexFunc(names, func(n string) bool { return strings.HasPrefix(n, strings.ToLower(name)+"_") }); best == "" && i >= 0 {
		return names[i]
	}
	return best
}
