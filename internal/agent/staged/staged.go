// Package staged plays turns that a driver leads: an [agent.Stage] over a [driver.Driver].
//
// The driver is asked first. It may answer or plan calls without a model. Otherwise each request
// has its context below the newest words. Its check sees the words that would end the turn before
// anybody reads them, and it completes them.
//
// If the model narrates for the driver, a turn has two parts. In the first the model calls tools,
// and nobody reads its words, not even the model itself: they are a draft. In the second the model
// reads what was done and narrates it, in one more request that extends the same prompt, so that
// the server's cache stays valid. A sentence is shown once it and its quotations are complete and
// checked. At the first sentence that fails the narration stops. If nothing was shown yet, the
// model narrates again; otherwise the driver completes the shown text, which is never withdrawn.
//
// A [Stage] is a value, but for what it has shown: each method returns the turn with the stage that
// follows.
package staged

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"hob/internal/agent"
	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/tools"
)

// keepTurns is how many earlier turns of a chat with a driver keep their text, however small the
// context, because a story goes on from its last words.
const keepTurns = 3

// Stage is the stage of a turn under a driver.
type Stage struct {
	driver     driver.Driver
	words      string // the person's words
	sanitizer  agent.Sanitizer
	context    string           // of the driver, for this turn
	hasContext bool             // the driver was asked for context and narration
	narration  driver.Narration // how the model narrates
	narrates   bool             // the model narrates the turn
	narrated   *narrated        // how much of its narration was checked and shown; shared, because it grows while a reply arrives
}

// New returns the stage of a turn that d drives, for the person's words. sanitizer cleans every
// text of the driver; it may be nil.
func New(d driver.Driver, words string, sanitizer agent.Sanitizer) Stage {
	return Stage{driver: d, words: words, sanitizer: sanitizer, narrated: &narrated{}}
}

// Begin implements [agent.Stage].
func (s Stage) Begin(ctx context.Context, t agent.Turn, emit agent.Emit) (agent.Turn, agent.Phase, error) {
	switch {
	case len(t.WaitingCalls()) > 0:
		s.remindDriver(ctx, t)
		return t, agent.Prepare, nil
	case s.hasContext:
		return s.prepareRequest(ctx, t, emit)
	case t.Progress.HasPlan():
		return s.finalize(ctx, t, agent.Ending{Reply: event.Replied{Text: s.fallback(ctx, "", lastResult(t))}})
	case !t.HasBegun():
		if next, phase, err := s.tryDirect(ctx, t, emit); err != nil || phase != agent.Prepare {
			return next, phase, err
		}
	}
	if t.IsCommand() {
		return t, agent.Prepare, nil
	}
	below, err := s.driver.Context(ctx, s.words)
	if err != nil {
		return endWithError(ctx, t, event.Broken, err)
	}
	s.context = s.clean(below)
	s.narration, s.narrates = s.askNarration(ctx)
	s.hasContext = true
	return s.prepareRequest(ctx, t, emit)
}

// remindDriver tells the driver of a resumed turn the person's words before the model's calls run.
// The context is requested again when the results are known.
func (s Stage) remindDriver(ctx context.Context, t agent.Turn) {
	if !s.hasContext && !t.Progress.HasPlan() && !t.IsCommand() {
		_, _ = s.driver.Context(ctx, s.words) // its error ends the turn after the calls, so that each has a result
	}
}

// tryDirect goes on with the answer or the plan of a driver that needs no model for the words, or
// else with [agent.Prepare].
func (s Stage) tryDirect(ctx context.Context, t agent.Turn, emit agent.Emit) (agent.Turn, agent.Phase, error) {
	plan, ok, err := s.driver.TryDirect(ctx, s.words)
	switch {
	case err != nil:
		return endWithError(ctx, t, event.Done, err)
	case !ok:
		return t, agent.Prepare, nil
	case len(plan.Calls) > 0:
		turn := tools.CallerFrom(ctx).Turn
		calls := make([]llm.Call, len(plan.Calls))
		for i, p := range plan.Calls {
			calls[i] = llm.Call{ID: fmt.Sprintf("direct-%d-%d", turn, i+1), Name: p.Name, Args: p.Args}
		}
		t, err = t.WithPlan(emit, calls...)
		return t, agent.RunCalls, err
	}
	r := s.sanitize(plan.Result)
	if strings.TrimSpace(r.Text) == "" {
		r.Text = "Done."
	}
	last := event.Generated{Message: llm.Message{Role: llm.AssistantRole, Text: r.Text}, Class: agent.ClassDirect}
	e := agent.Ending{Reason: event.Done, Reply: replyOf(r), Last: &last, Settled: true}
	return t.WithEnding(e), agent.Finish, nil
}

// endWithError ends a turn with an error of its driver, unless the turn was stopped or the process
// is shutting down.
func endWithError(ctx context.Context, t agent.Turn, reason event.Reason, err error) (agent.Turn, agent.Phase, error) {
	if ctx.Err() != nil {
		return t.EndOrFail("", context.Cause(ctx))
	}
	reply := event.Replied{Text: strings.TrimSpace(err.Error())}
	return t.WithEnding(agent.Ending{Reason: reason, Reply: reply, Settled: true}), agent.Finish, nil
}

