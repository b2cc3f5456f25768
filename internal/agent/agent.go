// Package agent plays one turn: it asks the model, runs the tools that the model calls, and asks again with the results,
// until the model answers in words or a budget is used up.
//
// The loop is a function of values. [Agent.Run] takes a [Turn] and recurses on the Turn that follows from it; the agent
// keeps nothing between turns. Everything that happens goes out through [Emit] before it is acted upon, so that a
// journal of the emitted bodies is enough to go on after a crash: a Turn whose history ends with calls that have no
// result begins by running those.
//
// What a small model gets wrong is dealt with here. A reply that is of no use is asked for again, in other words and at
// last in another form; a call that does not fit is answered with what is wrong with it; a turn that goes round in circles
// is made to answer with what it has; a conversation that outgrows the context is made shorter.
//
// What leads a chat (see [driver.Driver]) may answer in the model's place, or have a turn played in two stages: the model calls tools, and
// then tells what was done, in words that are checked before anybody reads them.
//
// Invariants:
//   - Every call gets exactly one Returned, whatever happens: unknown tool, bad arguments, denied, timed out, panicked,
//     cancelled, budget used up.
//   - A call is resolved and validated before a person is asked about it, and Started is emitted before it acts.
//   - A turn emits exactly one Replied and one Ended, in this order, unless Run returns an error; then the turn has not
//     ended and can be resumed.
package agent

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/toolcall"
	"hob/internal/llm/window"
	"hob/internal/tools"
)

// ErrStopped is the cause of a turn's context when a person stopped the turn. Any other end of the context leaves the
// turn unended, to be resumed.
var ErrStopped = errors.New("stopped")

// AwayError ends a Run whose model gives no reply for a reason that may pass. The turn has not ended: once the model is there
// again it goes on from where it stands.
type AwayError struct{ Failure *llm.Error }

func (e *AwayError) Error() string { return e.Failure.Message }

// Unwrap returns the model's error.
func (e *AwayError) Unwrap() error { return e.Failure }

// Emit makes a body known. When it returns, everything but a Delta is durable. Its error ends Run.
type Emit func(bodies ...event.Body) error

// Gate decides whether a call may run. Permit may wait for a person; the call runs in the
// context that it returns. A *[Denied] is a denial that the model reads; any other error ends the turn.
type Gate interface {
	Permit(ctx context.Context, t tools.Tool, call llm.Call) (context.Context, error)
}

// Denied is a call that may not run, and by which rule.
type Denied struct {
	Err  *tools.Error
	Rule string
}

func (r *Denied) Error() string { return r.Err.Error() }

// Unwrap returns the error that the model reads.
func (r *Denied) Unwrap() error { return r.Err }

// Sanitizer goes over what a tool said before anybody reads it: the model, the journal or a person. It takes out what must not
// be told, and fences what strangers wrote.
type Sanitizer interface {
	Sanitize(event.Returned) event.Returned
}

// BlobStore keeps what a tool said and the model is shown in part only, with where it came from. Put returns the handle under
// which tools read it.
type BlobStore interface {
	Put(ctx context.Context, text string, from event.Label) (handle string, err error)
}

// Agent plays turns with one model.
type Agent struct {
	model     llm.Model
	gate      Gate
	sanitizer Sanitizer
	blobs     BlobStore
	now       func() time.Time
}

// New returns an agent that asks model, lets gate decide about calls, has sanitizer go over their results, and puts long ones
// into blobs. The sanitizer and blobs may be nil.
func New(model llm.Model, gate Gate, sanitizer Sanitizer, blobs BlobStore, now func() time.Time) *Agent {
	return &Agent{model: model, gate: gate, sanitizer: sanitizer, blobs: blobs, now: now}
}

// Budget is what a turn may spend in all. When a limit is reached the turn ends with reason "budget"; the model gets one
// more reply to say what it knows.
type Budget struct {
	Steps  int           // replies of the model
	Calls  int           // tool calls
	Time   time.Duration // spent by the model and by tools; waiting for a person costs nothing
	Output int           // tokens generated
}

