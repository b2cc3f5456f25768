package queue_test

import (
	"testing"
	"time"
)

// The wait is estimated from how long replies took, less what the running one has had of it; before any was measured,
// only the number is known.
func TestEstimate(t *testing.T) {
	in(t, func(h *house) {
		h.ask("ana", 1)
		h.ask("bob", 2)
		h.end("ana", 20*time.Second)
		h.saw("bob", "waiting: 1 before you")
		h.text("bob", "so ")
		<-time.After(8 * time.Second) // bob has 12 s to go
		h.ask("cleo", 3)
		h.ask("dan", 4)
		<-time.After(100 * time.Second) // bob takes longer than expected
		h.ask("eve", 5)
		h.end("bob", 0)
		h.end("cleo", 0)
		h.end("dan", 0)
		h.end("eve", 0)
		h.saw("cleo", "waiting: 1 before you, about 10 s", done)
		h.saw("dan", "waiting: 2 before you, about 30 s", "waiting: 1 before you, about 70 s", done)
		h.saw("eve", "waiting: 3 before you, about 40 s", "waiting: 2 before you, about 2 min", "waiting: 1 before you, about 40 s", done)
	})
}

// What came later counts more: after a change of speed the estimate follows within a few replies.
func TestEstimateFollows(t *testing.T) {
	in(t, func(h *house) {
		for range 20 {
			h.ask("ana", 1)
			h.end("ana", time.Minute)
		}
		for range 6 {
			h.ask("ana", 1)
			h.end("ana", 2*time.Second)
		}
		if got := h.queue.State().Typical; got < 5*time.Second || got > 12*time.Second {
			h.Errorf("after six replies of 2 s a reply takes %s", got)
		}
	})
}

// Who waits for background work to stop gets no number; who waits behind such a person counts one reply.
func TestEstimateOfSetAside(t *testing.T) {
	in(t, func(h *house) {
		h.ask("job", 1)
		h.end("job", 20*time.Second)
		h.ask("job (deaf)", 1)
		h.ask("ana", 2)
		h.ask("bob", 3)
		h.ask("job next", 4)
		h.end("job", 0)
		h.end("ana", 0)
		h.end("bob", 0)
		h.end("job next", 0)
		h.saw("ana", "waiting: background work is being set aside", done)
		h.saw("bob", "waiting: 1 before you, about 20 s", done)
		h.asks["job next"].seen = h.asks["job next"].seen[:1]
		h.saw("job next", "waiting: 3 before you, about 60 s")
	})
}
