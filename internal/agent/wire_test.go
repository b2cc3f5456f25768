package agent_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/agent"
	"hob/internal/agent/agenttest"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/ollama"
	fake "hob/internal/llm/ollama/ollamafake"
	"hob/internal/llm/window"
)

// TestWire plays turns over the wire against an Ollama that misbehaves in every way that was seen. Each
// ends in one visible outcome: one reply that a person can read, one end with the right reason.
func TestWire(t *testing.T) {
	look := fake.CallTool("look", map[string]string{"path": "a"})
	other := fake.CallTool("look", map[string]string{"path": "b"})
	seen := fake.Say("Seen.")
	call := `{"name": "look", "arguments": {"path": "a"}}`
	for _, c := range []struct {
		name   string
		steps  []fake.Step
		reason event.Reason
		words  string // what the reply holds
		calls  int    // that ran
	}{
		{"call in the stream", []fake.Step{look, seen}, event.Done, "Seen.", 1},
		{"call written as text", []fake.Step{fake.Say(call), seen}, event.Done, "Seen.", 1},
		{"call written as text in pieces", []fake.Step{fake.Chunks(strings.Split(call, "")...), seen}, event.Done, "Seen.", 1},
		{"calls only in the last chunk", []fake.Step{fake.CallOnlyInLast("look", map[string]string{"path": "a"}), seen}, event.Done, "Seen.", 1},
		{"content and calls together", []fake.Step{fake.ContentAndCall("Let me see.", "look", map[string]string{"path": "a"}), seen}, event.Done, "Seen.", 1},
		{"call with an empty name", []fake.Step{fake.EmptyName(), look, seen}, event.Done, "Seen.", 1},
		{"arguments null", []fake.Step{fake.ArgumentsNull("look"), look, seen}, event.Done, "Seen.", 1},
		{"duplicate ids", []fake.Step{fake.DuplicateIDs(fake.CallOf("look", map[string]string{"path": "a"}), fake.CallOf("look", map[string]string{"path": "b"})), seen}, event.Done, "Seen.", 2},
		{"swallowed", []fake.Step{fake.Swallowed(), look, seen}, event.Done, "Seen.", 1},
		{"swallowed for ever", []fake.Step{fake.Forever(fake.Swallowed())}, event.NoModel, "empty reply", 0},
		{"thinking only", []fake.Step{fake.ThinkingOnly("I should look", "stop"), look, seen}, event.Done, "Seen.", 1},
		{"thinking until cut off", []fake.Step{fake.ThinkingOnly("I should look", "length"), seen}, event.Done, "Seen.", 0},
		{"thinking in the text", []fake.Step{fake.Say("<think>They want to know.</think>It is a.")}, event.Done, "It is a.", 0},
		{"call cut off", []fake.Step{fake.Cut(`{"name": "write", "arguments": {"path": "a`), seen}, event.Done, "Seen.", 0},
		{"words cut off", []fake.Step{fake.Cut("It is a and")}, event.Done, "It is a and\n\n[The reply was cut off here", 0},
		{"error line with raw", []fake.Step{fake.ErrorLine("error parsing tool call: raw='{\"path\": \"a\"}}', err=invalid character '}' after top-level value", ""), look, seen}, event.Done, "Seen.", 1},
		{"error line after text", []fake.Step{fake.ErrorLine("llama runner process no longer running", "It is"), fake.Say("It is a.")}, event.Done, "It is a.", 0},
		{"500 before any byte", []fake.Step{fake.Error(http.StatusInternalServerError, "something broke"), seen}, event.Done, "Seen.", 0},
		{"500 for ever", []fake.Step{fake.Forever(fake.Error(http.StatusInternalServerError, "something broke"))}, event.NoModel, "something broke", 0},
		{"500 that says how the call was wrong", []fake.Step{fake.Error(http.StatusInternalServerError, "XML syntax error on line 3: unexpected EOF"), look, seen}, event.Done, "Seen.", 1},
		{"end without done", []fake.Step{fake.CloseAfter("It i"), fake.Say("It is a.")}, event.Done, "It is a.", 0},
		{"end without done for ever", []fake.Step{fake.Forever(fake.CloseAfter("It i"))}, event.NoModel, "It i\n\nOllama at", 0},
		{"reset", []fake.Step{fake.Reset("It i"), fake.Say("It is a.")}, event.Done, "It is a.", 0},
		{"reset before any byte", []fake.Step{fake.Reset(), fake.Say("It is a.")}, event.Done, "It is a.", 0},
		{"empty 502", []fake.Step{fake.Status(http.StatusBadGateway, ""), seen}, event.Done, "Seen.", 0},
		{"503 twice", []fake.Step{fake.Busy(), fake.Busy(), seen}, event.Done, "Seen.", 0},
		{"400 no tools", []fake.Step{fake.Error(http.StatusBadRequest, "tiny:1b does not support tools"),
			fake.Say(`{"tool":"look","arguments":{"path":"a"}}`), seen}, event.Done, "Seen.", 1},
		{"400 no tools, also in the prompt", []fake.Step{fake.Forever(fake.Error(http.StatusBadRequest, "tiny:1b does not support tools"))}, event.NoModel, "cannot do tools", 0},
		{"400 no thinking", []fake.Step{fake.Error(http.StatusBadRequest, "tiny:1b does not support thinking")}, event.NoModel, "cannot do thinking", 0},
		{"400 of another kind", []fake.Step{fake.Error(http.StatusBadRequest, "invalid options")}, event.NoModel, "invalid options", 0},
		{"404 no model", []fake.Step{fake.Error(http.StatusNotFound, "model 'tiny:1b' not found")}, event.NoModel, "hob model pull", 0},
		{"silence", []fake.Step{fake.Silence()}, event.NoModel, "nothing came from", 0},
		{"silence in the middle", []fake.Step{fake.Silence("It i")}, event.NoModel, "It i\n\n", 0},
		{"a line of 9 MB", []fake.Step{fake.LongLine(9 << 20)}, event.Done, "long long", 0},
		{"the same call for ever", []fake.Step{fake.Forever(look)}, event.Looped, "again and again", 4},
		{"A-B-A-B for ever", []fake.Step{look, other, look, other, look, other, fake.Forever(look)}, event.Looped, "again and again", 6},
		{"an unknown tool for ever", []fake.Step{fake.Forever(fake.CallTool("dance", struct{}{}))}, event.NoModel, "could not call a tool", 0},
		{"a lie about success", []fake.Step{fake.Say("I have saved it to a.txt."), fake.Say("I have saved it to a.txt.")}, event.Done, "[hob: nothing was written in this turn.]", 0},
		{"a lie that is put right", []fake.Step{fake.Say("I have saved it to a.txt."), fake.CallTool("write", map[string]string{"path": "a.txt"}), fake.Say("I have saved it to a.txt.")}, event.Done, "I have saved it to a.txt.", 1},
		{"announced and not done", []fake.Step{fake.Say("I will now look at the file."), look, seen}, event.Done, "Seen.", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { wire(t, c.steps, c.reason, c.words, c.calls) })
		})
	}
}

