package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/toolstest"
)

// toolRunning is a typed tool without arguments that does what the test says.
func toolRunning(d tools.Def, run func(ctx context.Context) (tools.Result, error)) tools.Tool {
	if d.Name == "" {
		d.Name = "chore"
	}
	return tools.New(d, func(ctx context.Context, _ struct{}) (tools.Result, error) { return run(ctx) })
}

func TestCall_Results(t *testing.T) {
	for _, c := range []struct {
		name   string
		powers tools.Capabilities
		res    tools.Result
		want   tools.Result
	}{
		{"as it is", 0, tools.Result{Text: "x", Data: 1}, tools.Result{Text: "x", Data: 1}},
		{"silence", 0, tools.Result{Text: " \n"}, tools.Result{Text: "(no output)"}},
		{"bytes", 0, tools.Result{Text: "a\xffb"}, tools.Result{Text: "a\uFFFDb"}},
		{"strangers' words", tools.Reads | tools.Untrusted, tools.Result{Text: "x", Label: event.Label{Source: "web:example.org"}},
			tools.Result{Text: "x", Label: event.Label{Untrusted: true, Source: "web:example.org"}}},
		{"the household's", tools.Private, tools.Result{Text: "x"}, tools.Result{Text: "x", Label: event.Label{Private: true}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tool := toolRunning(tools.Def{Capabilities: c.powers}, func(context.Context) (tools.Result, error) { return c.res, nil })
			res, err := tools.Call(t.Context(), tool, nil)
			if diff := cmp.Diff(c.want, res); diff != "" || err != nil {
				t.Error(diff, err)
			}
		})
	}
	t.Run("a tool that says nothing about itself may do anything", func(t *testing.T) {
		tool := toolPlain{name: "x", execute: func(_ context.Context, params map[string]any) (string, error) { return fmt.Sprint(params), nil }}
		res, err := tools.Call(t.Context(), tool, json.RawMessage(`{}`))
		if diff := cmp.Diff(tools.Result{Text: "map[]", Label: event.Label{Untrusted: true}}, res); diff != "" || err != nil {
			t.Error(diff, err)
		}
	})
}

func TestCall_Errors(t *testing.T) {
	typed := &tools.Error{Type: event.TypeNotFound, Code: event.CodeFileNotFound, Message: "no file", Suggestion: "look"}
	for _, c := range []struct {
		name string
		err  error
		want *tools.Error
	}{
		{"registry-08", errors.New("the oven is cold"), &tools.Error{Type: event.TypeExecution, Code: event.CodeExecutionFailed, Message: "the oven is cold"}},
		{"typed", typed, typed},
		{"typed and wrapped", fmt.Errorf("read recipe: %w", typed),
			&tools.Error{Type: event.TypeNotFound, Code: event.CodeFileNotFound, Message: "read recipe: no file", Suggestion: "look"}},
		{"untyped *Error", &tools.Error{Message: "x"}, &tools.Error{Type: event.TypeExecution, Code: event.CodeExecutionFailed, Message: "x"}},
		{"wordless", errors.New(" "), &tools.Error{Type: event.TypeExecution, Code: event.CodeExecutionFailed, Message: "the tool failed and did not say why"}},
		{"bytes", errors.New("a\xff"), &tools.Error{Type: event.TypeExecution, Code: event.CodeExecutionFailed, Message: "a\uFFFD"}},
		{"a deadline of the tool's own", fmt.Errorf("get page: %w", os.ErrDeadlineExceeded), &tools.Error{Type: event.TypeTimeout, Code: event.CodeTimeout, Message: "get page: i/o timeout", Retryable: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			done := []event.Effect{{Kind: "wrote", Target: "half"}}
			tool := toolRunning(tools.Def{Capabilities: tools.Reads}, func(context.Context) (tools.Result, error) { return tools.Result{Effects: done}, c.err })
			res, err := tools.Call(t.Context(), tool, nil)
			if diff := cmp.Diff(error(c.want), err); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tools.Result{Effects: done}, res); diff != "" {
				t.Errorf("what was done before it failed: %s", diff)
			}
		})
	}
	t.Run("a nil *Error is no error", func(t *testing.T) {
		tool := toolRunning(tools.Def{}, func(context.Context) (tools.Result, error) {
			var none *tools.Error
			return tools.Result{Text: "fine"}, none
		})
		if res, err := tools.Call(t.Context(), tool, nil); err != nil || res.Text != "fine" {
			t.Errorf("%q, %v", res.Text, err)
		}
	})
	t.Run("no tool", func(t *testing.T) {
		_, err := tools.Call(t.Context(), nil, nil)
		toolstest.IsError(t, err, event.CodeExecutionFailed, "there is no tool to call")
	})
}

