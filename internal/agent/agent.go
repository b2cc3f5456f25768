// Package agent plays one turn: it asks the model, runs the tools that the model calls, and asks again with the results,
// until the model answers in words or a budget is used up.
//
// The loop is a function of values. [Agent.Run] takes a [Turn] and recurses on the Turn that follows from it; the agent
// keeps nothing between turns. Everything that happens goes out through [Emit] before it is acted upon, so that a
// journal of the emitted bodies is enough to go on after a crash: a Turn whose history ends with calls that have no
// result begins by running those.
//
// Invariants:
//   - Every call gets exactly one Returned, whatever happens: unknown tool, bad arguments, denied, timed out, panicked,
//     cancelled, budget used up.
//   - A call is resolved and validated before a person is asked about it, and Started is emitted before it acts.
//   - A turn emits exactly one Replied and one Ended, in this order, unless Run returns an error; then the turn has not
//     ended and can be resumed.
package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/tools"
)

// ErrStopped is the cause of a turn's context when a person stopped the turn. Any other end of the context leaves the
// turn unended, to be resumed.
var ErrStopped = errors.New("stopped")

// Emit makes a body known. When it returns, everything but a Delta is durable. Its error ends Run.
type Emit func(bodies ...event.Body) error

// Gate decides whether a call may run. Permit may wait for a person and emits what it asks and hears. An
// *[tools.Error] is a denial that the model reads; any other error ends the turn.
type Gate interface {
	Permit(ctx context.Context, t tools.Tool, call llm.Call, emit Emit) error
}

// Agent plays turns with one model.
type Agent struct {
	model llm.Model
	gate  Gate
	now   func() time.Time
}

// New returns an agent that asks model and lets gate decide about calls.
func New(model llm.Model, gate Gate, now func() time.Time) *Agent {
	return &Agent{model: model, gate: gate, now: now}
}

// Budget is what a turn may still spend. A field that reaches zero ends the turn with reason "budget"; the model gets
// one more reply to say what it knows.
type Budget struct {
	Steps  int           // replies of the model
	Calls  int           // tool calls
	Time   time.Duration // spent by the model and by tools; waiting for a person costs nothing
	Output int           // tokens generated
	Result int           // bytes of one tool result that the model is shown
}

// Turn is where a turn stands.
type Turn struct {
	System  string
	History []llm.Message // ends with the user's words, with calls, or with results
	Tools   []tools.Tool  // in the order in which the model is told
	Options llm.Options
	Budget  Budget // what is left
	Spent   Spent  // what was spent: of a turn that is taken up again, before it was cut short
}

// Spent is what a turn has done so far.
type Spent struct {
	Steps, Calls    int
	PromptTokens    int // of the last reply
	EvalTokens      int
	Allowed, Denied int  // calls
	Last            bool // the model was told that its budget is used up
}

// Run plays the turn to its end and returns the words of the final reply. It returns an error only when emit failed or
// ctx ended for another reason than [ErrStopped].
func (a *Agent) Run(ctx context.Context, t Turn, emit Emit) (string, error) {
	if pending := unanswered(t.History); len(pending) > 0 {
		next, err := a.answer(ctx, t, pending, emit)
		if err != nil {
			return "", err
		}
		return a.Run(ctx, next, emit)
	}
	if stopped(ctx) {
		return finish(t, event.Stopped, "Stopped.", emit)
	}
	if limit := t.Budget.used(); limit != "" && !t.Spent.Last {
		nudge := event.Nudged{Text: lastWords(limit)}
		if err := emit(nudge); err != nil {
			return "", err
		}
		t = t.with(nudge)
		t.Spent.Last = true
	}
	began := a.now()
	reply, partial, err := a.ask(ctx, t, emit)
	t.Budget.Time -= a.now().Sub(began)
	if err != nil {
		return a.failed(ctx, t, partial, err, emit)
	}
	return a.replied(ctx, t.after(reply), reply, emit)
}

// replied goes on from a complete reply: with its calls, or to the end.
func (a *Agent) replied(ctx context.Context, t Turn, reply *llm.Reply, emit Emit) (string, error) {
	reply.Message.Calls = distinct(reply.Message.Calls, t.History)
	generated := event.Generated{Message: reply.Message, Usage: reply.Usage}
	bodies := []event.Body{generated}
	for _, c := range reply.Message.Calls {
		bodies = append(bodies, event.Called{ID: c.ID, Tool: c.Name, Args: c.Args, Repairs: orEmpty(c.Repairs)})
	}
	calls := reply.Message.Calls
	if len(calls) == 0 {
		return finish(t, t.reason(reply), finalWords(reply), emit, bodies...)
	}
	if err := emit(bodies...); err != nil {
		return "", err
	}
	t = t.with(generated)
	if !t.Spent.Last {
		return a.Run(ctx, t, emit)
	}
	// It was told that calls are refused and calls all the same: they are refused, and hob says so in its place.
	t, err := a.answer(ctx, t, calls, emit)
	if err != nil {
		return "", err
	}
	return finish(t, event.OverSpent, strings.TrimSpace(reply.Message.Text+"\n\n"+overSpent), emit)
}

