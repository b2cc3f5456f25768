package agent_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/agent"
	"hob/internal/agent/agenttest"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/tools"
)

func relay() tools.Tool {
	type call struct {
		Name string         `json:"name"`
		Args map[string]any `json:"args,omitempty"`
	}
	return tools.New(tools.Def{Name: agent.Relay, Description: "calls", Capabilities: tools.Reads | tools.Polls}, func(context.Context, call) (tools.Result, error) {
		return tools.Result{}, &tools.Error{Type: event.TypeValidation, Code: event.CodeInvalidValue, Message: "nothing to call"}
	})
}

// List is called before each request, and holds for the calls of its reply.
func TestTheToolListIsAskedForBeforeEachRequest(t *testing.T) {
	all := agenttest.Tools()
	n := 0
	script := llm.NewScript(llm.Do(llm.CallOf(1, "write", map[string]string{"path": "a"})), llm.Do(llm.CallOf(2, "write", map[string]string{"path": "b"})), llm.Say("well"))
	_, bodies := agenttest.Play(t, t.Context(), script, agent.Turn{List: func() agent.ToolList {
		if n++; n < 2 {
			return agent.ToolList{Shown: all[:1]}
		}
		return agent.ToolList{Shown: all[:2]}
	}})
	var got []bool
	for _, r := range agenttest.Of[event.Returned](bodies) {
		got = append(got, r.OK)
	}
	if diff := cmp.Diff([]bool{false, true}, got); diff != "" {
		t.Error(diff)
	}
	if r := script.Requests(); len(r[0].Tools) != 1 || len(r[1].Tools) != 2 {
		t.Errorf("the requests show %d tools, then %d", len(r[0].Tools), len(r[1].Tools))
	}
}

// A model calls hidden tools by their exact names or through the relay, also where the relay is the
// only tool that it sees. Tools that it sees it may call through the relay, too.
func TestHiddenTools(t *testing.T) {
	all := agenttest.Tools()
	for name, c := range map[string]struct {
		list agent.ToolList
		call llm.Call
		want string // the tool that runs, "" is none
	}{
		"by name":        {agent.ToolList{Shown: []tools.Tool{all[0], relay()}, Hidden: all[1:2]}, llm.Call{Name: "write", Args: []byte(`{"path":"a"}`)}, "write"},
		"nearly by name": {agent.ToolList{Shown: []tools.Tool{all[0], relay()}, Hidden: all[1:2]}, llm.Call{Name: "wrote", Args: []byte(`{"path":"a"}`)}, ""},
		"relayed":        {agent.ToolList{Shown: []tools.Tool{all[0], relay()}, Hidden: all[1:2]}, llm.Call{Name: "call_tool", Args: []byte(`{"name":"write","args":{"path":"a"}}`)}, "write"},
		"shown, relayed": {agent.ToolList{Shown: []tools.Tool{all[0], relay()}}, llm.Call{Name: "call_tool", Args: []byte(`{"name":"look","args":{"path":"a"}}`)}, "look"},
		"none, relayed":  {agent.ToolList{Shown: []tools.Tool{all[0], relay()}}, llm.Call{Name: "call_tool", Args: []byte(`{"name":"write","args":{"path":"a"}}`)}, ""},
		"denied":         {agent.ToolList{Shown: []tools.Tool{relay()}, Hidden: all[2:3]}, llm.Call{Name: "call_tool", Args: []byte(`{"name":"run","args":{"path":"a"}}`)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c.call.ID = "1"
			_, bodies := agenttest.Play(t, t.Context(), llm.NewScript(llm.Do(c.call), llm.Say("well")), agent.Turn{List: func() agent.ToolList { return c.list }})
			got := ""
			for _, r := range agenttest.Of[event.Returned](bodies) {
				if r.OK {
					got = r.Tool
				}
			}
			if got != c.want {
				t.Errorf("%q ran: %+v", got, agenttest.Of[event.Returned](bodies))
			}
			if called := agenttest.Of[event.Called](bodies); name == "denied" && (called[0].Tool != "run" || string(called[0].Args) != `{"path":"a"}`) {
				t.Errorf("called %+v", called)
			}
		})
	}
}

// A list of as many other tools is another list.
func TestAnotherToolListOfTheSameLength(t *testing.T) {
	type number struct {
		N int `json:"n"`
	}
	count := tools.New(tools.Def{Name: "count", Description: "counts", Capabilities: tools.Reads}, func(context.Context, number) (tools.Result, error) {
		return tools.Result{Text: "counted"}, nil
	})
	n := 0
	script := llm.NewScript(llm.Do(llm.CallOf(1, "look", map[string]string{"path": "a"})), llm.Do(llm.Call{ID: "2", Name: "Count", Args: json.RawMessage(`{"n":"7"}`)}), llm.Say("well"))
	_, bodies := agenttest.Play(t, t.Context(), script, agent.Turn{List: func() agent.ToolList {
		if n++; n < 2 {
			return agent.ToolList{Shown: agenttest.Tools()[:1]}
		}
		return agent.ToolList{Shown: []tools.Tool{count}}
	}})
	if r := agenttest.Of[event.Returned](bodies); len(r) != 2 || !r[1].OK || !strings.Contains(r[1].Text, "counted") {
		t.Errorf("%+v", r)
	}
}

// A server that refuses the first prompt as too long gets half of the tools. The others can still be called.
func TestFewerTools(t *testing.T) {
	all := agenttest.Tools()
	for name, list := range map[string]func() agent.ToolList{
		"listed": func() agent.ToolList { return agent.ToolList{Shown: all} },
		"given":  nil,
	} {
		script := llm.NewScript(llm.Fail(llm.ContextExceeded, "too long"), llm.Do(llm.CallOf(1, all[2].Name(), map[string]string{"path": "a"})), llm.Say("well"))
		words, bodies := agenttest.Play(t, t.Context(), script, agent.Turn{Tools: all, List: list})
		var shown []int
		for _, r := range script.Requests() {
			shown = append(shown, len(r.Tools))
		}
		returned := agenttest.Of[event.Returned](bodies)
		if diff := cmp.Diff([]int{4, 2, 2}, shown); diff != "" || words != "well" || len(returned) != 1 || returned[0].By == "check" {
			t.Errorf("%s: %q, %+v, tools (-want +got):\n%s", name, words, returned, diff)
		}
	}
}
