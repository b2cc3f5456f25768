package agent

import (
	"context"
	"errors"
	"slices"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/toolcall"
	"hob/internal/llm/window"
	"hob/internal/tools"
)

// Budget is what a turn may use in all. When a limit is reached the turn ends with reason "budget";
// the model gets one more reply to say what it knows.
type Budget struct {
	Steps  int           // replies of the model
	Calls  int           // tool calls
	Time   time.Duration // of the model and of tools; waiting for a person costs nothing
	Output int           // tokens generated
}

// Turn is where a turn stands. The exported fields are the caller's to give.
type Turn struct {
	System   string
	History  []llm.Message // ends with the user's words, with calls, or with results
	Begin    int           // index in History of the words that opened the turn
	Progress Progress      // so far, of a turn that is resumed

	Profile llm.Profile // how the model is asked
	Options llm.Options
	Window  window.Window // the context; one of size 0 has no end
	Budget  Budget

	Tools []tools.Tool // that the model sees, in this order
	// List is called before each request: what it shows replaces Tools. Nil: Tools stays as it is.
	List func() ToolList
	// Denied returns why a tool that exists is not among Tools, or nil if there is none of that name.
	Denied func(name string) *Denied

	// A turn with one of these is a person's command and asks no model.
	Command []llm.Call // the calls that the person made, each with an ID
	Answer  string     // where the command comes to no call, unless Stage has another
	// Translate translates what a call of the command has answered for the person. Nil: it stays as it is.
	Translate func(call llm.Call, answer string) string

	Stage Stage // changes how the turn goes; nil: nothing does
	// PlanTools may be called by a plan of Stage, beside the tools that the model may call: a plan does
	// what the person said, and no model has a part in it. See [Turn.WithPlan].
	PlanTools []tools.Tool

	// Arrived returns the inputs that came meanwhile and are part of the turn from here on, in order;
	// the journal has them already. It is called where no call waits for its result, and not once calls
	// are refused or a budget is used up. Nil: none.
	Arrived func(context.Context) ([]llm.Message, error)
	// ParkIfAway is called when the model gives no reply for a reason that may pass. It reports whether
	// the turn is parked: then Run returns [ErrAway]. If begun, the server had taken a request of
	// the turn before. Nil: the turn ends.
	ParkIfAway func(ctx context.Context, failure *llm.Error, begun bool) bool
	// Enter waits while calls are held back, such as before the process goes down. The loop calls
	// leave once the results are emitted. Nil: no call is held back.
	Enter func(context.Context) (leave func(), err error)

	state state
}

// state is the loop's own state of a turn, from phase to phase.
type state struct {
	hidden                []tools.Tool    // the model may call them and does not see them
	mostTools             int             // that the model sees, where the server refused a longer prompt; 0: all
	offer                 *toolcall.Offer // both kinds of tools, to read calls by
	prompt                StagePrompt
	reply                 reply   // the one of no use that [Recover] handles
	ending                *Ending // of the turn, once it is known
	counted               counted // what the server has counted of the conversation
	tokensAfterShortening int     // tokens of the prompt when the conversation was last made shorter
	lostPart              string  // why a part of the last reply beside its calls was lost; the model reads it
	overflowHandled       bool    // the server did not take or read all of the conversation: this is mended once
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

// Emit emits bodies and returns the turn with them.
func (t Turn) Emit(emit Emit, bodies ...event.Body) (Turn, error) {
	if err := emit(bodies...); err != nil {
		return t, err
	}
	return t.Record(bodies...), nil
}

// WaitingCalls returns the calls of the last assistant message that have no result yet.
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

// AsksModel reports whether the turn asks a model: a person's command does not.
func (t Turn) AsksModel() bool { return len(t.Command) == 0 && t.Answer == "" }

// HasBegun reports whether the model has replied in this turn, or something has in its place.
func (t Turn) HasBegun() bool { return t.hasAssistantMessage() || t.Progress.Steps > 0 }

// hasAssistantMessage reports whether the conversation has words or calls of the model, or in its
// place, from this turn.
func (t Turn) hasAssistantMessage() bool {
	return slices.ContainsFunc(t.History[min(t.Begin, len(t.History)):], func(m llm.Message) bool { return m.Role == llm.AssistantRole })
}

// isStopped reports whether a person stopped the turn.
func isStopped(ctx context.Context) bool {
	return ctx.Err() != nil && errors.Is(context.Cause(ctx), ErrStopped)
}
