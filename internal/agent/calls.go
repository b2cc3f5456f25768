package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/tools"
)

// maxTogether is how many independent reads run at the same time.
const maxTogether = 8

// maxData is how many bytes of JSON a result's data may have.
const maxData = 1 << 20

// answer gives every pending call its result and returns the turn that follows. Reads that stand together run
// together; everything else runs alone, in order. Results are emitted in the order of the calls.
func (a *Agent) answer(ctx context.Context, t Turn, pending []llm.Call, emit Emit) (Turn, error) {
	for len(pending) > 0 {
		n := together(pending, t.Tools)
		results, next, err := a.group(ctx, t, pending[:n], emit)
		if err != nil {
			return t, err
		}
		t, pending = next, pending[n:]
		for _, r := range results {
			t = t.with(r)
		}
	}
	return t, nil
}

// together returns how many of the first calls may run at the same time.
func together(calls []llm.Call, all []tools.Tool) int {
	n := 0
	for n < len(calls) && n < maxTogether {
		if t := byName(all, calls[n].Name); t == nil || !tools.DefOf(t).Powers.Repeatable() {
			break
		}
		n++
	}
	return max(n, 1)
}

// group prepares calls one after the other, runs those that may run, and emits their results.
func (a *Agent) group(ctx context.Context, t Turn, calls []llm.Call, emit Emit) ([]event.Returned, Turn, error) {
	results := make([]event.Returned, len(calls))
	runs := make([]tools.Tool, len(calls))
	calls = slices.Clone(calls)
	for i := range calls {
		c := &calls[i]
		tool, err := a.prepare(ctx, &t, c, emit)
		refusal := (*tools.Error)(nil)
		if errors.As(err, &refusal) {
			results[i] = returned(*c, tools.Result{}, refusal, t.Budget.Result)
		} else if err != nil {
			return nil, t, err
		}
		runs[i] = tool
	}
	began := a.now()
	runCtx, cancel := context.WithTimeoutCause(ctx, t.Budget.Time, errTime)
	defer cancel()
	var wg sync.WaitGroup
	for i, tool := range runs {
		if tool == nil {
			continue
		}
		wg.Go(func() {
			start := a.now()
			res, err := tools.Call(runCtx, tool, calls[i].Args)
			results[i] = returned(calls[i], res, err, t.Budget.Result)
			results[i].DurationMS = a.now().Sub(start).Milliseconds()
		})
	}
	wg.Wait()
	if ctx.Err() != nil && !stopped(ctx) {
		// The process is going down: what was cancelled has no result, so that a restart knows it was cut short.
		return nil, t, fmt.Errorf("run tools: %w", context.Cause(ctx))
	}
	t.Budget.Time -= a.now().Sub(began)
	t.Spent.Calls += len(calls)
	bodies := make([]event.Body, len(results))
	for i := range results {
		bodies[i] = results[i]
	}
	return results, t, emit(bodies...)
}

// prepare resolves, validates and permits a call and makes its arguments canonical: exactly what was permitted runs. It
// returns the tool to run, or a *[tools.Error] that is the call's result, or an error that ends the turn.
func (a *Agent) prepare(ctx context.Context, t *Turn, c *llm.Call, emit Emit) (tools.Tool, error) {
	switch {
	case stopped(ctx):
		return nil, Stopped()
	case t.Spent.Last || t.Budget.Calls <= 0 || t.Budget.Time <= 0:
		return nil, &tools.Error{Type: event.TypeRateLimit, Code: event.CodeRateLimitExceeded,
			Message: "refused: this turn's budget is used up", Suggestion: "answer with what you have"}
	}
	t.Budget.Calls--
	tool := byName(t.Tools, c.Name)
	if tool == nil {
		return nil, tools.NotFound(c.Name, t.Tools)
	}
	if err := tools.Validate(tool, c.Args); err != nil {
		return nil, err
	}
	args, err := tools.Canonical(c.Args)
	if err != nil {
		return nil, &tools.Error{Type: event.TypeValidation, Code: event.CodeInvalidFormat, Message: err.Error()}
	}
	c.Args = args
	if err := a.gate.Permit(ctx, tool, *c, emit); err != nil {
		if refusal := (*tools.Error)(nil); errors.As(err, &refusal) && refusal.Type == event.TypePermission {
			t.Spent.Denied++
		}
		return nil, err
	}
	t.Spent.Allowed++
	if tools.DefOf(tool).Powers.Repeatable() {
		return tool, nil
	}
	return tool, emit(event.Started{CallID: c.ID})
}

// returned is the result of a call as the model and the journal get it.
func returned(c llm.Call, res tools.Result, err error, limit int) event.Returned {
	r := event.Returned{ID: c.ID, Tool: c.Name, OK: err == nil, Effects: res.Effects}
	if raw, err := json.Marshal(res.Data); err != nil || len(raw) > maxData {
		res.Text += "\n[its data is left out: it is too long, or no JSON]" // what cannot be journaled must not break the turn
	} else {
		r.Data = res.Data
	}
	if err == nil {
		r.Text = cut(res.Text, limit)
		return r
	}
	if !errors.As(err, &r.Error) {
		r.Error = &tools.Error{Type: event.TypeUnknown, Code: event.CodeExecutionFailed, Message: err.Error()}
	}
	r.Text = "error: " + r.Error.Message
	if r.Error.Suggestion != "" {
		r.Text += "; " + r.Error.Suggestion
	}
	r.Text = cut(r.Text, limit)
	return r
}

func byName(all []tools.Tool, name string) tools.Tool {
	for _, t := range all {
		if t.Name() == name {
			return t
		}
	}
	return nil
}

// Interrupted is the result of a call that had started when the process died: nobody knows what it did.
func Interrupted(c llm.Call) event.Returned {
	return returned(c, tools.Result{}, &tools.Error{
		Type: event.TypeExecution, Code: event.CodeExecutionFailed,
		Message:    "interrupted: hob was restarted while this ran, its outcome is unknown and it was not run again",
		Suggestion: "check what it did before you repeat it",
	}, 0)
}

// NotRun is the result of a call that never began because its turn was given up.
func NotRun(c llm.Call) event.Returned {
	return returned(c, tools.Result{}, stoppedBefore("it was not run: the turn was given up"), 0)
}

// Stopped is the result of a call whose turn was stopped before it ran.
func Stopped() *tools.Error { return stoppedBefore("stopped by the user before it ran") }

func stoppedBefore(message string) *tools.Error {
	return &tools.Error{Type: event.TypeExecution, Code: event.CodeCancelled, Message: message}
}

// Denied is the result of a call that a person, or nobody, allowed.
func Denied(by string) *tools.Error {
	msg := "denied by the user"
	if by == "nobody" {
		msg = "denied: nobody is there to allow it"
	}
	return &tools.Error{Type: event.TypePermission, Code: event.CodePermissionDenied, Message: msg,
		Suggestion: "do not retry; continue without it, or say what you would need"}
}
