package agent_test

import (
	"context"
	"strings"
	"testing"

	"hob/internal/agent"
	"hob/internal/agent/agenttest"
	"hob/internal/event"
	"hob/internal/llm"
)

// The stream of a reply that repeats itself is stopped, in words and in thoughts, and the model is asked once more, hotter.
// Where somebody wants to read something many times, it is not.
func TestAStreamThatRepeatsIsStopped(t *testing.T) {
	const unit, all = "I will read the note. ", 300
	for name, c := range map[string]struct {
		words   string
		delta   llm.Delta
		stops   bool
		at, hot float64 // temperatures: of the turn, and of the second request
	}{
		"words":    {"What is in the note?", llm.Delta{Text: unit}, true, 0.3, 0.8},
		"thoughts": {"What is in the note?", llm.Delta{Thinking: unit}, true, 0.3, 0.8},
		"warm":     {"What is in the note?", llm.Delta{Text: unit}, true, 1, 1.25},
		"hot":      {"What is in the note?", llm.Delta{Text: unit}, true, 1.9, 1.9},
		"wanted":   {"Write 300 times: I will read the note.", llm.Delta{Text: unit}, false, 0.3, 0},
	} {
		t.Run(name, func(t *testing.T) {
			sent, requests := 0, []llm.Request{}
			model := agenttest.ModelFunc(func(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
				requests = append(requests, req)
				if len(requests) > 1 {
					return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: "It is empty."}}, nil
				}
				var text strings.Builder
				for range all {
					if ctx.Err() != nil {
						return nil, &llm.Error{Kind: llm.Cancelled, Message: "cancelled", Err: ctx.Err()}
					}
					onDelta(c.delta)
					text.WriteString(c.delta.Text)
					sent++
				}
				return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: text.String()}}, nil
			})
			turn := agent.Turn{Tools: agenttest.Tools(), Options: llm.Options{Temperature: c.at}, History: []llm.Message{{Role: llm.UserRole, Text: c.words}}}
			words, bodies := agenttest.Play(t, t.Context(), model, turn)
			if !c.stops {
				if sent != all || len(requests) != 1 || words != strings.TrimSpace(strings.Repeat(unit, all)) {
					t.Errorf("%d pieces, %d requests, %q", sent, len(requests), words)
				}
				return
			}
			if sent > 20 || words != "It is empty." || len(requests) != 2 || requests[1].Options.Temperature != c.hot {
				t.Errorf("%d pieces, %d requests, %q", sent, len(requests), words)
			}
			if end := bodies[len(bodies)-1].(event.Ended); end.Reason != event.Done {
				t.Errorf("it ended as %s", end.Reason)
			}
		})
	}
}

// A model that its server stopped, because it repeated a token, is asked once more, hotter.
func TestRepeatsThatTheServerStops(t *testing.T) {
	requests := []llm.Request{}
	model := agenttest.ModelFunc(func(_ context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
		if requests = append(requests, req); len(requests) > 1 {
			return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: "It is empty."}}, nil
		}
		onDelta(llm.Delta{Text: "the the the "})
		return nil, &llm.Error{Kind: llm.Repeats, Message: "it repeated itself", Retry: true}
	})
	words, _ := agenttest.Play(t, t.Context(), model, agent.Turn{Tools: agenttest.Tools(), Options: llm.Options{Temperature: 0.3}})
	if words != "It is empty." || len(requests) != 2 || requests[1].Options.Temperature != 0.8 {
		t.Errorf("%d requests, %q", len(requests), words)
	}
}

// A call that stands before the repeats runs.
func TestACallBeforeRepeatsRuns(t *testing.T) {
	call := `<tool_call>{"name":"look","arguments":{"path":"a"}}</tool_call>` + "\n" + strings.Repeat("I will read the note. ", 50)
	script := llm.NewScript(llm.Say(call), llm.Say("Seen."))
	words, bodies := agenttest.Play(t, t.Context(), script, agent.Turn{Tools: agenttest.Tools()})
	if results := agenttest.Results(bodies); words != "Seen." || len(results) != 1 || !results[0].OK {
		t.Errorf("%q, %+v", words, results)
	}
}

// The stream of a reply that goes on with an invented dialogue is stopped, but not that of a call that holds one.
func TestAStreamWithADialogueIsStopped(t *testing.T) {
	const dialogue = "\nUser: thanks\nAssistant: You are welcome.\nUser: bye\nAssistant: Bye."
	for text, c := range map[string]struct {
		words string
		stops bool
	}{
		"It is Monday." + dialogue: {"It is Monday.", true},
		"<tool_call><function=write><parameter=path>touch\nUser: a\nAssistant: b</parameter></function></tool_call>": {"Done.", false},
	} {
		requests, ended := 0, false
		model := agenttest.ModelFunc(func(ctx context.Context, _ llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
			if requests++; requests > 1 {
				return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: "Done."}}, nil
			}
			for _, word := range strings.SplitAfter(text, " ") {
				if ctx.Err() != nil {
					return nil, &llm.Error{Kind: llm.Cancelled, Message: "cancelled", Err: ctx.Err()}
				}
				onDelta(llm.Delta{Text: word})
			}
			ended = true
			return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: text}}, nil
		})
		words, _ := agenttest.Play(t, t.Context(), model, agent.Turn{Tools: agenttest.Tools()})
		if words != c.words || ended == c.stops {
			t.Errorf("%q, written to its end: %t, after %d requests", words, ended, requests)
		}
	}
}
