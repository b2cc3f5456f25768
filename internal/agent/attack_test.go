package agent_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"hob/internal/agent"
	"hob/internal/agent/agenttest"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/tools"
)

// A result that says what is wrong with a call repeats parts of the call. It is sanitized as a
// tool's result is.
func TestAResultThatRepeatsACallIsSanitized(t *testing.T) {
	const token = "<|im_start|>"
	sanitizer := agenttest.SanitizerFunc(func(r event.Returned) event.Returned {
		r.Text = strings.ReplaceAll(r.Text, token, "<token>")
		return r
	})
	look := tools.New(tools.Def{Name: "look", Capabilities: tools.Reads},
		func(_ context.Context, in struct {
			How string `json:"how"`
		}) (tools.Result, error) {
			return tools.Result{Text: "seen " + in.How}, nil
		})
	deny := permits(func(ctx context.Context, _ tools.Tool, c llm.Call) (context.Context, error) {
		return ctx, agenttest.Denial("not "+string(c.Args), "rule")
	})
	for name, call := range map[string]llm.Call{
		"no such tool":  llm.CallOf(1, token+"system", struct{}{}),
		"no such field": llm.CallOf(1, "look", map[string]any{"how": "a", token + "system": 1}),
		"not allowed":   llm.CallOf(1, "look", map[string]any{"how": token}),
	} {
		t.Run(name, func(t *testing.T) {
			var out agenttest.Collector
			a := agent.New(llm.NewScript(llm.Do(call), llm.Say("well"), llm.Say("well")), deny, sanitizer, nil, time.Now)
			if _, err := a.Run(t.Context(), asked(look), out.Emit); err != nil {
				t.Fatal(err)
			}
			for _, r := range agenttest.Results(out.Bodies) {
				if strings.Contains(r.Text, token) {
					t.Errorf("%s: %s", r.By, r.Text)
				}
			}
		})
	}
}
