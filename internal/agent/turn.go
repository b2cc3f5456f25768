package agent

import (
	"context"
	"errors"
	"slices"
	"strings"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/toolcall"
	"hob/internal/llm/window"
	"hob/internal/tools"
)

// Turn is the state of a turn. The caller fills in the exported fields.
type Turn struct {
	System   string
	History  []llm.Message // ends with the user's words, with calls, or with results
	Begin    int           // index in History of the words that began the turn
	Progress Progress      // for a resumed turn; else zero

	Profile llm.Profile // how the model is asked
	Options llm.Options
	Window  window.Window // the context; one of size 0 has no end
	Budget  Budget

	Tools []tools.Tool // in the model's list, in this order
	// List is called before each request, and its result replaces Tools. Nil: Tools stays.
	List func() ToolList
	// Denied returns why an existing tool may not be called, or nil if there is no tool of that
	// name.
	Denied func(name string) *Denied

	// A turn with one of these two is a person's command and asks no model.
	Command []llm.Call // the person's calls, each with an ID
	Answer  string     // the reply, if the command leads to no call and Stage has no other
	// Translate translates the answer of a call of the command for the person. Nil: no translation.
	Translate func(call llm.Call, answer string) string

	Stage Stage // changes how the turn goes; nil: nothing does
	// PlanTools are further tools for plans of Stage: a plan does what the person said, without a
	// model. See [Turn.WithPlan].
	PlanTools []tools.Tool

	// Arrived returns inputs that join the turn now, in order; they are journaled already. It is
	// not called while a call waits for its result, nor once calls are refused or a budget is used
	// up. Nil: none.
	Arrived func(context.Context) ([]llm.Message, error)
	// ParkIfAway is called when the model gives no reply for a reason that may pass. It reports
	// whether the turn is parked; then Run returns [ErrAway]. begun says that the server had taken
	// a request of the turn before. Nil: the turn ends.
	ParkIfAway func(ctx context.Context, failure *llm.Error, begun bool) bool
	// Enter waits while calls are held back, for example before a shutdown. The loop calls leave
	// once the results are emitted. Nil: calls are never held back.
	Enter func(context.Context) (leave func(), err error)

	state state
}

// state is the loop's own state of a turn, from phase to phase.
type state struct {
	hidden                []tools.Tool    // callable, but not in the model's list
	mostTools             int             // limit of the list, if the server refused a longer prompt; 0: none
	offer                 *toolcall.Offer // the listed and the hidden tools, for reading calls
	rules                 StageRules      // of the present request
	reply                 reply           // the unusable reply that [Recover] handles
	ending                *Ending         // how the turn ends, once known
	counted               counted         // the server's count of the conversation
	tokensAfterShortening int             // tokens of the prompt when the conversation was last shortened
	lostPart              string          // why part of the last reply was lost, for the model
	overflowHandled       bool            // the server refused or truncated the prompt once already, which is corrected only once
}

// Record adds emitted bodies to the conversation and the progress of the turn.
func (t Turn) Record(bodies ...event.Body) Turn {
	t.History = t.History[:len(t.History):len(t.History)]
	for _, b := range bodies {
		if msg, ok := event.Message(b); ok {
			t.History = append(t.History, msg)
		}
		t.Progress = t.Progress.Add(b)
	}
	return t
}

// Emit emits bodies and records them in the turn.
func (t Turn) Emit(emit Emit, bodies ...event.Body) (Turn, error) {
	if err := emit(bodies...); err != nil {
		return t, err
	}
	return t.Record(bodies...), nil
}

// WaitingCalls returns the calls of the last assistant message without a result.
func (t Turn) WaitingCalls() []llm.Call {
	answered := map[string]bool{}
	for i := len(t.History) - 1; i >= 0; i-- {
		switch m := t.History[i]; m.Role {
		case llm.ToolRole:
			answered[m.CallID] = true
		case llm.AssistantRole:
			var calls []llm.Call
			for _, c := range m.Calls {
				if !answered[c.ID] {
					calls = append(calls, c)
				}
			}
			return calls
		default:
			return nil
		}
	}
	return nil
}

// IsCommand reports whether the turn is a person's command, for which no model is asked.
func (t Turn) IsCommand() bool { return len(t.Command) > 0 || t.Answer != "" }

// HasBegun reports whether the turn has a reply, of the model or of somebody in its place.
func (t Turn) HasBegun() bool { return t.hasAssistantMessage() || t.Progress.Steps > 0 }

// hasAssistantMessage reports whether the conversation has an assistant message from this turn.
func (t Turn) hasAssistantMessage() bool {
	return slices.ContainsFunc(t.History[min(t.Begin, len(t.History)):], func(m llm.Message) bool { return m.Role == llm.AssistantRole })
}

// personWords is all text that the person sent in the turn.
func (t Turn) personWords() string {
	var all []string
	for i, m := range t.History[t.Begin:] {
		if i == 0 && m.Role == llm.UserRole || m.IsPersons() {
			all = append(all, llm.Words(m.Text))
		}
	}
	return strings.Join(all, "\n\n")
}

// isStopped reports whether a person stopped the turn.
func isStopped(ctx context.Context) bool {
	return ctx.Err() != nil && errors.Is(context.Cause(ctx), ErrStopped)
}
