package ollamatest_test

import (
	"os"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"

	"hob/internal/llm/ollamatest"
)

// A model of random weights answers a conversation with its one answer, and goes on for ever with its loop. English and JSON have
// some four bytes a token.
func TestRandomModel(t *testing.T) {
	server := ollamatest.Run(t)
	template, err := os.ReadFile("../chattemplate/testdata/qwen3.gotmpl")
	if err != nil {
		t.Fatal(err)
	}
	shape := ollamatest.Shape{Blocks: 2, Width: 64, FeedWidth: 64, Heads: 2, KeyHeads: 1, HeadWidth: 32, Vocabulary: 12000}
	if err := ollamatest.InstallRandom(t.Context(), server.Client(), "random", string(template), map[string]any{"num_thread": 1}, shape); err != nil {
		t.Fatal(err)
	}
	chat := &api.ChatRequest{Model: "random", Messages: []api.Message{
		{Role: "system", Content: strings.Repeat("You keep the house, and you know what is in every file of it. ", 10)},
		{Role: "user", Content: "What is new?"},
	}}
	var said strings.Builder
	if err := server.Client().Chat(t.Context(), chat, func(r api.ChatResponse) error {
		said.WriteString(r.Message.Content)
		if r.Done && (r.EvalCount > 2 || r.PromptEvalCount < 150 || r.PromptEvalCount > 250) {
			t.Errorf("%d tokens of a reply to %d", r.EvalCount, r.PromptEvalCount)
		}
		return nil
	}); err != nil || said.String() != ollamatest.RandomAnswer {
		t.Errorf("it said %q, %v", said.String(), err)
	}
	loop := &api.GenerateRequest{Model: "random", Prompt: ollamatest.RandomLoop, Raw: true, Options: map[string]any{"num_predict": 100}}
	if err := server.Client().Generate(t.Context(), loop, func(r api.GenerateResponse) error {
		if r.Done && r.EvalCount != 100 {
			t.Errorf("it wrote %d tokens", r.EvalCount)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}
