package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"hob/internal/event"
	"hob/internal/excerpt"
	"hob/internal/lists"
	"hob/internal/llm"
	"hob/internal/tools"
)

// maxTogether limits how many independent reads run in parallel.
const maxTogether = 8

// runCalls plays [RunCalls]: each waiting call gets its result. Neighbouring reads run in parallel,
// everything else alone and in order. Results are emitted in the order of the calls.
func (a *Agent) runCalls(ctx context.Context, t Turn, emit Emit) (_ Turn, _ Phase, err error) {
	for waiting := t.WaitingCalls(); len(waiting) > 0; {
		n := countParallel(waiting, t.callableTools())
		if t, err = a.runGroup(ctx, t, waiting[:n], emit); err != nil {
			return t, End, err
		}
		waiting = waiting[n:]
	}
	if t.state.ending != nil {
		return t, Finish, nil
	}
	return t, Resume, nil
}

// countParallel returns how many calls from the front may run in parallel.
func countParallel(calls []llm.Call, all []tools.Tool) int {
	n := 0
	for n < len(calls) && n < maxTogether {
		c := calls[n]
		if t := tools.Find(all, c.Name); t == nil || !tools.DefOf(t).Capabilities.Repeatable() {
			break
		}
		isSame := func(other llm.Call) bool { return callKey(other.Name, other.Args) == callKey(c.Name, c.Args) }
		if slices.ContainsFunc(calls[:n], isSame) {
			break // the same call as an earlier one: it gets a copy of that result
		}
		n++
	}
	return max(n, 1)
}

// runGroup vets the calls one after the other, runs the permitted ones in parallel, and emits
// all results.
func (a *Agent) runGroup(ctx context.Context, t Turn, calls []llm.Call, emit Emit) (Turn, error) {
	group := make([]groupCall, len(calls))
	for i, c := range calls {
		p, err := a.vetCall(ctx, t, c, i)
		if err != nil {
			return t, err
		}
		group[i] = p
	}
	leave, err := t.enter(ctx, group)
	if err != nil {
		return t, err
	}
	defer leave()
	if t, err = t.startGroup(ctx, group, emit); err != nil {
		return t, err
	}
	began := a.now()
	results := make([]event.Body, len(group))
	var wg sync.WaitGroup
	for i, p := range group {
		if !p.runs() {
			results[i] = a.sanitize(p.instead)
			continue
		}
		wg.Go(func() { results[i] = a.runCall(p, t) })
	}
	wg.Wait()
	if ctx.Err() != nil && !isStopped(ctx) {
		// The process is shutting down. A cancelled call gets no result, so that the restart knows
		// it was interrupted.
		return t, fmt.Errorf("run tools: %w", context.Cause(ctx))
	}
	before := t.Progress.Time
	t, err = t.Emit(emit, results...)
	t.Progress.Time = before + a.now().Sub(began) // parallel calls took this time once; a resumed turn counts each call in full
	return t, err
}

// groupCall is a call of a group: one that may run, or one with a result in place of its run.
type groupCall struct {
	ctx     context.Context // the context for the run
	call    llm.Call        // its arguments are canonical: exactly what was permitted
	tool    tools.Tool      // nil: the call does not run
	instead event.Returned
}

func (p groupCall) runs() bool { return p.tool != nil }