// Close implements [agent.Stage].
func (s Stage) Close(ctx context.Context, t agent.Turn, e agent.Ending, emit agent.Emit) (agent.Turn, agent.Phase, error) {
	switch {
	case isNarrating(t):
		return s.closeNarration(ctx, t, e, emit)
	case s.narrates && e.Cause == agent.Answered && s.narration.Stands != nil && s.narration.Stands(ctx, e.Last.Message.Text):
		e.Last.Class = event.ClassNarration
		return s.finalize(ctx, t, e)
	case s.narrates && e.Last != nil && e.Cause != agent.Unusable:
		return s.narrate(ctx, t, emit, draftOf(*e.Last))
	case s.narrates && e.Cause == agent.Misfit:
		return s.narrate(ctx, t, emit)
	case e.Cause == agent.Answered || e.Cause == agent.Cut:
		return s.closeAnswer(ctx, t, e, emit)
	case e.Cause == agent.OutOfTime:
		e.Last = nil // none of it was shown
	}
	return s.useFallback(ctx, t, e)
}

// closeAnswer checks an answer that is no narration. It stands; or the model reads once what is
// wrong and answers again; or the driver's text replaces it.
func (s Stage) closeAnswer(ctx context.Context, t agent.Turn, e agent.Ending, emit agent.Emit) (agent.Turn, agent.Phase, error) {
	problems := s.driver.Check(ctx, e.Last.Message.Text)
	switch {
	case len(problems) == 0:
		return s.finalize(ctx, t, e)
	case e.Cause == agent.Cut, t.Progress.CountNudges(event.ForUntrue) > 0, t.Progress.WhyCallsOff() != "":
		e.Reply.Text = s.fallback(ctx, "", untrueWords)
		return s.finalize(ctx, t, e)
	}
	t, err := t.Emit(emit, *e.Last, rewriteNudge(s.narration.Rewrite, problems))
	return t, agent.Resume, err
}

// useFallback ends a turn whose model failed with the driver's text. If the model's calls ran and
// only the narration is missing, the turn counts as done.
func (s Stage) useFallback(ctx context.Context, t agent.Turn, e agent.Ending) (agent.Turn, agent.Phase, error) {
	if s.narrates && t.Progress.Batches() > 0 && (e.Cause == agent.Unusable || e.Cause == agent.OutOfTime) {
		e.Reason = event.Done
	}
	words := s.fallback(ctx, "", e.Reply.Text)
	if e.Reason != event.NoModel || words == e.Reply.Text {
		e.Failure = ""
	}
	e.Reply.Text = words
	return s.finalize(ctx, t, e)
}

// finalize completes the words of an ending: the conversation keeps them, and the driver completes
// them for the person.
func (s Stage) finalize(ctx context.Context, t agent.Turn, e agent.Ending) (agent.Turn, agent.Phase, error) {
	words := s.clean(e.Reply.Text)
	if strings.TrimSpace(words) == "" {
		words = "Done."
	}
	last := event.Generated{Message: llm.Message{Role: llm.AssistantRole}, Class: agent.ClassDirect}
	if e.Last != nil {
		last = *e.Last
	}
	if last.Message.Text != words {
		last.Raw = cmp.Or(last.Raw, last.Message.Text)
		last.Message.Text = words
	}
	reply := event.Replied{Text: words}
	if res, err := s.driver.Finalize(ctx, words); err == nil {
		if strings.TrimSpace(res.Text) == "" {
			res.Text = words
		}
		reply = replyOf(s.sanitize(res))
	}
	if e.Failure != "" {
		reply.Text += "\n\n" + e.Failure
	}
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), agent.ErrStopped) {
		// The process is shutting down, and the driver may not have completed the words. After the
		// restart it is asked again.
		return t, agent.End, fmt.Errorf("play turn: %w", context.Cause(ctx))
	}
	return t.WithEnding(agent.Ending{Reason: e.Reason, Reply: reply, Last: &last, Settled: true}), agent.Finish, nil
}

// fallback returns the driver's text, or words if it has none. It completes words that were shown
// already.
func (s Stage) fallback(ctx context.Context, shown, words string) string {
	narrator, ok := s.driver.(driver.Narrator)
	if !ok {
		return words
	}
	if own, err := narrator.Fallback(ctx, shown); err == nil && strings.TrimSpace(own) != "" {
		return strings.TrimSpace(own)
	}
	return words
}

// sanitize cleans a result of the driver.
func (s Stage) sanitize(res tools.Result) event.Returned {
	r := event.Returned{
		OK: true, Text: res.Text, Effects: res.Effects, Files: res.Files, Choices: res.Choices, Label: res.Label,
	}
	if s.sanitizer != nil {
		r = s.sanitizer.Sanitize(r)
	}
	return r
}

// clean cleans text of the driver, of which a stranger may have written a part.
func (s Stage) clean(words string) string { return s.sanitize(tools.Result{Text: words}).Text }

func replyOf(r event.Returned) event.Replied {
	return event.Replied{Text: r.Text, Label: r.Label, Effects: r.Effects, Files: r.Files, Choices: r.Choices}
}

// lastResult returns the result of the turn's last call.
func lastResult(t agent.Turn) string {
	if m := t.History[len(t.History)-1]; m.Role == llm.ToolRole {
		return strings.TrimSpace(event.Unfence(m.Text))
	}
	return ""
}
