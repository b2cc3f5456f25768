package inbound

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"hob/internal/event"
	"hob/internal/retry"
	"hob/internal/surface/telegram/chat"
)

const (
	// maxWaiting is how many updates wait in memory. What comes on top is read from [Memory], where all of them are, when
	// there is room again.
	maxWaiting = 1000
	// maxQueue is how many of those are of one lane: one that is stuck holds up no other.
	maxQueue = 100
	// albumWait is how long is waited for more of what was sent as one: it comes in an update each.
	albumWait = time.Second
	maxAlbum  = 10 // messages, says Telegram
	// maxStops is how many stops of a place are dealt with at a time: each may wait until Telegram takes its answer, and the next
	// one is about another turn.
	maxStops = 10
)

// queueKey is what is dealt with in the order in which it came: all that was told in a place, but for answers to questions,
// which do not wait for a download.
type queueKey struct {
	chat.Address
	isAnswer bool
}

// dequeueRequest is how the goroutine of a lane asks for work.
type dequeueRequest struct {
	queue   queueKey
	done    []int64 // N of what it has dealt with
	albumOf *item   // only what was sent as one with this; nil: the next
	reply   chan []item
}

// router says which update waits for which. It belongs to the goroutine of run.
type router struct {
	in       *Handler
	wait     sync.WaitGroup
	queues   map[queueKey][]item  // of lanes that have a goroutine
	queued   int                  // items in them
	active   map[int64]bool       // updates that wait or are dealt with, by their N
	stopping map[chat.Address]int // how many stops are dealt with beside the lane

	behind     bool              // what came last was left to the memory
	lateQueues map[queueKey]bool // likewise, of these lanes
	read       map[int64]bool    // updates that were read from there; they may be delivered yet
	newest     int64             // N of what was delivered
	retryRead  <-chan time.Time  // when reading is tried again
}

// Run deals with what is delivered until ctx ends, and waits for all that it began.
func (in *Handler) Run(ctx context.Context) {
	defer close(in.over)
	r := &router{in: in, queues: map[queueKey][]item{}, active: map[int64]bool{}, stopping: map[chat.Address]int{}}
	defer r.wait.Wait()
	for {
		select {
		case <-ctx.Done():
			return
		case u := <-in.updates:
			r.deliver(ctx, u)
		case a := <-in.dequeues:
			a.reply <- r.dequeue(a)
		case it := <-in.stopped:
			if r.stopping[it.queue.Address]--; r.stopping[it.queue.Address] == 0 {
				delete(r.stopping, it.queue.Address)
			}
			delete(r.active, it.N)
		case <-r.retryRead:
			r.retryRead = nil
		}
		if r.retryRead == nil && r.hasRoom() && ctx.Err() == nil {
			r.catchUp(ctx)
		}
	}
}

// hasRoom reports whether there is room again for something that was left to the memory.
func (r *router) hasRoom() bool {
	if r.queued > maxWaiting/2 {
		return false
	}
	for l := range r.lateQueues {
		if len(r.queues[l]) <= maxQueue/2 {
			return true
		}
	}
	return r.behind
}

func (r *router) deliver(ctx context.Context, u event.Update) {
	r.newest = max(r.newest, u.N)
	if r.active[u.N] || r.read[u.N] {
		delete(r.read, u.N)
		return
	}
	it := r.in.newItem(u)
	if it.stops() && r.stopping[it.queue.Address] < maxStops {
		r.handleStop(ctx, it)
		return
	}
	if r.behind || r.queued >= maxWaiting {
		r.behind = true // also what comes after it: the order stays
		return
	}
	if !r.isLate(it.queue) {
		r.enqueue(ctx, it)
	}
}

// isLate reports whether what comes in a lane is left to the memory, and what comes after it, too.
func (r *router) isLate(l queueKey) bool {
	if r.lateQueues[l] || len(r.queues[l]) >= maxQueue {
		if r.lateQueues == nil {
			r.lateQueues = map[queueKey]bool{}
		}
		r.lateQueues[l] = true
	}
	return r.lateQueues[l]
}

