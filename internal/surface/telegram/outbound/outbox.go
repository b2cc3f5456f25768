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

// The parts of an event other than its texts or the files of a result. Those are 0, 1, 2 ..., which
// callers of [Senders.Delivered] rely on.
const (
	statusPart    = -1  // of a Said: the status message of the turn
	clearPart     = -2  // of a reply: the removal of the earlier reply's choices
	firstFilePart = 100 // of a reply: its first file
)

// Time limits of calls: the shortest applicable one counts.
const (
	callTime   = 30 * time.Second // any call
	uploadTime = 5 * time.Minute  // a call with a file, instead
	graceTime  = 5 * time.Second  // an item during a shutdown, whose outcome should be known

	showTime   = 10 * time.Second       // the live view, even with a file
	statusTime = 5 * time.Second        // a new status message, instead; a shutdown does not interrupt it
	hurryTime  = 500 * time.Millisecond // a draft, once a reply waits for it
)

// The waits after failures in a row.
const (
	firstWait = time.Second
	lastWait  = time.Minute
)

// item is a message, or a change of one, in the outbox of a chat.
type item struct {
	seq  int64 // of the event of which it is a part; 0: no record
	part int
	mark int64 // the new mark once it is sent; 0: unchanged
	// send sends it and returns the id of the message; again says that it may have been sent
	// before. An item that deletes a status message has no send.
	send          func(ctx context.Context, again bool) (int64, error)
	idempotent    bool // a repeat has no further effect
	beginsReply   bool // it waits for the end of a draft call, which could otherwise leave a draft below the reply
	deletesStatus bool // it deletes the status message of the turn seq

	unwanted <-chan struct{} // closed when nobody waits for it any more; nil: never
	result   chan<- error    // has room for the outcome; nil: nobody waits
}

// report ends the wait for an item.
func (it *item) report(err error) {
	if it.result != nil {
		it.result <- err
	}
}

// sendItem sends an item, however long it takes. It returns false if hob shut down before the item
// was sent or refused.
func (c *chatSender) sendItem(ctx context.Context, it *item) bool {
	send := c.sendRecorded
	switch {
	case it.deletesStatus:
		send = c.sendStatusDeletion
	case it.seq == 0:
		send = c.sendUnrecorded
	}
	err := send(ctx, it)
	it.report(err)
	return !errors.Is(err, errShutdown)
}

// sendUnrecorded sends an item without a record, for an answer or a cleanup.
func (c *chatSender) sendUnrecorded(ctx context.Context, it *item) error {
	again := false
	err := c.senders.attempt(ctx, c.to, it.unwanted, func(network context.Context) error {
		_, err := c.sendOnce(network, it, again)
		again = again || !it.idempotent && client.MayHaveArrived(err)
		return err
	})
	if errors.Is(err, errExplained) {
		return nil
	}
	return err
}

// sendRecorded sends an item and ends its record.
func (c *chatSender) sendRecorded(ctx context.Context, it *item) error {
	var rec event.Send
	err := c.senders.attempt(ctx, c.to, it.unwanted, func(network context.Context) (err error) {
		rec, err = c.tryItem(ctx, network, it)
		return err
	})
	switch {
	case errors.Is(err, errShutdown):
		return err
	case errors.Is(err, errEndedBefore):
		return c.ledger.moveMark(ctx, it.mark)
	}
	rec.State = event.SendSent
	if err != nil {
		rec.State = event.SendRefused
		c.cfg.Log.Warn("a message was refused", "chat", c.name, "seq", it.seq, "part", it.part, "err", err)
	}
	return c.ledger.end(ctx, rec, it.mark)
}

// tryItem sends an item once and returns its record. The store's context ends when hob shuts down,
// the network's a little later.
func (c *chatSender) tryItem(store, network context.Context, it *item) (rec event.Send, err error) {
	if rec, err = c.ledger.begin(store, it); err != nil {
		return rec, retry.Stop(err)
	}
	again := rec.Tries > 1 && !it.idempotent
	rec.Message, err = c.sendOnce(network, it, again)
	if err == nil || isFinal(err) || again || !it.idempotent && client.MayHaveArrived(err) {
		return rec, err
	}
	rec.State = event.SendHeld
	if failed := c.ledger.set(store, rec); failed != nil {
		return rec, retry.Stop(failed)
	}
	return rec, err
}

