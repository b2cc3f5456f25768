package daemon

import (
	"context"
	"errors"
	"iter"
	"sync"

	"hob/internal/event"
	"hob/internal/session"
)

// sessionSwitch passes requests of the local API to the current sessions. During a reload there are
// none, and requests wait. A request that reaches closed sessions goes to the next ones.
type sessionSwitch struct {
	mu      sync.Mutex
	current *session.Sessions // nil: none at present
	closed  bool              // there will be no others
	changed chan struct{}     // closed at each change, then replaced
}

func newSessionSwitch() *sessionSwitch { return &sessionSwitch{changed: make(chan struct{})} }

// open passes requests to s.
func (w *sessionSwitch) open(s *session.Sessions) { w.set(s, false) }

// pause lets requests wait.
func (w *sessionSwitch) pause() { w.set(nil, false) }

// close refuses all requests.
func (w *sessionSwitch) close() { w.set(nil, true) }

func (w *sessionSwitch) set(s *session.Sessions, closed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.current, w.closed = s, closed
	close(w.changed)
	w.changed = make(chan struct{})
}

// wait returns the current sessions, once they are others than before.
func (w *sessionSwitch) wait(ctx context.Context, before *session.Sessions) (*session.Sessions, error) {
	for {
		w.mu.Lock()
		now, closed, moved := w.current, w.closed, w.changed
		w.mu.Unlock()
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

// with calls do with the current sessions, and again with the next if those were closed.
func (w *sessionSwitch) with(ctx context.Context, do func(*session.Sessions) error) error {
	var s *session.Sessions
	for {
		next, err := w.wait(ctx, s)
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
func (w *sessionSwitch) Submit(ctx context.Context, in session.Input) (seq int64, _ error) {
	return seq, w.with(ctx, func(s *session.Sessions) (err error) { seq, err = s.Submit(ctx, in); return err })
}

// Decide is [session.Sessions.Decide].
func (w *sessionSwitch) Decide(ctx context.Context, a session.Answer) error {
	return w.with(ctx, func(s *session.Sessions) error { return s.Decide(ctx, a) })
}

// Stop is [session.Sessions.Stop].
func (w *sessionSwitch) Stop(ctx context.Context, chat event.Chat) (ran bool, _ error) {
	return ran, w.with(ctx, func(s *session.Sessions) (err error) { ran, err = s.Stop(ctx, chat); return err })
}

// Halt is [session.Sessions.Halt].
func (w *sessionSwitch) Halt(ctx context.Context, chat event.Chat) (ran bool, _ error) {
	return ran, w.with(ctx, func(s *session.Sessions) (err error) { ran, err = s.Halt(ctx, chat); return err })
}

// Reset is [session.Sessions.Reset].
func (w *sessionSwitch) Reset(ctx context.Context, chat event.Chat) error {
	return w.with(ctx, func(s *session.Sessions) error { return s.Reset(ctx, chat) })
}

// Parked is [session.Sessions.Parked].
func (w *sessionSwitch) Parked(ctx context.Context, chat event.Chat) (all []event.ParkedTurn, _ error) {
	return all, w.with(ctx, func(s *session.Sessions) (err error) { all, err = s.Parked(ctx, chat); return err })
}

// Park is [session.Sessions.Park].
func (w *sessionSwitch) Park(ctx context.Context, chat event.Chat) (parked *event.ParkedTurn, _ error) {
	return parked, w.with(ctx, func(s *session.Sessions) (err error) { parked, err = s.Park(ctx, chat); return err })
}

// Retry is [session.Sessions.Retry].
func (w *sessionSwitch) Retry(ctx context.Context, chat event.Chat, turn int64) error {
	return w.with(ctx, func(s *session.Sessions) error { return s.Retry(ctx, chat, turn) })
}

// IsAsking is [session.Sessions.IsAsking].
func (w *sessionSwitch) IsAsking(ctx context.Context, chat event.Chat, id string) (waits bool, _ error) {
	return waits, w.with(ctx, func(s *session.Sessions) (err error) { waits, err = s.IsAsking(ctx, chat, id); return err })
}

// Chats is [session.Sessions.Chats].
func (w *sessionSwitch) Chats(ctx context.Context) (chats []event.Chat, _ error) {
	return chats, w.with(ctx, func(s *session.Sessions) (err error) { chats, err = s.Chats(ctx); return err })
}

// IsBusy is [session.Sessions.IsBusy].
func (w *sessionSwitch) IsBusy(ctx context.Context, chat event.Chat) (busy bool, _ error) {
	return busy, w.with(ctx, func(s *session.Sessions) (err error) { busy, err = s.IsBusy(ctx, chat); return err })
}

// OpenSkill is [session.Sessions.OpenSkill].
func (w *sessionSwitch) OpenSkill(ctx context.Context, in session.SkillRequest) error {
	return w.with(ctx, func(s *session.Sessions) error { return s.OpenSkill(ctx, in) })
}

// CloseSkill is [session.Sessions.CloseSkill].
func (w *sessionSwitch) CloseSkill(ctx context.Context, in session.SkillRequest) error {
	return w.with(ctx, func(s *session.Sessions) error { return s.CloseSkill(ctx, in) })
}

// Follow is [session.Sessions.Follow]; it continues in the next sessions after a reload.
func (w *sessionSwitch) Follow(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		left := false
		err := w.with(ctx, func(s *session.Sessions) error {
			for e, err := range s.Follow(ctx, chat, after) {
				if err != nil {
					return err
				}
				after = max(after, e.Seq) // deltas have none
				if left = !yield(e, nil); left {
					return nil
				}
			}
			if ctx.Err() == nil { // Follow ends by itself only if the sessions close
				return session.ErrClosed
			}
			return nil
		})
		if err != nil && !left {
			yield(event.Event{}, err)
		}
	}
}
