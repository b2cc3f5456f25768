package agent_test

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"

	"hob/internal/agent"
	"hob/internal/agent/agenttest"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/tools"
)

const bill = "Hollis & Sons, Plumbing\nInvoice 20417\nStopcock 85.00\nLabour 96.50\nTotal 181.50 GBP\n"

// groundedTools are a tool that looks and one that only acts.
func groundedTools() []tools.Tool {
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
	return []tools.Tool{read, write}
}

// An answer with what no result has is put to the model once. What it says again is marked for the person. An answer without
// tools, or after a tool that only acts, may say what the model knows.
func TestUngroundedAnswers(t *testing.T) {
	const stuck = "You owe Baxter & Sons 232.20 GBP."
	reads := llm.Do(llm.CallOf(1, "read_file", map[string]string{"path": "bill.txt"}))
	writes := llm.Do(llm.CallOf(1, "write_file", map[string]string{"path": "bill.txt", "text": "x"}))
	for _, c := range []struct {
		name   string
		task   string
		script []llm.Step
		want   string
		nudges int
	}{
		{"what the result says", "", []llm.Step{reads, llm.Say("You owe Hollis & Sons £181.50.")}, "You owe Hollis & Sons £181.50.", 0},
		{"what follows from it", "", []llm.Step{reads, llm.Say("Labour is 11.50 more than the stopcock, 53 % of the total.")}, "Labour is 11.50 more than the stopcock, 53 % of the total.", 0},
		{"corrected", "", []llm.Step{reads, llm.Say("You owe them 232.20 GBP."), llm.Say("You owe them 181.50 GBP.")}, "You owe them 181.50 GBP.", 1},
		{"corrected after another look", "", []llm.Step{reads, llm.Say("You owe them 232.20 GBP."), reads, llm.Say("You owe them 181.50 GBP.")}, "You owe them 181.50 GBP.", 1},
		{"said again", "", []llm.Step{reads, llm.Say(stuck), llm.Say(stuck)}, stuck + "\n\n[hob: in no result: 232.20, Baxter.]", 1},
		{"something else said", "", []llm.Step{reads, llm.Say(stuck), llm.Say("You owe them 77.70 GBP.")}, "You owe them 77.70 GBP.\n\n[hob: in no result: 77.70.]", 1},
		{"no tool", "", []llm.Step{llm.Say("The Battle of Hastings was in 1066, under King Harold.")}, "The Battle of Hastings was in 1066, under King Harold.", 0},
		{"a tool that acts", "", []llm.Step{writes, llm.Say("It is written. By the way, William came in 1066.")}, "It is written. By the way, William came in 1066.", 0},
		{"a name that the person said", "", []llm.Step{reads, llm.Say("Osgood, you owe £181.50.")}, "Osgood, you owe £181.50.", 0},
		{"numbers that the person said", "I am Osgood. I have 40, 60 and 100 GBP at home. Is that enough for the bill?",
			[]llm.Step{reads, llm.Say("Yes, Osgood: your 200 GBP are 18.50 more than the bill.")}, "Yes, Osgood: your 200 GBP are 18.50 more than the bill.", 0},
		{"a story beside it", "Tell a story about the bill.", []llm.Step{reads, llm.Say("```\nOnce Arabella paid 4711 crowns.\n```\nYou owe £181.50.")},
			"```\nOnce Arabella paid 4711 crowns.\n```\nYou owe £181.50.", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			task := cmp.Or(c.task, "I am Osgood. What of the bill?")
			turn := agenttest.WithBudget(agent.Turn{Tools: groundedTools(), History: []llm.Message{{Role: llm.UserRole, Text: task}}})
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

// What was shown of an answer that is put to the model again is taken back before the next is shown, and a claim that is not
// true comes first: the model reads one note at a time.
func TestUngroundedAnswersAreTakenBack(t *testing.T) {
	script := llm.NewScript(
		llm.Do(llm.CallOf(1, "read_file", map[string]string{"path": "bill.txt"})),
		llm.Say("I wrote the 232.20 GBP to bills.md."), llm.Say("You owe them 232.20 GBP."), llm.Say("You owe them 181.50 GBP."))
	turn := agenttest.WithBudget(agent.Turn{Tools: groundedTools(), History: []llm.Message{{Role: llm.UserRole, Text: "What of the bill?"}}})
	words, bodies := agenttest.Play(t, t.Context(), script, turn)
	if words != "You owe them 181.50 GBP." {
		t.Errorf("the answer is %q", words)
	}
	var shown string
	var why []event.Why
	for _, b := range bodies {
		switch b := b.(type) {
		case event.Delta:
			if b.Restart {
				shown = ""
			}
			shown += b.Text
		case event.Nudged:
			if shown != "" {
				t.Errorf("%q was shown and not taken back before the note %q", shown, b.Text)
			}
			why = append(why, b.Why)
		}
	}
	if want := []event.Why{event.ForClaimed, event.ForUngrounded}; !slices.Equal(why, want) || shown != "You owe them 181.50 GBP." {
		t.Errorf("notes for %v and %q shown, want %v", why, shown, want)
	}
}

// What another turn of the chat found counts as found, and is counted and added like it.
func TestGroundedByAnEarlierTurn(t *testing.T) {
	history := []llm.Message{
		{Role: llm.UserRole, Text: "Which services run?"},
		{Role: llm.AssistantRole, Calls: []llm.Call{llm.CallOf(1, "list", map[string]string{})}},
		{Role: llm.ToolRole, ToolName: "list", Text: "nginx 310 MB\nsamba 25 MB\npostfix 90 MB\nunbound 40 MB"},
		{Role: llm.AssistantRole, Text: "Four of them."},
		{Role: llm.UserRole, Text: "And what of the bill?"},
	}
	turn := agenttest.WithBudget(agent.Turn{Tools: groundedTools(), History: history, Begin: 4})
	const answer = "The bill is £181.50. The four services take 465 MB."
	script := llm.NewScript(llm.Do(llm.CallOf(2, "read_file", map[string]string{"path": "bill.txt"})), llm.Say(answer))
	if words, _ := agenttest.Play(t, t.Context(), script, turn); words != answer {
		t.Errorf("the answer is %q", words)
	}
}