// ask gets one reply of the model within what is left of the budget's time. It also returns the text that had arrived
// when the model failed.
func (a *Agent) ask(ctx context.Context, t Turn, emit Emit) (*llm.Reply, string, error) {
	if t.Spent.Last {
		t.Budget.Time = max(t.Budget.Time, lastWordsTime)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, t.Budget.Time, errTime)
	defer cancel()
	req := llm.Request{System: t.System, Messages: t.History, Tools: tools.Schema(t.Tools), Options: t.Options}
	var text []byte
	var emitErr error
	reply, err := a.model.Chat(ctx, req, func(d llm.Delta) {
		if emitErr != nil {
			return
		}
		text = append(text, d.Text...)
		if d.Status != "" {
			emitErr = emit(event.Noted{Text: d.Status})
		}
		if emitErr == nil && d.Text+d.Thinking != "" {
			emitErr = emit(event.Delta{Text: d.Text, Thinking: d.Thinking})
		}
	})
	if emitErr != nil {
		return nil, "", unheard{emitErr}
	}
	if err == nil {
		return reply, "", nil
	}
	if ctx.Err() != nil { // whatever the model made of it, the cause says why
		err = fmt.Errorf("%w: %w", context.Cause(ctx), err)
	}
	return nil, string(text), err
}

// unheard is an error of emit, which nothing more can be told of.
type unheard struct{ error }

// failed ends a turn whose model gave no reply.
func (a *Agent) failed(ctx context.Context, t Turn, partial string, err error, emit Emit) (string, error) {
	if lost := (unheard{}); errors.As(err, &lost) {
		return "", lost.error
	}
	var modelErr *llm.Error
	var reason event.Reason
	var words string
	switch {
	case stopped(ctx):
		reason, words = event.Stopped, "Stopped."
	case ctx.Err() != nil:
		return "", fmt.Errorf("play turn: %w", context.Cause(ctx))
	case errors.Is(err, errTime):
		reason, words = event.OverSpent, overTime
	case errors.As(err, &modelErr):
		reason, words = event.NoModel, modelErr.Message
	default:
		reason, words = event.Broken, "Something in hob itself went wrong: "+err.Error()+"."
	}
	if partial == "" {
		return finish(t, reason, words, emit)
	}
	half := event.Generated{Message: llm.Message{Role: llm.AssistantRole, Text: partial}}
	return finish(t, reason, partial+"\n\n"+words, emit, half)
}

// with is the turn with one more message.
func (t Turn) with(b event.Body) Turn {
	if msg, ok := event.Message(b); ok {
		t.History = append(t.History[:len(t.History):len(t.History)], msg)
	}
	return t
}

// finish ends the turn. What came last goes with the end, as one: each emit costs a write to the disk.
func finish(t Turn, reason event.Reason, words string, emit Emit, last ...event.Body) (string, error) {
	return words, emit(append(last, event.Replied{Text: words}, event.Ended{
		Reason: reason, Steps: t.Spent.Steps, Calls: t.Spent.Calls,
		PromptTokens: t.Spent.PromptTokens, EvalTokens: t.Spent.EvalTokens,
	})...)
}

func stopped(ctx context.Context) bool {
	return ctx.Err() != nil && errors.Is(context.Cause(ctx), ErrStopped)
}

// unanswered returns the calls of the last assistant message that have no result yet.
func unanswered(history []llm.Message) []llm.Call {
	answered := map[string]bool{}
	for i := len(history) - 1; i >= 0; i-- {
		switch m := history[i]; m.Role {
		case llm.ToolRole:
			answered[m.CallID] = true
		case llm.AssistantRole:
			var calls []llm.Call
			for _, c := range m.Calls {
				if !answered[c.ID] {
					calls = append(calls, c)
				}
			}
			return calls
		default:
			return nil
		}
	}
	return nil
}

// distinct gives every call an ID that no earlier call of the conversation has: servers repeat them.
func distinct(calls []llm.Call, history []llm.Message) []llm.Call {
	seen := map[string]bool{"": true}
	for _, m := range history {
		for _, c := range m.Calls {
			seen[c.ID] = true
		}
	}
	out := make([]llm.Call, 0, len(calls))
	for _, c := range calls {
		for n, id := 2, c.ID; seen[c.ID]; n++ {
			c.ID = fmt.Sprintf("%s#%d", id, n)
		}
		seen[c.ID] = true
		if len(c.Args) == 0 {
			c.Args = []byte("{}")
		}
		out = append(out, c)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

func orEmpty(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}