// enqueue appends an item to its lane.
func (r *router) enqueue(ctx context.Context, it item) {
	r.active[it.N] = true
	r.queued++
	queue, runs := r.queues[it.queue]
	r.queues[it.queue] = append(queue, it)
	if !runs {
		r.wait.Go(func() { r.in.runWorker(ctx, it.queue) })
	}
}

// handleStop deals with a stop on a goroutine of its own: nothing that a chat waits for holds it up.
func (r *router) handleStop(ctx context.Context, it item) {
	r.active[it.N] = true
	r.stopping[it.queue.Address]++
	r.wait.Go(func() {
		r.in.handle(ctx, it)
		select {
		case r.in.stopped <- it:
		case <-ctx.Done():
		}
	})
}

// dequeue answers a lane that asks for work. One that asks in vain for the next item has none any more.
func (r *router) dequeue(a dequeueRequest) []item {
	for _, n := range a.done {
		delete(r.active, n)
	}
	queue := r.queues[a.queue]
	var given, left []item
	switch {
	case a.albumOf != nil:
		for _, it := range queue {
			if it.partOf(a.albumOf) {
				given = append(given, it)
			} else {
				left = append(left, it)
			}
		}
	case len(queue) > 0:
		given, left = queue[:1], queue[1:]
	default:
		delete(r.queues, a.queue)
		return nil
	}
	r.queued -= len(given)
	r.queues[a.queue] = left
	return slices.Clone(given)
}

// catchUp reads what there was no room for.
func (r *router) catchUp(ctx context.Context) {
	undone, err := r.in.cfg.Updates.Undone(ctx, chat.Platform)
	if err != nil {
		r.in.cfg.Log.Warn("updates not read", "err", err)
		r.retryRead = time.After(lastWait / 6)
		return
	}
	if r.behind, r.lateQueues = false, nil; r.read == nil {
		r.read = map[int64]bool{}
	}
	maps.DeleteFunc(r.read, func(n int64, _ bool) bool { return n <= r.newest }) // those are not delivered again
	for _, u := range undone {
		switch {
		case r.active[u.N]:
			continue
		case r.queued >= maxWaiting:
			r.behind = true
			return
		}
		if it := r.in.newItem(u); !r.isLate(it.queue) {
			r.read[u.N] = true
			r.enqueue(ctx, it)
		}
	}
}

// runWorker is the goroutine of a lane. It ends when nothing waits in it.
func (in *Handler) runWorker(ctx context.Context, l queueKey) {
	var done []int64
	for {
		next := in.dequeue(ctx, dequeueRequest{queue: l, done: done})
		if len(next) == 0 {
			return
		}
		done = in.handle(ctx, next[0])
	}
}

// dequeue is what the router answers; nothing when ctx has ended.
func (in *Handler) dequeue(ctx context.Context, a dequeueRequest) []item {
	a.reply = make(chan []item, 1)
	select {
	case in.dequeues <- a:
		return <-a.reply
	case <-ctx.Done():
		return nil
	}
}

// collectAlbum waits for all that was sent as one with an item. What comes later than that is a message of its own.
func (in *Handler) collectAlbum(ctx context.Context, it item) ([]item, error) {
	all := []item{it}
	for len(all) < maxAlbum {
		if err := retry.Wait(ctx, albumWait); err != nil {
			return nil, err
		}
		more := in.dequeue(ctx, dequeueRequest{queue: it.queue, albumOf: &it})
		if len(more) == 0 {
			break
		}
		all = append(all, more...)
	}
	return all, context.Cause(ctx)
}

// partOf reports whether an item was sent as one with another.
func (it *item) partOf(other *item) bool {
	m, o := it.up.Message, other.up.Message
	return m != nil && m.Group == o.Group && m.From != nil && o.From != nil && m.From.ID == o.From.ID
}

// stops reports whether an item is about to end a turn.
func (it *item) stops() bool {
	if m := it.up.Message; m != nil && m.IsOwnWords() {
		c, ok := parseCommand(m.Text)
		return ok && c.name == "stop"
	}
	return it.up.Stopped != nil
}
