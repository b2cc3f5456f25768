// Package agenttest has the fakes with which turns are tested: tools, a gate, a model that is a
// function, and what is read of the bodies that a turn emits.
package agenttest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/llm"
	"hob/internal/tools"
)

type path struct {
	Path string `json:"path"`
}

// Tools are the tools of the conversations: look, write, run, and burst, which panics. look never takes a path that begins
// with "outside".
func Tools() []tools.Tool {
	failed := false
	return []tools.Tool{
		tools.New(tools.Def{Name: "look", Description: "looks", Capabilities: tools.Reads, Check: tools.CheckArgs(checkInside)}, func(_ context.Context, in path) (tools.Result, error) {
			if strings.HasPrefix(in.Path, "long") {
				return tools.Result{Text: strings.Repeat("a line of a long result\n", 200)}, nil
			}
			if strings.Contains(in.Path, "same") {
				return tools.Result{Text: "it is the same"}, nil
			}
			if in.Path == "flaky" && !failed {
				failed = true
				return tools.Result{}, &tools.Error{Type: event.TypeTimeout, Code: event.CodeTimeout, Message: "it took too long", Retryable: true}
			}
			if strings.HasPrefix(in.Path, "gone") {
				return tools.Result{}, &tools.Error{Type: event.TypeNotFound, Code: event.CodeFileNotFound,
					Message: "there is no file gone", Suggestion: "list the files first"}
			}
			return tools.Result{Text: strings.Repeat("line of "+in.Path+"\n", 20)}, nil
		}),
		tools.New(tools.Def{Name: "write", Description: "writes", Capabilities: tools.Writes}, func(_ context.Context, in path) (tools.Result, error) {
			if strings.HasPrefix(in.Path, "touch") {
				return tools.Result{Text: "done"}, nil
			}
			return tools.Result{Text: "wrote " + in.Path, Effects: []event.Effect{{Kind: "wrote", Target: in.Path}}}, nil
		}),
		tools.New(tools.Def{Name: "run", Description: "runs", Capabilities: tools.Executes}, func(context.Context, path) (tools.Result, error) {
			return tools.Result{Text: "ran"}, nil
		}),
		burst(),
	}
}

func checkInside(in path) error {
	if strings.HasPrefix(in.Path, "outside") {
		return &tools.Error{Type: event.TypePermission, Code: event.CodePermissionDenied, Message: "that is out of reach"}
	}
	return nil
}

// Gate denies "run" and permits everything else.
type Gate struct{}

// Permit implements [agent.Gate].
func (Gate) Permit(ctx context.Context, t tools.Tool, _ llm.Call) (context.Context, error) {
	if t.Name() == "run" {
		return nil, Denial("denied by the user", "")
	}
	return ctx, nil
}

// Denial is a refusal as policy words it.
func Denial(message, rule string) *agent.Denied {
	return &agent.Denied{Rule: rule, Err: &tools.Error{Type: event.TypePermission, Code: event.CodePermissionDenied, Message: message,
		Suggestion: "do not retry; continue without it, or say what you would need"}}
}

// Blobs numbers what it is given.
type Blobs struct{ texts []string }

// Put implements [agent.BlobStore].
func (b *Blobs) Put(_ context.Context, text string, _ event.Label) (string, error) {
	b.texts = append(b.texts, text)
	return fmt.Sprint("out:", len(b.texts)), nil
}

// Clock is a clock that stands still.
func Clock() func() time.Time {
	return func() time.Time { return time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC) }
}

// ModelFunc is a model that is a function.
type ModelFunc func(context.Context, llm.Request, func(llm.Delta)) (*llm.Reply, error)

// Chat implements [llm.Model].
func (f ModelFunc) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	return f(ctx, req, onDelta)
}

// Reply is a step that replies so.
func Reply(r llm.Reply) llm.Step {
	return func(context.Context, llm.Request, func(llm.Delta)) (*llm.Reply, error) { return &r, nil }
}

// SanitizerFunc is a sanitizer that is a function.
type SanitizerFunc func(event.Returned) event.Returned

// Sanitize implements [agent.Sanitizer].
func (s SanitizerFunc) Sanitize(r event.Returned) event.Returned { return s(r) }

// Collector keeps what is emitted.
type Collector struct{ Bodies []event.Body }

// Emit is an [agent.Emit].
func (c *Collector) Emit(bodies ...event.Body) error {
	for _, b := range bodies {
		if _, ok := b.(event.Delta); !ok {
			c.Bodies = append(c.Bodies, b)
		}
	}
	return nil
}

