package inbound

import (
	"time"

	"hob/internal/recent"
)

// attempts bound how often somebody may try something within an hour. They are safe for concurrent use.
type attempts struct {
	limit int
	of    *recent.Map[int64, attempt]
}

// attempt is how often somebody has tried since a time.
type attempt struct {
	n     int
	since time.Time
}

const (
	attemptWindow = time.Hour
	maxPeople     = 1000 // of whom it is known
)

func newAttempts(limit int) attempts {
	return attempts{limit, recent.NewMap[int64, attempt](maxPeople)}
}

// allow reports whether somebody may try once more, and counts it.
func (a attempts) allow(id int64, now time.Time) (ok bool) {
	a.of.Update(id, func(t attempt, known bool) attempt {
		if !known || now.Sub(t.since) >= attemptWindow {
			t = attempt{since: now}
		}
		t.n++
		ok = t.n <= a.limit
		return t
	})
	return ok
}

func (a attempts) forget(id int64) { a.of.Remove(id) }
