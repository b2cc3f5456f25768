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
	"hob/internal/llm/toolcall"
	"hob/internal/tools"
)

// maxTogether is how many independent reads run at the same time.
const maxTogether = 8

// maxData is how many bytes of JSON a result's data may have.
const maxData = 1 << 20

// unfit is the result of the nth call of a reply if it cannot run as the model wrote it.
func (t Turn) unfit(c toolcall.Call, n int) (event.Returned, bool) {
	var e *tools.Error
	switch {
	case t.Usage.refusing() != "":
		return event.Returned{}, false // all are refused alike
	case n > 0 && t.Profile.OneCall:
		e = &tools.Error{Type: event.TypeExecution, Code: event.CodeExecutionFailed, Message: "not run: one call at a time",
			Suggestion: "look at the result of the first, then call this again"}
	case c.Valid():
		return event.Returned{}, false
	default:
		code, kind := string(c.Problems[0].Kind), event.TypeValidation
		if t.tool(c.Name) == nil {
			if no := t.deny(c.Name); no != nil {
				return deniedResult(c.Call, no), true
			}
			code, kind = event.CodeToolNotFound, event.TypeNotFound
		}
		e = &tools.Error{Type: kind, Code: code, Message: problems(c)}
	}
	r := returned(c.Call, tools.Result{}, e)
	r.By = byCheck
	if !c.Valid() {
		r.Text = t.offer.Correction(c, t.Usage.recovery.unfit+1)
	}
	return r, true
}

// problems says in one sentence what is wrong with a call.
func problems(c toolcall.Call) string {
	text := c.Problems[0].String()
	for _, p := range c.Problems[1:] {
		text += "; " + p.String()
	}
	return text
}

// answer gives every pending call its result and returns the turn that follows. Reads that stand together run
// together; everything else runs alone, in order. Results are emitted in the order of the calls.
func (a *Agent) answer(ctx context.Context, t Turn, pending []llm.Call, emit Emit) (Turn, error) {
	for len(pending) > 0 {
		n := together(pending, t.callable())
		next, err := a.group(ctx, t, pending[:n], emit)
		if err != nil {
			return t, err
		}
		t, pending = next, pending[n:]
	}
	return t, nil
}

// together returns how many of the first calls may run at the same time.
func together(calls []llm.Call, all []tools.Tool) int {
	n := 0
	for n < len(calls) && n < maxTogether {
		t := byName(all, calls[n].Name)
		if t == nil || !tools.DefOf(t).Powers.Repeatable() {
			break
		}
		if n > 0 && slices.ContainsFunc(calls[:n], func(c llm.Call) bool { return key(c.Name, c.Args) == key(calls[n].Name, calls[n].Args) }) {
			break // the same once more: it is answered with the result of the first
		}
		n++
	}
	return max(n, 1)
}

// group prepares calls one after the other, runs those that may run, and emits their results.
func (a *Agent) group(ctx context.Context, t Turn, calls []llm.Call, emit Emit) (Turn, error) {
	results := make([]event.Returned, len(calls))
	runs := make([]prepared, len(calls))
	for i := range calls {
		ready, err := a.prepare(ctx, t, calls[i], i, emit)
		if err != nil {
			return t, err
		}
		runs[i] = ready
	}
	leave, err := t.begin(ctx, runs, emit)
	if err != nil {
		return t, err
	}
	defer leave()
	began := a.now()
	var wg sync.WaitGroup
	for i, run := range runs {
		if run.tool == nil {
			results[i] = a.sanitized(run.instead)
			continue
		}
		wg.Go(func() { results[i] = a.run(run, t) })
	}
	wg.Wait()
	if ctx.Err() != nil && !stopped(ctx) {
		// The process is going down: what was cancelled has no result, so that a restart knows it was cut short.
		return t, fmt.Errorf("run tools: %w", context.Cause(ctx))
	}
	bodies := make([]event.Body, len(results))
	for i := range results {
		bodies[i] = results[i]
	}
	before := t.Usage.Time
	t = t.with(bodies...)
	t.Usage.Time = before + a.now().Sub(began) // what ran together took its time once
	return t, emit(bodies...)
}

