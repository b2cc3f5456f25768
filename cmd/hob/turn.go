package main

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

// question is one input for a chat.
type question struct {
	chat string
	id   string // of the input
	text string
	new  bool // begin a new conversation with it

	label       event.Label // of text that is somebody else's
	attachments []event.Attachment

	command bool // the text calls a tool, and no model is asked

	taken bool  // it was handed in
	after int64 // the Seq of what was shown last; 0 nothing yet
}

// view shows the events of a turn; own is false for those of an earlier turn that is finished first. Ask answers a
// question that Event has shown; its context ends when the turn is told to stop.
type view interface {
	Event(e event.Event, own bool) error
	Ask(context.Context, event.Asked) (decision, error)
}

// play hands in a question and shows what happens until its turn has ended. The first interrupt stops the turn; the
// second leaves it. What a question has come to is noted in it: it can be played again.
func (h *conversation) play(ctx context.Context, q *question, v view) (event.Ended, error) {
	chat := event.Chat(q.chat)
	ctx, asking, leave := h.interruptible(ctx, chat)
	defer leave()
	before, err := h.Last(ctx, chat)
	if err != nil {
		return event.Ended{}, err
	}
	if q.new {
		if err := h.Reset(ctx, chat); err != nil {
			return event.Ended{}, err
		}
		q.new = false
	}
	seq, err := h.Submit(ctx, session.Input{
		Chat: chat, ID: q.id, From: "owner", Text: q.text, Standing: app.LocalOwner(), Command: q.command, Label: q.label, Attachments: q.attachments,
	})
	if err != nil {
		return event.Ended{}, err
	}
	q.taken = true
	if before = min(before, seq-1); q.after > 0 {
		before = q.after
	}
	return h.show(ctx, asking, followed{chat: chat, said: seq, after: before, command: q.command}, v)
}

// followed is what is to be shown of a chat: what happens after an event, until the turn of what was said has ended.
type followed struct {
	chat        event.Chat
	said, after int64
	command     bool
}

// show shows what happens until the turn of what was said has ended, which may be one that it has joined, and has questions
// answered. Where that turn has to wait for the model for longer than this command does, it is an [*awayError].
func (h *conversation) show(ctx, asking context.Context, what followed, v view) (event.Ended, error) {
	ctx, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	turn, said := what.said, what.said
	w, err := h.waitFor(ctx, what, leave)
	if err != nil {
		return event.Ended{}, err
	}
	defer w.stop()
	for e, err := range h.Follow(ctx, what.chat, what.after) {
		if err != nil {
			return event.Ended{}, err
		}
		turn = session.TurnOf(said, turn, e)
		if err := v.Event(e, e.Turn == turn || e.Seq == said); err != nil {
			return event.Ended{}, err
		}
		if err := w.heed(ctx, e, turn); err != nil {
			return event.Ended{}, err
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

// answer has a question answered that still waits: one that is only told again was answered before. Whoever is asked here
// need not go on when it was answered elsewhere.
func (h *conversation) answer(ctx, asking context.Context, e event.Event, q event.Asked, v view) error {
	waits, err := h.Waiting(ctx, e.Chat, q.ID)
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
		_, err = h.Stop(ctx, e.Chat) // as an interrupt at any other time
		return err
	}
	// It fails when somebody else was quicker, or the turn was stopped meanwhile.
	_ = h.Decide(ctx, session.Answer{Chat: e.Chat, ID: q.ID, Allow: d.allow, By: d.by, Grants: d.grants, Standing: app.LocalOwner()})
	return nil
}

// interruptible returns a context that the second interrupt ends, and one that the first ends, which also stops the
// chat's turn.
func (h *conversation) interruptible(ctx context.Context, chat event.Chat) (_, asking context.Context, leave func()) {
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
				cancel(exit.Errorf(exit.Denied, "%s", h.leaving()))
				return
			}
			hush()
			if p, err := h.Park(ctx, chat); err == nil && p != nil {
				continue // the turn waits for the model, and is told to wait no more
			}
			_, _ = h.Stop(ctx, chat) // its failure would be that of the turn, which is told
		}
	}()
	return ctx, asking, func() {
		hush()
		signal.Stop(signals)
		cancel(nil)
		<-done
	}
}

// untilInterrupted returns a context that ends with an interrupt.
func untilInterrupted(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
}

// ending is what a turn's end comes to as an exit status. Whatever there is to say was said in the reply.
func ending(e event.Ended) error {
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

// confirm asks a yes-or-no question at the terminal; without one the answer is no.
func (a *program) confirm(ctx context.Context, question string) (yes bool, err error) {
	if !isTerminal(a.stdin) {
		return false, nil
	}
	return a.prompt().Confirm(ctx, question)
}
