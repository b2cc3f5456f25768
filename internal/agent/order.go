package agent

import (
	"context"
	"strings"

	"hob/internal/event"
	"hob/internal/llm"
)

// mostOrdered is how many bytes of a result a person is shown who called the tool.
const mostOrdered = 8 << 10

// ordered goes on with a turn that is one call of a person's, without any model: what the tool says is the answer, or what there
// is to say in its place.
func (a *Agent) ordered(ctx context.Context, t Turn, emit Emit) (string, error) {
	last := t.History[len(t.History)-1]
	switch {
	case last.Role == llm.ToolRole:
		words := strings.TrimSpace(event.Unfenced(last.Text))
		if words == "" {
			words = "Done."
		}
		return t.finish(t.reason(), words, emit)
	case t.answered():
		return t.finish(event.Done, strings.TrimSpace(last.Text), emit)
	case t.Order == nil:
		return t.finish(event.Done, t.Instead, emit)
	}
	call := *t.Order
	bodies := []event.Body{
		event.Generated{Message: llm.Message{Role: llm.AssistantRole, Calls: []llm.Call{call}}, Class: classOrder},
		event.Called{ID: call.ID, Tool: call.Name, Args: call.Args, Repairs: []string{}},
	}
	if err := emit(bodies...); err != nil {
		return "", err
	}
	return a.Run(ctx, t.with(bodies...), emit)
}

// asksNobody reports whether the turn is a person's own call, or what is said in its place.
func (t Turn) asksNobody() bool { return t.Order != nil || t.Instead != "" }

// answered reports whether something stands in the turn that the model said, or that was said in its place.
func (t Turn) answered() bool {
	for _, m := range t.History[min(t.Begin, len(t.History)):] {
		if m.Role == llm.AssistantRole {
			return true
		}
	}
	return false
}
