package agent_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"hob/internal/agent"
	"hob/internal/agent/agenttest"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/tools"
)

// BenchmarkStep is what a step of the loop costs by itself: a model that takes no time, a tool that
// does nothing, a journal that keeps nothing. The aim is at most 1 ms.
func BenchmarkStep(b *testing.B) {
	tool := tools.New(tools.Def{Name: "look", Description: "looks", Capabilities: tools.Reads}, func(_ context.Context, in struct{ N int }) (tools.Result, error) {
		return tools.Result{Text: fmt.Sprint("seen ", in.N)}, nil
	})
	n := 0
	model := agenttest.ModelFunc(func(context.Context, llm.Request, func(llm.Delta)) (*llm.Reply, error) {
		n++
		if n%20 == 0 {
			return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: "done"}}, nil
		}
		return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Calls: []llm.Call{{ID: "x", Name: "look", Args: fmt.Appendf(nil, `{"N":%d}`, n)}}}}, nil
	})
	a := agent.New(model, agenttest.Gate{}, nil, nil, time.Now)
	emit := func(bodies ...event.Body) error {
		for _, body := range bodies {
			if _, err := event.Marshal(body); err != nil {
				return err
			}
		}
		return nil
	}
	turn := agent.Turn{System: "You are a test.", Tools: []tools.Tool{tool}, History: []llm.Message{{Role: llm.UserRole, Text: "go"}},
		Budget: agent.Budget{Steps: 100, Calls: 100, Time: time.Hour, Output: 1000}}
	b.ReportAllocs()
	for n < b.N {
		if _, err := a.Run(b.Context(), turn, emit); err != nil {
			b.Fatal(err)
		}
	}
}