// Play runs a turn and returns the bodies that it emitted.
func Play(t *testing.T, ctx context.Context, model llm.Model, turn agent.Turn) (words string, bodies []event.Body) {
	t.Helper()
	if turn.History == nil {
		turn.History = []llm.Message{{Role: llm.UserRole, Text: "go"}}
	}
	turn.Budget = agent.Budget{Steps: 30, Calls: 30, Time: time.Minute, Output: 1000}
	words, err := agent.New(model, Gate{}, nil, nil, Clock()).Run(ctx, turn, func(all ...event.Body) error {
		bodies = append(bodies, all...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return words, bodies
}

// WithBudget is a turn with a budget that is large enough.
func WithBudget(t agent.Turn) agent.Turn {
	t.Budget = agent.Budget{Steps: 30, Calls: 30, Time: time.Minute, Output: 100_000}
	return t
}

// Resumed is a turn as it stands once bodies were journaled, for a process that has not lived through
// it. The conversation may have been made shorter meanwhile.
func Resumed(t agent.Turn, journal []event.Body) agent.Turn {
	for _, b := range journal {
		t = t.Record(b)
		if c, ok := b.(event.Compacted); ok {
			t.History, t.Begin = slices.Clone(c.Messages), c.Begin
		}
	}
	return t
}

// Names are the types of bodies, with blanks between them.
func Names(bodies []event.Body) string {
	return strings.Join(lists.Map(bodies, event.Body.Type), " ")
}

// Of are the bodies of one type.
func Of[B event.Body](bodies []event.Body) (all []B) {
	for _, b := range bodies {
		if one, ok := b.(B); ok {
			all = append(all, one)
		}
	}
	return all
}

// Results are the results among bodies, without what they took.
func Results(bodies []event.Body) []event.Returned {
	all := Of[event.Returned](bodies)
	for i := range all {
		all[i].DurationMS = 0
	}
	return all
}

// ReplyText is the text of the one reply among bodies, or "".
func ReplyText(bodies []event.Body) string {
	if all := Of[event.Replied](bodies); len(all) == 1 {
		return all[0].Text
	}
	return ""
}

// EndReason is the reason with which a turn ended.
func EndReason(t *testing.T, bodies []event.Body) event.Reason {
	t.Helper()
	if err := Whole(bodies); err != nil {
		t.Fatal(err)
	}
	return bodies[len(bodies)-1].(event.Ended).Reason
}

// Whole says what is wrong with the record of a turn that is over.
func Whole(bodies []event.Body) error {
	count := map[string]int{}
	open := map[string]int{}
	for _, b := range bodies {
		count[b.Type()]++
		switch b := b.(type) {
		case event.Called:
			open[b.ID]++
		case event.Returned:
			open[b.ID] += 100
		case event.Delta:
			if b.Text != "" || b.Restart {
				return fmt.Errorf("%+v was shown before it was checked", b)
			}
		case event.Replied:
			if strings.TrimSpace(b.Text) == "" {
				return errors.New("the reply is empty")
			}
		}
	}
	for id, n := range open {
		if n != 101 {
			return fmt.Errorf("call %s was called and answered %d times (called + 100 for each answer)", id, n)
		}
	}
	last := ""
	if n := len(bodies); n > 0 {
		last = bodies[n-1].Type()
	}
	if count["replied"] != 1 || count["ended"] != 1 || last != "ended" {
		return fmt.Errorf("%d replies, %d ends, the last is %q", count["replied"], count["ended"], last)
	}
	return nil
}

// Illegal says how messages are no conversation, or nothing.
func Illegal(messages []llm.Message) error {
	open := map[string]bool{}
	for i, m := range messages {
		if m.Role == llm.ToolRole {
			if !open[m.CallID] {
				return fmt.Errorf("message %d answers %q, which nobody called", i, m.CallID)
			}
			delete(open, m.CallID)
			continue
		}
		if len(open) > 0 {
			return fmt.Errorf("message %d comes before calls were answered: %v", i, open)
		}
		for _, c := range m.Calls {
			if open[c.ID] {
				return fmt.Errorf("message %d calls %q twice", i, c.ID)
			}
			open[c.ID] = true
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("it ends with calls without result: %v", open)
	}
	return nil
}

// Misbehave is one of the things that models and servers do.
func Misbehave(kind, n int) llm.Step {
	call := func(name, args string) llm.Step {
		return llm.Do(llm.Call{ID: fmt.Sprint(n % 3), Name: name, Args: json.RawMessage(args)})
	}
	switch kind {
	case 0:
		return llm.Say(fmt.Sprintf("It is %d.", n))
	case 1:
		return llm.Say("")
	case 2:
		return Reply(llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Thinking: "hm"}})
	case 3:
		return Reply(llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: `{"name": "write", "arguments": {"path": "a`}, Truncated: true})
	case 4:
		return llm.Fail(llm.Malformed, "the server could not read it")
	case 5:
		return llm.Fail(llm.ContextExceeded, "it is too long")
	case 6:
		return func(_ context.Context, _ llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
			onDelta(llm.Delta{Text: "Half a"})
			return nil, &llm.Error{Kind: llm.Incomplete, Message: "it broke off", Retry: true}
		}
	case 7:
		return call("look", `{"path":"a"}`)
	case 8:
		return call("look", fmt.Sprintf(`{"path":"%d"}`, n))
	case 9:
		return call("write", `{"path":"a"}`)
	case 10:
		return call("run", fmt.Sprintf(`{"path":"%d"}`, n))
	case 11:
		return call("dance", `{}`)
	case 12:
		return call("look", `{"paht":"a"}`)
	case 13:
		return call("look", `{"path":"long"}`)
	case 14:
		return llm.Say(fmt.Sprintf(`{"tool": "look", "arguments": {"path": "%d"}}`, n))
	}
	return llm.Say("I have saved it to a.")
}
