package queue

import (
	"fmt"
	"slices"
	"time"

	"hob/internal/llm"
)

// fade is what a measurement counts for when the next one comes: about the last three replies decide.
const fade = 0.7

// average is an amount per unit, in which what came later counts more.
type average struct{ amount, units float64 }

func (a *average) add(amount, units float64) {
	a.amount = a.amount*fade + amount
	a.units = a.units*fade + units
}

// value is zero where nothing was measured.
func (a average) value() float64 {
	if a.units <= 0 {
		return 0
	}
	return a.amount / a.units
}

// speed is how fast the model was.
type speed struct {
	reply   average // seconds per reply
	written average // tokens per second
	read    average // tokens per second
}

// add counts a reply that took so long. Loading the model is left out: it happens once, and would make every wait after
// it seem long.
func (s *speed) add(took time.Duration, u llm.Usage) {
	s.reply.add(max(0, took-u.Load).Seconds(), 1)
	if u.EvalTokens > 0 && u.Eval > 0 {
		s.written.add(float64(u.EvalTokens), u.Eval.Seconds())
	}
	if read := u.PromptTokens - u.CachedTokens; read > 0 && u.PromptEval > 0 {
		s.read.add(float64(read), u.PromptEval.Seconds())
	}
}

func (s *speed) typical() time.Duration {
	return time.Duration(s.reply.value() * float64(time.Second))
}

// leastWait is what a running call is expected to take at least, however long it has been running.
const leastWait = time.Second

// estimate returns how long e, which waits for others to end, will probably wait, and whether there is a measurement to
// say so from. It plays the queue forward: each request before e takes the slot that is free first, for as long as a typical reply.
func (q *Queue) estimate(e *entry) (time.Duration, bool) {
	if q.speed.reply.units == 0 {
		return 0, false
	}
	typical := max(q.speed.typical(), leastWait)
	free := make([]time.Duration, q.slots) // when each slot is
	for i, r := range q.running {
		free[i] = leastWait
		if !r.setAside {
			free[i] = max(leastWait, typical-q.now().Sub(r.began))
		}
	}
	ahead, _ := q.countAhead(e)
	for range ahead {
		slices.Sort(free)
		free[0] += typical
	}
	return slices.Min(free), true
}

// describeWait says what a request waits for.
func describeWait(before int, wait time.Duration, known bool) string {
	switch {
	case before == 0:
		return "waiting: background work is being set aside"
	case !known:
		return fmt.Sprintf("waiting: %d before you", before)
	}
	return fmt.Sprintf("waiting: %d before you, about %s", before, roundWait(wait))
}

// roundWait writes a duration no more exactly than an estimate deserves: in seconds up to 5, then in steps of 5 s up to half
// a minute, of 10 s up to two minutes, and of a minute.
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
