package queue

import (
	"fmt"
	"time"
)

// fade is the weight of a measurement once the next one arrives: about the last three replies
// decide.
const fade = 0.7

// speed is how fast the model replied, weighted to recent replies.
type speed struct{ seconds, replies float64 }

// add counts a reply that took so long, without loading the model: that happens once, and would
// make every later wait seem long.
func (s *speed) add(took, load time.Duration) {
	s.seconds = s.seconds*fade + max(0, took-load).Seconds()
	s.replies = s.replies*fade + 1
}

// typical returns the time of a reply; zero if none was measured.
func (s *speed) typical() time.Duration {
	if s.replies == 0 {
		return 0
	}
	return time.Duration(s.seconds / s.replies * float64(time.Second))
}

// leastWait is the least time that a running call is expected to take.
const leastWait = time.Second

// estimate returns how long e, which waits for others, will probably wait, and false without a
// measurement: until the running requests have ended, and then a typical reply for each request
// before e.
func (q *Queue) estimate(e *entry) (time.Duration, bool) {
	if q.speed.replies == 0 {
		return 0, false
	}
	typical := max(q.speed.typical(), leastWait)
	var free time.Duration // until then; more than one runs while a spare device answers
	for _, r := range q.running {
		if free = max(free, leastWait); !r.setAside {
			free = max(free, typical-time.Since(r.began))
		}
	}
	ahead, _ := q.countAhead(e)
	return free + time.Duration(ahead)*typical, true
}

// describeWait says for what a request waits.
func describeWait(before int, wait time.Duration, known bool) string {
	switch {
	case before == 0:
		return "waiting: background work is being set aside"
	case !known:
		return fmt.Sprintf("waiting: %d before you", before)
	}
	return fmt.Sprintf("waiting: %d before you, about %s", before, roundWait(wait))
}

// roundWait formats a duration as exactly as an estimate deserves: in seconds up to 5, then in
// steps of 5 s up to half a minute, of 10 s up to two minutes, and of a minute.
func roundWait(d time.Duration) string {
	step := time.Minute
	switch {
	case d < 5*time.Second:
		step = time.Second
	case d < 30*time.Second:
		step = 5 * time.Second
	case d < 2*time.Minute:
		step = 10 * time.Second
	}
	d = d.Round(step)
	if d < 2*time.Minute {
		return fmt.Sprintf("%d s", d/time.Second)
	}
	return fmt.Sprintf("%d min", d/time.Minute)
}
