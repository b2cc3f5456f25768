package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/toolcall"
)

// answer is what came of asking the model once.
type answer struct {
	reading   toolcall.Reading
	usage     llm.Usage
	truncated bool
	took      time.Duration
	shown     string     // the text that was shown while it came
	err       *llm.Error // why there is no complete reply
}

// ask gets one reply of the model within what is left of the turn's time. An error means that the turn cannot go on: it
// was stopped, its time is used up, hob is going down, or nobody can be told.
func (a *Agent) ask(ctx context.Context, t Turn, emit Emit) (answer, error) {
	left := t.Budget.Time - t.Usage.Time
	if t.Usage.refusing() != "" {
		left = max(left, lastWordsTime)
	}
	ctx, clock := startClock(ctx, left, a.now)
	defer clock.stop()
	wire := toolcall.Wire{User: t.words(), Mode: t.mode(), Strict: t.Profile.Has(llm.StrictPromotion), Loose: t.Profile.Has(llm.LooseThinking)}
	screen := t.offer.Screen(wire)
	got := answer{}
	var partial []byte
	var emitErr error
	reply, err := a.model.Chat(ctx, t.request(), func(d llm.Delta) {
		clock.hear(d.Queue)
		if emitErr != nil {
			return
		}
		switch {
		case d.Queue == llm.WaitOver:
			emitErr = emit(event.Requested{})
		case d.Status != "" && d.Wait.Passing:
			emitErr = emit(event.Waiting{Ahead: d.Wait.Ahead, Seconds: int(d.Wait.Time.Round(time.Second) / time.Second), Text: d.Status})
		case d.Status != "":
			emitErr = emit(event.Noted{Text: d.Status})
		}
		if emitErr == nil && d.Restart {
			partial, screen = nil, t.offer.Screen(wire)
			emitErr = void(&got, emit)
		}
		if d.Text+d.Thinking == "" || emitErr != nil {
			return
		}
		partial = append(partial, d.Text...)
		text := screen.Add(d.Text)
		if screen.Restarted() { // what was shown turned out to be thoughts
			if emitErr = void(&got, emit); emitErr != nil {
				return
			}
		}
		if t.Lead != nil {
			text = "" // what may turn out to be untrue is not shown before it was checked
		}
		got.shown += text
		if text+d.Thinking != "" {
			emitErr = emit(event.Delta{Text: text, Thinking: d.Thinking})
		}
	})
	got.took = clock.spent()
	if emitErr != nil {
		return got, unheard{emitErr}
	}
	if err != nil && ctx.Err() != nil { // whatever the model made of it, the cause says why
		return got, fmt.Errorf("%w: %w", context.Cause(ctx), err)
	}
	got.read(&wire, reply, err, string(partial))
	got.reading = t.offer.Read(wire)
	return got, nil
}

// read takes what came of a request: a reply, or an error and what had arrived until then.
func (got *answer) read(wire *toolcall.Wire, reply *llm.Reply, err error, partial string) {
	if err == nil {
		wire.Message, wire.Truncated = reply.Message, reply.Truncated
		got.usage, got.truncated = reply.Usage, reply.Truncated
		return
	}
	wire.Err = err
	wire.Message = llm.Message{Role: llm.AssistantRole, Text: partial}
	if !errors.As(err, &got.err) {
		got.err = &llm.Error{Kind: llm.Failed, Message: "something in hob itself went wrong: " + err.Error(), Err: err}
	}
}

// clock ends a context when the model has taken its time. While the request waits for others it stands still.
type clock struct {
	now     func() time.Time
	timer   *time.Timer
	cancel  context.CancelCauseFunc
	left    time.Duration // once it runs again
	used    time.Duration // before it last began to run
	began   time.Time
	running bool
}

func startClock(ctx context.Context, left time.Duration, now func() time.Time) (context.Context, *clock) {
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, &clock{
		now: now, cancel: cancel, left: left, began: now(), running: true,
		timer: time.AfterFunc(left, func() { cancel(errTime) }),
	}
}

// hear stops the clock or lets it run again.
func (c *clock) hear(q llm.Queue) {
	switch {
	case q == llm.WaitBegan && c.running && c.timer.Stop():
		c.used, c.running = c.spent(), false
	case q == llm.WaitOver && !c.running:
		c.began, c.running = c.now(), true
		c.timer.Reset(max(c.left-c.used, 0))
	}
}

// spent is the time for which the clock has run.
func (c *clock) spent() time.Duration {
	if !c.running {
		return c.used
	}
	return c.used + c.now().Sub(c.began)
}

func (c *clock) stop() {
	c.timer.Stop()
	c.cancel(nil)
}

// void says that what was shown of a reply is void.
func void(got *answer, emit Emit) error {
	if got.shown == "" {
		return nil
	}
	got.shown = ""
	return emit(event.Delta{Restart: true})
}

// unheard is an error of emit, which nothing more can be told of.
type unheard struct{ error }

// mode is how the model is asked next: as its profile says, but for the last try of a call that could not be read.
func (t Turn) mode() llm.Mode {
	if r := t.Usage.recovery; len(t.Tools) > 0 && t.Usage.refusing() == "" && (r.unreadable >= maxUnreadable || r.unfit >= maxUnfit) {
		return llm.SchemaMode
	}
	return t.Profile.Mode
}

// options are those of the turn, changed by what went wrong before: less thinking and more room for who thought too long,
// less freedom for who could not be understood. None of this makes a server load its model anew.
func (t Turn) options() llm.Options {
	o, r := t.Options, t.Usage.recovery
	if r.unreadable >= 2 || r.unfit >= 2 {
		o.Temperature = min(o.Temperature, 0.2)
	}
	if r.unreadable >= 2 || r.thought >= 1 {
		o.Think = t.lessThinking()
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
