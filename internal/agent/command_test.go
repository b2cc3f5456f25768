package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/agent"
	"hob/internal/agent/agenttest"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/tools"
)

// A command asks no model, from wherever the turn goes on.
func TestCommand(t *testing.T) {
	words := llm.Message{Role: llm.UserRole, Text: "/write a"}
	command := llm.Call{ID: "command-1", Name: "write", Args: []byte(`{"path":"a"}`)}
	called := llm.Message{Role: llm.AssistantRole, Calls: []llm.Call{command}}
	for name, c := range map[string]struct {
		command llm.Call
		history []llm.Message
		types   string
		want    string
		reason  event.Reason
	}{
		"begins":       {command, []llm.Message{words}, "generated called started returned replied ended", "wrote a", event.Done},
		"was called":   {command, []llm.Message{words, called}, "started returned replied ended", "wrote a", event.Done},
		"has a result": {command, []llm.Message{words, called, {Role: llm.ToolRole, CallID: "command-1", ToolName: "write", Text: "wrote a"}}, "replied ended", "wrote a", event.Done},
		"fenced":       {command, []llm.Message{words, called, {Role: llm.ToolRole, CallID: "command-1", Text: event.Fence("a page", "web", "abc")}}, "replied ended", "a page", event.Done},
		"denied": {llm.Call{ID: "1", Name: "run", Args: []byte(`{"path":"a"}`)}, []llm.Message{words}, "generated called returned replied ended",
			"denied by the user; do not retry; continue without it, or say what you would need", event.Denied},
		"wrong": {llm.Call{ID: "1", Name: "write", Args: []byte(`{"pat":"a"}`)}, []llm.Message{words}, "generated called returned replied ended",
			"path: is required; pat: unknown argument; the arguments are path", event.Done},
		"empty":         {command, []llm.Message{words, called, {Role: llm.ToolRole, CallID: "command-1", Text: " "}}, "replied ended", "Done.", event.Done},
		"after a while": {command, []llm.Message{{Role: llm.UserRole, Text: "hello"}, {Role: llm.AssistantRole, Text: "well"}, words}, "generated called started returned replied ended", "wrote a", event.Done},
	} {
		t.Run(name, func(t *testing.T) {
			asks := llm.NewScript()
			begin := 0
			for i, m := range c.history {
				if m.Text == words.Text {
					begin = i
				}
			}
			got, bodies := agenttest.Play(t, t.Context(), asks, agent.Turn{Command: []llm.Call{c.command}, Tools: agenttest.Tools(), History: c.history, Begin: begin})
			if got != c.want || agenttest.Names(bodies) != c.types || len(asks.Requests()) > 0 {
				t.Errorf("%q by %s", got, agenttest.Names(bodies))
			}
			if end := bodies[len(bodies)-1].(event.Ended); end.Reason != c.reason || end.Steps != 0 {
				t.Errorf("it ended with %+v", end)
			}
		})
	}
}

// A stop ends a command before its call runs.
func TestACommandThatIsStopped(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	stop(agent.ErrStopped)
	command := llm.Call{ID: "1", Name: "write", Args: []byte(`{"path":"a"}`)}
	got, bodies := agenttest.Play(t, ctx, llm.NewScript(), agent.Turn{Command: []llm.Call{command}, Tools: agenttest.Tools()})
	if diff := cmp.Diff("replied ended", agenttest.Names(bodies)); diff != "" || got != "Stopped." {
		t.Error(got, diff)
	}
}

// The person who gave a command reads more of the result than a model would.
func TestTheResultOfACommand(t *testing.T) {
	command := llm.Call{ID: "1", Name: "look", Args: []byte(`{"path":"long"}`)}
	got, _ := agenttest.Play(t, t.Context(), llm.NewScript(), agent.Turn{Command: []llm.Call{command}, Tools: agenttest.Tools()})
	if n := strings.Count(got, "a line of a long result"); n != 200 {
		t.Errorf("%d lines are shown", n)
	}
	huge := tools.New(tools.Def{Name: "huge", Description: "huge", Capabilities: tools.Reads}, func(context.Context, struct{}) (tools.Result, error) {
		return tools.Result{Text: strings.Repeat("line\n", 10_000)}, nil
	})
	command = llm.Call{ID: "1", Name: "huge", Args: []byte(`{}`)}
	if got, _ := agenttest.Play(t, t.Context(), llm.NewScript(), agent.Turn{Command: []llm.Call{command}, Tools: []tools.Tool{huge}}); len(got) > 9000 || !strings.Contains(got, "left out") {
		t.Errorf("%d bytes are shown", len(got))
	}
}

// Of several calls each is made once, in order, also after a crash, and the answer has the lines of each and says which failed.
func TestACommandOfSeveralCalls(t *testing.T) {
	words := llm.Message{Role: llm.UserRole, Text: "write a, run b and write c"}
	calls := []llm.Call{
		{ID: "chore-1", Name: "write", Args: []byte(`{"path":"a"}`)},
		{ID: "chore-1-2", Name: "run", Args: []byte(`{"path":"b"}`)}, // which is denied
		{ID: "chore-1-3", Name: "write", Args: []byte(`{"path":"c"}`)},
	}
	called := llm.Message{Role: llm.AssistantRole, Calls: calls}
	wrote := llm.Message{Role: llm.ToolRole, CallID: "chore-1", ToolName: "write", Text: "wrote a"}
	for name, c := range map[string]struct {
		history []llm.Message
		types   string
	}{
		"begins":       {[]llm.Message{words}, "generated called called called started returned returned started returned replied ended"},
		"has a result": {[]llm.Message{words, called, wrote}, "returned started returned replied ended"},
	} {
		t.Run(name, func(t *testing.T) {
			asks := llm.NewScript()
			got, bodies := agenttest.Play(t, t.Context(), asks, agent.Turn{
				Command: calls, Tools: agenttest.Tools(), History: c.history,
				Translate: func(call llm.Call, answer string) string { return answer + " (" + call.ID + ")" },
			})
			want := "wrote a (chore-1)\n" +
				"✗ denied by the user; do not retry; continue without it, or say what you would need (chore-1-2)\n" +
				"wrote c (chore-1-3)"
			if got != want || agenttest.Names(bodies) != c.types || len(asks.Requests()) > 0 {
				t.Errorf("%q by %s", got, agenttest.Names(bodies))
			}
		})
	}
}
