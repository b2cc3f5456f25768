package agent

import (
	"cmp"
	"context"
	"strings"

	"hob/internal/event"
	"hob/internal/llm"
)

// resume plays [Resume]: it finds where the turn stands, be it new, cut short by a crash, or in its
// next round.
func (a *Agent) resume(ctx context.Context, t Turn, emit Emit) (Turn, Phase, error) {
	t = t.refreshTools()
	waiting := len(t.WaitingCalls()) > 0
	if !waiting && isStopped(ctx) {
		return t.WithEnding(stoppedEnding()), Finish, nil
	}
	if t.Stage != nil {
		next, phase, err := t.Stage.Begin(ctx, t, emit)
		if err != nil || phase != Prepare {
			return next, phase, err
		}
		t = next
	}
	switch {
	case waiting:
		return t, RunCalls, nil
	case !t.AsksModel():
		return t.playCommand(emit)
	}
	return t, Prepare, nil
}

// playCommand goes on with a person's command: it makes the call, and ends the turn with the
// result, or with the answer that stands in its place.
func (t Turn) playCommand(emit Emit) (Turn, Phase, error) {
	if t.Command != nil && !t.hasAssistantMessage() {
		call := *t.Command
		t, err := t.Emit(emit,
			event.Generated{Message: llm.Message{Role: llm.AssistantRole, Calls: []llm.Call{call}}, Class: classCommand},
			event.Called{ID: call.ID, Tool: call.Name, Args: call.Args, Repairs: []string{}})
		return t, RunCalls, err
	}
	e := Ending{Reason: event.Done, Settled: true}
	switch last := t.History[len(t.History)-1]; last.Role {
	case llm.ToolRole:
		e.Reason = t.reason()
		e.Reply.Text = cmp.Or(strings.TrimSpace(event.Unfence(last.Text)), "Done.")
		if t.Translate != nil {
			e.Reply.Text = t.Translate(e.Reply.Text)
		}
		e.Reply.Text = strings.TrimPrefix(e.Reply.Text, errorMark)
	case llm.AssistantRole:
		e.Reply.Text = strings.TrimSpace(last.Text)
	default:
		e.Reply.Text = t.Answer
	}
	return t.WithEnding(e), Finish, nil
}
