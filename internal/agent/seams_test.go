package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/agent"
	"hob/internal/agent/agenttest"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/window"
	"hob/internal/tools"
)

// permits is a gate that is a function.
type permits func(ctx context.Context, t tools.Tool, c llm.Call) (context.Context, error)

func (p permits) Permit(ctx context.Context, t tools.Tool, c llm.Call) (context.Context, error) {
	return p(ctx, t, c)
}

// asked is a turn that somebody has just begun.
func asked(all ...tools.Tool) agent.Turn {
	return agent.Turn{Tools: all, Budget: agent.Budget{Steps: 30, Calls: 30, Time: time.Hour, Output: 1000}, History: []llm.Message{{Role: llm.UserRole, Text: "go"}}}
}

// A call of a tool that is kept from the model is refused by the rule that keeps it, whether or not
// the tool was ever offered. A call of a tool that does not exist is still answered as such.
func TestWithheldTools(t *testing.T) {
	withheld := func(name string) *agent.Denied {
		switch name {
		case "switched_off":
			return &agent.Denied{Rule: "tool-disabled", Err: &tools.Error{Type: event.TypeDisabled, Code: event.CodeToolDisabled, Message: "switched_off is disabled"}}
		case "too_high":
			return agenttest.Denial("too_high is not for you", "level")
		case "cancelled":
			return agent.Stopped()
		}
		return nil
	}
	for _, c := range []struct{ tool, by, rule, code string }{
		{"switched_off", "gate", "tool-disabled", event.CodeToolDisabled},
		{"too_high", "gate", "level", event.CodePermissionDenied},
		{"cancelled", "stop", "", event.CodeCancelled},
		{"there_is_none", "check", "", event.CodeToolNotFound},
	} {
		call := llm.CallOf(1, c.tool, map[string]string{"path": "a"})
		for _, resumed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, resumed %t", c.tool, resumed), func(t *testing.T) {
				turn, script := asked(agenttest.Tools()...), llm.NewScript(llm.Do(call), llm.Say("I may not."))
				turn.Denied = withheld
				var out agenttest.Collector
				if resumed {
					turn.History = append(turn.History, llm.Message{Role: llm.AssistantRole, Calls: []llm.Call{call}})
					turn.Progress = turn.Progress.Add(event.Called{ID: call.ID, Tool: call.Name, Args: call.Args})
					script = llm.NewScript(llm.Say("I may not."))
				}
				if _, err := agent.New(script, agenttest.Gate{}, nil, nil, agenttest.Clock()).Run(t.Context(), turn, out.Emit); err != nil {
					t.Fatal(err)
				}
				got := agenttest.Results(out.Bodies)
				if len(got) != 1 || got[0].OK || got[0].By != c.by || got[0].Rule != c.rule || got[0].Error.Code != c.code {
					t.Errorf("the results are %+v", got)
				}
				want := event.Done
				if c.by == "gate" {
					want = event.Denied
				}
				if end := out.Bodies[len(out.Bodies)-1].(event.Ended); end.Reason != want {
					t.Errorf("it ended %q, want %q", end.Reason, want)
				}
			})
		}
	}
}

// Nobody is asked about a call that can never work: its arguments are refused first, with a hint
// for the owner.
func TestArgumentsAreCheckedBeforeTheGate(t *testing.T) {
	tool := tools.New(tools.Def{Name: "fly", Check: func(json.RawMessage) error {
		return &tools.HintedError{Err: tools.Invalid(event.CodeInvalidValue, "nobody flies to the sun"), Hint: "buy wings"}
	}}, func(context.Context, struct{}) (tools.Result, error) {
		t.Error("it ran")
		return tools.Result{}, nil
	})
	gate := permits(func(ctx context.Context, _ tools.Tool, _ llm.Call) (context.Context, error) {
		t.Error("the gate was asked")
		return ctx, nil
	})
	script := llm.NewScript(llm.Do(llm.CallOf(1, "fly", map[string]string{})), llm.Say("I cannot."))
	var out agenttest.Collector
	if _, err := agent.New(script, gate, nil, nil, agenttest.Clock()).Run(t.Context(), asked(tool), out.Emit); err != nil {
		t.Fatal(err)
	}
	want := []event.Returned{{ID: "fly-1", Tool: "fly", By: "check", Data: tools.Hint{Hint: "buy wings"}, Text: "error: nobody flies to the sun",
		Error: tools.Invalid(event.CodeInvalidValue, "nobody flies to the sun")}}
	if diff := cmp.Diff(want, agenttest.Results(out.Bodies)); diff != "" {
		t.Error(diff)
	}
}

