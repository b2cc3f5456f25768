package ollamatest_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"hob/internal/agent"
	"hob/internal/agent/agenttest"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/chattemplate"
	"hob/internal/llm/ollamatest"
	"hob/internal/llm/profile"
	"hob/internal/llm/toolcall"
	"hob/internal/llm/window"
	"hob/internal/tools"
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
				c.req = toolcall.Arrange(toolcall.Render(plain, p.Mode, nil), p.Layout)
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

// With a template that prints tools with a last message of the user only, tools in the system text cost each step of a turn
// what is new in it. A message of the user at the end of each request has all of them evaluated anew.
func TestCostOfLayouts(t *testing.T) {
	server := ollamatest.RunDebugging(t)
	text, err := os.ReadFile("../chattemplate/testdata/llama3.gotmpl")
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Client().Create(t.Context(), &api.CreateRequest{Model: "loses-tools", From: ollamatest.Plain, Template: string(text)},
		func(api.ProgressResponse) error { return nil }); err != nil {
		t.Fatal(err)
	}
	cost := func(mode llm.Mode, l llm.Layout) []ollamatest.Prefill {
		c := newChat(t, server, "loses-tools")
		c.req.Options.NumPredict = 1
		for _, n := range []int{1, 3, 5} {
			plain := c.req
			plain.Messages = slices.Clone(conversation()[:n])
			if _, err := c.model.Chat(t.Context(), toolcall.Arrange(toolcall.Render(plain, mode, nil), l), nil); err != nil {
				t.Fatal(err)
			}
		}
		all, err := server.Prefills(t.Context(), c.seen+3)
		if err != nil {
			t.Fatal(err)
		}
		return all[c.seen:]
	}
	closing, prompt := cost(llm.NativeMode, llm.Layout{EndsWithUser: true}), cost(llm.PromptMode, llm.Layout{})
	t.Logf("closing message %+v\nsystem text %+v", closing, prompt)
	for i := 1; i < 3; i++ {
		if 3*closing[i].Remaining < closing[i].Prompt || 4*prompt[i].Remaining > prompt[i].Prompt {
			t.Errorf("request %d evaluates %d of %d tokens with a closing message, %d of %d with tools in the system text",
				i+1, closing[i].Remaining, closing[i].Prompt, prompt[i].Remaining, prompt[i].Prompt)
		}
	}
}

// A model that calls tools where it sees them, on a real server: with a template that loses them it stops after its first call,
// unless the request is shaped by the template's facts.
func TestTurnWithATemplateThatLosesTools(t *testing.T) {
	server := ollamatest.Run(t)
	const marker = `{{ if or $seen (not $.Tools) }}<|hob-two-steps %s|>{{ else }}<|hob-two-steps unarmed|>{{ end }}`
	mark := func(what string) string { return strings.Replace(marker, "%s", what, 1) }
	text := `{{ $seen := false }}{{ range $i, $m := .Messages }}{{ $last := eq (len (slice $.Messages $i)) 1 }}` +
		`{{ if eq .Role "user" }}{{ if and $.Tools $last }}{{ $seen = true }}Tools: {{ $.Tools }}{{ end }}Person: {{ .Content }}` + "\n" +
		`{{ $begins := printf "%.14s" .Content }}{{ if eq $begins "[result of lis" }}` + mark("list_files") +
		`{{ else if eq $begins "[result of rea" }}` + mark("other") + `{{ else }}` + mark("user") + `{{ end }}` +
		`{{ else if eq .Role "tool" }}Result: {{ .Content }}` + "\n" + `{{ if eq .ToolName "list_files" }}` + mark("list_files") + `{{ else }}` + mark("other") + `{{ end }}` +
		`{{ else }}{{ .Content }}{{ range .ToolCalls }}<tool_call> {"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}} </tool_call>{{ end }}` + "\n" +
		`{{ end }}{{ end }}`
	if err := server.Client().Create(t.Context(), &api.CreateRequest{Model: "two-steps-loses-tools", From: ollamatest.TwoSteps, Template: text},
		func(api.ProgressResponse) error { return nil }); err != nil {
		t.Fatal(err)
	}
	model := newChat(t, server, "two-steps-loses-tools").model
	facts, err := model.Preflight(t.Context())
	if err != nil || facts.Prints == nil || facts.KeepsTools() {
		t.Fatalf("the server says %+v, %v", facts.Prints, err)
	}
	book, err := profile.Seeds()
	if err != nil {
		t.Fatal(err)
	}
	shaped := book.For(profile.Facts{Model: "two-steps:7b", Parameters: "7B", Tools: facts.Tools, Prints: facts.Prints})
	for name, c := range map[string]struct {
		profile llm.Profile
		calls   []string
		words   string
	}{
		"as before": {llm.Profile{}, []string{"list_files"}, ollamatest.WithoutToolAnswer},
		"shaped":    {shaped, []string{"list_files", "read_file"}, ollamatest.TwoStepsAnswer},
	} {
		var calls []string
		turn := agent.Turn{
			System: "You are hob.", History: []llm.Message{{Role: llm.UserRole, Text: "What do the notes say?"}}, Tools: notesTools(&calls),
			Profile: c.profile, Options: llm.Options{NumPredict: 200}, Window: window.Window{Size: 4096, Reserve: 400},
			Budget: agent.Budget{Steps: 6, Calls: 6, Time: time.Hour, Output: 5000},
		}
		words, err := agent.New(model, agenttest.Gate{}, nil, &agenttest.Blobs{}, time.Now).Run(t.Context(), turn, func(...event.Body) error { return nil })
		if err != nil || words != c.words || !slices.Equal(calls, c.calls) {
			t.Errorf("%s: it called %q and said %q, %v; want %q and %q", name, calls, words, err, c.calls, c.words)
		}
	}
}

// notesTools are the tools that the scripted models call. Each adds its name to calls.
func notesTools(calls *[]string) []tools.Tool {
	tool := func(name string) tools.Tool {
		return tools.New(tools.Def{Name: name, Description: "Looks at files.", Capabilities: tools.Reads},
			func(context.Context, struct {
				Dir  string `json:"dir,omitempty"`
				Path string `json:"path,omitempty"`
			}) (tools.Result, error) {
				*calls = append(*calls, name)
				return tools.Result{Text: "notes.md of " + name}, nil
			})
	}
	return []tools.Tool{tool("list_files"), tool("read_file")}
}
