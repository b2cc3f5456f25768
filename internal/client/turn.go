package client

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/session"
	"hob/internal/surface/cli"
)

// Question is one input for a chat.
type Question struct {
	Chat string
	ID   string // of the input
	Text string
	New  bool // begin a new conversation with it

	Label       event.Label // of text from others
	Attachments []event.Attachment

	Command bool // the text is a tool call; no model is asked
	Typed   bool // the owner has typed the text: it may be a chore that needs no model

	submitted bool  // the hob has it
	After     int64 // the Seq of the last shown event, or 0
}

// View shows the events of a turn. own is false for events of an earlier turn that ends first. Ask
// answers a question that Event has shown; its context ends when the turn is stopped.
type View interface {
	Event(e event.Event, own bool) error
	Ask(context.Context, event.Asked) (Decision, error)
}

// play hands in a question and shows what happens until its turn has ended. The first interrupt stops the turn; the
// second leaves it. What a question has come to is noted in it: it can be played again.
func (h *Client) play(ctx context.Context, q *Question, v View) (event.Ended, error) {
	chat := event.Chat(q.Chat)
	ctx, asking, leave := h.Interruptible(ctx, chat)
	defer leave()
	before, err := h.Last(ctx, chat)
	if err != nil {
		return event.Ended{}, err
	}
	if q.New {
		if err := h.Reset(ctx, chat); err != nil {
			return event.Ended{}, err
		}
		q.New = false
	}
	seq, err := h.Submit(ctx, session.Input{
		Chat: chat, ID: q.ID, From: "owner", Text: q.Text, Principal: app.LocalOwner(), Command: q.Command, Typed: q.Typed, Label: q.Label, Attachments: q.Attachments,
	})
	if err != nil {
		return event.Ended{}, err
	}
	q.submitted = true
	if before = min(before, seq-1); q.After > 0 {
		before = q.After
	}
	return h.Show(ctx, asking, Followed{Chat: chat, Said: seq, After: before, isCommand: q.Command}, v)
}

// GoOn begins to go on with a turn that an earlier input began, and shows it to its end.
func (h *Client) GoOn(ctx context.Context, chat event.Chat, turn int64, begin func(context.Context) error, v View) (event.Ended, error) {
	ctx, asking, leave := h.Interruptible(ctx, chat)
	defer leave()
	before, err := h.Last(ctx, chat)
	if err != nil {
		return event.Ended{}, err
	}
	if err := begin(ctx); err != nil {
		return event.Ended{}, err
	}
	return h.Show(ctx, asking, Followed{Chat: chat, Said: turn, After: before}, v)
}

// Followed is what is to be shown of a chat: what happens after an event, until the turn of what was said has ended.
type Followed struct {
	Chat        event.Chat
	Said, After int64
	isCommand   bool
}

// Show shows the events until the turn of an input has ended, and asks the person its questions.
// The input may have joined another turn. If that turn waits for the model longer than this command
// does, the error is an [*AwayError].
func (h *Client) Show(ctx, asking context.Context, what Followed, v View) (event.Ended, error) {
	ctx, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	turn, said := what.Said, what.Said
	w := &modelWait{client: h, turn: what, leave: leave}
	defer w.stop()
	for e, err := range h.Follow(ctx, what.Chat, what.After) {
		if err != nil {
			return event.Ended{}, err
		}
		turn = session.TurnOf(said, turn, e)
		if err := v.Event(e, e.Turn == turn || e.Seq == said); err != nil {
			return event.Ended{}, err
		}
		if err := w.observe(ctx, e, turn); err != nil {
			return event.Ended{}, err
		}
		if e.Turn == turn && session.IsRefused(e) {
			h.Refused = true
		}
		switch b := e.Body.(type) {
		case event.Asked:
			if err := h.answer(ctx, asking, e, b, v); err != nil {
				return event.Ended{}, err
			}
		case event.Ended:
			if e.Turn == turn {
				return b, nil
			}
		}
	}
	return event.Ended{}, context.Cause(ctx)
}

// answer asks the person a question that is still open; replayed questions may be answered. An
// answer from elsewhere ends the question here.
func (h *Client) answer(ctx, asking context.Context, e event.Event, q event.Asked, v View) error {
	waits, err := h.IsAsking(ctx, e.Chat, q.ID)
	if err != nil || !waits {
		return err
	}
	asking, answered := context.WithCancel(asking)
	defer answered()
	go func() {
		for later, err := range h.Follow(asking, e.Chat, e.Seq) {
			if d, ok := later.Body.(event.Decided); err == nil && ok && d.ID == q.ID {
				answered()
			}
		}
	}()
	d, err := v.Ask(asking, q)
	if errors.Is(err, cli.ErrInterrupted) {
		_, err = h.Stop(ctx, e.Chat) // as at any other interrupt
		return err
	}
	// It fails if another answer came first, or if the turn was stopped.
	_ = h.Decide(ctx, session.Answer{Chat: e.Chat, ID: q.ID, Allow: d.Allow, By: d.By, Grants: d.Grants, Principal: app.LocalOwner()})
	return nil
}

// Interruptible returns two contexts. The first interrupt stops the chat's turn and ends asking;
// the second interrupt ends both.
func (h *Client) Interruptible(ctx context.Context, chat event.Chat) (_, asking context.Context, leave func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	asking, hush := context.WithCancel(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for stopping := false; ; stopping = true {
			select {
			case <-ctx.Done():
				return
			case <-signals:
			}
			if stopping {
				goesOn := "it goes on at the next start"
				if h.Serves != "" {
					goesOn = h.Serves + " goes on with it"
				}
				h.left = true
				cancel(exit.Errorf(exit.Denied, "left in the middle of a turn: %s", goesOn))
				return
			}
			hush()
			if p, err := h.Park(ctx, chat); err == nil && p != nil {
				continue // the turn waited for the model and is parked now
			}
			_, _ = h.Stop(ctx, chat) // the turn reports the failure
		}
	}()
	return ctx, asking, func() {
		hush()
		signal.Stop(signals)
		cancel(nil)
		<-done
	}
}

// UntilInterrupted returns a context that ends with an interrupt.
func UntilInterrupted(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
}

// ExitOf returns the exit status of a turn's end. The reply contains the reason.
func ExitOf(e event.Ended) error {
	switch e.Reason {
	case event.Done:
		return nil
	case event.NoModel:
		return exit.Silently(exit.Model)
	case event.Stopped, event.Denied:
		return exit.Silently(exit.Denied)
	}
	return exit.Silently(exit.Failed)
}

// Decision is a person's answer to a question.
type Decision struct {
	Allow  bool
	By     string
	Grants []event.Grant
}
