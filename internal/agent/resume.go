package agent

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/tools"
)

// resume plays [Resume]: it finds out where the turn stands. The turn may be new, resumed after a
// crash, or in its next round.
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
	case t.IsCommand():
		return t.playCommand(emit)
	}
	return t, Prepare, nil
}

// playCommand plays a person's command: it makes the calls, and ends the turn with their results or
// with the answer that replaces them.
func (t Turn) playCommand(emit Emit) (Turn, Phase, error) {
	if len(t.Command) > 0 && !t.hasAssistantMessage() {
		bodies := []event.Body{event.Generated{Message: llm.Message{Role: llm.AssistantRole, Calls: t.Command}, Class: classCommand}}
		for _, call := range t.Command {
			bodies = append(bodies, event.Called{ID: call.ID, Tool: call.Name, Args: call.Args, Repairs: []string{}})
		}
		t, err := t.Emit(emit, bodies...)
		return t, RunCalls, err
	}
	e := Ending{Reason: event.Done, Settled: true}
	switch last := t.History[len(t.History)-1]; last.Role {
	case llm.ToolRole:
		e.Reason = t.reason()
		e.Reply.Text = t.commandAnswer()
	case llm.AssistantRole:
		e.Reply.Text = strings.TrimSpace(last.Text)
	default:
		e.Reply.Text = t.Answer
	}
	return t.WithEnding(e), Finish, nil
}

// failedMark marks a failed call in the answer to a command, if others succeeded.
const failedMark = "✗ "

// commandAnswer is the reply to a person's command: the results of its calls, in order. With
// several calls it marks those that failed.
func (t Turn) commandAnswer() string {
	var answers []string
	for _, call := range t.Command {
		i := slices.IndexFunc(t.History, func(m llm.Message) bool { return m.Role == llm.ToolRole && m.CallID == call.ID })
		if i < 0 {
			continue // a shortened conversation no longer has it
		}
		text := cmp.Or(strings.TrimSpace(event.Unfence(t.History[i].Text)), "Done.")
		text = strings.TrimSuffix(text, "; "+tools.CallAgain(call.Name)) // advice for a model only
		if t.Translate != nil {
			text = t.Translate(call, text)
		}
		text, failed := strings.CutPrefix(text, errorMark)
		if failed && len(t.Command) > 1 {
			text = failedMark + text
		}
		answers = append(answers, text)
	}
	return strings.Join(answers, "\n")
}
