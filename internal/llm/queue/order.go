package queue

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"hob/internal/llm"
)

// entry is one request: in waiting, in running, or gone. The queue's mutex guards its fields, except those that never
// change.
type entry struct {
	position llm.Position
	arrival  int64
	wake     chan struct{} // has a value when something changed since the entry looked

	counted         bool // the others have made room for it, or will
	announced       int  // the number before it that its caller knows; -1 is none
	silentAnnounced int  // how many of those running had not begun to answer for long, as its caller knows

	// While it runs:
	began     time.Time
	cancel    context.CancelCauseFunc
	answering bool // text came
	setAside  bool // it was cancelled to make room
}

// compare orders entries as they are to run.
func compare(a, b *entry) int {
	return cmp.Or(
		cmp.Compare(a.position.Priority, b.position.Priority),
		cmp.Compare(a.position.Turn, b.position.Turn),
		cmp.Compare(a.arrival, b.arrival),
	)
}

// yieldsTo reports whether e, which runs, is set aside for w.
func (e *entry) yieldsTo(w *entry) bool {
	switch {
	case e.setAside:
		return false
	case w.position.Priority <= llm.ForPerson:
		return e.position.Priority > llm.ForPerson
	default:
		return w.position.Priority == llm.ForJob && e.position.Priority > llm.ForJob && !e.answering
	}
}

// add puts a new request into the queue.
func (q *Queue) add(place llm.Position) *entry {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.arrivals++
	e := &entry{position: place, arrival: q.arrivals, wake: make(chan struct{}, 1), announced: -1}
	q.enqueue(e)
	return e
}

// claim gives e a slot if one is free for it. If not, it returns a delta for its caller, without a status if the caller knows it.
// The first claim also sets others aside, in one step with counting who is before e: so its caller reads that work is being set
// aside, however quickly that work ends.
func (q *Queue) claim(e *entry, cancel context.CancelCauseFunc) (begun bool, told llm.Delta) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !e.counted {
		e.counted = true
		q.rebalance()
	}
	mute := q.countSilent()
	free := q.slots - len(q.running)
	if mute > 0 && q.spare != nil && q.spare() {
		free += mute // another device is there for whoever waits
	}
	if index := slices.Index(q.waiting, e); index < free {
		q.waiting = slices.Delete(q.waiting, index, index+1)
		q.running = append(q.running, e)
		e.began, e.cancel, e.answering, e.setAside, e.announced = time.Now(), cancel, false, false, -1
		return true, llm.Delta{} // nothing changes for the others: what was before them still is
	}
	before := q.countBefore(e)
	if before == e.announced && mute <= e.silentAnnounced {
		return false, llm.Delta{}
	}
	e.announced, e.silentAnnounced = before, mute
	wait, known := q.estimate(e)
	text := describeWait(before, wait, known && mute == 0)
	if mute > 0 {
		text += fmt.Sprintf(", and the model has not begun to answer for %s", roundWait(time.Since(q.oldestSilent())))
		wait = 0
	}
	return false, llm.Delta{
		Status: text, Queue: llm.WaitBegan, Wait: llm.Wait{Passing: true, Ahead: before, Time: wait},
	}
}

// finish takes e's slot back. It reports whether e failed because it was set aside, and then returns it to its place.
func (q *Queue) finish(e *entry, reply *llm.Reply, err error) (aside bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err == nil && reply != nil {
		q.speed.add(time.Since(e.began), reply.Usage.Load)
	}
	q.running = slices.DeleteFunc(q.running, func(other *entry) bool { return other == e })
	if aside = err != nil && e.setAside; aside {
		q.enqueue(e)
		e.announced = q.countBefore(e) // that it was set aside is all its caller needs to hear for now
	}
	q.rebalance()
	return aside
}

// SilentAfter is how long a request may run without an answer until those that wait get a status about it.
const SilentAfter = time.Minute

// countSilent counts the requests that have run for that long without having begun to answer.
func (q *Queue) countSilent() (n int) {
	for _, r := range q.running {
		if !r.answering && time.Since(r.began) >= SilentAfter {
			n++
		}
	}
	return n
}

// oldestSilent is when the first of those running that have not begun to answer began.
func (q *Queue) oldestSilent() (began time.Time) {
	for _, r := range q.running {
		if !r.answering && (began.IsZero() || r.began.Before(began)) {
			began = r.began
		}
	}
	return began
}

// nextSilence returns how long it is until another of those running has not begun to answer for long; 0 is never.
func (q *Queue) nextSilence() (left time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, r := range q.running {
		if d := SilentAfter - time.Since(r.began); !r.answering && d > 0 && (left == 0 || d < left) {
			left = d
		}
	}
	return left
}

// remove forgets e, wherever it is.
func (q *Queue) remove(e *entry) {
	q.mu.Lock()
	defer q.mu.Unlock()
	same := func(other *entry) bool { return other == e }
	q.waiting = slices.DeleteFunc(q.waiting, same)
	q.running = slices.DeleteFunc(q.running, same)
	q.rebalance()
}

func (q *Queue) markAnswering(e *entry) {
	q.mu.Lock()
	defer q.mu.Unlock()
	e.answering = true
}

func (q *Queue) enqueue(e *entry) {
	index, _ := slices.BinarySearchFunc(q.waiting, e, compare)
	q.waiting = slices.Insert(q.waiting, index, e)
}

// rebalance makes the queue right after a change: it sets aside what has to make room, and has those who wait look again.
func (q *Queue) rebalance() {
	coming := max(0, q.slots-len(q.running)) // slots that are free or will soon be; more run while a spare device answers
	for _, r := range q.running {
		if r.setAside {
			coming++
		}
	}
	for _, w := range q.waiting[min(coming, len(q.waiting)):] {
		last := q.lastYielding(w)
		if last == nil {
			break // nor for those after w, who may set aside less
		}
		last.setAside = true
		last.cancel(errSetAside)
	}
	for _, w := range q.waiting {
		select {
		case w.wake <- struct{}{}:
		default: // it has yet to look after the change before
		}
	}
}

// lastYielding returns the last in the order of those running that yield to w, or nil.
func (q *Queue) lastYielding(w *entry) *entry {
	var last *entry
	for _, r := range q.running {
		if r.yieldsTo(w) && (last == nil || compare(r, last) > 0) {
			last = r
		}
	}
	return last
}

// countAhead counts the requests that get a slot before e, which waits: those before it in the queue, and those that will be
// when they were set aside. staying counts those running that keep their slot until they end.
func (q *Queue) countAhead(e *entry) (ahead, staying int) {
	ahead = slices.Index(q.waiting, e)
	for _, r := range q.running {
		switch {
		case !r.setAside:
			staying++
		case compare(r, e) < 0:
			ahead++
		}
	}
	return ahead, staying
}

// countBefore returns how many requests have to end before e, which waits, can begin. Zero is one that waits for what was set
// aside to stop.
func (q *Queue) countBefore(e *entry) int {
	ahead, staying := q.countAhead(e)
	return max(0, ahead+staying-(q.slots-1))
}

// State is what the queue is doing.
type State struct {
	Running []llm.Position // in the order in which they began
	Waiting []llm.Position // in the order in which they will begin
	Typical time.Duration  // that a reply takes, the later ones counting more; zero where none was measured
}

// State returns what the queue is doing now.
func (q *Queue) State() State {
	q.mu.Lock()
	defer q.mu.Unlock()
	s := State{Typical: q.speed.typical()}
	for _, e := range q.running {
		s.Running = append(s.Running, e.position)
	}
	for _, e := range q.waiting {
		s.Waiting = append(s.Waiting, e.position)
	}
	return s
}
