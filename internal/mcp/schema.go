package mcp

import (
	"context"
	"encoding/json"
	"strings"

	"hob/internal/tools"
	"hob/internal/untrusted"
)

const (
	maxSchema = 8 << 10 // bytes
	maxNote   = 300     // bytes of a description within a schema
)

// openSchema takes any object.
const openSchema = `{"type":"object","properties":{},"additionalProperties":true}`

// fitSchema returns the schema of a tool's arguments as a model may be told it, or one that takes any object and, in a few
// words, why. A model reads all of it, so what is not seen and what separates messages goes from its texts; where that is part
// of a name or of a value, the schema would say something else without it.
func fitSchema(given any) (fit json.RawMessage, why string) {
	raw, err := json.Marshal(given)
	if err != nil || len(raw) > 64*maxSchema {
		return json.RawMessage(openSchema), "its schema is too large"
	}
	var root any
	if err := json.Unmarshal(raw, &root); err != nil {
		return json.RawMessage(openSchema), "its schema cannot be read"
	}
	schema, ok := root.(map[string]any)
	if !ok {
		return json.RawMessage(openSchema), "its schema is no object"
	}
	if _, says := schema["type"]; !says {
		schema["type"] = "object"
	}
	if schema["type"] != "object" {
		return json.RawMessage(openSchema), "its schema is not that of an object"
	}
	if !tidy(schema, false) {
		return json.RawMessage(openSchema), "its schema has characters in it that are not seen"
	}
	if raw, err = json.Marshal(schema); err != nil || len(raw) > maxSchema {
		return json.RawMessage(openSchema), "its schema is too large"
	}
	nothing := func(context.Context, map[string]any) (string, error) { return "", nil }
	if _, err := tools.NewUntyped(tools.Def{Name: "t"}, schema, nothing); err != nil {
		return json.RawMessage(openSchema), "its schema cannot be checked"
	}
	return raw, ""
}

// tidy makes the descriptions in a schema fit for a prompt, and reports whether everything else is. Named says that the keys of
// v are names of arguments and not words of the schema.
func tidy(v any, named bool) bool {
	switch v := v.(type) {
	case string:
		return clean(v)
	case []any:
		for _, one := range v {
			if !tidy(one, false) {
				return false
			}
		}
	case map[string]any:
		for key, one := range v {
			text, isText := one.(string)
			switch {
			case !clean(key):
				return false
			case !named && isText && (key == "description" || key == "title"):
				v[key] = oneLine(text, maxNote)
			case !named && (key == "$comment" || key == "examples"):
				delete(v, key) // nobody reads them here
			case !tidy(one, !named && (key == "properties" || key == "$defs" || key == "definitions" || key == "patternProperties")):
				return false
			}
		}
	}
	return true
}

// clean reports whether there is nothing in a text that a model must not see.
func clean(text string) bool {
	plain, _ := untrusted.Plain(text)
	return plain == text
}

// plainText is a stranger's text of several lines, made fit for a prompt.
func plainText(text string) string {
	text, _ = untrusted.Plain(text)
	return strings.TrimSpace(text)
}
