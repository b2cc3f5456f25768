package session

import (
	"context"
	"fmt"
	"sync"
)

// Hold lets nothing new begin, until release: no call begins to act in any chat, and no turn begins. Everything else goes on,
// Submit, Decide and Stop included; what is handed in is durable and waits. Hold returns once no call acts any more and the
// results of those that did are journaled, or with the cause of ctx if that comes first; then, too, everything is held until
// release. A [Sessions.Close] after it cuts nothing short of which nobody would know what came of it: turns that wait for the
// model, or for a person, go on at the next start. Release may be called more than once.
func (s *Sessions) Hold(ctx context.Context) (release func(), err error) {
	still := s.hold.take()
	select {
	case <-still:
	default:
		select {
		case <-still:
		case <-ctx.Done():
			err = fmt.Errorf("wait for calls that run: %w", context.Cause(ctx))
		}
	}
	return sync.OnceFunc(s.hold.let), err
}

// hold knows of all chats whether calls may act and which do. It is the one thing that chats share: a lock, because nobody
// ever waits while holding it. The zero hold holds nothing.
type hold struct {
	mu     sync.Mutex
	holds  int
	acting int           // groups of calls
	free   chan struct{} // closed when nobody holds any more; nil where nobody does
	still  chan struct{} // closed when nothing acts any more; nil where nobody waits for that
}

// take begins a hold and returns what is closed once nothing acts.
func (h *hold) take() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.holds++; h.free == nil {
		h.free = make(chan struct{})
	}
	if h.still == nil {
		h.still = make(chan struct{})
		h.settle()
	}
	return h.still
}

// let ends a hold.
func (h *hold) let() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.holds--; h.holds == 0 {
		close(h.free)
		h.free, h.still = nil, nil
	}
}

// settle closes still when nothing acts. The caller holds mu; while somebody holds, nothing begins to act again.
func (h *hold) settle() {
	if h.acting > 0 || h.still == nil {
		return
	}
	select {
	case <-h.still:
	default:
		close(h.still)
	}
}

// held returns what is closed when nobody holds any more, nil where nobody does.
func (h *hold) held() chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.free
}

// wait waits until nobody holds.
func (h *hold) wait(ctx context.Context) error {
	for free := h.held(); free != nil; free = h.held() {
		select {
		case <-free:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// enter waits until nobody holds, and counts calls as acting until they leave.
func (h *hold) enter(ctx context.Context) (leave func(), err error) {
	for {
		if err := h.wait(ctx); err != nil {
			return nil, err
		}
		h.mu.Lock()
		if h.free == nil {
			h.acting++
			h.mu.Unlock()
			return sync.OnceFunc(h.leave), nil
		}
		h.mu.Unlock()
	}
}

func (h *hold) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.acting--
	h.settle()
}
