package session

import (
	"context"
	"fmt"
	"sync"
)

// Hold lets nothing new begin, until release: no call begins to act in any chat, and no turn
// begins. Everything else goes on, Submit, Decide and Stop included; what is handed in is durable
// and waits. Hold returns once no call acts any more and the results of those that did are
// journaled, or with the cause of ctx if that comes first; then, too, everything is held until
// release. A [Sessions.Close] after it interrupts no call: turns that wait for the model, or for a
// person, go on at the next start. Release may be called more than once.
func (s *Sessions) Hold(ctx context.Context) (release func(), err error) {
	s.hold.addHolds(1)
	if err = s.hold.await(ctx, func() bool { return s.hold.acting == 0 }); err != nil {
		err = fmt.Errorf("wait for calls that run: %w", err)
	}
	return sync.OnceFunc(func() { s.hold.addHolds(-1) }), err
}

// hold counts, for all chats, those who hold and the calls that act. It is the one thing that chats
// share. It has a lock, because nobody ever waits while holding it. The zero hold holds nothing.
type hold struct {
	mu      sync.Mutex
	holds   int           // nothing new begins to act while there are any
	acting  int           // groups of calls
	changed chan struct{} // closed when one of the counts changes; nil where nobody waits for that
}

// addHolds changes the number of those who hold.
func (h *hold) addHolds(n int) { h.change(func() { h.holds += n }) }

// addActing changes the number of groups of calls that act.
func (h *hold) addActing(n int) { h.change(func() { h.acting += n }) }

// change changes the counts and wakes those who wait.
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

// whenChanged returns nil where nobody holds, else a channel that is closed when that may have
// changed.
func (h *hold) whenChanged() chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.holds == 0 {
		return nil
	}
	return h.next()
}

// await waits until ready, which is called with mu held, returns true.
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

// awaitRelease waits until nobody holds.
func (h *hold) awaitRelease(ctx context.Context) error {
	return h.await(ctx, func() bool { return h.holds == 0 })
}

// beginActing waits until nobody holds, and counts a group of calls as acting until done is called.
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
	return sync.OnceFunc(func() { h.addActing(-1) }), nil
}
