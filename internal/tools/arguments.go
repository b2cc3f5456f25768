package tools

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"hob/internal/event"
)

// NamedUsage shows a call of t with all arguments by name: the required ones, then the others in
// brackets.
func NamedUsage(t Tool) string {
	properties, required := propertiesOf(t)
	var b strings.Builder
	b.WriteString(t.Name())
	for _, arg := range required {
		fmt.Fprintf(&b, " %v=...", arg)
	}
	for _, arg := range slices.Sorted(maps.Keys(properties)) {
		if !slices.Contains(required, any(arg)) {
			fmt.Fprintf(&b, " [%s=...]", arg)
		}
	}
	return b.String()
}

func propertiesOf(t Tool) (properties map[string]any, required []any) {
	params := t.Parameters()
	properties, _ = params["properties"].(map[string]any)
	required, _ = params["required"].([]any)
	return properties, required
}

// ParseArguments reads the words of a command line as the arguments of t. The words are one JSON
// object; or key=value pairs, whose values are text unless the schema says otherwise; or words in
// the order of t's pattern, with such pairs between them. If all words are pairs, an unknown key is
// an argument that t refuses by name, unless the key resembles no argument and a text of t takes
// the rest of the line. Its error is an [*Error].
func ParseArguments(t Tool, words []string) (json.RawMessage, error) {
	if len(words) == 1 && strings.HasPrefix(strings.TrimSpace(words[0]), "{") {
		args, _ := Rename(t, json.RawMessage(words[0]))
		return args, nil
	}
	renamed := DefOf(t).Renamed
	properties, _ := propertiesOf(t)
	args := map[string]any{}
	for _, w := range words {
		key, value, ok := strings.Cut(w, "=")
		if name, old := renamed[key]; ok && old {
			key = name
		}
		if _, known := properties[key]; !ok || !known && (!isArgumentName(key) || beginsRest(t, key)) {
			return ParseWords(t, words)
		}
		if _, twice := args[key]; twice {
			return nil, Invalid(event.CodeInvalidFormat, "%s is given twice", key)
		}
		args[key] = value
		schema, _ := properties[key].(map[string]any)
		if kind, _ := schema["type"].(string); kind != "string" && schema != nil && json.Valid([]byte(value)) {
			args[key] = json.RawMessage(value)
		}
	}
	fillDefaults(t, args)
	return json.Marshal(args)
}

// beginsRest reports whether a word key=value is plain text: an argument of t takes the rest of the
// line, and no argument has a name like key.
func beginsRest(t Tool, key string) bool {
	c, bad := newCommandLine(t)
	return bad == nil && slices.ContainsFunc(c.slots, func(s slot) bool { return s.rest }) && Nearest(key, c.names()) == ""
}

// isArgumentName reports whether an argument can have this name. The part of an address before a =
// is no name, for example.
func isArgumentName(key string) bool {
	return key != "" && !strings.ContainsFunc(key, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}
