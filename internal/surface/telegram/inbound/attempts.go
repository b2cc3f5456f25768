package inbound

import (
	"sync"
	"time"
)

// attempts bound how often one stranger may guess. The zero attempts is ready. It is safe for concurrent use.
type attempts struct {
	mu  sync.Mutex
	who map[int64]attempt
}

type attempt struct {
	n     int
	since time.Time
}

const (
	maxGuesses  = 3 // fewer than an invite takes from all
	guessWindow = time.Hour
	maxGuessers = 1000
)

// allow reports whether somebody may guess once more, and counts it.
func (t *attempts) allow(id int64, now time.Time) bool { return t.allowUpTo(maxGuesses, id, now) }

// allowUpTo reports whether somebody has tried fewer times than that within guessWindow, and counts it.
func (t *attempts) allowUpTo(most int, id int64, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	g, known := t.who[id]
	if !known || now.Sub(g.since) >= guessWindow {
		g = attempt{since: now}
	}
	if g.n++; g.n > most {
		return false
	}
	if t.who == nil {
		t.who = map[int64]attempt{}
	}
	if !known && len(t.who) >= maxGuessers {
		oldest := int64(0)
		for id, g := range t.who {
			if oldest == 0 || g.since.Before(t.who[oldest].since) {
				oldest = id
			}
		}
		delete(t.who, oldest)
	}
	t.who[id] = g
	return true
}

func (t *attempts) forget(id int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.who, id)
}
