package outbound

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

// item is one message, or one change of a message, that is made once and in order.
type item struct {
	seq  int64 // of the event that it tells a part of; 0: it is recorded nowhere
	part int
	mark int64 // up to where the journal is told once it is made; 0: nobody knows yet
	// do makes it and returns the id of the message; twice says that it may have been made before.
	do            func(ctx context.Context, twice bool) (int64, error)
	harmless      bool // to do it twice is to do it once
	beginsReply   bool // it begins a reply: what was shown while that was written is over
	deletesStatus bool // it takes away the message that told of the turn seq

	over   <-chan struct{} // closed when nobody wants it any more; nil: never
	result chan<- error    // has room for what came of it; nil: nobody waits
}

// report tells who waits for it what came of it.
func (j *item) report(err error) {
	if j.result == nil {
		return
	}
	select {
	case j.result <- err:
	default:
	}
}

// sendItem makes a job, however long it takes, and reports whether it arrived or never will: if not, hob ends.
func (c *chatSender) sendItem(ctx context.Context, j *item) bool {
	err := c.trySendItem(ctx, j)
	if over := ctx.Err() != nil && errors.Is(err, errShutdown); over {
		j.report(err)
		return false
	}
	j.report(err)
	return true
}

func (c *chatSender) trySendItem(ctx context.Context, j *item) error {
	switch {
	case j.deletesStatus:
		return c.deleteStatusMessage(ctx, j)
	case j.seq == 0:
		_, err := c.senders.attempt(ctx, c.to, attempts{do: j.do, over: j.over, harmless: j.harmless})
		if errors.Is(err, errExplained) {
			return nil
		}
		return err
	}
	rec, twice, err := c.beginSend(ctx, j.seq, j.part)
	if err != nil {
		return err
	}
	if rec.State != event.SendBegun {
		return c.store(ctx, func(ctx context.Context) error { return c.markRead(ctx, j) })
	}
	hold := func(state event.SendState) error {
		return c.store(ctx, func(ctx context.Context) (err error) {
			if state == "" {
				rec, err = c.senders.cfg.Outbox.BeginSend(ctx, c.name, j.seq, j.part)
				return err
			}
			rec.State = state
			return c.senders.cfg.Outbox.EndSend(ctx, rec, "", 0)
		})
	}
	rec.Message, err = c.senders.attempt(ctx, c.to, attempts{do: j.do, twice: twice && !j.harmless, harmless: j.harmless, hold: hold})
	switch {
	case errors.Is(err, errShutdown):
		return err
	case errors.Is(err, errExplained):
		rec.State, err = event.SendRefused, nil
	case err != nil:
		c.senders.cfg.Log.Warn("a message was refused", "chat", c.name, "seq", j.seq, "part", j.part, "err", err)
		rec.State = event.SendRefused
	default:
		rec.State = event.SendSent
	}
	return c.endSend(ctx, rec, j)
}

// beginSend notes that a part of an event is about to be sent. Twice says that it may have arrived before.
func (c *chatSender) beginSend(ctx context.Context, seq int64, part int) (rec event.Send, twice bool, err error) {
	err = c.store(ctx, func(ctx context.Context) (err error) {
		rec, err = c.senders.cfg.Outbox.BeginSend(ctx, c.name, seq, part)
		return err
	})
	if err != nil || rec.State != event.SendHeld {
		return rec, rec.Tries > 1, err
	}
	rec.State = event.SendBegun
	return rec, false, c.store(ctx, func(ctx context.Context) error { return c.senders.cfg.Outbox.EndSend(ctx, rec, "", 0) })
}

// endSend notes what became of a part, and up to where the journal is told.
func (c *chatSender) endSend(ctx context.Context, rec event.Send, j *item) error {
	reader := ""
	if j.mark > c.marked {
		reader = c.markName()
	}
	err := c.store(ctx, func(ctx context.Context) error { return c.senders.cfg.Outbox.EndSend(ctx, rec, reader, j.mark) })
	if err == nil {
		c.marked = max(c.marked, j.mark)
	}
	c.senders.sendsEnded.send()
	return err
}

