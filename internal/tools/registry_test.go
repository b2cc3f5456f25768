package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/tools"
)

func TestRegistry(t *testing.T) {
	run := func(context.Context, map[string]any) (string, error) { return "", nil }
	named := func(name string) tools.Tool { return toolPlain{name: name, execute: run} }
	t.Run("registry-01", func(t *testing.T) {
		r := tools.NewRegistry()
		for name, tool := range map[string]tools.Tool{
			"nil":         nil,
			"empty name":  named(""),
			"blank name":  named(" \t"),
			"a space":     named("get weather"),
			"too long":    named(strings.Repeat("x", 65)),
			"not a Latin": named("поиск"),
			"no object":   toolPlain{name: "x", params: map[string]any{"type": "string"}},
			"no type":     toolPlain{name: "x", params: map[string]any{"properties": map[string]any{}}},
			"no JSON":     toolPlain{name: "x", params: map[string]any{"type": "object", "x": func() {}}},
		} {
			if err := r.Register(tool); err == nil {
				t.Errorf("%s: it was registered", name)
			}
		}
		if got := r.All(); len(got) != 0 {
			t.Errorf("the registry holds %v", got)
		}
	})
	t.Run("a name that is taken", func(t *testing.T) {
		r := tools.NewRegistry()
		first := named("search")
		if err := r.Register(first); err != nil {
			t.Fatal(err)
		}
		if err := r.Register(named("search")); err == nil || err.Error() != `register tool "search": the name is taken` {
			t.Error(err)
		}
	})
	t.Run("registry-02", func(t *testing.T) {
		r := tools.NewRegistry()
		if err := r.Register(named("search")); err != nil {
			t.Fatal(err)
		}
		if tool, err := r.ByName("search"); err != nil || tool.Name() != "search" {
			t.Errorf("%v, %v", tool, err)
		}
		tool, err := r.ByName("Search")
		want := &tools.Error{
			Type: event.TypeNotFound, Code: event.CodeToolNotFound,
			Message: `there is no tool "Search"`, Suggestion: "use one of: search",
		}
		if diff := cmp.Diff(error(want), err); diff != "" || tool != nil {
			t.Error(diff, tool)
		}
	})
	t.Run("registry-07", func(t *testing.T) { // that the call keeps its ID is the agent's part
		r := tools.NewRegistry()
		for i := range 12 {
			if err := r.Register(named(fmt.Sprintf("tool_%02d", i))); err != nil {
				t.Fatal(err)
			}
		}
		_, err := r.ByName("x")
		e := (*tools.Error)(nil)
		if !errors.As(err, &e) || e.Code != event.CodeToolNotFound || !strings.HasSuffix(e.Suggestion, "tool_09, ...") {
			t.Errorf("%+v", err)
		}
	})
	t.Run("registry-04", func(t *testing.T) {
		r := tools.NewRegistry()
		for _, name := range []string{"b", "a", "c", "B", "a_b"} {
			if err := r.Register(named(name)); err != nil {
				t.Fatal(err)
			}
		}
		var names []string
		for _, tool := range r.All() {
			names = append(names, tool.Name())
		}
		if diff := cmp.Diff([]string{"B", "a", "a_b", "b", "c"}, names); diff != "" {
			t.Error(diff)
		}
		first, err := json.Marshal(r.ToSchema())
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			if again, _ := json.Marshal(r.ToSchema()); string(again) != string(first) {
				t.Fatalf("%s\nis not\n%s", again, first)
			}
		}
	})
	t.Run("registry-05", func(t *testing.T) {
		r := tools.NewRegistry()
		for _, tool := range []tools.Tool{
			toolPlain{name: "search", params: map[string]any{
				"type": "object", "properties": map[string]any{"query": map[string]any{"type": "string", "description": "Поисковый запрос"}},
			}},
			toolPlain{name: "now"},
			tools.New(tools.Def{Name: "greet", Description: "Greets."}, func(context.Context, struct {
				Who string `json:"who"`
			}) (tools.Result, error) {
				return tools.Result{}, nil
			}),
		} {
			if err := r.Register(tool); err != nil {
				t.Fatal(err)
			}
		}
		want := []llm.ToolDefinition{
			{Name: "greet", Description: "Greets.", Parameters: json.RawMessage(
				`{"type":"object","properties":{"who":{"type":"string"}},"required":["who"],"additionalProperties":false}`)},
			{Name: "now", Description: "A tool of four methods.", Parameters: json.RawMessage(`{"properties":{},"type":"object"}`)},
			{Name: "search", Description: "A tool of four methods.", Parameters: json.RawMessage(
				`{"properties":{"query":{"description":"Поисковый запрос","type":"string"}},"type":"object"}`)},
		}
		if diff := cmp.Diff(want, r.ToSchema()); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("many at once", func(t *testing.T) {
		r := tools.NewRegistry()
		var wg sync.WaitGroup
		for i := range 50 {
			wg.Go(func() {
				_ = r.Register(named(fmt.Sprintf("t%d", i%10)))
				_, _ = r.ByName("t1")
				r.ToSchema()
			})
		}
		wg.Wait()
		if got := len(r.All()); got != 10 {
			t.Errorf("%d tools", got)
		}
	})
}

// A tool that does not describe itself counts as able to do anything; a caller that nobody named has no rights.
func TestWhatIsNotSaid(t *testing.T) {
	plain := toolPlain{name: "x"}
	want := tools.Def{Name: "x", Description: "A tool of four methods.", Capabilities: tools.AnyCapability}
	if diff := cmp.Diff(want, tools.DefOf(plain)); diff != "" {
		t.Error(diff)
	}
	if !tools.AnyCapability.Has(tools.Writes|tools.Executes) || tools.Reads.Has(tools.Reads|tools.Writes) {
		t.Error("Has")
	}
	if diff := cmp.Diff(tools.Caller{}, tools.CallerFrom(t.Context())); diff != "" {
		t.Error(diff)
	}
	me := tools.Caller{Chat: "main", User: "1", Principal: event.Principal{Platform: "cli", Scope: "private", Level: tools.Owner}, RequestID: "r"}
	if diff := cmp.Diff(me, tools.CallerFrom(tools.WithCaller(t.Context(), me))); diff != "" {
		t.Error(diff)
	}
	if !(tools.User < tools.GroupAdmin && tools.GroupAdmin < tools.GroupOwner && tools.GroupOwner < tools.BotAdmin && tools.BotAdmin < tools.Owner) {
		t.Error("the levels do not rise")
	}
}
