package ollamatest_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"

	"hob/internal/llm"
	"hob/internal/llm/chattemplate"
	"hob/internal/llm/ollamatest"
	"hob/internal/llm/profile"
	"hob/internal/llm/toolcall"
)

// A real server shows the template that it renders with, and what package chattemplate finds in it is what the server
// prints: shaped by it, each request of a turn has all tools, the system text and every call and result so far.
func TestTemplatesOnARealServer(t *testing.T) {
	server := ollamatest.Run(t)
	book, err := profile.Seeds()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../chattemplate/testdata/*.gotmpl")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no templates: %v", err)
	}
	modes := map[llm.Mode]int{}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".gotmpl")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want, err := chattemplate.Read(string(text))
			if err != nil {
				t.Fatal(err)
			}
			model := "template-of-" + strings.ToLower(name)
			if err := server.Client().Create(t.Context(), &api.CreateRequest{Model: model, From: ollamatest.Plain, Template: string(text)},
				func(api.ProgressResponse) error { return nil }); err != nil {
				t.Fatal(err)
			}
			c := newChat(t, server, model)
			facts, err := c.model.Preflight(t.Context())
			if err != nil || facts.Prints == nil || *facts.Prints != want {
				t.Fatalf("the server's template prints %+v, %v; want %+v", facts.Prints, err, want)
			}
			p := book.For(profile.Facts{Model: name + ":7b", Family: "unknown", Parameters: "7B", Tools: facts.Tools, Prints: facts.Prints})
			modes[p.Mode]++
			plain := c.req
			for _, n := range []int{1, 3, 5, 7} {
				plain.Messages = slices.Clone(conversation()[:n])
				c.req = toolcall.Arrange(toolcall.Render(plain, p.Mode), p.Layout)
				prompt := c.rendered()
				parts := []string{"You are hob,", "What do the notes say?"}
				for _, tool := range household() {
					parts = append(parts, tool.Name, tool.Description)
				}
				if n > 1 {
					parts = append(parts, "notes.md", "see заметки.md")
				}
				if n > 3 {
					parts = append(parts, "Покорми кота")
				}
				for _, part := range parts {
					if !strings.Contains(prompt, part) {
						t.Errorf("with %d messages %q is not in the prompt", n, part)
					}
				}
				if calls := strings.Count(prompt, "notes.md") + strings.Count(prompt, "заметки.md"); n == 7 && calls != 3 { // and one of the results
					t.Errorf("%d of the calls and results are in the prompt", calls)
				}
			}
		})
	}
	if modes[llm.PromptMode] == 0 || modes[""] == 0 {
		t.Errorf("modes %v", modes)
	}
}