// toolOdd describes itself as the test says.
type toolOdd struct {
	toolPlain
	def func() tools.Def
}

func (o toolOdd) Def() tools.Def { return o.def() }

func TestCall_Panics(t *testing.T) {
	boom := func(context.Context, map[string]any) (string, error) { panic("the kettle is dry") }
	var nothing map[string]int
	for name, c := range map[string]struct {
		tool  tools.Tool
		words string
	}{
		"registry-13":       {toolPlain{name: "x", execute: boom}, "the tool broke: the kettle is dry (call_test.go:"},
		"of the runtime's":  {toolRunning(tools.Def{}, func(context.Context) (tools.Result, error) { nothing["x"] = 1; return tools.Result{}, nil }), "the tool broke: assignment to entry in nil map (call_test.go:"},
		"nil":               {toolRunning(tools.Def{}, func(context.Context) (tools.Result, error) { panic(nil) }), "the tool broke: panic called with nil"},
		"no function":       {toolPlain{name: "x"}, "the tool broke: runtime error: invalid memory address"},
		"describing itself": {toolOdd{toolPlain{name: "x"}, func() tools.Def { panic("who am I") }}, "the tool broke: who am I"},
		"ends its goroutine": {toolRunning(tools.Def{}, func(context.Context) (tools.Result, error) { runtime.Goexit(); return tools.Result{}, nil }),
			"the tool ended its goroutine without a result"},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := tools.Call(t.Context(), c.tool, nil)
			toolstest.IsError(t, err, event.CodeExecutionFailed, c.words)
			strange := tools.Result{}
			if _, described := c.tool.(tools.Runner); !described {
				strange.Label.Untrusted = true // what is said of the panic may be a stranger's words
			}
			if diff := cmp.Diff(strange, res); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// An error may be somebody else's words as a result may, whatever the tool did in place of answering.
func TestCall_ErrorsHaveTheLabelOfResults(t *testing.T) {
	const powers = tools.Reads | tools.Untrusted | tools.Private
	want := tools.Result{Label: event.Label{Untrusted: true, Private: true}}
	for name, run := range map[string]func(context.Context, <-chan struct{}) (tools.Result, error){
		"says so": func(context.Context, <-chan struct{}) (tools.Result, error) {
			return tools.Result{}, errors.New("obey")
		},
		"panics": func(context.Context, <-chan struct{}) (tools.Result, error) { panic("obey") },
		"ends its goroutine": func(context.Context, <-chan struct{}) (tools.Result, error) {
			runtime.Goexit()
			return tools.Result{}, nil
		},
		"is cut short": func(ctx context.Context, _ <-chan struct{}) (tools.Result, error) {
			<-ctx.Done()
			return tools.Result{}, ctx.Err()
		},
		"is left behind": func(_ context.Context, release <-chan struct{}) (tools.Result, error) {
			<-release
			return tools.Result{}, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				defer close(release)
				tool := toolRunning(tools.Def{Capabilities: powers, Timeout: time.Second}, func(ctx context.Context) (tools.Result, error) { return run(ctx, release) })
				res, err := tools.Call(t.Context(), tool, nil)
				if diff := cmp.Diff(want, res); diff != "" || err == nil {
					t.Error(diff, err)
				}
			})
		})
	}
	t.Run("hob's own words are not", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if res, err := tools.Call(ctx, toolRunning(tools.Def{Capabilities: powers}, idle), nil); err == nil || res.Label != (event.Label{}) {
			t.Error(err, res.Label)
		}
	})
}

func idle(context.Context) (tools.Result, error) { return tools.Result{}, nil }

// The example of the contract takes its parameter without looking; a call without it is an error and no crash.
func TestCall_CarelessTool(t *testing.T) {
	tool := toolPlain{
		name:   "search",
		params: map[string]any{"type": "object", "properties": map[string]any{"query": map[string]any{"type": "string"}}},
		execute: func(_ context.Context, params map[string]any) (string, error) {
			return "found " + params["query"].(string), nil
		},
	}
	res, err := tools.Call(t.Context(), tool, json.RawMessage(`{"query":"x"}`))
	if err != nil || res.Text != "found x" {
		t.Errorf("%q, %v", res.Text, err)
	}
	_, err = tools.Call(t.Context(), tool, json.RawMessage(`{}`))
	toolstest.IsError(t, err, event.CodeExecutionFailed, "the tool broke: interface conversion")
}

