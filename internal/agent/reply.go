package agent

import (
	"cmp"
	"errors"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/toolcall"
)

// reply is the model's answer to one request.
type reply struct {
	reading   toolcall.Reading
	usage     llm.Usage
	truncated bool
	duration  time.Duration
	shown     string     // the text shown to the person while the reply came
	err       *llm.Error // why the reply is incomplete
}

// read takes the outcome of a request: a reply, or an error and the part that had arrived.
func (r *reply) read(wire *toolcall.Wire, res *llm.Reply, err error, partial string) {
	if err == nil {
		wire.Message, wire.Truncated = res.Message, res.Truncated
		r.usage, r.truncated = res.Usage, res.Truncated
		return
	}
	wire.Err = err
	wire.Message = llm.Message{Role: llm.AssistantRole, Text: partial}
	if !errors.As(err, &r.err) {
		r.err = &llm.Error{Kind: llm.Failed, Message: "something in hob itself went wrong: " + err.Error(), Err: err}
	}
}

// newGenerated returns the record of a reply, without its message.
func (r reply) newGenerated(class string) event.Generated {
	return event.Generated{
		Message: llm.Message{Role: llm.AssistantRole}, Usage: r.usage, Class: class,
		Raw: r.reading.Raw, DurationMS: r.duration.Milliseconds(),
	}
}

// newGenerated returns the record of a reply whose text stays in the conversation.
func (t Turn) newGenerated(r reply, text string) event.Generated {
	g := r.newGenerated(cmp.Or(t.state.rules.Class, string(toolcall.Text)))
	g.Message.Text = text
	if t.Profile.Keep != llm.KeepNone {
		g.Message.Thinking = r.reading.Thinking
	}
	return g
}

// takeBack emits that the text shown so far is withdrawn.
func (r *reply) takeBack(emit Emit) error {
	if r.shown == "" {
		return nil
	}
	r.shown = ""
	return emit(event.Delta{Restart: true})
}
