package model

import (
	"net"
	"net/http"
	"strings"
	"testing"

	"hob/internal/config"
	"hob/internal/llm"
	"hob/internal/llm/ollama"
	"hob/internal/llm/ollama/ollamafake"
)

// configFor returns what a model of a server is made of.
func configFor(t *testing.T, server string, own config.Ollama) Config {
	t.Helper()
	client, err := ollama.New(ollama.Config{Hosts: []string{server}, Dial: (&net.Dialer{}).DialContext, KeepAlive: own.KeepAlive,
		FirstByte: own.FirstByteTimeout, Idle: own.IdleTimeout})
	if err != nil {
		t.Fatal(err)
	}
	return Config{Ollama: own, Hosts: []string{server}, Client: client}
}

// tiny is the usual configuration with the model tiny:1b.
func tiny() config.Ollama {
	own := config.Default().Ollama
	own.Model = "tiny:1b"
	return own
}

// Ollama v0.30.0 counts only tokens that it had not cached. That count says nothing about how full
// the context is, so nothing is learned from it. Other versions are trusted.
func TestTheCountOfAPrompt(t *testing.T) {
	for version, believed := range map[string]bool{"0.24.0": true, "0.30.0": false, "0.30.1": true} {
		t.Run(version, func(t *testing.T) {
			server := ollamafake.New(t, ollamafake.Config{Version: version}, ollamafake.Say("Good evening."))
			e := New(configFor(t, server.URL(), tiny()))
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
	cfg := configFor(t, server.URL(), tiny())
	kv := mapKV{}
	e := New(cfg)
	e.Remember(kv)
	req := llm.Request{Messages: []llm.Message{{Role: llm.UserRole, Text: "Hello."}}, Tools: []llm.ToolDefinition{{Name: "look"}}}
	if _, err := e.Chat(t.Context(), req, func(llm.Delta) {}); llm.KindOf(err) != llm.NoTools || e.profile.Mode != llm.PromptMode {
		t.Fatalf("mode %q after %v", e.profile.Mode, err)
	}
	for version, want := range map[string]llm.Mode{"0.24.0": llm.PromptMode, "0.23.0": ""} {
		next := New(cfg)
		next.Remember(mapKV{refusalKey("tiny:1b"): version})
		if version == "0.24.0" {
			next.Remember(kv)
		}
		if _, err := next.Ready(t.Context()); err != nil || next.profile.Mode == llm.PromptMode != (want == llm.PromptMode) {
			t.Errorf("server %s: mode %q, %v", version, next.profile.Mode, err)
		}
	}
}

// Where the only model runs on somebody else's machine, hob says so, and not that there is none.
func TestOnlyRemoteModels(t *testing.T) {
	for name, want := range map[string]string{
		"big:120b-cloud": "big:120b-cloud runs on somebody else's machine, which hob does not use: get one that runs here with `hob model pull ",
		"plain:1b":       "there is no model that can call tools yet: get one with `hob model pull ",
	} {
		server := ollamafake.New(t, ollamafake.Config{Model: name, Capabilities: []string{"completion"}})
		_, err := New(configFor(t, server.URL(), config.Default().Ollama)).Ready(t.Context())
		if llm.KindOf(err) != llm.ModelMissing || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
