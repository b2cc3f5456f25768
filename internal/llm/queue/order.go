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
	wake     chan struct{} // has a value when something changed since the entry last checked

	counted         bool // the others have made room for it, or will
	announced       int  // the count of requests before it that its caller knows; -1: none
	silentAnnounced int  // the count of silent running requests that its caller knows

	// While it runs:
	began     time.Time
	cancel    context.CancelCauseFunc
	answering bool // text has arrived
	setAside  bool // it was cancelled to make room
}

// compare orders entries by when they are to run.
func compare(a, b *entry) int {
	return cmp.Or(
		cmp.Compare(a.position.Priority, b.position.Priority),
		cmp.Compare(a.position.Turn, b.position.Turn),
		cmp.Compare(a.arrival, b.arrival),
	)
}

// yieldsTo reports whether e, which is running, must make room for w.
func (e *entry) yieldsTo(w *entry) bool {
	return !e.setAside && w.position.Priority == llm.ForPerson && e.position.Priority == llm.ForJob
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

// claim gives e the slot if it is free for it. If not, it returns a delta for its caller, without a
// status if the caller knows it already. The first claim also sets others aside, in one step with
// counting the requests before e, so that the caller reads that work is being set aside, however
// quickly that ends.
func (q *Queue) claim(e *entry, cancel context.CancelCauseFunc) (begun bool, told llm.Delta) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !e.counted {
		e.counted = true
		q.rebalance()
	}
	mute := q.countSilent()
	free := 1 - len(q.running)
	if mute > 0 && q.spare != nil && q.spare() {
		free += mute // a spare device serves waiting requests
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

// finish takes back the slot. It reports whether e failed because it was set aside; then it puts e
// back in its place.
func (q *Queue) finish(e *entry, reply *llm.Reply, err error) (aside bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err == nil && reply != nil {
		q.speed.add(time.Since(e.began), reply.Usage.Load)
	}
	q.running = slices.DeleteFunc(q.running, func(other *entry) bool { return other == e })
	if aside = err != nil && e.setAside; aside {
		q.enqueue(e)
		e.announced = q.countBefore(e) // its caller only needs to know that it was set aside
	}
	q.rebalance()
	return aside
}

// SilentAfter is how long a request may run without an answer before waiting requests get a status
// about it.
const SilentAfter = time.Minute

// countSilent counts the requests that have run for that long without starting to answer.
func (q *Queue) countSilent() (n int) {
	for _, r := range q.running {
		if !r.answering && time.Since(r.began) >= SilentAfter {
			n++
		}
	}
	return n
}

// oldestSilent returns when the oldest running request without an answer began.
func (q *Queue) oldestSilent() (began time.Time) {
	for _, r := range q.running {
		if !r.answering && (began.IsZero() || r.began.Before(began)) {
			began = r.began
		}
	}
	return began
}

// nextSilence returns the time until another running request counts as silent; 0: never.
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

// remove removes e, whether it waits or runs.
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

// rebalance updates the queue after a change: it sets aside what must make room, and wakes the
// waiting requests.
func (q *Queue) rebalance() {
	coming := max(0, 1-len(q.running)) // 1: the slot is free; more may run while a spare device answers
	for _, r := range q.running {
		if r.setAside {
			coming++
		}
	}
	for _, w := range q.waiting[min(coming, len(q.waiting)):] {
		last := q.lastYielding(w)
		if last == nil {
			break // later ones may set aside even less
		}
		last.setAside = true
		last.cancel(errSetAside)
	}
	for _, w := range q.waiting {
		select {
		case w.wake <- struct{}{}:
		default: // it has not yet checked after the last change
		}
	}
}

// lastYielding returns the last of the running requests, in order, that yields to w, or nil.
func (q *Queue) lastYielding(w *entry) *entry {
	var last *entry
	for _, r := range q.running {
		if r.yieldsTo(w) && (last == nil || compare(r, last) > 0) {
			last = r
		}
	}
	return last
}

// countAhead counts the requests that get the slot before e, which waits: those before it in the
// queue, and those that will be once they are set aside. staying counts the running requests that
// stay to the end.
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

// countBefore returns how many requests have to end before e, which waits, can begin. It is 0 if e
// only waits for a set-aside request to stop.
func (q *Queue) countBefore(e *entry) int {
	ahead, staying := q.countAhead(e)
	return ahead + staying
}

// State is the present state of the queue.
type State struct {
	Running []llm.Position // in the order in which they began
	Waiting []llm.Position // in the order in which they will begin
	Typical time.Duration  // time of a reply, weighted to recent ones; zero if none was measured
}

// State returns the present state of the queue.
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
