package queue

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"hob/internal/llm"
)

// entry is one request: in waiting, in running, or gone. Its fields are guarded by the queue's mutex, but for those that
// never change.
type entry struct {
	position llm.Position
	arrival  int64
	wake     chan struct{} // has a value when something changed since the entry looked

	announced       int // the number before it that its caller knows; -1 is none
	silentAnnounced int // how many of those running had not begun to answer for long, as its caller knows

	// While it runs:
	began     time.Time
	answering bool // text came
}

// compare orders entries as they are to run.
func compare(a, b *entry) int {
	return cmp.Or(cmp.Compare(a.position.Turn, b.position.Turn), cmp.Compare(a.arrival, b.arrival))
}

// add puts a new request into the queue.
func (q *Queue) add(place llm.Position) *entry {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.arrivals++
	e := &entry{position: place, arrival: q.arrivals, wake: make(chan struct{}, 1), announced: -1}
	index, _ := slices.BinarySearchFunc(q.waiting, e, compare)
	q.waiting = slices.Insert(q.waiting, index, e)
	q.wakeWaiting()
	return e
}

// claim gives e a slot if one is free for it. If not, it returns a delta for its caller, without a status if the caller knows it.
func (q *Queue) claim(e *entry) (begun bool, told llm.Delta) {
	q.mu.Lock()
	defer q.mu.Unlock()
	mute := q.countSilent()
	free := q.slots - len(q.running)
	if mute > 0 && q.spare != nil && q.spare() {
		free += mute // another device is there for whoever waits
	}
	if index := slices.Index(q.waiting, e); index < free {
		q.waiting = slices.Delete(q.waiting, index, index+1)
		q.running = append(q.running, e)
		e.began = q.now()
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
		text += fmt.Sprintf(", and the model has not begun to answer for %s", roundWait(q.now().Sub(q.oldestSilent())))
		wait = 0
	}
	return false, llm.Delta{
		Status: text, Queue: llm.WaitBegan, Wait: llm.Wait{Passing: true, Ahead: before, Time: wait},
	}
}

// measure counts how long e took to be replied to.
func (q *Queue) measure(e *entry, reply *llm.Reply) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.speed.add(q.now().Sub(e.began), reply.Usage.Load)
}

// SilentAfter is how long a request may run without an answer until those that wait get a status about it.
const SilentAfter = time.Minute

// countSilent counts the requests that have run for that long without having begun to answer.
func (q *Queue) countSilent() (n int) {
	for _, r := range q.running {
		if !r.answering && q.now().Sub(r.began) >= SilentAfter {
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
		if d := SilentAfter - q.now().Sub(r.began); !r.answering && d > 0 && (left == 0 || d < left) {
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
	q.wakeWaiting()
}

func (q *Queue) markAnswering(e *entry) {
	q.mu.Lock()
	defer q.mu.Unlock()
	e.answering = true
}

// wakeWaiting has those who wait look again.
func (q *Queue) wakeWaiting() {
	for _, w := range q.waiting {
		select {
		case w.wake <- struct{}{}:
		default: // it has yet to look after the change before
		}
	}
}

// countBefore returns how many requests have to end before e, which waits, can begin.
func (q *Queue) countBefore(e *entry) int {
	return max(0, slices.Index(q.waiting, e)+len(q.running)-(q.slots-1))
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
