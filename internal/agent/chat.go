package agent

import (
	"cmp"
	"context"
	"fmt"

	"hob/internal/llm"
	"hob/internal/llm/toolcall"
	"hob/internal/tools"
)

// chat gets one reply of the model in the rest of the turn's time, and shows it as it arrives. An
// error means that the turn cannot go on: it was stopped, ran out of time, hob shuts down, or the
// journal cannot be written. [Turn.EndOrFail] handles it.
func (a *Agent) chat(ctx context.Context, t Turn, emit Emit) (reply, error) {
	left := t.Budget.Time - t.Progress.Time
	if t.Progress.WhyCallsOff() != "" {
		left = max(left, lastWordsTime)
	}
	chatCtx, clock := startClock(ctx, left, a.now)
	defer clock.stop()
	s := newStream(t, emit)
	var failed error
	res, err := a.model.Chat(chatCtx, t.request(), func(d llm.Delta) {
		clock.applyQueue(d.Queue)
		if failed != nil || s.stop != nil {
			return
		}
		if failed = s.add(d); s.stop != nil {
			clock.cancel(s.stop)
		}
	})
	s.got.duration = clock.elapsed()
	switch {
	case failed != nil:
		return s.got, failed
	case err != nil && chatCtx.Err() != nil && (s.stop == nil || ctx.Err() != nil): // the cause of the context is more exact than the model's error
		return s.got, fmt.Errorf("%w: %w", cmp.Or(context.Cause(ctx), context.Cause(chatCtx)), err)
	}
	return s.end(res, err), nil
}

// request builds the next request to the model.
func (t Turn) request() llm.Request {
	req := toolcall.Render(llm.Request{
		System: t.System, Messages: t.withStageContext(t.History), Tools: tools.Schema(t.Tools), Options: t.options(),
	}, t.mode(), t.mayAct)
	return toolcall.Arrange(req, t.Profile.Layout)
}

// withStageContext returns the messages with the stage's context below the newest words.
func (t Turn) withStageContext(messages []llm.Message) []llm.Message {
	below := t.state.rules.Context
	if below == "" {
		return messages
	}
	for i := len(messages) - 1; i >= t.Begin; i-- {
		if m := messages[i]; m.Role == llm.UserRole && !m.Note {
			m.Text += "\n\n" + below
			return append(append(messages[:i:i], m), messages[i+1:]...)
		}
	}
	return messages
}

// mode is how the model is asked next: as its profile says, but in the structured form for the last
// tries after calls that could not be read.
func (t Turn) mode() llm.Mode { return t.modeAfter(t.Progress.failures) }

func (t Turn) modeAfter(f failures) llm.Mode {
	lastTry := f.unreadable >= maxUnreadable || f.unfit >= maxUnfit || f.doubtful && f.unfit >= maxDoubtful
	if lastTry && len(t.Tools) > 0 && t.Progress.WhyCallsOff() == "" {
		return llm.SchemaMode
	}
	return t.Profile.Mode
}

// form is the format in which the model writes its next call after these failures.
func (t Turn) form(f failures) toolcall.Form {
	return toolcall.Form{Mode: t.modeAfter(f), Own: t.Profile.Example}
}

// withStageOptions returns the turn with the options that its stage sets for an answer.
func (t Turn) withStageOptions() Turn {
	p := t.state.rules
	t.Options.Temperature = cmp.Or(p.Temperature, t.Options.Temperature)
	t.Options.NumPredict = cmp.Or(p.Tokens, t.Options.NumPredict)
	return t
}

// options are those of the turn, adapted after failures: less thinking and more room after too long
// a thought, a higher temperature after repetition, a lower one after a malformed call. No change
// here makes a server reload its model.
func (t Turn) options() llm.Options {
	o, r := t.Options, t.Progress.failures
	if r.unreadable >= 2 || r.thought >= 1 {
		o = t.Profile.WithThink(o, t.lessThinking())
	}
	switch {
	case r.same || r.repeats > 0:
		o.Temperature = max(o.Temperature, min(max(o.Temperature+0.25, 0.8), 1.5)) // some profiles already ask at 1
	case r.unreadable >= 2 || r.unfit >= 2:
		o.Temperature = min(o.Temperature, 0.2)
	}
	if r.thought >= 1 && t.Window.Size > 0 {
		o.NumPredict = max(o.NumPredict, min(2*o.NumPredict, t.Window.Size/2))
	}
	return o
}

func (t Turn) lessThinking() llm.Think {
	if t.Profile.Has(llm.AlwaysThinks) {
		return llm.ThinkLow
	}
	return llm.ThinkOff
}