// sanitized is a result that was given in a tool's place, as it may be read: it can repeat what the model wrote, which may be
// what a stranger had it write.
func (a *Agent) sanitized(r event.Returned) event.Returned {
	if a.sanitizer == nil || r.By == byCache {
		return r // it was gone over when it came
	}
	return a.sanitizer.Sanitize(r)
}

// run makes a call that was permitted.
func (a *Agent) run(p prepared, t Turn) event.Returned {
	ctx, cancel := context.WithTimeoutCause(p.ctx, t.Budget.Time-t.Usage.Time, errTime)
	defer cancel()
	start := a.now()
	res, err := tools.Call(ctx, p.tool, p.call.Args)
	r := returned(p.call, res, err)
	if a.sanitizer != nil {
		r = a.sanitizer.Sanitize(r)
	}
	share := t.Window.Share()
	if t.Order != nil || t.Usage.planned && t.Window.Size <= 0 {
		share = mostOrdered
	}
	r.Text = a.inline(p.ctx, r.Text, r.Label, share, err != nil)
	r.DurationMS = a.now().Sub(start).Milliseconds()
	return r
}

// prepared is a call that may run, or what is said in its place.
type prepared struct {
	ctx     context.Context // in which it runs
	call    llm.Call        // its arguments canonical: exactly what was permitted runs
	tool    tools.Tool      // nil: it does not run
	instead event.Returned
}

// prepare resolves, validates and permits the nth call of a group. Its error ends the turn.
func (a *Agent) prepare(ctx context.Context, t Turn, c llm.Call, n int, emit Emit) (prepared, error) {
	instead := func(by string, e *tools.Error) (prepared, error) { return notRun(c, by, e), nil }
	switch {
	case stopped(ctx):
		return instead(byStop, Stopped().Err)
	case t.Usage.refusing() == event.ForNarration:
		return instead(byBudget, refused("refused: what was done is told now, and nothing more is done in this turn"))
	case t.Usage.refusing() == event.ForLoop:
		return instead(byGuard, refused("refused: calls are refused in this turn, which went round in circles"))
	case t.Usage.refusing() != "" || t.Usage.Calls+n >= t.Budget.Calls || t.Usage.Time >= t.Budget.Time:
		return instead(byBudget, refused("refused: this turn's budget is used up"))
	}
	tool := t.tool(c.Name)
	if tool == nil {
		if no := t.deny(c.Name); no != nil {
			return prepared{call: c, instead: deniedResult(c, no)}, nil
		}
		return instead(byCheck, tools.NotFound(c.Name, t.Tools))
	}
	if bad := (*tools.Error)(nil); errors.As(tools.Validate(tool, c.Args), &bad) {
		return instead(byCheck, bad)
	}
	args, err := tools.Canonical(c.Args)
	if err != nil {
		return instead(byCheck, &tools.Error{Type: event.TypeValidation, Code: event.CodeInvalidFormat, Message: err.Error()})
	}
	c.Args = args
	if r, ok := t.repeated(tool, c); ok {
		return prepared{call: c, instead: r}, nil
	}
	runCtx, err := a.gate.Permit(ctx, tool, c)
	if err != nil {
		if no := (*Denied)(nil); errors.As(err, &no) {
			return prepared{call: c, instead: deniedResult(c, no)}, nil
		}
		return prepared{}, err
	}
	caller := tools.CallerFrom(runCtx)
	caller.Call = t.Usage.callRefOf(c.ID)
	caller.Call.From = t.origin()
	return prepared{ctx: tools.WithCaller(runCtx, caller), call: c, tool: tool}, nil
}

// origin is who makes the calls that wait for their results.
func (t Turn) origin() tools.CallOrigin {
	switch {
	case t.Usage.planned:
		return tools.FromPlan
	case t.Order != nil:
		return tools.FromCommand
	}
	return tools.FromModel
}

// notRun is what is said in the place of a call.
func notRun(c llm.Call, by string, e *tools.Error) prepared {
	r := returned(c, tools.Result{}, e)
	r.By = by
	return prepared{call: c, instead: r}
}

