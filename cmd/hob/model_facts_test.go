package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm/ollama/ollamafake"
)

// `hob model NAME` shows what a model's template prints, and what hob makes of it.
func TestModelFacts(t *testing.T) {
	for name, c := range map[string]struct {
		template, own string
		server        ollamafake.Config
		want          string
	}{
		"tools are lost": {"llama3", "", ollamafake.Config{Model: "llama3.2:3b", Family: "llama", Parameters: "3.2B", Context: 131072}, `
llama3.2:3b: llama, 3.2B, Q4_K_M, context up to 131072 tokens, calls tools

Its template prints
  tools        only while the last message is the user's: not after a result
  system text  always
  calls        always
  results      always
  thoughts     never

hob asks it by the profile llama3
  tools stand in the system text, calls are read from its words (mode prompt)
  at most 8 tools
  temperature 0.3
`},
		"the owner says native": {"mistral", "native", ollamafake.Config{Model: "mistral:7b", Family: "llama", Parameters: "7.2B"}, `
mistral:7b: llama, 7.2B, Q4_K_M, calls tools

Its template prints
  tools        only while the last message is the user's: not after a result
  system text  only while the last message is the user's: not after a result
  calls        where the message has no words
  results      always
  thoughts     never

hob asks it by the profile mine
  tools go with the request, the server reads the calls (mode native)
  temperature 0.3
  a short message of the user closes each request, or the tools would be gone: the server reads them anew each time
  the system text stands at the head of the first message, where it stays
  words that it wrote beside a call are left out, or the call would be
`},
		"code of the server": {"", "", ollamafake.Config{Model: "qwen3.5:9b", Family: "qwen35", Parameters: "9.7B", Renderer: "qwen3.5", Parser: "qwen3.5",
			Capabilities: []string{"tools", "thinking", "vision"}}, `
qwen3.5:9b: qwen35, 9.7B, Q4_K_M, calls tools, thinks, sees pictures

Its template prints
  what Ollama's own code for qwen3.5 prints

hob asks it by the profile qwen3.5
  tools go with the request, the server reads the calls (mode native)
  at most 14 tools
  thinking off
  temperature 0.7, top_p 0.8, top_k 20, min_p 0, repeat_penalty 1, presence_penalty 1.5
`},
	} {
		t.Run(name, func(t *testing.T) {
			if c.template != "" {
				text, err := os.ReadFile(filepath.Join("..", "..", "internal", "llm", "chattemplate", "testdata", c.template+".gotmpl"))
				if err != nil {
					t.Fatal(err)
				}
				c.server.Template = string(text)
			}
			home := t.TempDir()
			if c.own != "" {
				own := "[[profile]]\nname = \"mine\"\nmatch.names = [\"" + c.server.Model + "\"]\nmode = \"" + c.own + "\"\n"
				if err := os.WriteFile(filepath.Join(home, "profiles.toml"), []byte(own), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			t.Setenv("HOB_STATE_DIR", filepath.Join(home, "state"))
			t.Setenv("HOB_CONFIG", filepath.Join(home, "config.toml"))
			t.Setenv("OLLAMA_HOST", ollamafake.New(t, c.server).URL())
			var out, complaints bytes.Buffer
			if status := run([]string{"model", c.server.Model}, strings.NewReader(""), &out, &complaints); status != 0 {
				t.Fatalf("status %d: %s", status, &complaints)
			}
			if diff := cmp.Diff(strings.TrimPrefix(c.want, "\n"), out.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// With a template that prints tools only with the user's last message, each request of a turn has all tools all the same: in
// the system text, which stays as it is, so that each request begins with the one before.
func TestTemplateThatLosesTools(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "internal", "llm", "chattemplate", "testdata", "llama3.gotmpl"))
	if err != nil {
		t.Fatal(err)
	}
	read := func(file string) ollamafake.Step {
		return ollamafake.Say(`{"tool": "read_file", "arguments": {"path": "` + file + `"}}`)
	}
	server := ollamafake.New(t, ollamafake.Config{Model: "llama3.2:3b", Family: "llama", Parameters: "3.2B", Template: string(text)},
		read("tower.md"), read("castle.md"), read("bridge.md"), ollamafake.Say("No file has it."))
	h := newHouse(t, server.URL())
	if code, out, errs := h.ran("ask", "How tall is the tower of the old castle?"); code != 0 || !strings.Contains(out, "No file has it.") {
		t.Fatalf("status %d: %s%s", code, out, errs)
	}
	requests := server.Requests()
	if len(requests) != 4 {
		t.Fatalf("there were %d requests", len(requests))
	}
	offered := regexp.MustCompile(`(?m)^- [a-z_]+\(.*$`)
	first := requests[0].Messages
	if n := len(offered.FindAllString(first[0].Content, -1)); n < 6 {
		t.Errorf("the system text has %d tools:\n%s", n, first[0].Content)
	}
	for i, r := range requests {
		if len(r.Tools) > 0 || r.Messages[0].Role != "system" || r.Messages[0].Content != first[0].Content {
			t.Errorf("request %d has other tools than the first", i+1)
		}
		if i > 0 && !reflect.DeepEqual(r.Messages[:len(requests[i-1].Messages)], requests[i-1].Messages) {
			t.Errorf("request %d does not begin with the one before", i+1)
		}
		if last := r.Messages[len(r.Messages)-1]; last.Role != "user" {
			t.Errorf("request %d ends with a message of the role %s", i+1, last.Role)
		}
	}
}