// markRead notes up to where the journal is told.
func (c *chatSender) markRead(ctx context.Context, j *item) error {
	if j.mark <= c.marked {
		return nil
	}
	c.marked = j.mark
	return c.senders.cfg.Marks.Mark(ctx, c.markName(), j.mark)
}

// deleteStatusMessage deletes the message that told of a turn while it ran.
func (c *chatSender) deleteStatusMessage(ctx context.Context, j *item) error {
	var rec event.Send
	err := c.store(ctx, func(ctx context.Context) (err error) {
		rec, err = c.senders.statusSend(ctx, c.name, j.seq)
		return err
	})
	if err != nil {
		return err
	}
	if rec.State != event.SendSent {
		return c.store(ctx, func(ctx context.Context) error { return c.markRead(ctx, j) })
	}
	_, err = c.senders.attempt(ctx, c.to, attempts{harmless: true, do: func(ctx context.Context, _ bool) (int64, error) {
		return 0, c.senders.Call(ctx, "deleteMessage", client.ParamsForMessage(c.to, rec.Message, ""), nil)
	}})
	if errors.Is(err, errShutdown) {
		return err
	}
	if client.IsUnknownMethod(err) {
		c.senders.noEdit.Store(true)
	}
	rec.State = event.SendGone // one that cannot be deleted is gone, or too old to matter
	return c.endSend(ctx, rec, j)
}

// store writes something to the memory, however often that fails, until hob ends. What was begun is written to the end.
func (c *chatSender) store(ctx context.Context, write func(context.Context) error) error {
	for wait := firstWait; ; wait = longer(wait) {
		err := write(context.WithoutCancel(ctx))
		if err == nil {
			return nil
		}
		c.senders.cfg.Log.Error("cannot note what is sent", "chat", c.name, "err", err)
		if pause(ctx, wait) != nil {
			return errShutdown
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
func (t *Senders) attempt(ctx context.Context, to chat.Address, a attempts) (int64, error) {
	hold := func(s event.SendState) error {
		if a.hold == nil {
			return nil
		}
		return a.hold(s)
	}
	wait := time.Duration(0)
	for {
		if err := t.waitForLimit(ctx, to, a.over); err != nil {
			if !a.twice {
				_ = hold(event.SendHeld) // else it is marked for nothing
			}
			return 0, err
		}
		id, err := t.sendOnce(ctx, a)
		if err == nil || isPermanent(err) {
			return id, err
		}
		failed := (*client.Error)(nil)
		isKnown := errors.As(err, &failed)
		wait = longer(wait)
		if isKnown && failed.RetryAfter > 0 {
			t.limits.Note(to.Chat, failed.RetryAfter)
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
		if err := await(ctx, max(wait, t.limits.Left(to.Chat)), a.over); err != nil {
			return 0, err
		}
		if !a.twice {
			if err := hold(event.SendBegun); err != nil {
				return 0, err
			}
		}
	}
}

// sendOnce does it once. A call that is under way when hob ends has some time left.
func (t *Senders) sendOnce(ctx context.Context, a attempts) (int64, error) {
	call, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() {
		_ = pause(call, graceTime)
		cancel()
	})()
	return a.do(call, a.twice)
}

// waitForLimit waits until something may be sent to a place.
func (t *Senders) waitForLimit(ctx context.Context, to chat.Address, over <-chan struct{}) error {
	for {
		if err := await(ctx, t.limits.Left(to.Chat), over); err != nil {
			return err
		}
		if t.limits.Left(to.Chat) == 0 {
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
		return errShutdown
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

// isPermanent reports whether the same would fail the same way for ever.
func isPermanent(err error) bool {
	return client.IsPermanent(err) || errors.Is(err, errNoQuestion) || errors.Is(err, errExplained)
}
