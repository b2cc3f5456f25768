package session

import (
	"context"
	"fmt"
	"sync"
)

// Hold keeps calls and turns from starting, in all chats, until release is called. Everything else
// goes on, including Submit, Decide and Stop; inputs are durable and wait. Hold returns once no
// call acts any more and all results are journaled, or with the cause of ctx. In both cases the
// hold lasts until release. A [Sessions.Close] after it interrupts no call: turns that wait for the
// model or for a person resume at the next start. release may be called more than once.
func (s *Sessions) Hold(ctx context.Context) (release func(), err error) {
	s.hold.change(func() { s.hold.holds++ })
	if err = s.hold.await(ctx, func() bool { return s.hold.acting == 0 }); err != nil {
		err = fmt.Errorf("wait for calls that run: %w", err)
	}
	return sync.OnceFunc(func() { s.hold.change(func() { s.hold.holds-- }) }), err
}

// hold counts the holders and the acting calls of all chats. It is the only state that chats share.
// It has a lock, because nobody waits while holding it. The zero hold is ready to use.
type hold struct {
	mu      sync.Mutex
	holds   int           // nothing may start to act while this is above 0
	acting  int           // groups of calls that act
	changed chan struct{} // closed when a count changes; nil if nobody waits for that
}

// change changes the counts and wakes the waiters.
func (h *hold) change(counts func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	counts()
	if h.changed != nil {
		close(h.changed)
		h.changed = nil
	}
}

// next returns a channel that is closed when a count changes. The caller holds mu.
func (h *hold) next() chan struct{} {
	if h.changed == nil {
		h.changed = make(chan struct{})
	}
	return h.changed
}

// whenChanged returns nil without a hold, else a channel that is closed when that may have changed.
func (h *hold) whenChanged() chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.holds == 0 {
		return nil
	}
	return h.next()
}

// await waits until ready returns true. It calls ready with mu held.
func (h *hold) await(ctx context.Context, ready func() bool) error {
	for {
		h.mu.Lock()
		if ready() {
			h.mu.Unlock()
			return nil
		}
		changed := h.next()
		h.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// awaitRelease waits until there is no hold.
func (h *hold) awaitRelease(ctx context.Context) error {
	return h.await(ctx, func() bool { return h.holds == 0 })
}

// beginActing waits until there is no hold, and counts a group of calls as acting until done is
// called.
func (h *hold) beginActing(ctx context.Context) (done func(), err error) {
	err = h.await(ctx, func() bool {
		if h.holds > 0 {
			return false
		}
		h.acting++
		return true
	})
	if err != nil {
		return nil, err
	}
	return sync.OnceFunc(func() { h.change(func() { h.acting-- }) }), nil
}
