package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/llm"
)

// finish plays [Finish]: it emits the reply and the end of the turn in one write.
func (a *Agent) finish(ctx context.Context, t Turn, emit Emit) (Turn, Phase, error) {
	e := *t.state.ending
	if t.Stage != nil && !e.Settled {
		t.state.ending = nil
		return t.Stage.Close(ctx, t, e, emit)
	}
	var bodies []event.Body
	if e.Last != nil {
		bodies = append(bodies, *e.Last)
		t.Progress = t.Progress.Add(*e.Last)
	}
	bodies = append(bodies, e.Reply, event.Ended{
		Reason: cmp.Or(e.Reason, t.reason()), Steps: t.Progress.Steps, Calls: t.Progress.Calls,
		PromptTokens: t.Progress.PromptTokens, EvalTokens: t.Progress.EvalTokens,
	})
	if err := emit(bodies...); err != nil {
		return t, End, err
	}
	return t, End, nil
}

// stoppedEnding is the ending of a turn that a person stopped.
func stoppedEnding() Ending {
	return Ending{Reason: event.Stopped, Reply: event.Replied{Text: "Stopped."}, Settled: true}
}

// outOfTimeEnding is the ending of a turn whose time is used up.
func outOfTimeEnding() Ending {
	return Ending{Cause: OutOfTime, Reason: event.OverBudget, Reply: event.Replied{Text: overTime}}
}

// EndOrFail ends a turn that a person stopped, or that ran out of time, and keeps partial, the part
// of the reply that had arrived. It returns any other err: hob shuts down, or the journal cannot be
// written.
func (t Turn) EndOrFail(partial string, err error) (Turn, Phase, error) {
	e := stoppedEnding()
	switch {
	case errors.Is(err, ErrStopped):
	case errors.Is(err, errTime):
		e = outOfTimeEnding()
	default:
		return t, End, fmt.Errorf("play turn: %w", err)
	}
	if partial = strings.TrimSpace(partial); partial != "" {
		e.Last = &event.Generated{Message: llm.Message{Role: llm.AssistantRole, Text: partial}, Class: classCutShort}
		e.Reply.Text = t.examine(partial).withNotes() + "\n\n" + e.Reply.Text
	}
	return t.WithEnding(e), Finish, nil
}

// reason returns why a turn with an answer of the model has ended.
func (t Turn) reason() event.Reason {
	switch why := t.Progress.WhyCallsOff(); {
	case why != "":
		return reasonOf(why)
	case t.Progress.Denied > 0 && t.Progress.Succeeded == 0:
		return event.Denied
	}
	return event.Done
}

// reasonOf returns the reason for the end of a turn whose calls are refused.
func reasonOf(refusing event.Why) event.Reason {
	switch refusing {
	case event.ForLoop:
		return event.Looped
	case event.ForNarration:
		return event.Done
	}
	return event.OverBudget
}

// maxLastResult limits, in bytes, the part of the last result that a person reads.
const maxLastResult = 1000

// lastResult returns a paragraph with the newest result, for a turn whose model said nothing about
// it, or "". If no call succeeded it is the newest error.
func (t Turn) lastResult() string {
	if t.Progress.Succeeded == 0 {
		return t.Progress.lastError()
	}
	succeeded := slices.DeleteFunc(slices.Clone(t.Progress.answered), func(p callRecord) bool { return !p.ok })
	text, _, found := t.newestResult(succeeded)
	if text = strings.TrimSpace(event.Unfence(text)); !found || text == "" {
		return ""
	}
	short := strings.TrimSpace(display.TruncateBytes(text, maxLastResult))
	if strings.Contains(short, "\n") {
		fence := strings.Repeat("`", 3)
		for strings.Contains(short, fence) {
			fence += "`"
		}
		return "\n\nThe last result was:\n" + fence + "\n" + short + "\n" + fence
	}
	return "\n\nThe last result was: " + short
}

// lastError returns a paragraph on the newest failure: of a tool that ran, or of a call that was
// denied.
func (s Progress) lastError() string {
	for _, p := range slices.Backward(s.answered) {
		if asked := p.by == "" || p.by == byCheck || p.by == byGate; asked && !p.ok && p.reason != "" {
			return "\n\nThe last error was: " + strings.TrimRight(display.TruncateBytes(display.Join(p.reason), maxLastResult), ".") + "."
		}
	}
	return ""
}
