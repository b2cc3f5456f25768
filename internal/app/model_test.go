package app

import (
	"net/http"
	"strings"
	"testing"

	"hob/internal/config"
	"hob/internal/egress"
	"hob/internal/llm"
	"hob/internal/llm/ollama/ollamafake"
)

// Ollama v0.30.0 counts only tokens that it had not cached. That count says nothing about how full
// the context is, so nothing is learned from it. Other versions are trusted.
func TestTheCountOfAPrompt(t *testing.T) {
	for version, believed := range map[string]bool{"0.24.0": true, "0.30.0": false, "0.30.1": true} {
		t.Run(version, func(t *testing.T) {
			server := ollamafake.New(t, ollamafake.Config{Version: version}, ollamafake.Say("Good evening."))
			s := &Environment{Config: config.Default(), Hosts: []string{server.URL()}, StateDir: t.TempDir()}
			s.Egress = NewEgress(s.JournalPath(), egress.GateConfig{})
			defer s.Egress.End()
			s.Ollama.Model = "tiny:1b"
			if err := s.Connect(); err != nil {
				t.Fatal(err)
			}
			e := NewModel(s)
			reply, err := e.Chat(t.Context(), llm.Request{
				Messages: []llm.Message{{Role: llm.UserRole, Text: strings.Repeat("long enough to learn a rate from ", 30)}},
			}, func(llm.Delta) {})
			if err != nil {
				t.Fatal(err)
			}
			if got := reply.Usage.PromptTokens > 0; got != believed || (e.rate != 0) != believed {
				t.Errorf("%d tokens were believed and the rate learned is %v", reply.Usage.PromptTokens, e.rate)
			}
			if reply.Usage.Model != "tiny:1b" { // what it cost is looked up by it
				t.Errorf("the model is called %q", reply.Usage.Model)
			}
		})
	}
}

// A server that refuses tools for a model is not asked with tools again, in this process and in the next.
func TestRefusalOfTools(t *testing.T) {
	server := ollamafake.New(t, ollamafake.Config{Version: "0.24.0", Parameters: "4.0B"}, ollamafake.Error(http.StatusBadRequest, "tiny:1b does not support tools"))
	s := &Environment{Config: config.Default(), Hosts: []string{server.URL()}, StateDir: t.TempDir()}
	s.Egress = NewEgress(s.JournalPath(), egress.GateConfig{})
	defer s.Egress.End()
	s.Ollama.Model = "tiny:1b"
	if err := s.Connect(); err != nil {
		t.Fatal(err)
	}
	kv := mapKV{}
	e := NewModel(s)
	e.kv = kv
	req := llm.Request{Messages: []llm.Message{{Role: llm.UserRole, Text: "Hello."}}, Tools: []llm.ToolDefinition{{Name: "look"}}}
	if _, err := e.Chat(t.Context(), req, func(llm.Delta) {}); llm.KindOf(err) != llm.NoTools || e.Profile.Mode != llm.PromptMode {
		t.Fatalf("mode %q after %v", e.Profile.Mode, err)
	}
	for version, want := range map[string]llm.Mode{"0.24.0": llm.PromptMode, "0.23.0": ""} {
		next := NewModel(s)
		next.kv = mapKV{refusalKey("tiny:1b"): version}
		if version == "0.24.0" {
			next.kv = kv
		}
		if _, err := next.Ready(t.Context()); err != nil || next.Profile.Mode == llm.PromptMode != (want == llm.PromptMode) {
			t.Errorf("server %s: mode %q, %v", version, next.Profile.Mode, err)
		}
	}
}
