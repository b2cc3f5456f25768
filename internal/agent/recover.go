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

// pauseAfter is the wait before a request that broke off is made again.
func pauseAfter(broken int) time.Duration {
	if broken <= 1 {
		return 500 * time.Millisecond
	}
	return 2 * time.Second
}

// recover plays [Recover]: after a reply that was of no use it has the model asked again, or it ends
// the turn with a sentence on the cause.
func (a *Agent) recover(ctx context.Context, t Turn, emit Emit) (Turn, Phase, error) {
	r := t.state.reply
	t.state.reply = reply{}
	generated := r.generated(string(r.reading.Class))
	withReply := t.Progress.Add(generated) // t has it once it is emitted, and what ends the turn emits it by itself
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

// refusesTools reports whether the server refused a request because of the tools in it.
func (t Turn) refusesTools(r reply) bool {
	return r.err != nil && r.err.Kind == llm.NoTools && len(t.Tools) > 0 && t.mode() != llm.PromptMode && t.mode() != llm.SchemaMode
}

// leastTools is how many tools a model sees at least where the prompt is too long for all of them.
const leastTools = 2

// shortenRefused goes on from a server that refuses the conversation because it is too long: with a shorter one, or else
// with half of the tools.
func (a *Agent) shortenRefused(ctx context.Context, t Turn, r reply, emit Emit) (Turn, Phase, error) {
	t.state.overflowHandled = true
	if t.Window.Size > 0 { // it is smaller than was believed, or holds fewer words
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

// endUseless ends a turn whose model gives no reply of use. The part of an answer that had arrived
// is not lost.
func (t Turn) endUseless(ctx context.Context, r reply, emit Emit) (Turn, Phase, error) {
	last := r.generated(string(r.reading.Class))
	last.Message.Text = strings.TrimSpace(r.reading.Text)
	if isTransient(r.err) && t.ParkIfAway != nil && t.Stage == nil { // a stage has words of its own
		if err := r.takeBack(emit); err != nil {
			return t, End, err
		}
		begun := t.Progress.Add(last).Steps > 0 || r.err.Retry // or a request broke off that the server had taken
		if t.ParkIfAway(ctx, r.err, begun) {
			return t, End, fmt.Errorf("%w: %w", ErrAway, r.err)
		}
	}
	e := Ending{Cause: Useless, Reason: event.NoModel, Reply: event.Replied{Text: failureWords(r)}, Last: &last}
	if r.err != nil { // else nobody would know that the model could not be asked
		e.Failure = e.Reply.Text
	}
	if last.Message.Text != "" {
		e.Reply.Text = t.examine(last.Message.Text).marked() + "\n\n" + e.Reply.Text
	}
	return t.WithEnding(e), Finish, nil
}

// isTransient reports whether the model gave no reply because of its server and not because of the
// request.
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
