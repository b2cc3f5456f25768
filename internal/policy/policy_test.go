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
		if got := policy.Judge(tool); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if policy.Judge(plain{}) != policy.Ask {
		t.Error("a tool that does not say what it does runs without asking")
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