// begin waits until calls may act, and makes known that they begin. What a stop has caught until then does not run. Until
// leave is called they count as running.
func (t *Turn) begin(ctx context.Context, runs []prepared, emit Emit) (leave func(), err error) {
	leave = func() {}
	acts := func(p prepared) bool { return p.tool != nil }
	if t.Enter != nil && !stopped(ctx) && slices.ContainsFunc(runs, acts) {
		if leave, err = t.Enter(ctx); err != nil && !stopped(ctx) {
			return nil, fmt.Errorf("run tools: %w", err)
		} else if err != nil {
			leave = func() {}
		}
	}
	for i, p := range runs {
		switch {
		case !acts(p):
		case stopped(ctx):
			runs[i] = notRun(p.call, byStop, Stopped().Err)
		case !tools.DefOf(p.tool).Powers.Repeatable():
			started := event.Started{CallID: p.call.ID}
			if err := emit(started); err != nil {
				leave()
				return nil, err
			}
			*t = t.with(started)
		}
	}
	return leave, nil
}

// deniedResult is the result of a call that may not run.
func deniedResult(c llm.Call, no *Denied) event.Returned {
	r := returned(c, tools.Result{}, no.Err)
	r.By, r.Rule = byGate, no.Rule
	if no.Err.Code == event.CodeCancelled {
		r.By = byStop
	}
	return r
}

func (t Turn) deny(name string) *Denied {
	if t.Denied == nil {
		return nil
	}
	return t.Denied(name)
}

func refused(message string) *tools.Error {
	return &tools.Error{Type: event.TypeRateLimit, Code: event.CodeRateLimitExceeded, Message: message, Suggestion: "answer with what you have"}
}

// returned is the result of a call as the model and the journal get it, not shortened yet.
func returned(c llm.Call, res tools.Result, err error) event.Returned {
	r := event.Returned{ID: c.ID, Tool: c.Name, OK: err == nil, Effects: res.Effects, Files: res.Files, Choices: res.Choices, Label: res.Label}
	if raw, err := json.Marshal(res.Data); err != nil || len(raw) > maxData {
		res.Text += "\n[its data is left out: it is too long, or no JSON]" // what cannot be journaled must not break the turn
	} else {
		r.Data = res.Data
	}
	if err == nil {
		r.Text = res.Text
		return r
	}
	if !errors.As(err, &r.Error) {
		r.Error = &tools.Error{Type: event.TypeUnknown, Code: event.CodeExecutionFailed, Message: err.Error()}
	}
	r.Text = "error: " + r.Error.Message
	if r.Error.Suggestion != "" {
		r.Text += "; " + r.Error.Suggestion
	}
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
	r := returned(c, tools.Result{}, &tools.Error{
		Type: event.TypeExecution, Code: event.CodeExecutionFailed,
		Message:    "interrupted: hob was restarted while this ran, its outcome is unknown and it was not run again",
		Suggestion: "check what it did before you repeat it",
	})
	r.By = byRestart
	return r
}

// NotRun is the result of a call that never began because its turn was given up.
func NotRun(c llm.Call) event.Returned {
	r := returned(c, tools.Result{}, stoppedBefore("it was not run: the turn was given up"))
	r.By = byStop
	return r
}

// Stopped is the refusal of a call whose turn was stopped before it ran.
func Stopped() *Denied { return &Denied{Err: stoppedBefore("stopped by the user before it ran")} }

func stoppedBefore(message string) *tools.Error {
	return &tools.Error{Type: event.TypeExecution, Code: event.CodeCancelled, Message: message}
}

// distinct gives every call an ID that no earlier call of the conversation has, nor one of the turn that is no longer in
// it: servers repeat them, and a call that was found in words has none.
func distinct(calls []toolcall.Call, t Turn) []toolcall.Call {
	seen := map[string]bool{"": true}
	for _, m := range t.History {
		for _, c := range m.Calls {
			seen[c.ID] = true
		}
	}
	for _, p := range t.Usage.past {
		seen[p.id] = true
	}
	out := make([]toolcall.Call, 0, len(calls))
	for _, c := range calls {
		id := c.ID
		if id == "" {
			id = "call"
			c.ID = id
		}
		for n := 2; seen[c.ID]; n++ {
			c.ID = fmt.Sprintf("%s#%d", id, n)
		}
		seen[c.ID] = true
		if len(c.Args) == 0 {
			c.Args = []byte("{}")
		}
		out = append(out, c)
	}
	return out
}

func orEmpty(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}
