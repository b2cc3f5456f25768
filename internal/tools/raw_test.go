package tools_test

import (
	"context"
	"encoding/json"
	"testing"

	"hob/internal/tools"
)

// TestNewRaw has a tool take what its own schema says, and tell models less.
func TestNewRaw(t *testing.T) {
	accepts := json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"},"why":{"type":"string"}}}`)
	told := json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"}}}`)
	both := func() (json.RawMessage, json.RawMessage) { return accepts, told }
	run := func(_ context.Context, args json.RawMessage) (tools.Result, error) {
		return tools.Result{Text: string(args)}, nil
	}
	tool, err := tools.NewRaw(tools.Def{Name: "go", Description: "goes"}, both, run)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := tool.Execute(t.Context(), map[string]any{"to": "hall", "why": "rain"}); err != nil || got != `{"to":"hall","why":"rain"}` {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := tools.Call(t.Context(), tool, json.RawMessage(`{"where":"hall"}`)); err == nil {
		t.Error("an argument that there is not is taken")
	}
	if d := tools.Schema([]tools.Tool{tool})[0]; string(d.Parameters) != string(told) || string(d.Accepts) != string(accepts) {
		t.Errorf("models are told %s of %s", d.Parameters, d.Accepts)
	}
	for name, bad := range map[string]func() (tools.Tool, error){
		"a name": func() (tools.Tool, error) { return tools.NewRaw(tools.Def{Name: "a b"}, both, run) },
		"run":    func() (tools.Tool, error) { return tools.NewRaw(tools.Def{Name: "a"}, both, nil) },
	} {
		if _, err := bad(); err == nil {
			t.Errorf("%s that will not do is taken", name)
		}
	}
}
