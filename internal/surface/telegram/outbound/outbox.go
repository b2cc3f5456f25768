package outbound

import (
	"context"
	"errors"
	"time"

	"hob/internal/event"
	"hob/internal/retry"
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

// item is one call in the outbox of a chat: a message, or a change of one. It is made once and in order.
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

// report ends the wait for an item.
func (j *item) report(err error) {
	if j.result == nil {
		return
	}
	select {
	case j.result <- err:
	default:
	}
}

// sendItem sends an item, however long it takes. It returns false where hob ends before it was sent or refused.
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
		rec.State = state
		return c.store(ctx, func(ctx context.Context) error { return c.senders.cfg.Outbox.EndSend(ctx, rec, "", 0) })
	}
	repeat := func() error {
		return c.store(ctx, func(ctx context.Context) (err error) {
			rec, err = c.senders.cfg.Outbox.BeginSend(ctx, c.name, j.seq, j.part)
			return err
		})
	}
	rec.Message, err = c.senders.attempt(ctx, c.to, attempts{
		do: j.do, twice: twice && !j.harmless, harmless: j.harmless, hold: hold, repeat: repeat,
	})
	switch {
	case errors.Is(err, errShutdown):
		return err
	case errors.Is(err, errExplained):
		rec.State = event.SendRefused
	case err != nil:
		c.senders.cfg.Log.Warn("a message was refused", "chat", c.name, "seq", j.seq, "part", j.part, "err", err)
		rec.State = event.SendRefused
	default:
		rec.State = event.SendSent
	}
	return c.endSend(ctx, rec, j)
}

// beginSend notes that a part of an event is about to be sent. twice says that it may have arrived before.
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

// endSend notes whether a part was sent or refused, and moves the mark in the same transaction.
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

// markRead moves the mark.
func (c *chatSender) markRead(ctx context.Context, j *item) error {
	if j.mark <= c.marked {
		return nil
	}
	c.marked = j.mark
	return c.senders.cfg.Marks.Mark(ctx, c.markName(), j.mark)
}

// deleteStatusMessage deletes the status message of a turn.
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
		return 0, c.senders.call(ctx, "deleteMessage", client.ParamsForMessage(c.to, rec.Message, ""), nil)
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

// store writes to the store, however often that fails, until hob ends. A write that has begun is not cut short.
func (c *chatSender) store(ctx context.Context, write func(context.Context) error) error {
	err := retry.Policy{Backoff: newBackoff()}.Do(ctx, func() error {
		err := write(context.WithoutCancel(ctx))
		if err != nil {
			c.senders.cfg.Log.Error("cannot note what is sent", "chat", c.name, "err", err)
		}
		return err
	})
	if err != nil {
		return errShutdown
	}
	return nil
}

// newBackoff returns how long to wait after failures in a row.
func newBackoff() retry.Backoff { return retry.Backoff{First: firstWait, Max: lastWait} }

// attempts are how something is tried until it is done.
type attempts struct {
	do       func(ctx context.Context, twice bool) (int64, error)
	twice    bool            // it may have been done before
	harmless bool            // and would not matter
	over     <-chan struct{} // closed when nobody wants it any more; nil: never
	// hold notes that it is certainly not done, or that it is about to be tried again. It may be nil.
	hold func(event.SendState) error
	// repeat notes that it is about to be tried again though it may have been done. It is nil where hold is.
	repeat func() error
}

// attempt does something however often it takes, and returns the id that do returned. The error says that it is refused, that
// nobody wants it any more, or, if it is errShutdown, that hob ends.
func (t *Senders) attempt(ctx context.Context, to chat.Address, a attempts) (id int64, err error) {
	wanted, stop := whileWanted(ctx, a.over)
	defer stop()
	backoff := newBackoff()
	policy := retry.Policy{
		Permanent: isPermanent,
		Wait: func(err error, _ time.Duration) time.Duration {
			wait := backoff.Next()
			if client.RetryAfter(err) > 0 {
				backoff.Reset()
				wait = 0
			}
			return max(wait, t.limits.Left(to.Chat))
		},
	}
	again := false
	err = policy.Do(wanted, func() error {
		if again && !a.twice {
			if err := a.note(event.SendBegun); err != nil {
				return retry.Stop(err)
			}
		}
		again = true
		if err := t.waitForLimit(wanted, to); err != nil {
			if !a.twice {
				_ = a.note(event.SendHeld) // else it is marked for nothing
			}
			return retry.Stop(err)
		}
		var err error
		if id, err = t.sendOnce(ctx, a); err == nil || isPermanent(err) {
			return err
		}
		if after := client.RetryAfter(err); after > 0 {
			t.limits.Note(to.Chat, after)
		}
		t.cfg.Log.Debug("a message has to be sent again", "chat", to.Name(), "err", err)
		if noted := a.failed(err); noted != nil {
			return retry.Stop(noted)
		}
		return err
	})
	return id, err
}

// failed notes that a try has failed: it may have been done, or it certainly was not.
func (a *attempts) failed(err error) error {
	failed := (*client.Error)(nil)
	switch {
	case !a.harmless && (!errors.As(err, &failed) || failed.Unknown):
		a.twice = true
		if a.repeat != nil {
			return a.repeat()
		}
		return nil
	case a.twice:
		return nil
	}
	return a.note(event.SendHeld)
}

func (a *attempts) note(state event.SendState) error {
	if a.hold == nil {
		return nil
	}
	return a.hold(state)
}

// sendOnce does it once. A call that is under way when hob ends has some time left.
func (t *Senders) sendOnce(ctx context.Context, a attempts) (int64, error) {
	call, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() {
		_ = retry.Wait(call, graceTime)
		cancel()
	})()
	return a.do(call, a.twice)
}

// waitForLimit waits until something may be sent to a chat.
func (t *Senders) waitForLimit(wanted context.Context, to chat.Address) error {
	for wanted.Err() == nil {
		left := t.limits.Left(to.Chat)
		if left == 0 {
			return nil
		}
		if err := retry.Wait(wanted, left); err != nil {
			return err
		}
	}
	return context.Cause(wanted)
}

var errUnwanted = errors.New("nobody waits for this any more: it was not sent")

// whileWanted returns a context that ends when hob ends, with errShutdown, or when over is closed, with errUnwanted. stop must be
// called.
func whileWanted(ctx context.Context, over <-chan struct{}) (wanted context.Context, stop func()) {
	wanted, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	unhook := context.AfterFunc(ctx, func() { cancel(errShutdown) })
	select {
	case <-ctx.Done():
		cancel(errShutdown)
	case <-over:
		cancel(errUnwanted)
	default:
	}
	if over != nil {
		go func() {
			select {
			case <-over:
				cancel(errUnwanted)
			case <-wanted.Done():
			}
		}()
	}
	return wanted, func() { unhook(); cancel(nil) }
}

// isPermanent reports whether the same would fail the same way for ever.
func isPermanent(err error) bool {
	return client.IsPermanent(err) || errors.Is(err, errNoQuestion) || errors.Is(err, errExplained)
}
