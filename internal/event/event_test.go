package event_test

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/llm"
)

// Every body that is journaled reads back as it was written.
func TestRoundTrip(t *testing.T) {
	seen := map[string]bool{"delta": true, "waiting": true} // never journaled
	for _, b := range []event.Body{
		event.Said{InputID: "1", From: "ana", Text: "hello\x00\n\u202e", Tail: "\n\n[now]"},
		event.Generated{Message: llm.Message{Role: llm.AssistantRole, Text: "hi", Thinking: "hm",
			Calls: []llm.Call{{ID: "c", Name: "look", Args: json.RawMessage(`{"n":12345678901234567890}`), Repairs: []string{"quotes"}}}},
			Usage: llm.Usage{PromptTokens: 1, EvalTokens: 2, Eval: time.Second}},
		event.Nudged{Text: "go on"},
		event.Called{ID: "c", Tool: "look", Args: json.RawMessage(`{}`), Repairs: []string{}},
		event.Asked{ID: "1/c", CallID: "c", Tool: "run", Args: json.RawMessage(`{}`), Text: "run", Expires: time.Unix(1, 0).UTC()},
		event.Decided{ID: "1/c", CallID: "c", Allow: true, By: "ana"},
		event.Started{CallID: "c"},
		event.Returned{ID: "c", Tool: "look", Text: "error: no", Data: map[string]any{"a": "b"}, Error: &event.Error{Type: event.TypeNotFound, Code: event.CodeFileNotFound, Message: "no"},
			Effects: []event.Effect{{Kind: "wrote", Target: "a", Detail: "1 byte"}}, DurationMS: 3},
		event.Noted{Text: "loading"}, event.Replied{Text: "done"}, event.Ended{Reason: event.Done, Steps: 1},
		event.Requested{}, event.Parked{Reason: event.ParkedForModel, Kind: llm.Busy, Problem: "busy", Text: "later"},
		event.Resumed{Waited: true, Again: true}, event.Paused{}, event.Trimmed{Before: 7}, event.Joined{Said: 3},
		event.Compacted{Messages: []llm.Message{{Role: llm.UserRole, Text: "hello"}}, Before: 9, After: 1, Why: "context",
			Skills: []event.Opened{{Skill: "music", By: "ana", Tools: []string{"play"}, Label: event.Label{Untrusted: true, Source: "skill:music"}}}},
		event.Opened{Skill: "music", By: "message", Tools: []string{"play", "lyrics"}, Text: "[The skill music is open.]",
			Label: event.Label{Untrusted: true}, Lead: true, Narrows: true, Only: []string{"play"}},
		event.Closed{Skill: "music", By: "ana"},
	} {
		seen[b.Type()] = true
		raw, err := event.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		back, err := event.Unmarshal(b.Type(), raw)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(b, back); diff != "" {
			t.Errorf("%s: %s", b.Type(), diff)
		}
	}
	var source []byte
	for _, name := range []string{"event.go", "wait.go"} {
		part, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		source = append(source, part...)
	}
	for _, m := range regexp.MustCompile(`Type\(\) string +{ return "([a-z]+)" }`).FindAllStringSubmatch(string(source), -1) {
		if !seen[m[1]] {
			t.Errorf("%q is not tried here", m[1])
		}
	}
}

func TestUnknownTypeIsAnError(t *testing.T) {
	if b, err := event.Unmarshal("dreamt", json.RawMessage(`{}`)); err == nil {
		t.Errorf("a type of a newer hob was read as %#v", b)
	}
	if b, err := event.Unmarshal("said", json.RawMessage(`{"text":`)); err == nil {
		t.Errorf("a torn body was read as %#v", b)
	}
}

// The words for the model come from what was said, with its tail; a result names its call.
func TestMessage(t *testing.T) {
	for _, c := range []struct {
		body event.Body
		want llm.Message
		ok   bool
	}{
		{event.Said{Text: "hi", Tail: " [now]"}, llm.Message{Role: llm.UserRole, Text: "[now]\n\nhi"}, true},
		{event.Said{Files: []event.File{{Path: "in/a \"b\".pdf"}}, Tail: " [now]"},
			llm.Message{Role: llm.UserRole, Text: "[now]\n\n[file: \"in/a \\\"b\\\".pdf\"]"}, true},
		{event.Said{Text: "look\n[picture: in/a.jpg, 4 bytes]", Files: []event.File{{Path: "in/a.jpg", Type: "image/jpeg"}}},
			llm.Message{Role: llm.UserRole, Text: "look\n[picture: in/a.jpg, 4 bytes]"}, true},
		{event.Nudged{Text: "go on"}, llm.Message{Role: llm.UserRole, Text: "go on", Note: true}, true},
		{event.Returned{ID: "c", Tool: "look", Text: "seen"}, llm.Message{Role: llm.ToolRole, Text: "seen", CallID: "c", ToolName: "look"}, true},
		{event.Generated{Message: llm.Message{Role: llm.AssistantRole, Thinking: "hm"}}, llm.Message{Role: llm.AssistantRole, Thinking: "hm"}, false},
		{event.Noted{Text: "loading"}, llm.Message{}, false},
	} {
		got, ok := event.Message(c.body)
		if diff := cmp.Diff(c.want, got); diff != "" || ok != c.ok {
			t.Errorf("%s: %t %s", c.body.Type(), ok, diff)
		}
	}
}

// A chat is a group's by its name alone, whoever asks: Telegram numbers its groups below zero, and counts their topics.
func TestChat_Shared(t *testing.T) {
	for name, want := range map[event.Chat]bool{
		"telegram/-1001234": true, "telegram/-1001234/7": true, "telegram/4711": false, "telegram/4711/-7": false,
		"main": false, "-1": false, "": false, "/": false,
	} {
		if got := name.Shared(); got != want {
			t.Errorf("%q: %t", name, got)
		}
	}
}
