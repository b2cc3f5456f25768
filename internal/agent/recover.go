package agent

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/toolcall"
	"hob/internal/retry"
)

// failures counts the model's failures since its last usable reply. If the tries run out on a call
// that does not fit, the turn ends as [Misfit], otherwise as [Unusable].
type failures struct {
	unfit      int // calls that did not fit
	unreadable int // empty replies, and calls that could not be read
	thought    int // thinking without an answer, or a call that was cut off
	broken     int // replies that broke off
	repeats    int // replies stopped because they repeated themselves

	doubtful bool // one of the misfits only looked like a call

	last [sha256.Size]byte // hash of the newest reply that did not fit or could not be read
	same bool              // the reply before it had the same hash
}

// rememberReply compares a reply that did not fit or could not be read with the one before. A reply
// that the server withheld is never the same as another.
func (f failures) rememberReply(b event.Generated) failures {
	text := b.Class + "\n" + b.Raw
	for _, c := range b.Message.Calls {
		text += "\n" + callKey(c.Name, c.Args)
	}
	sum := sha256.Sum256([]byte(text))
	isKnown := len(b.Message.Calls) > 0 || b.Raw != "" || b.Class == string(toolcall.Empty)
	f.last, f.same = sum, isKnown && sum == f.last
	return f
}

// How many unusable replies of each kind lead to another request. All but maxWasted count from the
// last usable reply. See [failures].
const (
	maxUnfit      = 3 // each call is corrected; then the model is asked in the structured form
	maxUnreadable = 3 // likewise
	maxDoubtful   = 2 // something that only looks like a call is asked about once, in words
	maxStructured = 2 // tries in the structured form
	maxRepeats    = 1
	maxThought    = 2
	maxBroken     = 2
	maxWasted     = 6 // unusable replies in the whole turn
)

// unusableReply says how the loop handles one class of unusable replies.
type unusableReply struct {
	count   func(*failures) *int // the counter of the class in failures
	most    int                  // the turn ends once there are more than this
	why     event.Why            // kind of the nudge; "": none, the same request is repeated
	setback string               // what the person reads when the model is asked again
	failure string               // what the person reads when it is not; "": the error says it
}

// unusableReplies has the classes of unusable replies. [toolcall.Malformed] here means calls that
// cannot be read; a call that does not fit gets an error result instead.
func unusableReplies() map[toolcall.Class]unusableReply {
	unreadable := func(f *failures) *int { return &f.unreadable }
	thought := func(f *failures) *int { return &f.thought }
	broken := func(f *failures) *int { return &f.broken }
	repeats := func(f *failures) *int { return &f.repeats }
	const maxTries = maxUnreadable - 1 + maxStructured // in the usual form, then in the structured one
	return map[toolcall.Class]unusableReply{
		toolcall.Empty: {unreadable, maxTries, event.ForUnreadable, "the model said nothing",
			"The model gave an empty reply, also when asked again. Ask in other words, or try another model with `hob model use NAME`."},
		toolcall.Malformed: {unreadable, maxTries, event.ForUnreadable, "the model's call could not be read",
			"The model tried to call a tool in a form that nobody can read, also when told how. Ask in other words, or measure it with `hob model try NAME`."},
		toolcall.Thinking: {thought, maxThought, event.ForThinking, "the model thought and said nothing",
			"The model thought and did not come to an answer. Ask for less at once, set a larger [ollama] num_predict, or try another model with `hob model use NAME`."},
		toolcall.Truncated: {thought, maxThought, event.ForCut, "the model's call was cut off",
			"The model's reply was cut off again and again before it was complete. Ask for less at once, or set a larger [ollama] num_predict."},
		classRepeats: {repeats, maxRepeats, event.ForRepeats, "the model repeated itself",
			"The model repeated itself without end and was stopped, also when asked again. Ask in other words, or try another model with `hob model use NAME`."},
		toolcall.Incomplete: {broken, maxBroken, "", "the reply broke off", ""},
		toolcall.Transport:  {broken, maxBroken, "", "the server failed", ""},
	}
}

// recover plays [Recover]: after an unusable reply it asks the model again, or ends the turn with a
// sentence on the cause.
func (a *Agent) recover(ctx context.Context, t Turn, emit Emit) (Turn, Phase, error) {
	r := t.state.reply
	t.state.reply = reply{}
	generated := r.newGenerated(string(r.reading.Class))
	withReply := t.Progress.Add(generated) // with the reply counted; t gets it when it is emitted
	tries := withReply.failures
	kind, isCounted := unusableReplies()[r.reading.Class]
	switch {
	case t.refusesTools(r):
		t.Profile.Mode, t.state.counted = llm.PromptMode, counted{}
		t, err := t.Emit(emit, generated, event.Noted{Text: "the server takes no tools for this model: they stand in the prompt now"})
		return t, Resume, err
	case r.reading.Class == toolcall.Failed, withReply.Wasted >= maxWasted, isCounted && *kind.count(&tries) > kind.most,
		r.reading.Class == toolcall.Context && t.state.overflowHandled:
		return t.endUnusable(ctx, r, emit)
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
		return t.WithEnding(Ending{Cause: Unusable, Reason: event.NoModel, Reply: event.Replied{Text: words}, Failure: words}), Finish, nil
	}
	return t, Resume, nil
}

// endUnusable ends a turn whose model gives no usable reply. It keeps the part of an answer that had
// arrived.
func (t Turn) endUnusable(ctx context.Context, r reply, emit Emit) (Turn, Phase, error) {
	last := r.newGenerated(string(r.reading.Class))
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
	e := Ending{Cause: Unusable, Reason: event.NoModel, Reply: event.Replied{Text: failureWords(r)}, Last: &last}
	if r.err != nil { // without it the person would not learn why
		e.Failure = e.Reply.Text
	}
	if last.Message.Text != "" {
		e.Reply.Text = t.examine(last.Message.Text).withNotes() + "\n\n" + e.Reply.Text
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

// pauseAfter is the pause before a request is repeated after so many that broke off.
func pauseAfter(broken int) time.Duration {
	if broken <= 1 {
		return 500 * time.Millisecond
	}
	return 2 * time.Second
}

// failureWords is the sentence for the person on why the model failed.
func failureWords(r reply) string {
	if r.err != nil && r.reading.Class != toolcall.Malformed {
		return r.err.Message
	}
	all := unusableReplies()
	return cmp.Or(all[r.reading.Class].failure, all[toolcall.Malformed].failure)
}

// correction returns the nudge after an unusable reply; tries includes that reply. Each
// try has another text, because a small model answers the same words with the same reply. In
// nudges.md they are unreadable-1 and so on.
func (t Turn) correction(r reply, tries failures) event.Nudged {
	kind := unusableReplies()[r.reading.Class]
	try := strconv.Itoa(*kind.count(&tries))
	switch {
	case kind.why != event.ForUnreadable:
		return newNudge(kind.why, string(kind.why), "try", try, "tokens", strconv.Itoa(r.usage.EvalTokens))
	case len(t.Tools) == 0 || t.Progress.WhyCallsOff() != "":
		return newNudge(kind.why, "plain", "try", try)
	}
	reason := strings.TrimRight(cmp.Or(r.reading.Reason, "it came out empty"), ".")
	return newNudge(kind.why, "unreadable-"+try,
		"reason", reason, "example", t.state.offer.Example(t.form(tries), toolcall.Call{}), "answer", t.state.offer.AnswerWord())
}
