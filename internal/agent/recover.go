package agent

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/toolcall"
	"hob/internal/retry"
)

// pauseAfter is the pause before a request is repeated after so many that broke off.
func pauseAfter(broken int) time.Duration {
	if broken <= 1 {
		return 500 * time.Millisecond
	}
	return 2 * time.Second
}

// recover plays [Recover]: after an unusable reply it asks the model again, or ends the turn with a
// sentence on the cause.
func (a *Agent) recover(ctx context.Context, t Turn, emit Emit) (Turn, Phase, error) {
	r := t.state.reply
	t.state.reply = reply{}
	generated := r.generated(string(r.reading.Class))
	withReply := t.Progress.Add(generated) // with the reply counted; t gets it when it is emitted
	tries := withReply.recovery
	kind, isCounted := unusableReplies()[r.reading.Class]
	switch {
	case t.refusesTools(r):
		t.Profile.Mode, t.state.counted = llm.PromptMode, counted{}
		t, err := t.Emit(emit, generated, event.Noted{Text: "the server takes no tools for this model: they stand in the prompt now"})
		return t, Resume, err
	case r.reading.Class == toolcall.Failed, withReply.Wasted >= maxWasted, isCounted && *kind.count(&tries) > kind.most,
		r.reading.Class == toolcall.Context && t.state.overflowHandled:
		return t.endUseless(ctx, r, emit)
	}
	err := r.takeBack(emit)
	if err != nil {
		return t, End, err
	}
	again := event.Noted{Text: kind.setback + ": asking again"}
	switch {
	case r.reading.Class == toolcall.Context:
		if t, err = t.Emit(emit, generated); err != nil {
			return t, End, err
		}
		return a.shortenRefused(ctx, t, r, emit)
	case kind.why == "":
		if t, err = t.Emit(emit, generated, again); err != nil {
			return t, End, err
		}
		if err := retry.Wait(ctx, pauseAfter(tries.broken)); err != nil {
			return t.EndOrFail("", err)
		}
		return t, Resume, nil
	}
	t, err = t.Emit(emit, generated, t.correction(r, tries), again)
	return t, Resume, err
}

// refusesTools reports whether the server refused the request because it has tools.
func (t Turn) refusesTools(r reply) bool {
	return r.err != nil && r.err.Kind == llm.NoTools && len(t.Tools) > 0 && t.mode() != llm.PromptMode && t.mode() != llm.SchemaMode
}

// leastTools is the least number of tools in a list that had to be cut.
const leastTools = 2

// shortenRefused goes on after the server refused the prompt as too long: with a shorter
// conversation, or else with half of the tools.
func (a *Agent) shortenRefused(ctx context.Context, t Turn, r reply, emit Emit) (Turn, Phase, error) {
	t.state.overflowHandled = true
	if t.Window.Size > 0 { // the context is smaller than believed, or a token holds less text
		t.Window.Size = max(min(t.Window.Size*3/4, t.promptTokens()*3/4), 2*t.Window.Reserve)
	}
	t, shorter, err := a.shorten(ctx, t, forTruncated, emit)
	if err != nil {
		return t, End, err
	}
	if !shorter {
		if len(t.Tools) >= 2*leastTools {
			t.state.mostTools = len(t.Tools) / 2
			return t.refreshTools(), Resume, emit(event.Noted{Text: "the prompt is too long: the model sees fewer tools"})
		}
		words := failureWords(r)
		return t.WithEnding(Ending{Cause: Useless, Reason: event.NoModel, Reply: event.Replied{Text: words}, Failure: words}), Finish, nil
	}
	return t, Resume, nil
}

// endUseless ends a turn whose model gives no usable reply. It keeps the part of an answer that had
// arrived.
func (t Turn) endUseless(ctx context.Context, r reply, emit Emit) (Turn, Phase, error) {
	last := r.generated(string(r.reading.Class))
	last.Message.Text = strings.TrimSpace(r.reading.Text)
	if isTransient(r.err) && t.ParkIfAway != nil && t.Stage == nil { // a stage has a text of its own for this
		if err := r.takeBack(emit); err != nil {
			return t, End, err
		}
		begun := t.Progress.Add(last).Steps > 0 || r.err.Retry // an earlier request was answered, or this one broke off after the server took it
		if t.ParkIfAway(ctx, r.err, begun) {
			return t, End, fmt.Errorf("%w: %w", ErrAway, r.err)
		}
	}
	e := Ending{Cause: Useless, Reason: event.NoModel, Reply: event.Replied{Text: failureWords(r)}, Last: &last}
	if r.err != nil { // without it the person would not learn why
		e.Failure = e.Reply.Text
	}
	if last.Message.Text != "" {
		e.Reply.Text = t.examine(last.Message.Text).marked() + "\n\n" + e.Reply.Text
	}
	return t.WithEnding(e), Finish, nil
}

// isTransient reports whether the server, and not the request, is why there is no reply.
func isTransient(err *llm.Error) bool {
	if err == nil {
		return false
	}
	switch err.Kind {
	case llm.Unreachable, llm.Busy, llm.Silent, llm.Incomplete:
		return true
	}
	return err.Retry && err.Kind == llm.Failed
}