// Turn is where a turn stands.
type Turn struct {
	System  string
	History []llm.Message // ends with the user's words, with calls, or with results
	Begin   int           // index in History of the words that opened the turn
	Tools   []tools.Tool  // in the order in which the model is told
	// List says what the model may call, before each request: Tools are those that it is told of then. Nil: Tools, always.
	List  func() ToolList
	Order *llm.Call // a call of a person's own, with an ID: the turn is that and asks no model; nil: it does
	// Instead is said where there is no Order and no model is to be asked all the same, unless Lead answers; "": it is asked.
	Instead string
	Lead    driver.Driver // what leads the chat; may be nil
	Words   string        // what the person said, for Lead
	Own     []tools.Tool  // what a plan of Lead's may call beside what the model may: it is a person who calls
	// Denied says why a tool that there is is not among Tools, or nil where there is none of that name.
	Denied  func(name string) *Denied
	Profile llm.Profile // how the model is asked
	Options llm.Options
	Window  window.Window // the context; one of size 0 has no end
	Budget  Budget
	Usage   Usage // of a turn that is taken up again, what it had done

	// Arrived returns what was said meanwhile and is part of the turn from here on, in order; it is journaled by then. It
	// is asked where no call waits for its result, and not once calls are refused or a budget is used up. Nil: nothing.
	Arrived func(context.Context) ([]llm.Message, error)
	// Away reports whether the turn is to be set aside because the model gives no reply, for a reason that may pass: then Run
	// ends with an [*AwayError]. Begun says that the server had taken a request of the turn before. Nil: it ends.
	Away func(ctx context.Context, failure *llm.Error, begun bool) bool
	// Enter waits until calls may begin to act; leave says that their results are known. Nil: they always may.
	Enter func(context.Context) (leave func(), err error)

	hidden    []tools.Tool // that may be called and that the model is not told of
	tail      string       // what Lead has to say with the newest words
	tailed    bool         // Lead was asked for it
	narration driver.Narration
	tells     bool // narration says how what is done is told
	offer     *toolcall.Offer
	counted   counted // by the server
	least     int     // tokens of prompt when the conversation was last made shorter
	lost      string  // what of the last reply was lost beside its calls, which the model has to be told
	shortened bool    // because the server said so; it happens once
	trouble   string  // why the model could not be asked, which stands below what Lead says in its place
}

// Run plays the turn to its end and returns the words of the final reply. It returns an error only when emit failed, when
// ctx ended for another reason than [ErrStopped], or when [Turn.Away] sets the turn aside.
func (a *Agent) Run(ctx context.Context, t Turn, emit Emit) (string, error) {
	t = t.choosing()
	if pending := unanswered(t.History); len(pending) > 0 {
		t.remind(ctx)
		next, err := a.answer(ctx, t, pending, emit)
		if err != nil {
			return "", err
		}
		return a.Run(ctx, next, emit)
	}
	if stopped(ctx) {
		return t.finish(event.Stopped, "Stopped.", emit)
	}
	t, words, over, err := a.led(ctx, t, emit)
	if over || err != nil {
		return words, err
	}
	if t.asksNobody() {
		return a.ordered(ctx, t, emit)
	}
	if t, err = a.ready(ctx, t, emit); err != nil {
		return a.ended(ctx, t, "", err, emit)
	}
	if t.narrating() {
		return a.narrate(ctx, t, emit)
	}
	got, err := a.ask(ctx, t, emit)
	if err != nil && t.staged() && outOfTime(ctx, err) {
		return a.drafted(ctx, t, got, emit)
	} else if err != nil {
		return a.ended(ctx, t, got.shown, err, emit)
	}
	if t.cutByServer(got) {
		return a.unread(ctx, t, got, emit)
	}
	return a.replied(ctx, t, got, emit)
}

// ready is the turn once the model has been told what it has to know, and the conversation fits into its context.
func (a *Agent) ready(ctx context.Context, t Turn, emit Emit) (Turn, error) {
	t, err := t.hearing(ctx)
	if err != nil {
		return t, unheard{err}
	}
	t, nudge, ok := a.due(ctx, t)
	if ok {
		if err := emit(nudge); err != nil {
			return t, unheard{err}
		}
		t = t.with(nudge)
	}
	t.lost = ""
	if short, ok := t.pruned(); ok && !t.narrating() {
		before := t.prompt()
		t.History, t.counted = faded(short, t.Begin), counted{}
		if err := emit(t.compacted(before, forRepeats)); err != nil {
			return t, unheard{err}
		}
	}
	return a.fit(ctx, t, emit)
}

// replied goes on from a reply: with its calls, from what is wrong with it, or to the end.
func (a *Agent) replied(ctx context.Context, t Turn, got answer, emit Emit) (string, error) {
	switch r := got.reading; {
	case len(r.Calls) > 0:
		return a.called(ctx, t, got, emit)
	case r.Class == toolcall.Text, r.Class == toolcall.Truncated && r.Text != "" && r.Raw == "":
		return a.said(ctx, t, got, emit)
	}
	return a.useless(ctx, t, got, emit)
}

