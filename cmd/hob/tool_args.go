package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"hob/internal/exit"
	"hob/internal/tools"
)

// usage is how a tool is called with all arguments by name: those that it requires, then the others in brackets.
func usage(t tools.Tool) string {
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

func propertiesOf(t tools.Tool) (properties map[string]any, required []any) {
	params := t.Parameters()
	properties, _ = params["properties"].(map[string]any)
	required, _ = params["required"].([]any)
	return properties, required
}

// arguments reads the words of a command line as the arguments of a tool: one JSON object, key=value pairs whose values are
// text unless the schema says otherwise, or words in the order of the tool's pattern with such pairs between them. Where all
// words are pairs, each is taken for one, and a key that there is not is an argument that the tool refuses by its name.
func arguments(tool tools.Tool, words []string) (json.RawMessage, error) {
	if len(words) == 1 && strings.HasPrefix(strings.TrimSpace(words[0]), "{") {
		return json.RawMessage(words[0]), nil
	}
	properties, _ := propertiesOf(tool)
	args := map[string]any{}
	for _, w := range words {
		key, value, ok := strings.Cut(w, "=")
		if _, known := properties[key]; !ok || !known && !nameLike(key) {
			return argumentsInOrder(tool, words)
		}
		if _, twice := args[key]; twice {
			return nil, exit.Errorf(exit.Usage, "%s is given twice", key)
		}
		args[key] = value
		schema, _ := properties[key].(map[string]any)
		if kind, _ := schema["type"].(string); kind != "string" && schema != nil && json.Valid([]byte(value)) {
			args[key] = json.RawMessage(value)
		}
	}
	return json.Marshal(args)
}

// argumentsInOrder reads words by the pattern of a tool.
func argumentsInOrder(tool tools.Tool, words []string) (json.RawMessage, error) {
	args, err := tools.ParseWords(tool, words)
	if bad := (*tools.Error)(nil); errors.As(err, &bad) {
		return nil, exit.Errorf(exit.Usage, "%s", withSuggestion(bad))
	}
	return args, err
}

// withSuggestion is an error in one sentence.
func withSuggestion(e *tools.Error) string {
	if e.Suggestion == "" {
		return e.Message
	}
	return e.Message + "; " + e.Suggestion
}

// nameLike reports whether an argument can have such a name: what stands before the = of an address, say, is none.
func nameLike(key string) bool {
	return key != "" && !strings.ContainsFunc(key, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}