// vetCall resolves, validates and permits the nth call of a group, counted from 0. A call that
// fails one of these steps gets its result here. An error ends Run.
func (a *Agent) vetCall(ctx context.Context, t Turn, c llm.Call, n int) (groupCall, error) {
	use := func(r event.Returned) groupCall { return groupCall{call: c, instead: r} }
	instead := func(by string, err error) groupCall { return use(errorResult(c, by, err)) }
	switch {
	case isStopped(ctx):
		return instead(byStop, Stopped().Err), nil
	case t.Progress.WhyCallsOff() == event.ForNarration:
		return instead(byBudget, refusalError("refused: what was done is told now, and nothing more is done in this turn")), nil
	case t.Progress.WhyCallsOff() == event.ForLoop:
		return instead(byGuard, refusalError("refused: tools are off in this turn, because calls were repeated")), nil
	case t.Progress.WhyCallsOff() != "" || t.Progress.Calls+n >= t.Budget.Calls || t.Progress.Time >= t.Budget.Time:
		return instead(byBudget, refusalError("refused: this turn's budget is used up")), nil
	}
	tool := t.tool(c.Name)
	if tool == nil {
		if no := t.whyDenied(c.Name); no != nil {
			return use(deniedResult(c, no)), nil
		}
		return instead(byCheck, tools.NotFound(c.Name, t.Tools)), nil
	}
	if err := tools.Validate(tool, c.Args); err != nil {
		return instead(byCheck, err), nil
	}
	args, err := tools.Canonical(c.Args)
	if err != nil {
		return instead(byCheck, tools.Invalid(event.CodeInvalidFormat, "%v", err)), nil
	}
	c.Args = args
	if r, ok := t.answerRepeatedCall(tool, c); ok {
		return use(r), nil
	}
	runCtx, err := a.gate.Permit(ctx, tool, c)
	if err != nil {
		if no := (*Denied)(nil); errors.As(err, &no) {
			return use(deniedResult(c, no)), nil
		}
		return groupCall{}, err
	}
	caller := tools.CallerFrom(runCtx)
	caller.Call = t.Progress.callRefOf(c.ID)
	caller.Call.From = t.origin()
	runCtx = tools.WithTask(tools.WithCaller(runCtx, caller), t.task())
	return groupCall{ctx: runCtx, call: c, tool: tool}, nil
}

// origin says who made the waiting calls.
func (t Turn) origin() tools.CallOrigin {
	switch {
	case t.Progress.HasPlan():
		return tools.FromPlan
	case len(t.Command) > 0:
		return tools.FromCommand
	}
	return tools.FromModel
}

// task describes the turn to tools. It has no words for a person's command, whose result is shown
// as it is.
func (t Turn) task() tools.Task {
	if t.IsCommand() || t.Progress.HasPlan() {
		return tools.Task{}
	}
	return tools.Task{Words: excerpt.For(llm.OwnWords(t.personWords())), List: lists.Map(t.Tools, tools.Tool.Name)}
}

// enter waits while calls are held back, unless no call of the group runs. A stop ends the wait.
// The group counts as acting until leave is called.
func (t Turn) enter(ctx context.Context, group []groupCall) (leave func(), err error) {
	if t.Enter == nil || isStopped(ctx) || !slices.ContainsFunc(group, groupCall.runs) {
		return func() {}, nil
	}
	if leave, err = t.Enter(ctx); err != nil && isStopped(ctx) {
		return func() {}, nil
	} else if err != nil {
		return nil, fmt.Errorf("run tools: %w", err)
	}
	return leave, nil
}

// startGroup emits that the calls of a group start. A call whose turn was stopped meanwhile does
// not start: its refusal replaces it in group.
func (t Turn) startGroup(ctx context.Context, group []groupCall, emit Emit) (_ Turn, err error) {
	for i, p := range group {
		switch {
		case !p.runs():
		case isStopped(ctx):
			group[i] = groupCall{call: p.call, instead: errorResult(p.call, byStop, Stopped().Err)}
		case !tools.DefOf(p.tool).Capabilities.Repeatable():
			if t, err = t.Emit(emit, event.Started{CallID: p.call.ID}); err != nil {
				return t, err
			}
		}
	}
	return t, nil
}

// maxCommandResult limits, in bytes, the part of a result shown to a person who gave a command.
const maxCommandResult = 8 << 10

// runCall runs a permitted call and returns its result.
func (a *Agent) runCall(p groupCall, t Turn) event.Returned {
	ctx, cancel := context.WithTimeoutCause(p.ctx, t.Budget.Time-t.Progress.Time, errTime)
	defer cancel()
	start := a.now()
	res, err := tools.Call(ctx, p.tool, p.call.Args)
	r := newReturned(p.call, res, err)
	if a.sanitizer != nil {
		r = a.sanitizer.Sanitize(r)
	}
	share := t.Window.Share()
	if t.IsCommand() {
		share = maxCommandResult
	}
	r.Text = a.excerptResult(p.ctx, r.Text, r.Label, share, err != nil)
	r.DurationMS = a.now().Sub(start).Milliseconds()
	return r
}

// sanitize cleans a result that hob wrote in the tool's place. It may quote the model, and so a
// stranger.
func (a *Agent) sanitize(r event.Returned) event.Returned {
	if a.sanitizer == nil || r.By == byCache {
		return r // cleaned already, when the tool returned
	}
	return a.sanitizer.Sanitize(r)
}