// called goes on from a reply with calls. Those that do not fit are answered at once, together with the reply: what was
// wrong with them is known only now.
func (a *Agent) called(ctx context.Context, t Turn, got answer, emit Emit) (string, error) {
	message, raw := t.message(got.reading.Text, got), got.reading.Raw
	if t.staged() { // what it says beside calls nobody has checked
		message.Text, raw = "", cmp.Or(raw, got.reading.Text)
	}
	calls := distinct(got.reading.Calls, t)
	class := toolcall.Malformed
	var bodies, refusals []event.Body
	for i, c := range calls {
		message.Calls = append(message.Calls, c.Call)
		bodies = append(bodies, event.Called{ID: c.ID, Tool: c.Name, Args: c.Args, Repairs: orEmpty(c.Repairs)})
		if bad, ok := t.unfit(c, i); ok {
			refusals = append(refusals, a.sanitized(bad))
			continue
		}
		class = toolcall.Calls
	}
	generated := event.Generated{
		Message: message, Usage: got.usage, Class: string(class), Raw: raw, DurationMS: got.took.Milliseconds(),
	}
	bodies = append(append([]event.Body{generated}, bodies...), refusals...)
	refusing := t.Usage.refusing()
	t = t.counting(got)
	if err := emit(bodies...); err != nil {
		return "", err
	}
	t = t.with(bodies...)
	if class == toolcall.Calls {
		t.lost = got.reading.Reason
	}
	switch r := t.Usage.recovery; {
	case refusing == "" && r.unfit <= maxUnfit && t.Usage.Wasted < maxWasted:
		return a.Run(ctx, t, emit)
	case refusing == "" && t.staged():
		return a.tell(ctx, t, emit)
	case refusing == "":
		return a.told(ctx, t, event.NoModel, t.fallback(ctx, strings.TrimSpace(t.marked(got.reading.Text)+"\n\n"+misfit)), emit)
	}
	// It was told that calls are refused and calls all the same: they are refused, and hob says so in its place.
	t, err := a.answer(ctx, t, unanswered(t.History), emit)
	if err != nil {
		return "", err
	}
	return a.told(ctx, t, forced(refusing), t.fallback(ctx, strings.TrimSpace(t.marked(got.reading.Text)+"\n\n"+overSpent(refusing))), emit)
}

// said goes on from a reply in words: it is the answer, unless it only says what the model is about to do, or says that
// something was done that was not. Then the model is told so, once.
func (a *Agent) said(ctx context.Context, t Turn, got answer, emit Emit) (string, error) {
	if t.staged() {
		return a.drafted(ctx, t, got, emit)
	}
	text := strings.TrimSpace(got.reading.Text)
	generated := event.Generated{
		Message: t.message(text, got), Usage: got.usage, Class: t.classOfWords(), Raw: got.reading.Raw,
		DurationMS: got.took.Milliseconds(),
	}
	t = t.counting(got)
	nudge, object := t.objection(text)
	if !object || got.truncated {
		draft, wrong := t.checked(ctx, text, got.truncated)
		if wrong != nil {
			nudge, object = *wrong, true
		} else if draft != text { // what the model said in vain is not what was said
			t.Usage = t.Usage.Add(generated)
			return a.told(ctx, t, t.reason(), draft, emit, generated)
		}
	}
	if object && !got.truncated {
		if err := void(&got, emit); err != nil {
			return "", err
		}
		bodies := []event.Body{generated, nudge}
		if nudge.Why == event.ForClaimed {
			bodies = append(bodies, event.Noted{Text: "it says so, but no tool has done it: asking again"})
		}
		if err := emit(bodies...); err != nil {
			return "", err
		}
		return a.Run(ctx, t.with(bodies...), emit)
	}
	if got.truncated {
		text = t.marked(text + "\n\n[The reply was cut off here: it reached its limit of tokens.]")
	} else if told := t.marked(text); told != text {
		text = told
	} else if t.Usage.wasTold(event.ForAnnounced) && toolcall.Announces(text) {
		text += "\n\n[hob: the model only said so and did nothing.]"
	}
	t.Usage = t.Usage.Add(generated)
	return a.told(ctx, t, t.reason(), text, emit, generated)
}

// message is what the conversation keeps of a reply.
func (t Turn) message(text string, got answer) llm.Message {
	m := llm.Message{Role: llm.AssistantRole, Text: text, Thinking: got.reading.Thinking}
	if t.Profile.Keep == llm.KeepNone {
		m.Thinking = ""
	}
	return m
}

// with is the turn once bodies were emitted.
func (t Turn) with(bodies ...event.Body) Turn {
	t.History = t.History[:len(t.History):len(t.History)]
	for _, b := range bodies {
		if msg, ok := event.Message(b); ok {
			t.History = append(t.History, msg)
		}
		t.Usage = t.Usage.Add(b)
	}
	return t
}

// counting is the turn once the server has counted its prompt.
func (t Turn) counting(got answer) Turn {
	if n := got.usage.PromptTokens; n > 0 && t.mode() == t.Profile.Mode {
		t.counted = counted{messages: len(t.History), tokens: n}
	}
	return t
}

// finish ends the turn. What came last goes with the end, as one: each emit costs a write to the disk.
func (t Turn) finish(reason event.Reason, words string, emit Emit, last ...event.Body) (string, error) {
	return words, emit(append(last, event.Replied{Text: words}, t.end(reason))...)
}

// end is the last event of the turn.
func (t Turn) end(reason event.Reason) event.Ended {
	return event.Ended{
		Reason: reason, Steps: t.Usage.Steps, Calls: t.Usage.Calls,
		PromptTokens: t.Usage.PromptTokens, EvalTokens: t.Usage.EvalTokens,
	}
}

// careful reports whether the tool may do more than look.
func (t Turn) careful(name string) bool {
	tool := t.tool(name)
	return tool == nil || !tools.DefOf(tool).Powers.Repeatable()
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
