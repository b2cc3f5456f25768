package outbound

import (
	"context"
	"errors"
	"sync"

	"hob/internal/event"
	"hob/internal/retry"
)

// ledger stores the records of a chat's items, and the chat's mark. It retries until the store
// accepts them or hob shuts down; then its errors are errShutdown. One goroutine uses it at a time:
// that of the item being sent, or else the loop.
//
// The state of a record says whether the item may have arrived:
//
//   - begun: a try is under way, or got no answer. It may have arrived, so the next try says that it is sent again.
//   - held: it did not arrive, or sending it again does no harm.
//   - sent, refused or gone: it has ended.
type ledger struct {
	cfg    *Config
	chat   event.Chat
	ended  *broadcast // of records
	marked int64      // where the mark is
}

// reader is the name of the chat's mark in its journal.
func (l *ledger) reader() string { return event.SendReader(l.chat) }

// errEndedBefore says that the record of an item ended before a restart.
var errEndedBefore = errors.New("it was sent or refused before")

// begin records that an item is about to be sent, and returns its record. If the record has ended,
// the error is errEndedBefore.
func (l *ledger) begin(ctx context.Context, it *item) (rec event.Send, err error) {
	err = l.retry(ctx, func(ctx context.Context) (err error) {
		rec, err = l.cfg.Outbox.BeginSend(ctx, l.chat, it.seq, it.part)
		return err
	})
	switch {
	case err != nil:
		return rec, err
	case rec.State == event.SendSent || rec.State == event.SendRefused:
		return rec, errEndedBefore
	case rec.State == event.SendHeld:
		rec.State = event.SendBegun
		return rec, l.set(ctx, rec)
	}
	return rec, nil
}

// set replaces a record.
func (l *ledger) set(ctx context.Context, rec event.Send) error {
	return l.retry(ctx, func(ctx context.Context) error { return l.cfg.Outbox.SetSend(ctx, rec, "", 0) })
}

// end replaces a record by one that has ended, and moves the mark in the same transaction.
func (l *ledger) end(ctx context.Context, rec event.Send, mark int64) error {
	reader := ""
	if mark > l.marked {
		reader = l.reader()
	}
	err := l.retry(ctx, func(ctx context.Context) error { return l.cfg.Outbox.SetSend(ctx, rec, reader, mark) })
	if err == nil {
		l.marked = max(l.marked, mark)
	}
	l.ended.send()
	return err
}

// moveMark moves the mark, unless it is there already.
func (l *ledger) moveMark(ctx context.Context, mark int64) error {
	if mark <= l.marked {
		return nil
	}
	err := l.retry(ctx, func(ctx context.Context) error { return l.cfg.Marks.Mark(ctx, l.reader(), mark) })
	if err == nil {
		l.marked = mark
	}
	return err
}

// retry calls the store, and repeats that until hob shuts down. It does not interrupt a call.
func (l *ledger) retry(ctx context.Context, use func(context.Context) error) error {
	err := retry.Policy{Backoff: newBackoff()}.Do(ctx, func() error {
		err := use(context.WithoutCancel(ctx))
		if err != nil {
			l.cfg.Log.Error("cannot note what is sent", "chat", l.chat, "err", err)
		}
		return err
	})
	if err != nil {
		return errShutdown
	}
	return nil
}

// record returns the record of a part of an event; its State is "" if there is none.
func (s *Senders) record(ctx context.Context, name event.Chat, seq int64, part int) (event.Send, error) {
	all, err := s.cfg.Outbox.Sends(ctx, name, seq)
	for _, rec := range all {
		if rec.Part == part {
			return rec, err
		}
	}
	return event.Send{}, err
}

// broadcast wakes all waiting callers each time a send has ended.
type broadcast struct {
	mu sync.Mutex
	ch chan struct{}
}

// next returns a channel that is closed at the next broadcast.
func (b *broadcast) next() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ch == nil {
		b.ch = make(chan struct{})
	}
	return b.ch
}

func (b *broadcast) send() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ch != nil {
		close(b.ch)
		b.ch = nil
	}
}
