package agent_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"hob/internal/agent"
	"hob/internal/agent/agenttest"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/window"
)

// Whatever a model does, in whatever order, a turn ends within its budget, with one reply that a person
// can read, every call answered once, and every request legal. What it has spent is what a fold over
// its events comes to.
func TestWhateverAModelDoes(t *testing.T) {
	for range 10 { // a hundred conversations each
		rapid.Check(t, func(rt *rapid.T) {
			kinds := rapid.SliceOfN(rapid.IntRange(0, 15), 1, 30).Draw(rt, "replies")
			size := rapid.SampledFrom([]int{0, 2048, 4096, 16384}).Draw(rt, "context")
			mode := rapid.SampledFrom([]llm.Mode{"", llm.PromptMode, llm.SchemaMode}).Draw(rt, "mode")
			synctest.Test(t, func(*testing.T) { chaos(rt, kinds, size, mode) })
		})
	}
}

func chaos(t *rapid.T, kinds []int, size int, mode llm.Mode) {
	n := 0
	var requests []llm.Request
	model := agenttest.ModelFunc(func(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
		requests = append(requests, req)
		kind := kinds[n%len(kinds)]
		n++
		return agenttest.Misbehave(kind, n)(ctx, req, onDelta)
	})
	const steps, calls = 12, 15
	turn := agent.Turn{
		System: "You are a test.", Tools: agenttest.Tools(), History: []llm.Message{{Role: llm.UserRole, Text: "Do something."}},
		Profile: llm.Profile{Mode: mode}, Options: llm.Options{NumPredict: 200, Think: llm.ThinkOn, Temperature: 0.5},
		Window: window.Window{Size: size, Reserve: size / 6},
		Budget: agent.Budget{Steps: steps, Calls: calls, Time: time.Hour, Output: 100_000},
	}
	var bodies []event.Body
	words, err := agent.New(model, agenttest.Gate{}, nil, &agenttest.Blobs{}, time.Now).Run(context.Background(), turn, func(more ...event.Body) error {
		bodies = append(bodies, more...)
		return nil
	})
	if err != nil {
		t.Fatalf("Run = %v", err)
	}
	var replied, ended, wasted int
	open := map[string]int{}
	for i, b := range bodies {
		switch b := b.(type) {
		case event.Called:
			open[b.ID]++
		case event.Returned:
			open[b.ID] += 100
		case event.Replied:
			replied++
		case event.Ended:
			ended++
			if i != len(bodies)-1 {
				t.Errorf("%s comes after the end", bodies[len(bodies)-1].Type())
			}
		case event.Generated:
			if b.Class != "calls" && b.Class != "text" && b.Class != "summary" {
				wasted++
			}
		}
		if _, err := event.Marshal(b); err != nil {
			t.Errorf("%s cannot be journaled: %v", b.Type(), err)
		}
	}
	if replied != 1 || ended != 1 || strings.TrimSpace(words) == "" || strings.HasPrefix(strings.TrimSpace(words), "{") {
		t.Errorf("%d replies, %d ends, the words are %q", replied, ended, words)
	}
	for id, times := range open {
		if times != 101 {
			t.Errorf("call %s was called and answered %d times (called + 100 for each answer)", id, times)
		}
	}
	if wasted > 6 || len(requests) > steps+9 || len(open) > calls+20 {
		t.Errorf("%d replies of no use, %d requests, %d calls", wasted, len(requests), len(open))
	}
	for i, r := range requests {
		if err := agenttest.Illegal(r.Messages); err != nil {
			t.Errorf("request %d: %v", i+1, err)
		}
	}
}