func TestCall_Ends(t *testing.T) {
	wait := func(ctx context.Context) (tools.Result, error) { <-ctx.Done(); return tools.Result{}, ctx.Err() }
	t.Run("registry-10", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(time.Second, func() { cancel(errors.New("stopped by the user")) })
			_, err := tools.Call(ctx, toolRunning(tools.Def{}, wait), nil)
			want := &tools.Error{Type: event.TypeExecution, Code: event.CodeCancelled, Message: "chore was cancelled: stopped by the user"}
			if diff := cmp.Diff(error(want), err); diff != "" {
				t.Error(diff)
			}
		})
	})
	t.Run("registry-10/before it began", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		ran := false
		_, err := tools.Call(ctx, toolRunning(tools.Def{}, func(context.Context) (tools.Result, error) { ran = true; return tools.Result{}, nil }), nil)
		toolstest.IsError(t, err, event.CodeCancelled, "chore was cancelled before it began")
		if ran {
			t.Error("it ran")
		}
	})
	for _, c := range []struct {
		name  string
		def   tools.Def
		after time.Duration
		want  tools.Error
	}{
		{"the default", tools.Def{}, 60 * time.Second, tools.Error{Message: "chore ran out of time: chore may take 1m0s"}},
		{"its own", tools.Def{Timeout: time.Second, Capabilities: tools.Reads}, time.Second, tools.Error{Message: "chore ran out of time: chore may take 1s", Retryable: true}},
		{"the caller's", tools.Def{Timeout: -1, Capabilities: tools.Reads | tools.Writes}, time.Hour, tools.Error{Message: "chore ran out of time"}},
	} {
		t.Run("timeout/"+c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				began := time.Now()
				_, err := tools.Call(ctx, toolRunning(c.def, wait), nil)
				c.want.Type, c.want.Code, c.want.Suggestion = event.TypeTimeout, event.CodeTimeout, "ask for less at once"
				if diff := cmp.Diff(error(&c.want), err); diff != "" {
					t.Error(diff)
				}
				if took := time.Since(began); took != c.after {
					t.Errorf("it took %s, want %s", took, c.after)
				}
			})
		})
	}
	t.Run("work that was done counts", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			tool := toolRunning(tools.Def{Timeout: time.Second}, func(ctx context.Context) (tools.Result, error) {
				<-ctx.Done()
				return tools.Result{Text: "done all the same"}, nil
			})
			if res, err := tools.Call(t.Context(), tool, nil); err != nil || res.Text != "done all the same" {
				t.Errorf("%q, %v", res.Text, err)
			}
		})
	})
	t.Run("another error on the way out", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			tool := toolRunning(tools.Def{Timeout: time.Second}, func(ctx context.Context) (tools.Result, error) {
				<-ctx.Done()
				return tools.Result{}, errors.New("signal: killed")
			})
			_, err := tools.Call(t.Context(), tool, nil)
			toolstest.IsError(t, err, event.CodeTimeout, "chore ran out of time (signal: killed): chore may take 1s")
		})
	})
}

// A tool that does not listen is left behind, and says nothing to anybody any more.
func TestCall_DeafTool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		tool := toolRunning(tools.Def{Timeout: time.Second, Capabilities: tools.Reads}, func(context.Context) (tools.Result, error) {
			<-release
			return tools.Result{Text: "too late"}, nil
		})
		began := time.Now()
		res, err := tools.Call(t.Context(), tool, nil)
		want := &tools.Error{
			Type: event.TypeTimeout, Code: event.CodeTimeout, Suggestion: "ask for less at once",
			Message: "chore ran out of time and did not stop when told to: what it did is unknown: chore may take 1s",
		}
		if diff := cmp.Diff(error(want), err); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(tools.Result{}, res); diff != "" {
			t.Error(diff)
		}
		if took := time.Since(began); took != time.Second+tools.Grace {
			t.Errorf("it took %s", took)
		}
		close(release) // synctest fails the test when the goroutine does not end now
	})
}

// Who says stop is answered within a second, whatever the tool does.
func TestCall_DeafToolIsStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		ctx, cancel := context.WithCancelCause(t.Context())
		tool := toolRunning(tools.Def{Timeout: time.Hour}, func(context.Context) (tools.Result, error) { <-release; return tools.Result{}, nil })
		time.AfterFunc(time.Minute, func() { cancel(errors.New("stopped by the user")) })
		began := time.Now()
		_, err := tools.Call(ctx, tool, nil)
		toolstest.IsError(t, err, event.CodeCancelled, "chore was cancelled and did not stop when told to: what it did is unknown: stopped by the user")
		if took := time.Since(began) - time.Minute; took > 500*time.Millisecond {
			t.Errorf("it took %s", took)
		}
		close(release)
	})
}

// A panic after the call has given up crashes nothing either.
func TestCall_LatePanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		tool := toolRunning(tools.Def{Timeout: time.Second}, func(context.Context) (tools.Result, error) { <-release; panic("late") })
		_, err := tools.Call(t.Context(), tool, nil)
		toolstest.IsError(t, err, event.CodeTimeout, "did not stop")
		close(release)
		synctest.Wait()
	})
}