// A denial of the gate reaches the model and the journal with its rule.
func TestADenialHasItsRule(t *testing.T) {
	deny := permits(func(context.Context, tools.Tool, llm.Call) (context.Context, error) {
		return nil, fmt.Errorf("judge: %w", agenttest.Denial("it would leave the machine", "private-data"))
	})
	script := llm.NewScript(llm.Do(llm.CallOf(1, "write", map[string]string{"path": "a"})), llm.Say("I may not."))
	var out agenttest.Collector
	if _, err := agent.New(script, deny, nil, nil, agenttest.Clock()).Run(t.Context(), asked(agenttest.Tools()...), out.Emit); err != nil {
		t.Fatal(err)
	}
	want := []event.Returned{{ID: "write-1", Tool: "write", By: "gate", Rule: "private-data", Error: agenttest.Denial("it would leave the machine", "").Err,
		Text: "error: it would leave the machine; do not retry; continue without it, or say what you would need"}}
	if diff := cmp.Diff(want, agenttest.Results(out.Bodies)); diff != "" {
		t.Error(diff)
	}
}

// A turn that is stopped while a person is asked never acts, whatever the gate says then.
func TestStoppedWhileAPersonIsAsked(t *testing.T) {
	for name, after := range map[string]func(context.Context) (context.Context, error){
		"and is allowed all the same": func(ctx context.Context) (context.Context, error) { return ctx, nil },
		"and the gate knows":          func(context.Context) (context.Context, error) { return nil, agent.Stopped() },
		"and has a context of its own": func(ctx context.Context) (context.Context, error) {
			return context.WithoutCancel(ctx), nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ran := false
				act := tools.New(tools.Def{Name: "act", Description: "acts", Capabilities: tools.Writes}, func(context.Context, struct{}) (tools.Result, error) {
					ran = true
					return tools.Result{Text: "done"}, nil
				})
				ctx, stop := context.WithCancelCause(t.Context())
				go func() {
					synctest.Wait()
					stop(agent.ErrStopped)
				}()
				waits := permits(func(ctx context.Context, _ tools.Tool, _ llm.Call) (context.Context, error) {
					<-ctx.Done()
					return after(ctx)
				})
				var out agenttest.Collector
				script := llm.NewScript(llm.Do(llm.CallOf(1, "act", struct{}{}), llm.CallOf(2, "act", struct{}{})))
				if _, err := agent.New(script, waits, nil, nil, time.Now).Run(ctx, asked(act), out.Emit); err != nil {
					t.Fatal(err)
				}
				got := agenttest.Results(out.Bodies)
				if ran || len(got) != 2 || got[0].By != "stop" || got[1].By != "stop" || got[0].Error.Code != event.CodeCancelled {
					t.Errorf("ran = %t, results %+v", ran, got)
				}
				for _, b := range out.Bodies {
					if _, ok := b.(event.Started); ok {
						t.Error("it is journaled as begun")
					}
				}
			})
		})
	}
}

type callerOf struct{}

// A call runs in the context that the gate returned for it, and its result is stored in that context.
func TestACallRunsInTheContextOfItsPermit(t *testing.T) {
	tag := permits(func(ctx context.Context, _ tools.Tool, c llm.Call) (context.Context, error) {
		return context.WithValue(ctx, callerOf{}, c.ID), nil
	})
	who := func(ctx context.Context) string { return fmt.Sprint(ctx.Value(callerOf{})) }
	tell := func(ctx context.Context, _ struct{}) (tools.Result, error) {
		return tools.Result{Text: who(ctx) + strings.Repeat(" and so on", 500)}, nil
	}
	look := tools.New(tools.Def{Name: "look", Description: "looks", Capabilities: tools.Reads}, tell)
	act := tools.New(tools.Def{Name: "act", Description: "acts", Capabilities: tools.Writes}, tell)
	var put []string
	blobs := puts(func(ctx context.Context, text string, _ event.Label) (string, error) {
		first, _, _ := strings.Cut(text, " ")
		put = append(put, who(ctx)+" puts "+first)
		return fmt.Sprint("out:", len(put)), nil
	})
	turn := asked(look, act)
	turn.Window = window.Window{Size: 8192, Reserve: 500}
	var out agenttest.Collector
	script := llm.NewScript(llm.Do(llm.CallOf(1, "look", struct{}{})), llm.Do(llm.CallOf(2, "act", struct{}{})), llm.Say("Seen."))
	if _, err := agent.New(script, tag, nil, blobs, agenttest.Clock()).Run(t.Context(), turn, out.Emit); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"look-1 puts look-1", "act-2 puts act-2"}, put); diff != "" {
		t.Error(diff)
	}
}

// puts is a store of blobs that is a function.
type puts func(ctx context.Context, text string, from event.Label) (string, error)

func (p puts) Put(ctx context.Context, text string, from event.Label) (string, error) {
	return p(ctx, text, from)
}

