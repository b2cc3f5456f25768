package agent_test

import (
	"context"
	"errors"
	"fmt"
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

// A server that drops the oldest messages without a word shows it by what it counts. The reply is
// not used: the conversation is made shorter and the model asked again.
func TestAServerThatCutsTheConversation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		step := func(req fake.Request) fake.Step {
			if n := len(req.Messages); req.Messages[n-1].Role == "tool" && strings.Count(fmt.Sprint(req.Messages), "a line of a long result") > 0 && n > 6 {
				return fake.Say("I have seen enough.")
			}
			return fake.CallTool("look", map[string]string{"path": fmt.Sprintf("long%d", len(req.Messages))})
		}
		server := fake.New(t, fake.Config{Context: 2048, TruncateSilently: true}, fake.Forever(fake.Choose(step)))
		model, err := ollama.New(ollama.Config{Hosts: []string{"http://ollama.test"}, Model: "tiny:1b", NumCtx: 16384, Transport: server.Transport()})
		if err != nil {
			t.Fatal(err)
		}
		var kinds []string
		turn := agent.Turn{
			System: "You are a test.", Tools: longReads(), History: []llm.Message{{Role: llm.UserRole, Text: "Look around."}},
			Options: llm.Options{NumPredict: 200}, Window: window.Window{Size: 16384, Reserve: 200},
			Budget: agent.Budget{Steps: 20, Calls: 20, Time: time.Hour, Output: 10_000},
		}
		if _, err := agent.New(model, agenttest.Gate{}, nil, &agenttest.Blobs{}, time.Now).Run(t.Context(), turn, func(bodies ...event.Body) error {
			for _, b := range bodies {
				switch b := b.(type) {
				case event.Compacted:
					kinds = append(kinds, "compacted "+b.Why)
				case event.Ended:
					kinds = append(kinds, string(b.Reason))
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(kinds, ", "); !strings.HasPrefix(got, "compacted truncated") || !strings.HasSuffix(got, "done") {
			t.Errorf("what happened is %q; the conversation should have been made shorter once the server cut it", got)
		}
	})
}

// A count that falls for a harmless reason costs nothing: the reply stands.
func TestACountThatFallsIsNoCut(t *testing.T) {
	reply := func(text, thoughts string, tokens int, calls ...llm.Call) llm.Step {
		return func(context.Context, llm.Request, func(llm.Delta)) (*llm.Reply, error) {
			return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: text, Thinking: thoughts, Calls: calls},
				Usage: llm.Usage{PromptTokens: tokens, EvalTokens: 10}}, nil
		}
	}
	thoughts := strings.Repeat("hm ", 500)
	look := llm.Call{ID: "c", Name: "look", Args: []byte(`{"path":"a"}`)}
	for name, script := range map[string]*llm.Script{
		"thoughts that the template drops after a note": llm.NewScript(reply("I will now look at the file.", thoughts, 1100), reply("It is a.", thoughts, 300)),
		"thoughts that the template drops at once":      llm.NewScript(reply("", thoughts, 1100, look), reply("It is a.", thoughts, 300)),
		"a server that does not count":                  llm.NewScript(reply("", "", 1100, look), reply("It is a.", "", 0)),
	} {
		t.Run(name, func(t *testing.T) {
			turn := agent.Turn{
				Tools: agenttest.Tools(), History: []llm.Message{{Role: llm.UserRole, Text: "Look at a."}}, Window: window.Window{Size: 8192, Reserve: 500, Rate: 2},
				Budget: agent.Budget{Steps: 10, Calls: 10, Time: time.Hour, Output: 10_000},
			}
			var out recorder
			words, err := agent.New(script, agenttest.Gate{}, nil, nil, time.Now).Run(t.Context(), turn, out.Emit)
			if err != nil || words != "It is a." || strings.Contains(out.String(), "compacted") || strings.Contains(out.String(), "did not read") {
				t.Errorf("Run = %q, %v:\n%s", words, err, out.String())
			}
		})
	}
}

// The wait for other requests does not count as the turn's time.
func TestWaitingCostsNoTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := agenttest.ModelFunc(func(ctx context.Context, _ llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
			onDelta(llm.Delta{Status: "waiting", Queue: llm.WaitBegan})
			wait := time.NewTimer(time.Hour)
			select {
			case <-wait.C:
			case <-ctx.Done():
				return nil, &llm.Error{Kind: llm.Cancelled, Message: "cancelled", Err: ctx.Err()}
			}
			onDelta(llm.Delta{Queue: llm.WaitOver})
			answer := time.NewTimer(30 * time.Second)
			select {
			case <-answer.C:
				return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: "At last."}}, nil
			case <-ctx.Done():
				return nil, &llm.Error{Kind: llm.Cancelled, Message: "cancelled", Err: ctx.Err()}
			}
		})
		for limit, want := range map[time.Duration]string{time.Minute: "At last.", 10 * time.Second: "I ran out of time"} {
			turn := agent.Turn{History: []llm.Message{{Role: llm.UserRole, Text: "Hello?"}},
				Budget: agent.Budget{Steps: 10, Calls: 10, Time: limit, Output: 1000}}
			var out recorder
			words, err := agent.New(model, agenttest.Gate{}, nil, nil, time.Now).Run(t.Context(), turn, out.Emit)
			if err != nil || !strings.HasPrefix(words, want) {
				t.Errorf("with %s: %q, %v", limit, words, err)
			}
		}
	})
}

// An error of emit ends Run, also where a person stops the turn at the same time.
func TestAJournalThatFailsWhileTheTurnIsStopped(t *testing.T) {
	full := errors.New("disk full")
	model := func(_ context.Context, _ llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
		onDelta(llm.Delta{Text: "Well, "})
		return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: "Well, well."}}, nil
	}
	for _, failing := range []string{"compacted", "delta"} {
		t.Run(failing, func(t *testing.T) {
			ctx, stop := context.WithCancelCause(t.Context())
			emit := func(bodies ...event.Body) error {
				if bodies[0].Type() == failing {
					stop(agent.ErrStopped)
					return full
				}
				return nil
			}
			turn := agenttest.WithBudget(agent.Turn{Tools: agenttest.Tools(), Window: window.Window{Size: 1000, Reserve: 100}})
			if failing == "compacted" {
				for range 10 {
					words := strings.Repeat("so many words ", 100)
					turn.History = append(turn.History, llm.Message{Role: llm.UserRole, Text: words}, llm.Message{Role: llm.AssistantRole, Text: words})
				}
			}
			turn.Begin = len(turn.History)
			turn.History = append(turn.History, llm.Message{Role: llm.UserRole, Text: "go"})
			words, err := agent.New(llm.NewScript(model), agenttest.Gate{}, nil, nil, time.Now).Run(ctx, turn, emit)
			if !errors.Is(err, full) {
				t.Errorf("Run = %q, %v", words, err)
			}
		})
	}
}
