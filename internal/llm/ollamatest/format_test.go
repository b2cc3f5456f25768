package ollamatest_test

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"

	"hob/internal/llm"
	"hob/internal/llm/ollamatest"
	"hob/internal/llm/toolcall"
)

// The server makes a grammar of the format that has a branch for each tool, and a model that would rather write a tag can
// write nothing else. A format of which it can make none is one more request, with the simple format.
func TestFormat(t *testing.T) {
	model := modelOf(t, ollamatest.Run(t), ollamatest.OneTool)
	req := toolcall.Render(llm.Request{
		Messages: []llm.Message{{Role: llm.UserRole, Text: "Look."}}, Tools: definitions(t), Options: llm.Options{NumPredict: 200},
	}, llm.SchemaMode, nil)
	typed := regexp.MustCompile(`^\{"thought":"[^"]*","tool":"((list_files|read_file)","arguments":?|answer","answer":?)`)
	ask := func(req llm.Request) (string, error) {
		var said strings.Builder
		_, err := model.Chat(t.Context(), req, func(d llm.Delta) { said.WriteString(d.Text) })
		if errors.Is(err, llm.Repeats) {
			err = nil // the grammar lets a model write blanks, and the server stops one that writes nothing else
		}
		return strings.Join(strings.Fields(said.String()), ""), err
	}

	simple := req.SimpleFormat
	req.SimpleFormat = nil
	if got, err := ask(req); err != nil || !typed.MatchString(got) {
		t.Errorf("got %s, %v", got, err)
	}
	req.Format = json.RawMessage(`{"type":"object","properties":{"a":{"type":"string","pattern":"no anchors"}}}`)
	if got, err := ask(req); err == nil || !strings.Contains(err.Error(), "format") {
		t.Errorf("a format that cannot be a grammar: %s, %v", got, err)
	}
	req.SimpleFormat = simple
	if got, err := ask(req); err != nil || !strings.HasPrefix(got, `{"thought":"`) {
		t.Errorf("the simple format: %s, %v", got, err)
	}
}