// The sanitizer has a result first: the blobs, the journal and the model get what it left. Errors
// go through it, too.
func TestTheSanitizerIsFirst(t *testing.T) {
	const secret = "hunter2"
	label := event.Label{Untrusted: true, Source: "web:example.org"}
	sanitizer := agenttest.SanitizerFunc(func(r event.Returned) event.Returned {
		r.Text = strings.ReplaceAll(r.Text, secret, "***")
		if r.Error != nil {
			e := *r.Error
			e.Message = strings.ReplaceAll(e.Message, secret, "***")
			r.Error = &e
		}
		r.Label, r.Fence = label, "f3nce"
		return r
	})
	look := tools.New(tools.Def{Name: "look", Description: "looks", Capabilities: tools.Reads}, func(_ context.Context, in struct{ Fail bool }) (tools.Result, error) {
		if in.Fail {
			return tools.Result{}, fmt.Errorf("cannot log in with %s", secret)
		}
		return tools.Result{Text: strings.Repeat("it is "+secret+"\n", 500)}, nil
	})
	var put []string
	var from []event.Label
	blobs := puts(func(_ context.Context, text string, l event.Label) (string, error) {
		put, from = append(put, text), append(from, l)
		return "out:1", nil
	})
	turn := asked(look)
	turn.Window = window.Window{Size: 8192, Reserve: 500}
	var out agenttest.Collector
	script := llm.NewScript(llm.Do(llm.CallOf(1, "look", map[string]bool{"Fail": false}), llm.CallOf(2, "look", map[string]bool{"Fail": true})), llm.Say("Seen."))
	if _, err := agent.New(script, agenttest.Gate{}, sanitizer, blobs, agenttest.Clock()).Run(t.Context(), turn, out.Emit); err != nil {
		t.Fatal(err)
	}
	sent, _ := json.Marshal(script.Requests())
	journaled := ""
	for _, b := range out.Bodies {
		raw, err := event.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		journaled += string(raw)
	}
	for where, text := range map[string]string{"the blobs": strings.Join(put, ""), "the journal": journaled, "the requests": string(sent)} {
		if strings.Contains(text, secret) || !strings.Contains(text, "***") {
			t.Errorf("%s is not what the sanitizer left: %.300s", where, text)
		}
	}
	if diff := cmp.Diff([]event.Label{label}, from); diff != "" {
		t.Errorf("the blob has another label: %s", diff)
	}
	if n := strings.Count(string(sent), "[f3nce]"); n != 2 {
		t.Errorf("%d results are fenced for the model, want both", n)
	}
}

// The same read made again is answered with what was read, fenced anew by the same fence and with
// its label.
func TestTheSameReadAgainKeepsItsFence(t *testing.T) {
	label := event.Label{Untrusted: true, Source: "web:example.org"}
	n := 0
	sanitizer := agenttest.SanitizerFunc(func(r event.Returned) event.Returned {
		n++
		r.Label, r.Fence = label, fmt.Sprint("fence", n)
		return r
	})
	look := llm.Do(llm.CallOf(1, "look", map[string]string{"path": "a"}))
	script := llm.NewScript(look, look, look, llm.Say("Seen."))
	var out agenttest.Collector
	if _, err := agent.New(script, agenttest.Gate{}, sanitizer, nil, agenttest.Clock()).Run(t.Context(), asked(agenttest.Tools()...), out.Emit); err != nil {
		t.Fatal(err)
	}
	got := agenttest.Results(out.Bodies)
	if len(got) != 3 || n != 1 {
		t.Fatalf("%d results, %d went through the sanitizer", len(got), n)
	}
	for i, r := range got {
		if r.Label != label {
			t.Errorf("result %d has label %+v", i+1, r.Label)
		}
		if i > 0 && r.By != "cache" {
			t.Errorf("result %d is by %q", i+1, r.By)
		}
		m, _ := event.Message(r)
		if strings.Count(m.Text, "information from web:example.org") != 1 || !strings.Contains(m.Text, "line of a\n") {
			t.Errorf("the model reads result %d as %q", i+1, m.Text)
		}
	}
}

// A call of a tool that replays is never answered with an earlier result.
func TestReplaysAreNotCached(t *testing.T) {
	for _, powers := range []tools.Capabilities{tools.Reads, tools.Reads | tools.Replays} {
		n := 0
		look := tools.New(tools.Def{Name: "glance", Description: "looks", Capabilities: powers}, func(context.Context, struct{}) (tools.Result, error) {
			n++
			return tools.Result{Text: strings.Repeat("the same ", 30)}, nil
		})
		glance := llm.Do(llm.CallOf(1, "glance", struct{}{}))
		agenttest.Play(t, t.Context(), llm.NewScript(glance, glance, llm.Say("Seen.")), agent.Turn{Tools: []tools.Tool{look}})
		if want := 1 + int(min(powers&tools.Replays, 1)); n != want {
			t.Errorf("with the powers %b it ran %d times, want %d", powers, n, want)
		}
	}
}
