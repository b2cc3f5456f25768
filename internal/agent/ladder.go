package agent

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/toolcall"
)

// How often a reply that was of no use is asked for again, by what was wrong with it, counted since the last one that was
// of use; and in all.
const (
	maxUnfit      = 3 // calls that do not fit: each is corrected; then the model is asked once more, in the structured form
	maxUnreadable = 3 // empty and unreadable replies: likewise
	maxThought    = 2
	maxBroken     = 2
	maxWasted     = 6 // in a turn
)

// pause is the wait before a request that broke off is made again.
func pause(broken int) time.Duration {
	if broken <= 1 {
		return 500 * time.Millisecond
	}
	return 2 * time.Second
}

// useless goes on from a reply that was of no use: it makes it known, and then the model is asked again, or the turn ends
// with a sentence on what is wrong.
func (a *Agent) useless(ctx context.Context, t Turn, got answer, emit Emit) (string, error) {
	generated := event.Generated{
		Message: llm.Message{Role: llm.AssistantRole}, Usage: got.usage,
		Class: string(got.reading.Class), Raw: got.reading.Raw, DurationMS: got.took.Milliseconds(),
	}
	t.Usage = t.Usage.Add(generated)
	r := t.Usage.recovery
	switch {
	case got.reading.Class == toolcall.Failed, t.Usage.Wasted >= maxWasted,
		r.unreadable > maxUnreadable, r.thought > maxThought, r.broken > maxBroken:
		return a.giveUp(ctx, t, got, emit)
	}
	if err := void(&got, emit); err != nil {
		return "", err
	}
	switch got.reading.Class {
	case toolcall.Context:
		return a.tooLong(ctx, t, got, generated, emit)
	case toolcall.Incomplete, toolcall.Transport:
		if err := emit(generated, event.Noted{Text: setback(got) + ": asking again"}); err != nil {
			return "", err
		}
		if err := wait(ctx, pause(r.broken)); err != nil {
			return a.ended(ctx, t, "", err, emit)
		}
		return a.Run(ctx, t, emit)
	}
	nudge := t.correction(got)
	if err := emit(generated, nudge, event.Noted{Text: setback(got) + ": asking again"}); err != nil {
		return "", err
	}
	return a.Run(ctx, t.with(nudge), emit)
}

// tooLong goes on from a server that refuses the conversation because it is too long.
func (a *Agent) tooLong(ctx context.Context, t Turn, got answer, generated event.Generated, emit Emit) (string, error) {
	if t.shortened {
		return a.giveUp(ctx, t, got, emit)
	}
	if err := emit(generated); err != nil {
		return "", err
	}
	t.shortened = true
	if t.Window.Size > 0 { // it is smaller than was believed, or holds fewer words
		t.Window.Size = max(min(t.Window.Size*3/4, t.prompt()*3/4), 2*t.Window.Reserve)
	}
	t, shorter, err := a.shorten(ctx, t, forTruncated, emit)
	if err != nil {
		return "", err
	}
	if !shorter {
		return a.told(ctx, t, t.lastReason(event.NoModel), t.fallback(ctx, hopeless(got)), emit)
	}
	return a.Run(ctx, t, emit)
}

// giveUp ends a turn whose model gives no reply of use. What had arrived of an answer is not lost.
func (a *Agent) giveUp(ctx context.Context, t Turn, got answer, emit Emit) (string, error) {
	if mayPass(got.err) && t.Away != nil && t.Lead == nil {
		if err := void(&got, emit); err != nil {
			return "", err
		}
		if t.Away(ctx, got.err, t.Usage.Steps > 0 || got.err.Retry) {
			return "", &AwayError{got.err}
		}
	}
	words := hopeless(got)
	last := event.Generated{
		Message: llm.Message{Role: llm.AssistantRole, Text: strings.TrimSpace(got.reading.Text)}, Usage: got.usage,
		Class: string(got.reading.Class), Raw: got.reading.Raw, DurationMS: got.took.Milliseconds(),
	}
	if last.Message.Text != "" {
		words = t.marked(last.Message.Text) + "\n\n" + words
	}
	reason, instead := t.lastReason(event.NoModel), t.fallback(ctx, words)
	if got.err != nil && reason == event.NoModel && instead != words { // else nobody would know that it could not be asked
		t.trouble = hopeless(got)
	}
	return a.told(ctx, t, reason, instead, emit, last)
}

// mayPass reports whether the model gave no reply because of its server and not because of what it was asked.
func mayPass(err *llm.Error) bool {
	if err == nil {
		return false
	}
	switch err.Kind {
	case llm.Unreachable, llm.Busy, llm.Silent, llm.Incomplete:
		return true
	}
	return err.Retry && err.Kind == llm.Failed
}

// setback says in a few words what was wrong with a reply that is asked for again.
func setback(got answer) string {
	switch got.reading.Class {
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

// hopeless says to a person why the model is no use.
func hopeless(got answer) string {
	switch {
	case got.err != nil && got.reading.Class != toolcall.Malformed:
		return got.err.Message
	case got.reading.Class == toolcall.Thinking:
		return "The model thought and did not come to an answer. Ask for less at once, set a larger [ollama] num_predict, or try another model with `hob model use NAME`."
	case got.reading.Class == toolcall.Truncated:
		return "The model's reply was cut off again and again before it was complete. Ask for less at once, or set a larger [ollama] num_predict."
	case got.reading.Class == toolcall.Empty:
		return "The model gave an empty reply, also when asked again. Ask in other words, or try another model with `hob model use NAME`."
	}
	return "The model tried to call a tool in a form that nobody can read, also when told how. Ask in other words, or measure it with `hob model try NAME`."
}

// correction is what the model is told after a reply that could not be used. Each time it is told something else: small
// models answer the same words with the same reply.
func (t Turn) correction(got answer) event.Nudged {
	r := t.Usage.recovery
	say := func(why event.Why, format string, args ...any) event.Nudged {
		return event.Nudged{Why: why, Text: nudgeMark + fmt.Sprintf(format, args...) + "]"}
	}
	switch {
	case got.reading.Class == toolcall.Thinking:
		return say(event.ForThinking, "you thought and then said nothing (try %d). Do not think again: call one tool, or answer, now.", r.thought)
	case got.reading.Class == toolcall.Truncated:
		return say(event.ForCut, "your reply was cut off at %d tokens and its call was not run (try %d). Write less at once: "+
			"smaller pieces, one after the other.", got.usage.EvalTokens, r.thought)
	case len(t.Tools) == 0 || t.Usage.refusing() != "":
		return say(event.ForUnreadable, "your reply was empty or could not be read (try %d). Answer in plain words.", r.unreadable)
	case r.unreadable == 1:
		reason := got.reading.Reason
		if reason == "" {
			reason = "it came out empty"
		}
		return say(event.ForUnreadable, "your last reply could not be read: %s. To call a tool write it in this form, with the tool "+
			"and the arguments that you need: %s If no tool is needed, answer in plain words.", strings.TrimRight(reason, "."), t.offer.Example(t.Profile.Example))
	case r.unreadable == 2:
		return say(event.ForUnreadable, "again nothing could be read. Take one small step: one tool, its name spelt as in the list, "+
			"its arguments as one JSON object in double quotes. Or say in one sentence what you found.")
	}
	return say(event.ForUnreadable, "last try: write one JSON object with \"thought\", \"tool\" and \"arguments\"; "+
		"to answer, \"tool\" is \"answer\" and \"answer\" holds your words.")
}

// wait waits, or returns the cause of ctx.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
