package agent

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/toolcall"
	"hob/internal/retry"
)

// How often the model is asked again after replies of no use, by what was wrong with them. All but
// maxWasted count from the last reply that was of use. See [recovery].
const (
	maxUnfit      = 3 // each call is corrected; then the model is asked in the structured form
	maxUnreadable = 3 // likewise
	maxDoubtful   = 2 // what only looks like a call is asked about in words once
	maxStructured = 2 // tries in the structured form
	maxRepeats    = 1
	maxThought    = 2
	maxBroken     = 2
	maxWasted     = 6 // replies of no use in the whole turn
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
	again := event.Noted{Text: setback(r) + ": asking again"}
	switch {
	case t.refusesTools(r):
		t.Profile.Mode, t.state.counted = llm.PromptMode, counted{}
		t, err := t.Emit(emit, generated, event.Noted{Text: "the server takes no tools for this model: they stand in the prompt now"})
		return t, Resume, err
	case r.reading.Class == toolcall.Failed, withReply.Wasted >= maxWasted,
		tries.unreadable >= maxUnreadable+maxStructured, tries.thought > maxThought, tries.broken > maxBroken,
		tries.repeats > maxRepeats, r.reading.Class == toolcall.Context && t.state.overflowHandled:
		return t.endUseless(ctx, r, emit)
	}
	err := r.takeBack(emit)
	if err != nil {
		return t, End, err
	}
	switch r.reading.Class {
	case toolcall.Context:
		if t, err = t.Emit(emit, generated); err != nil {
			return t, End, err
		}
		return a.shortenRefused(ctx, t, r, emit)
	case toolcall.Incomplete, toolcall.Transport:
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

// setback is the short text for a person on a reply that is asked for again.
func setback(r reply) string {
	switch r.reading.Class {
	case classRepeats:
		return "the model repeated itself"
	case toolcall.Incomplete:
		return "the reply broke off"
	case toolcall.Transport:
		return "the server failed"
	case toolcall.Thinking:
		return "the model thought and said nothing"
	case toolcall.Truncated:
		return "the model's call was cut off"
	case toolcall.Empty:
		return "the model said nothing"
	}
	return "the model's call could not be read"
}

// failureWords is the sentence for a person on why the model is of no use.
func failureWords(r reply) string {
	switch {
	case r.err != nil && r.reading.Class != toolcall.Malformed:
		return r.err.Message
	case r.reading.Class == classRepeats:
		return "The model repeated itself without end and was stopped, also when asked again. Ask in other words, or try another model with `hob model use NAME`."
	case r.reading.Class == toolcall.Thinking:
		return "The model thought and did not come to an answer. Ask for less at once, set a larger [ollama] num_predict, or try another model with `hob model use NAME`."
	case r.reading.Class == toolcall.Truncated:
		return "The model's reply was cut off again and again before it was complete. Ask for less at once, or set a larger [ollama] num_predict."
	case r.reading.Class == toolcall.Empty:
		return "The model gave an empty reply, also when asked again. Ask in other words, or try another model with `hob model use NAME`."
	}
	return "The model tried to call a tool in a form that nobody can read, also when told how. Ask in other words, or measure it with `hob model try NAME`."
}

// correction is the note for the model after a reply that could not be used; tries has that reply. Each try has another
// text: small models answer the same words with the same reply. (notes.md has one for each: unreadable-1 and so on.)
func (t Turn) correction(r reply, tries recovery) event.Nudged {
	switch {
	case r.reading.Class == classRepeats:
		return newNudge(event.ForRepeats, "repeats")
	case r.reading.Class == toolcall.Thinking:
		return newNudge(event.ForThinking, "thinking", "try", strconv.Itoa(tries.thought))
	case r.reading.Class == toolcall.Truncated:
		return newNudge(event.ForCut, "cut", "tokens", strconv.Itoa(r.usage.EvalTokens), "try", strconv.Itoa(tries.thought))
	case len(t.Tools) == 0 || t.Progress.WhyCallsOff() != "":
		return newNudge(event.ForUnreadable, "plain", "try", strconv.Itoa(tries.unreadable))
	}
	reason := strings.TrimRight(cmp.Or(r.reading.Reason, "it came out empty"), ".")
	return newNudge(event.ForUnreadable, fmt.Sprint("unreadable-", tries.unreadable),
		"reason", reason, "example", t.state.offer.Example(t.form(tries), toolcall.Call{}), "answer", t.state.offer.AnswerWord())
}
