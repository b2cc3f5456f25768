package daemon

import (
	"context"
	"errors"
	"iter"
	"sync"

	"hob/internal/event"
	"hob/internal/session"
)

// sessionSwitch is what the local API speaks to: the sessions of now. While a new configuration comes into force there are none, and
// whoever knocks waits. What was asked of sessions that were closed meanwhile, before they did it, is asked of the next.
type sessionSwitch struct {
	mu     sync.Mutex
	now    *session.Sessions // nil: none for the moment
	closed bool              // and there will be no others
	moved  chan struct{}     // closed when any of that changes
}

func newSessionSwitch() *sessionSwitch { return &sessionSwitch{moved: make(chan struct{})} }

// open lets everybody to s.
func (d *sessionSwitch) open(s *session.Sessions) { d.move(s, false) }

// shut lets everybody wait.
func (d *sessionSwitch) shut() { d.move(nil, false) }

// close sends everybody away.
func (d *sessionSwitch) close() { d.move(nil, true) }

func (d *sessionSwitch) move(s *session.Sessions, closed bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now, d.closed = s, closed
	close(d.moved)
	d.moved = make(chan struct{})
}

// enter waits for sessions other than those before.
func (d *sessionSwitch) enter(ctx context.Context, before *session.Sessions) (*session.Sessions, error) {
	for {
		d.mu.Lock()
		now, closed, moved := d.now, d.closed, d.moved
		d.mu.Unlock()
		switch {
		case closed:
			return nil, session.ErrClosed
		case now != nil && now != before:
			return now, nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// with does something with the sessions of now.
func (d *sessionSwitch) with(ctx context.Context, do func(*session.Sessions) error) error {
	var s *session.Sessions
	for {
		next, err := d.enter(ctx, s)
		if err != nil {
			return err
		}
		s = next
		if err = do(s); !errors.Is(err, session.ErrClosed) {
			return err
		}
	}
}

// Submit is [session.Sessions.Submit].
func (d *sessionSwitch) Submit(ctx context.Context, in session.Input) (seq int64, _ error) {
	return seq, d.with(ctx, func(s *session.Sessions) (err error) { seq, err = s.Submit(ctx, in); return err })
}

// Decide is [session.Sessions.Decide].
func (d *sessionSwitch) Decide(ctx context.Context, a session.Answer) error {
	return d.with(ctx, func(s *session.Sessions) error { return s.Decide(ctx, a) })
}

// Stop is [session.Sessions.Stop].
func (d *sessionSwitch) Stop(ctx context.Context, chat event.Chat) (ran bool, _ error) {
	return ran, d.with(ctx, func(s *session.Sessions) (err error) { ran, err = s.Stop(ctx, chat); return err })
}

// Halt is [session.Sessions.Halt].
func (d *sessionSwitch) Halt(ctx context.Context, chat event.Chat) (ran bool, _ error) {
	return ran, d.with(ctx, func(s *session.Sessions) (err error) { ran, err = s.Halt(ctx, chat); return err })
}

// Reset is [session.Sessions.Reset].
func (d *sessionSwitch) Reset(ctx context.Context, chat event.Chat) error {
	return d.with(ctx, func(s *session.Sessions) error { return s.Reset(ctx, chat) })
}

// Parked is [session.Sessions.Parked].
func (d *sessionSwitch) Parked(ctx context.Context, chat event.Chat) (all []session.Parked, _ error) {
	return all, d.with(ctx, func(s *session.Sessions) (err error) { all, err = s.Parked(ctx, chat); return err })
}

// Park is [session.Sessions.Park].
func (d *sessionSwitch) Park(ctx context.Context, chat event.Chat) (parked *session.Parked, _ error) {
	return parked, d.with(ctx, func(s *session.Sessions) (err error) { parked, err = s.Park(ctx, chat); return err })
}

// Retry is [session.Sessions.Retry].
func (d *sessionSwitch) Retry(ctx context.Context, chat event.Chat, turn int64) error {
	return d.with(ctx, func(s *session.Sessions) error { return s.Retry(ctx, chat, turn) })
}

// Waiting is [session.Sessions.Waiting].
func (d *sessionSwitch) Waiting(ctx context.Context, chat event.Chat, id string) (waits bool, _ error) {
	return waits, d.with(ctx, func(s *session.Sessions) (err error) { waits, err = s.Waiting(ctx, chat, id); return err })
}

// Chats is [session.Sessions.Chats].
func (d *sessionSwitch) Chats(ctx context.Context) (chats []event.Chat, _ error) {
	return chats, d.with(ctx, func(s *session.Sessions) (err error) { chats, err = s.Chats(ctx); return err })
}

// Resume is [session.Sessions.Resume].
func (d *sessionSwitch) Resume(ctx context.Context, chat event.Chat) (busy bool, _ error) {
	return busy, d.with(ctx, func(s *session.Sessions) (err error) { busy, err = s.Resume(ctx, chat); return err })
}

// OpenSkill is [session.Sessions.OpenSkill].
func (d *sessionSwitch) OpenSkill(ctx context.Context, in session.Wish) error {
	return d.with(ctx, func(s *session.Sessions) error { return s.OpenSkill(ctx, in) })
}

// CloseSkill is [session.Sessions.CloseSkill].
func (d *sessionSwitch) CloseSkill(ctx context.Context, in session.Wish) error {
	return d.with(ctx, func(s *session.Sessions) error { return s.CloseSkill(ctx, in) })
}

// Follow is [session.Sessions.Follow]; it goes on in the next sessions where those of now end.
func (d *sessionSwitch) Follow(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		left := false
		err := d.with(ctx, func(s *session.Sessions) error {
			for e, err := range s.Follow(ctx, chat, after) {
				if err != nil {
					return err
				}
				after = max(after, e.Seq) // deltas have none
				if left = !yield(e, nil); left {
					return nil
				}
			}
			if ctx.Err() == nil { // what follows ends of itself only when the sessions do
				return session.ErrClosed
			}
			return nil
		})
		if err != nil && !left {
			yield(event.Event{}, err)
		}
	}
}
