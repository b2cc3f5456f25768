package modeleval

import (
	"encoding/json"
	"fmt"
	"strings"

	"hob/internal/llm"
)

// written lays what a model does into a reply, in the form that it was asked for.
func written(mode llm.Mode, do act, m *llm.Message) {
	m.Text = do.text
	if mode == llm.SchemaMode {
		m.Text = inSchema(do)
		return
	}
	for i, call := range do.calls {
		name, args, _ := strings.Cut(call, " ")
		if mode == llm.NativeMode {
			m.Calls = append(m.Calls, llm.Call{ID: fmt.Sprint("c", i), Name: name, Args: json.RawMessage(args)})
		} else {
			m.Text += fmt.Sprintf("{\"tool\": %q, \"arguments\": %s}\n", name, args)
		}
	}
}

// inSchema writes the one object that a model may write in schema mode.
func inSchema(do act) string {
	object := map[string]any{"thought": "What now?", "tool": "answer", "answer": do.text}
	if len(do.calls) > 0 {
		name, args, _ := strings.Cut(do.calls[0], " ")
		object = map[string]any{"thought": "This tool.", "tool": name, "arguments": json.RawMessage(args)}
	}
	text, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	if do.cut {
		return string(text[:len(text)/2])
	}
	return string(text)
}

// unsayable reports whether the schema keeps a model from doing that: two calls in a reply, tools that are not there,
// thoughts and nothing else.
func unsayable(do act) bool {
	return len(do.calls) > 1 || do.thinking != "" || len(do.calls) == 1 && strings.HasPrefix(do.calls[0], "weather_lookup_service")
}
