package staged_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/agent/agenttest"
	"hob/internal/llm"
	"hob/internal/tools"
)

// TestAToolKnowsWhoCalls has the same call come from a model, from a plan and from a person, also
// where it was journaled before a crash.
func TestAToolKnowsWhoCalls(t *testing.T) {
	for name, c := range map[string]struct {
		words   string
		command []llm.Call
		model   []llm.Step
		want    tools.CallOrigin
	}{
		"a model":  {"walk", nil, []llm.Step{walk(1, "b"), llm.Say("ok"), llm.Say("ok")}, tools.FromModel},
		"a plan":   {"go a", nil, nil, tools.FromPlan},
		"a person": {"/walk b", []llm.Call{{ID: "command-1", Name: "walk", Args: []byte(`{"to":"b"}`)}}, nil, tools.FromCommand},
	} {
		t.Run(name, func(t *testing.T) {
			s := newTale()
			turn := s.turn(c.words)
			turn.Command = c.command
			_, bodies := agenttest.Play(t, t.Context(), llm.NewScript(c.model...), turn)
			for n := range bodies {
				if agenttest.Names(bodies[n:n+1]) != "called" {
					continue
				}
				agenttest.Play(t, t.Context(), llm.NewScript(llm.Say("ok"), llm.Say("ok")), turn.Record(bodies[:n+1]...))
			}
			var got []tools.CallOrigin
			for _, p := range s.places {
				got = append(got, p.From)
			}
			if diff := cmp.Diff([]tools.CallOrigin{c.want, c.want}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
