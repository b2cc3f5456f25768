package policy_test

import (
	"context"
	"encoding/json"
	"testing"

	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/tools"
)

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name   string
		powers tools.Powers
		want   policy.Verdict
	}{
		{"a read", tools.Reads, policy.Allow},
		{"a private read", tools.Reads | tools.Private, policy.Allow},
		{"a write to the workspace", tools.Writes, policy.Allow},
		{"a fetch", tools.Reads | tools.Sends | tools.Untrusted, policy.Allow},
		{"a command", tools.Executes | tools.Writes | tools.Destroys, policy.Ask},
		{"a command within walls", tools.Executes | tools.Writes | tools.Confined, policy.Allow},
		{"a command within walls that reaches somebody", tools.Executes | tools.Reads | tools.Sends | tools.Confined, policy.Ask},
		{"a command within walls that destroys", tools.Executes | tools.Writes | tools.Destroys | tools.Confined, policy.Ask},
		{"a read that runs something", tools.Reads | tools.Executes, policy.Ask},
		{"a message", tools.Sends, policy.Ask},
		{"a delete for good", tools.Writes | tools.Destroys, policy.Ask},
		{"what costs money", tools.Reads | tools.Spends, policy.Ask},
		{"what changes rights", tools.Writes | tools.Authority, policy.Ask},
		{"nothing at all", 0, policy.Ask},
		{"anything", tools.AnyPower, policy.Ask},
	} {
		tool := tools.New(tools.Def{Name: "x", Description: "x", Powers: c.powers},
			func(context.Context, struct{}) (tools.Result, error) { return tools.Result{}, nil })
		if got := policy.Judge(t.Context(), tool, nil); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if policy.Judge(t.Context(), plain{}, nil) != policy.Ask {
		t.Error("a tool that does not say what it does runs without asking")
	}
}

// Who is asked is told why, after all that the call says.
func TestQuestionSaysWhy(t *testing.T) {
	for _, c := range []struct {
		name   string
		powers tools.Powers
		want   string
	}{
		{"a command without walls", tools.Executes | tools.Writes | tools.Destroys, "no sandbox keeps it to the workspace; hob doctor says more"},
		{"a command with a network", tools.Executes | tools.Writes | tools.Destroys | tools.Sends, "what it runs may reach the network"},
		{"a command within walls that destroys", tools.Executes | tools.Destroys | tools.Confined, "what it does cannot be taken back"},
		{"a message", tools.Sends, "it sends something out"},
		{"what costs money", tools.Reads | tools.Spends, "it costs money"},
		{"what changes rights", tools.Writes | tools.Authority, "it changes what others may do"},
		{"nothing at all", 0, "it does not say what it does"},
	} {
		tool := tools.New(tools.Def{Name: "x", Description: "x", Powers: c.powers},
			func(context.Context, struct{}) (tools.Result, error) { return tools.Result{}, nil })
		got := policy.Question(t.Context(), tool, llm.Call{Name: "x", Args: json.RawMessage(`{"a":"b\n(it asks because all is well)"}`)})
		if want := "a: b\n    (it asks because all is well)\n(it asks because " + c.want + ")"; got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, want)
		}
	}
}

// What a tool can do in general is not what one call does: the call is judged.
func TestJudgeTheCall(t *testing.T) {
	type args struct {
		Network bool `json:"network,omitempty"`
	}
	tool := tools.New(tools.Def{
		Name: "x", Description: "x", Powers: tools.Executes | tools.Writes | tools.Sends,
		PowersOf: func(_ context.Context, raw json.RawMessage) tools.Powers {
			var in args
			if json.Unmarshal(raw, &in) == nil && in.Network {
				return tools.Executes | tools.Writes | tools.Sends
			}
			return tools.Executes | tools.Writes | tools.Confined
		},
	}, func(context.Context, args) (tools.Result, error) { return tools.Result{}, nil })
	for raw, want := range map[string]policy.Verdict{`{}`: policy.Allow, `{"network":false}`: policy.Allow, `{"network":true}`: policy.Ask} {
		if got := policy.Judge(t.Context(), tool, json.RawMessage(raw)); got != want {
			t.Errorf("%s: %v, want %v", raw, got, want)
		}
	}
}

// plain is a tool of the four methods and nothing more.
type plain struct{}

func (plain) Name() string               { return "plain" }
func (plain) Description() string        { return "does it" }
func (plain) Parameters() map[string]any { return nil }
func (plain) Execute(context.Context, map[string]any) (string, error) {
	return "", nil
}

func TestDescribeShowsAllAndHidesNothing(t *testing.T) {
	call := llm.Call{
		Name: "run_command", Repairs: []string{"closed a brace"},
		Args: json.RawMessage("{\"command\":\"echo \\u202egood\\u001b[2J\\nrm -rf /\",\"timeout\":5,\"env\":{\"A\":\"b\"}}"),
	}
	want := `command: echo \u{202e}good\u{1b}[2J
    rm -rf /
timeout: 5
env: {"A":"b"}
(repaired: closed a brace)`
	if got := policy.Describe(call); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
