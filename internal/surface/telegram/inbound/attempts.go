package inbound

import (
	"time"

	"hob/internal/recent"
)

// attempts limits how often a person may try something within an hour. It is safe for concurrent
// use.
type attempts struct {
	limit int
	of    *recent.Map[int64, attempt]
}

// attempt counts the tries of one person since a time.
type attempt struct {
	n     int
	since time.Time
}

const (
	attemptWindow = time.Hour
	maxPeople     = 1000 // limit for the people remembered
)

func newAttempts(limit int) attempts {
	return attempts{limit, recent.NewMap[int64, attempt](maxPeople)}
}

// allow reports whether a person may try once more, and counts the try.
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
