package agent

import (
	"context"

	"hob/internal/event"
)

// prepare plays [Prepare]: it adds inputs that arrived meanwhile and the nudge that is due, and
// makes the conversation fit the model's context.
func (a *Agent) prepare(ctx context.Context, t Turn, emit Emit) (Turn, Phase, error) {
	t, err := t.takeArrived(ctx)
	if err != nil {
		return t, End, err
	}
	if nudge, ok := t.dueNudge(); ok {
		if t, err = t.Emit(emit, nudge); err != nil {
			return t, End, err
		}
	}
	t.state.lostPart = ""
	if short, ok := t.pruneRepeats(); ok && !t.state.rules.WordsOnly {
		before := t.promptTokens()
		t.History, t.state.counted = fadePictures(short, t.Begin), counted{}
		if err := emit(t.compaction(before, forRepeats)); err != nil {
			return t, End, err
		}
	}
	if t, err = a.fit(ctx, t, emit); err != nil {
		return t.EndOrFail("", err)
	}
	return t, Ask, nil
}

// takeArrived adds the inputs that arrived meanwhile. A turn that is about to end leaves them to
// the next turn.
func (t Turn) takeArrived(ctx context.Context) (Turn, error) {
	ending := t.Progress.WhyCallsOff() != "" || t.exhaustedBudget() != "" || ctx.Err() != nil
	if t.Arrived == nil || ending {
		return t, nil
	}
	arrived, err := t.Arrived(ctx)
	if err != nil || len(arrived) == 0 {
		return t, err
	}
	t.History = append(t.History[:len(t.History):len(t.History)], arrived...)
	t.Progress = t.Progress.Add(event.Joined{})
	return t.refreshTools(), nil // new inputs may have opened skills
}