// sendOnce sends an item once, and returns the id of its message.
func (c *chatSender) sendOnce(ctx context.Context, it *item, again bool) (id int64, err error) {
	err = c.senders.contain(c.name, func() (err error) {
		id, err = it.send(ctx, again)
		return err
	})
	return id, err
}

// sendStatusDeletion deletes the status message of a turn.
func (c *chatSender) sendStatusDeletion(ctx context.Context, it *item) error {
	var rec event.Send
	err := c.ledger.retry(ctx, func(ctx context.Context) (err error) {
		rec, err = c.senders.record(ctx, c.name, it.seq, statusPart)
		return err
	})
	if err != nil {
		return err
	}
	if rec.State != event.SendSent {
		return c.ledger.moveMark(ctx, it.mark)
	}
	err = c.senders.attempt(ctx, c.to, nil, func(call context.Context) error {
		return c.post.call(call, methodDelete, client.ParamsForMessage(c.to, rec.Message, ""), nil)
	})
	if errors.Is(err, errShutdown) {
		return err
	}
	if client.IsUnknownMethod(err) {
		c.senders.noStatus.Store(true)
	}
	rec.State = event.SendGone // one that cannot be deleted is gone, or too old to matter
	return c.ledger.end(ctx, rec, it.mark)
}

// newBackoff returns the waits after failures in a row.
func newBackoff() retry.Backoff { return retry.Backoff{First: firstWait, Max: lastWait} }

// attempt calls try until it works. The error says that it was refused, that unwanted was closed,
// or, with errShutdown, that hob shuts down. The context of try ends a little after that.
func (s *Senders) attempt(
	ctx context.Context, to chat.Address, unwanted <-chan struct{}, try func(ctx context.Context) error,
) error {
	wanted, stop := whileWanted(ctx, unwanted)
	defer stop()
	backoff := newBackoff()
	policy := retry.Policy{
		Permanent: isFinal,
		Wait: func(err error, _ time.Duration) time.Duration {
			wait := backoff.Next()
			if after := client.RetryAfter(err); after > 0 {
				s.limits.Note(to.Chat, after)
				backoff.Reset()
				wait = 0
			}
			return max(wait, s.limits.Left(to.Chat))
		},
		Failed: func(err error, wait time.Duration) {
			s.cfg.Log.Debug("a message has to be sent again", "chat", to.Name(), "in", wait, "err", err)
		},
	}
	return policy.Do(wanted, func() error {
		if err := s.waitForLimit(wanted, to); err != nil {
			return retry.Stop(err)
		}
		return withGrace(wanted, try)
	})
}

// withGrace calls try. A call in progress when ctx ends gets some more time.
func withGrace(ctx context.Context, try func(ctx context.Context) error) error {
	call, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(graceTime, cancel) })
	defer stop()
	return try(call)
}

// waitForLimit waits until the rate limit of a chat is over.
func (s *Senders) waitForLimit(wanted context.Context, to chat.Address) error {
	for wanted.Err() == nil {
		left := s.limits.Left(to.Chat)
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

// whileWanted returns a context that ends when hob shuts down, with errShutdown, or when unwanted
// is closed, with errUnwanted. stop must be called.
func whileWanted(ctx context.Context, unwanted <-chan struct{}) (wanted context.Context, stop func()) {
	wanted, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	unhook := context.AfterFunc(ctx, func() { cancel(errShutdown) })
	select { // do not even try once what nobody waits for
	case <-ctx.Done():
		cancel(errShutdown)
	case <-unwanted:
		cancel(errUnwanted)
	default:
	}
	if unwanted != nil {
		go func() {
			select {
			case <-unwanted:
				cancel(errUnwanted)
			case <-wanted.Done():
			}
		}()
	}
	return wanted, func() { unhook(); cancel(nil) }
}

// isFinal reports whether trying again is useless: Telegram refused it, or the error itself says
// so.
func isFinal(err error) bool {
	return client.IsPermanent(err) || errors.Is(err, errNoQuestion) || errors.Is(err, errExplained) || errors.Is(err, errFault)
}
