package author

import (
	"encoding/json"
	"fmt"
	"strings"

	"hob/internal/lists"
)

// field is a property of an object in a schema. A model writes them in their order.
type field struct{ name, schema string }

// object returns the schema of an object that has these properties, all of them.
func object(fields ...field) string {
	properties, required := make([]string, 0, len(fields)), make([]string, 0, len(fields))
	for _, f := range fields {
		properties, required = append(properties, fmt.Sprintf("%q:%s", f.name, f.schema)), append(required, fmt.Sprintf("%q", f.name))
	}
	return fmt.Sprintf(`{"type":"object","properties":{%s},"required":[%s]}`, strings.Join(properties, ","), strings.Join(required, ","))
}

// list returns the schema of a list of exactly so many items.
func list(n int, item string) string {
	return fmt.Sprintf(`{"type":"array","items":%s,"minItems":%d,"maxItems":%d}`, item, n, n)
}

// words returns properties that are texts.
func words(names ...string) []field {
	return lists.Map(names, func(name string) field { return field{name, `{"type":"string"}`} })
}

// oneOf returns the schema of a text that is one of these.
func oneOf(options ...string) string {
	raw, err := json.Marshal(options)
	if err != nil { // texts can always be written
		return `{"type":"string"}`
	}
	return fmt.Sprintf(`{"type":"string","enum":%s}`, raw)
}
