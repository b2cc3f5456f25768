package telegram

import (
	"context"
	"errors"
	"time"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

const (
	statusPart = -1 // of a turn: the message that tells of it while it runs

	callTime   = 30 * time.Second // for a call
	uploadTime = 5 * time.Minute  // for a call with a file
	graceTime  = 5 * time.Second  // for a call that is under way when hob ends: cut short, nobody would know what came of it

	firstWait = time.Second
	lastWait  = time.Minute
)

// sendJob is one message, or one change of a message, that is made once and in order.
type sendJob struct {
	seq  int64 // of the event that it tells a part of; 0: it is recorded nowhere
	part int
	mark int64 // up to where the journal is told once it is made; 0: nobody knows yet
	// do makes it and returns the id of the message; twice says that it may have been made before.
	do       func(ctx context.Context, twice bool) (int64, error)
	harmless bool // to do it twice is to do it once
	final    bool // it begins a reply: what was shown while that was written is over
	retires  bool // it takes away the message that told of the turn seq

	over   <-chan struct{} // closed when nobody wants it any more; nil: never
	result chan<- error    // has room for what came of it; nil: nobody waits
}

// end tells who waits for it what came of it.
func (j *sendJob) end(err error) {
	if j.result == nil {
		return
	}
	select {
	case j.result <- err:
	default:
	}
}

// deliver makes a job, however long it takes, and reports whether it arrived or never will: if not, hob ends.
func (c *telling) deliver(ctx context.Context, j *sendJob) bool {
	err := c.make(ctx, j)
	if over := ctx.Err() != nil && errors.Is(err, errTellerOver); over {
		j.end(err)
		return false
	}
	j.end(err)
	return true
}

func (c *telling) make(ctx context.Context, j *sendJob) error {
	switch {
	case j.retires:
		return c.takeAway(ctx, j)
	case j.seq == 0:
		_, err := c.t.attempt(ctx, c.to, attempts{do: j.do, over: j.over, harmless: j.harmless})
		if errors.Is(err, errInstead) {
			return nil
		}
		return err
	}
	rec, twice, err := c.begin(ctx, j.seq, j.part)
	if err != nil {
		return err
	}
	if rec.State != event.SendBegun {
		return c.note(ctx, func(ctx context.Context) error { return c.mark(ctx, j) })
	}
	hold := func(state event.SendState) error {
		return c.note(ctx, func(ctx context.Context) (err error) {
			if state == "" {
				rec, err = c.t.cfg.Outbox.BeginSend(ctx, c.name, j.seq, j.part)
				return err
			}
			rec.State = state
			return c.t.cfg.Outbox.EndSend(ctx, rec, "", 0)
		})
	}
	rec.Message, err = c.t.attempt(ctx, c.to, attempts{do: j.do, twice: twice && !j.harmless, harmless: j.harmless, hold: hold})
	switch {
	case errors.Is(err, errTellerOver):
		return err
	case errors.Is(err, errInstead):
		rec.State, err = event.SendRefused, nil
	case err != nil:
		c.t.cfg.Log.Warn("a message was refused", "chat", c.name, "seq", j.seq, "part", j.part, "err", err)
		rec.State = event.SendRefused
	default:
		rec.State = event.SendSent
	}
	return c.ended(ctx, rec, j)
}

// begin notes that a part of an event is about to be sent. Twice says that it may have arrived before.
func (c *telling) begin(ctx context.Context, seq int64, part int) (rec event.Send, twice bool, err error) {
	err = c.note(ctx, func(ctx context.Context) (err error) {
		rec, err = c.t.cfg.Outbox.BeginSend(ctx, c.name, seq, part)
		return err
	})
	if err != nil || rec.State != event.SendHeld {
		return rec, rec.Tries > 1, err
	}
	rec.State = event.SendBegun
	return rec, false, c.note(ctx, func(ctx context.Context) error { return c.t.cfg.Outbox.EndSend(ctx, rec, "", 0) })
}

// ended notes what became of a part, and up to where the journal is told.
func (c *telling) ended(ctx context.Context, rec event.Send, j *sendJob) error {
	reader := ""
	if j.mark > c.marked {
		reader = c.reader()
	}
	err := c.note(ctx, func(ctx context.Context) error { return c.t.cfg.Outbox.EndSend(ctx, rec, reader, j.mark) })
	if err == nil {
		c.marked = max(c.marked, j.mark)
	}
	c.t.ends.ring()
	return err
}

// mark notes up to where the journal is told.
func (c *telling) mark(ctx context.Context, j *sendJob) error {
	if j.mark <= c.marked {
		return nil
	}
	c.marked = j.mark
	return c.t.cfg.Marks.Mark(ctx, c.reader(), j.mark)
}

// takeAway deletes the message that told of a turn while it ran.
func (c *telling) takeAway(ctx context.Context, j *sendJob) error {
	var rec event.Send
	err := c.note(ctx, func(ctx context.Context) (err error) {
		rec, err = c.t.status(ctx, c.name, j.seq)
		return err
	})
	if err != nil {
		return err
	}
	if rec.State != event.SendSent {
		return c.note(ctx, func(ctx context.Context) error { return c.mark(ctx, j) })
	}
	_, err = c.t.attempt(ctx, c.to, attempts{harmless: true, do: func(ctx context.Context, _ bool) (int64, error) {
		return 0, c.t.Call(ctx, "deleteMessage", client.ParamsForMessage(c.to, rec.Message, ""), nil)
	}})
	if errors.Is(err, errTellerOver) {
		return err
	}
	if client.IsUnknownMethod(err) {
		c.t.stays.Store(true)
	}
	rec.State = event.SendGone // one that cannot be deleted is gone, or too old to matter
	return c.ended(ctx, rec, j)
}

// note writes something to the memory, however often that fails, until hob ends. What was begun is written to the end.
func (c *telling) note(ctx context.Context, write func(context.Context) error) error {
	for wait := firstWait; ; wait = longer(wait) {
		err := write(context.WithoutCancel(ctx))
		if err == nil {
			return nil
		}
		c.t.cfg.Log.Error("cannot note what is sent", "chat", c.name, "err", err)
		if pause(ctx, wait) != nil {
			return errTellerOver
		}
	}
}

// attempts are how something is tried until it is done.
type attempts struct {
	do       func(ctx context.Context, twice bool) (int64, error)
	twice    bool            // it may have been done before
	harmless bool            // and would not matter
	over     <-chan struct{} // closed when nobody wants it any more
	// hold notes that it is certainly not done, that it is about to be tried again, or, without a state, that it is about to be
	// tried again though it may have been done. It may be nil.
	hold func(event.SendState) error
}

// attempt does something however often it takes, and returns the id that do returned. An error is final: what was to be done
// is refused, nobody wants it any more, or, if it is errTellerOver, hob ends.
func (t *tellers) attempt(ctx context.Context, to chat.Address, a attempts) (int64, error) {
	hold := func(s event.SendState) error {
		if a.hold == nil {
			return nil
		}
		return a.hold(s)
	}
	wait := time.Duration(0)
	for {
		if err := t.free(ctx, to, a.over); err != nil {
			if !a.twice {
				_ = hold(event.SendHeld) // else it is marked for nothing
			}
			return 0, err
		}
		id, err := t.once(ctx, a)
		if err == nil || final(err) {
			return id, err
		}
		failed := (*client.Error)(nil)
		isKnown := errors.As(err, &failed)
		wait = longer(wait)
		if isKnown && failed.RetryAfter > 0 {
			t.pauses.Note(to.Chat, failed.RetryAfter)
			wait = 0
		}
		t.cfg.Log.Debug("a message has to be sent again", "chat", to.Name(), "err", err)
		switch lost := !a.harmless && (!isKnown || failed.Unknown); {
		case lost:
			a.twice, err = true, hold("")
		case !a.twice:
			err = hold(event.SendHeld)
		default:
			err = nil
		}
		if err != nil {
			return 0, err
		}
		if err := await(ctx, max(wait, t.pauses.Left(to.Chat)), a.over); err != nil {
			return 0, err
		}
		if !a.twice {
			if err := hold(event.SendBegun); err != nil {
				return 0, err
			}
		}
	}
}

// once does it once. A call that is under way when hob ends has some time left.
func (t *tellers) once(ctx context.Context, a attempts) (int64, error) {
	call, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() {
		_ = pause(call, graceTime)
		cancel()
	})()
	return a.do(call, a.twice)
}

// free waits until something may be sent to a place.
func (t *tellers) free(ctx context.Context, to chat.Address, over <-chan struct{}) error {
	for {
		if err := await(ctx, t.pauses.Left(to.Chat), over); err != nil {
			return err
		}
		if t.pauses.Left(to.Chat) == 0 {
			return nil
		}
	}
}

var errUnwanted = errors.New("nobody waits for this any more: it was not sent")

// await waits so long. Its error says that hob ends, or that nobody wants any more what it waits for.
func await(ctx context.Context, d time.Duration, over <-chan struct{}) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return errTellerOver
	case <-over:
		return errUnwanted
	case <-timer.C:
		return nil
	}
}

// pause waits so long, or returns why it did not.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// longer is how long is waited after another failure.
func longer(wait time.Duration) time.Duration { return min(max(2*wait, firstWait), lastWait) }

// final reports whether the same would fail the same way for ever.
func final(err error) bool {
	return client.IsPermanent(err) || errors.Is(err, errNoQuestion) || errors.Is(err, errInstead)
}
