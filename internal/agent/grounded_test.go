package agent_test

import (
	"context"
	"strings"
	"testing"

	"hob/internal/agent"
	"hob/internal/agent/agenttest"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/tools"
)

// An answer with what no result has is put to the model once. What it says again is marked for the person. An answer without
// tools, or after a tool that only acts, may say what the model knows.
func TestUngroundedAnswers(t *testing.T) {
	const bill = "Hollis & Sons, Plumbing\nInvoice 20417\nStopcock 85.00\nLabour 96.50\nTotal 181.50 GBP\n"
	type in struct {
		Path string `json:"path"`
		Text string `json:"text,omitempty"`
	}
	read := tools.New(tools.Def{Name: "read_file", Description: "Read a file.", Capabilities: tools.Reads},
		func(context.Context, in) (tools.Result, error) { return tools.Result{Text: bill}, nil })
	write := tools.New(tools.Def{Name: "write_file", Description: "Write a file.", Capabilities: tools.Writes},
		func(_ context.Context, a in) (tools.Result, error) {
			return tools.Result{Text: "wrote the file, as it was asked for", Effects: []event.Effect{{Kind: "wrote", Target: a.Path, Bytes: 3}}}, nil
		})
	reads := llm.Do(llm.CallOf(1, "read_file", map[string]string{"path": "bill.txt"}))
	writes := llm.Do(llm.CallOf(1, "write_file", map[string]string{"path": "bill.txt", "text": "x"}))
	for _, c := range []struct {
		name   string
		script []llm.Step
		want   string
		nudges int
	}{
		{"what the result says", []llm.Step{reads, llm.Say("You owe Hollis & Sons £181.50.")}, "You owe Hollis & Sons £181.50.", 0},
		{"what follows from it", []llm.Step{reads, llm.Say("Labour is 11.50 more than the stopcock, 53 % of the total.")}, "Labour is 11.50 more than the stopcock, 53 % of the total.", 0},
		{"corrected", []llm.Step{reads, llm.Say("You owe them 232.20 GBP."), llm.Say("You owe them 181.50 GBP.")}, "You owe them 181.50 GBP.", 1},
		{"said again", []llm.Step{reads, llm.Say("You owe Baxter & Sons 232.20 GBP."), llm.Say("You owe Baxter & Sons 232.20 GBP.")},
			"You owe Baxter & Sons 232.20 GBP.\n\n[hob: in no result: 232.20, Baxter.]", 1},
		{"no tool", []llm.Step{llm.Say("The Battle of Hastings was in 1066, under King Harold.")}, "The Battle of Hastings was in 1066, under King Harold.", 0},
		{"a tool that acts", []llm.Step{writes, llm.Say("It is written. By the way, William came in 1066.")}, "It is written. By the way, William came in 1066.", 0},
		{"a name that the person said", []llm.Step{reads, llm.Say("Osgood, you owe £181.50.")}, "Osgood, you owe £181.50.", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			turn := agenttest.WithBudget(agent.Turn{Tools: []tools.Tool{read, write}, History: []llm.Message{{Role: llm.UserRole, Text: "I am Osgood. What of the bill?"}}})
			words, bodies := agenttest.Play(t, t.Context(), llm.NewScript(c.script...), turn)
			words, _, _ = strings.Cut(words, "\n\n[done")
			nudges := 0
			for _, n := range agenttest.Of[event.Nudged](bodies) {
				if n.Why == event.ForUngrounded {
					nudges++
				}
			}
			if words != c.want || nudges != c.nudges {
				t.Errorf("%q after %d notes, want %q after %d", words, nudges, c.want, c.nudges)
			}
		})
	}
}
