package staged

import (
	"cmp"
	"context"
	"strings"

	"hob/internal/agent"
	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/llm"
)

// defaultAsk is the instruction to narrate for a driver without one of its own.
const defaultAsk = agent.NudgeMark + "tell now, in words alone, what was done. Tool calls are refused.]"

// untrueWords replace an untrue narration if the driver has no text of its own.
const untrueWords = "What the model said to that is not so, and is left out."

// askNarration asks the driver how the model narrates, or whether the driver answers itself.
func (s Stage) askNarration(ctx context.Context) (driver.Narration, bool) {
	narrator, ok := s.driver.(driver.Narrator)
	if !ok {
		return driver.Narration{}, false
	}
	return narrator.Narration(ctx)
}

// isNarrating reports whether the turn is in its second part.
func isNarrating(t agent.Turn) bool { return t.Progress.CountNudges(event.ForNarration) > 0 }

// prepareRequest prepares the next request. The first part of a narrated turn is over when the
// model has made as many batches of calls as it may, when a budget is used up, or when the model
// goes in circles.
func (s Stage) prepareRequest(ctx context.Context, t agent.Turn, emit agent.Emit) (_ agent.Turn, _ agent.Phase, err error) {
	callsAreOver := s.narration.Batches > 0 && t.Progress.Batches() >= s.narration.Batches || t.IsExhausted() ||
		t.Progress.Batches() > 0 && !isNarrating(t) && s.narration.Enough != nil && s.narration.Enough(ctx)
	if s.narrates && t.Progress.WhyCallsOff() == "" && callsAreOver {
		var nudge event.Nudged
		s, nudge = s.narrationNudge(ctx)
		if t, err = t.Emit(emit, nudge); err != nil {
			return t, agent.End, err
		}
	}
	p := agent.StageRules{
		Context: s.context, KeepTurns: keepTurns, CallsOnly: s.narrates, Class: event.ClassNarration,
	}
	if t.Progress.CountNudges(event.ForUntrue) > 0 {
		p.Class = event.ClassRewrite
	}
	if isNarrating(t) {
		p.CallsOnly, p.WordsOnly = false, true
		p.Temperature, p.Tokens = s.narration.Temperature, s.narration.Tokens
		p.Show = func(text string) (string, bool) { return s.show(ctx, text) }
	}
	t.Stage = s
	return t.WithStageRules(p), agent.Prepare, nil
}

// narrationNudge returns the driver's complete instruction, which begins the second part.
func (s Stage) narrationNudge(ctx context.Context) (Stage, event.Nudged) {
	if n, ok := s.askNarration(ctx); ok {
		s.narration = n
	}
	ask := cmp.Or(s.clean(strings.TrimSpace(s.narration.Ask)), defaultAsk)
	return s, event.Nudged{Why: event.ForNarration, Text: ask}
}

// narrate begins the second part, after the last reply is recorded.
func (s Stage) narrate(ctx context.Context, t agent.Turn, emit agent.Emit, last ...event.Body) (agent.Turn, agent.Phase, error) {
	s, nudge := s.narrationNudge(ctx)
	t.Stage = s
	t, err := t.Emit(emit, append(last, nudge)...)
	return t, agent.Resume, err
}

// draftOf returns the record of the reply that ends the first part, whose text nobody reads.
func draftOf(last event.Generated) event.Generated {
	last.Class, last.Raw = event.ClassDraft, last.Message.Text
	last.Message = llm.Message{Role: llm.AssistantRole}
	return last
}

// closeNarration checks the part of a narration that was not checked as it arrived. If all of it
// passes, it stands. If a part passes, the driver's text completes it. If nothing passes, the model
// reads what is wrong and narrates again, or the driver's text replaces it.
func (s Stage) closeNarration(ctx context.Context, t agent.Turn, e agent.Ending, emit agent.Emit) (agent.Turn, agent.Phase, error) {
	e.Reason = event.Done
	if e.Cause != agent.Answered {
		if e.Last != nil {
			last := *e.Last
			last.Raw = cmp.Or(last.Raw, last.Message.Text, event.NoWords)
			last.Message.Text = ""
			e.Last = &last
		}
		e.Reply.Text = s.fallback(ctx, s.narrated.checked, e.Reply.Text)
		return s.finalize(ctx, t, e)
	}
	text := e.Last.Message.Text
	if s.checkSentences(ctx, text, true) && text != "" {
		return s.finalize(ctx, t, e)
	}
	if checked := s.narrated.checked; checked != "" || t.Progress.CountNudges(event.ForUntrue) >= s.narration.Rewrites {
		e.Reply.Text = s.fallback(ctx, checked, cmp.Or(checked, untrueWords))
		return s.finalize(ctx, t, e)
	}
	t, err := t.Emit(emit, *e.Last, rewriteNudge(s.narration.Rewrite, s.driver.Check(ctx, text)))
	return t, agent.Resume, err
}

// defaultRewrite is the note for drivers without one of their own.
const defaultRewrite = "what you said does not agree with what is so: {0}. Say it again without that, and nothing else."

// rewriteNudge returns the note to the model about a text that fails the check.
func rewriteNudge(note string, problems []string) event.Nudged {
	for i, p := range problems {
		problems[i] = strings.TrimRight(p, ".。")
	}
	text := strings.ReplaceAll(cmp.Or(note, defaultRewrite), "{0}", strings.Join(problems, "; "))
	return event.Nudged{Why: event.ForUntrue, Text: agent.NudgeMark + text + "]"}
}
