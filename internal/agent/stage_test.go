package agent_test

import (
	"context"
	"errors"
	"testing"

	"hob/internal/agent"
	"hob/internal/agent/agenttest"
	"hob/internal/event"
	"hob/internal/llm"
)

// doubting is a stage that has the model answer as often as it says, and puts a frame around the answer.
type doubting struct {
	times  int
	answer string // in the model's place
	err    error
}

func (d doubting) Begin(_ context.Context, t agent.Turn, _ agent.Emit) (agent.Turn, agent.Phase, error) {
	if d.answer != "" {
		return t.WithEnding(agent.Ending{Reason: event.Done, Reply: event.Replied{Text: d.answer}, Settled: true}), agent.Finish, d.err
	}
	return t.WithStageRules(agent.StageRules{Context: "[It is night.]"}), agent.Prepare, d.err
}

func (d doubting) Close(_ context.Context, t agent.Turn, e agent.Ending, emit agent.Emit) (agent.Turn, agent.Phase, error) {
	if d.times--; d.times > 0 {
		t.Stage = d
		again := []event.Body{*e.Last, event.Nudged{Why: event.ForUntrue, Text: "[note: are you sure?]"}}
		return t.Record(again...), agent.Resume, emit(again...)
	}
	e.Reply.Text, e.Settled = "<"+e.Reply.Text+">", true
	return t.WithEnding(e), agent.Finish, nil
}

// A stage answers in the model's place, or has the model answer again, and settles the words. Its
// error ends Run.
func TestStage(t *testing.T) {
	for name, c := range map[string]struct {
		stage doubting
		steps []llm.Step
		want  string
		types string
	}{
		"once":   {doubting{times: 1}, []llm.Step{llm.Say("yes")}, "<yes>", "generated replied ended"},
		"twice":  {doubting{times: 2}, []llm.Step{llm.Say("yes"), llm.Say("no")}, "<no>", "generated nudged generated replied ended"},
		"itself": {doubting{answer: "perhaps"}, nil, "perhaps", "replied ended"},
	} {
		t.Run(name, func(t *testing.T) {
			script := llm.NewScript(c.steps...)
			got, bodies := agenttest.Play(t, t.Context(), script, agent.Turn{Stage: c.stage})
			if got != c.want || agenttest.Names(bodies) != c.types {
				t.Errorf("%q by %s, want %q by %s", got, agenttest.Names(bodies), c.want, c.types)
			}
			for i, r := range script.Requests() {
				if r.Messages[0].Text != "go\n\n[It is night.]" {
					t.Errorf("request %d begins with %q", i+1, r.Messages[0].Text)
				}
			}
		})
	}
	failing := agenttest.WithBudget(agent.Turn{Stage: doubting{err: errors.New("no")}, History: []llm.Message{{Role: llm.UserRole, Text: "go"}}})
	var out agenttest.Collector
	if _, err := agent.New(llm.NewScript(), agenttest.Gate{}, nil, nil, agenttest.Clock()).Run(t.Context(), failing, out.Emit); err == nil || len(out.Bodies) > 0 {
		t.Errorf("%v after %s", err, agenttest.Names(out.Bodies))
	}
}