func wire(t *testing.T, steps []fake.Step, reason event.Reason, words string, calls int) {
	server := fake.New(t, fake.Config{}, steps...)
	model, err := ollama.New(ollama.Config{Hosts: []string{"http://ollama.test"}, Model: "tiny:1b", NumCtx: 8192, Transport: server.Transport(),
		FirstByte: 5 * time.Minute, Idle: 2 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	turn := agent.Turn{
		System: "You are a test.", Tools: agenttest.Tools(), History: []llm.Message{{Role: llm.UserRole, Text: "What is in a?"}},
		Options: llm.Options{NumPredict: 1000}, Window: window.Window{Size: 8192, Reserve: 1000},
		Budget: agent.Budget{Steps: 20, Calls: 20, Time: 30 * time.Minute, Output: 10 << 20},
	}
	var bodies []event.Body
	got, err := agent.New(model, agenttest.Gate{}, nil, &agenttest.Blobs{}, time.Now).Run(t.Context(), turn, func(more ...event.Body) error {
		bodies = append(bodies, more...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var replied []event.Replied
	var ended []event.Ended
	ran, open := 0, map[string]bool{}
	for _, b := range bodies {
		switch b := b.(type) {
		case event.Replied:
			replied = append(replied, b)
		case event.Ended:
			ended = append(ended, b)
		case event.Called:
			open[b.ID] = true
		case event.Returned:
			delete(open, b.ID)
			if b.By == "" || b.By == "cache" {
				ran++
			}
		case event.Delta:
			if strings.Contains(b.Text, `"arguments"`) || strings.Contains(b.Text, "<think>") {
				t.Errorf("a person was shown %q", b.Text)
			}
		}
	}
	if len(replied) != 1 || len(ended) != 1 || replied[0].Text != got || len(open) > 0 {
		t.Fatalf("%d replies, %d ends, unanswered %v", len(replied), len(ended), open)
	}
	if ended[0].Reason != reason || !strings.Contains(got, words) || ran != calls {
		t.Errorf("ended %q after %d calls with %.300q; want %q after %d with %q", ended[0].Reason, ran, got, reason, calls, words)
	}
	if strings.TrimSpace(got) == "" || json.Valid([]byte(got)) || strings.Contains(got, "<think>") {
		t.Errorf("that is nothing for a person: %.300q", got)
	}
}
