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
	// maxWaiting limits the updates in memory. Further ones are read from the store, which has all
	// of them, when there is room again.
	maxWaiting = 1000
	// maxQueue limits the updates in one queue, so that a stuck queue does not block others.
	maxQueue = 100
	// albumWait is how long to wait for the next message of an album, because each comes in its own
	// update.
	albumWait = time.Second
	maxAlbum  = 10 // messages, by Telegram's rules
	// maxStops limits the stops of a chat that are handled at a time. Each may wait for its answer
	// to be sent, and the next one is about another turn.
	maxStops = 10
)

// queueKey identifies a queue: that of a chat, or that of the answers to its questions, which do
// not wait for a download.
type queueKey struct {
	chat.Address
	isAnswer bool
}

// dequeueRequest asks for the next update of a queue.
type dequeueRequest struct {
	queue   queueKey
	done    []int64 // N of the handled updates
	albumOf *item   // only messages of the same album; nil: the next update
	reply   chan []item
}

// router holds the queues. The goroutine of [Handler.Run] owns it.
type router struct {
	in       *Handler
	wait     sync.WaitGroup
	queues   map[queueKey][]item  // queues with a worker
	queued   int                  // items in them
	active   map[int64]bool       // N of updates that wait or are being handled
	stopping map[chat.Address]int // number of stops handled beside the queue

	behind     bool              // the newest updates were left in the store
	lateQueues map[queueKey]bool // queues whose newest updates were left in the store
	read       map[int64]bool    // N of updates read from the store that may still be delivered
	newest     int64             // highest N delivered
	retryRead  <-chan time.Time  // when to try reading again
}

// Run handles delivered updates until ctx ends, and waits for its goroutines.
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

// hasRoom reports whether there is room again for updates left in the store.
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
		r.behind = true // later ones must follow, to keep the order
		return
	}
	if !r.isLate(it.queue) {
		r.enqueue(ctx, it)
	}
}

// isLate reports whether new updates of a queue must be left in the store, because earlier ones
// are.
func (r *router) isLate(l queueKey) bool {
	if r.lateQueues[l] || len(r.queues[l]) >= maxQueue {
		if r.lateQueues == nil {
			r.lateQueues = map[queueKey]bool{}
		}
		r.lateQueues[l] = true
	}
	return r.lateQueues[l]
}

// enqueue appends an item to its queue, and starts a worker if there is none.
func (r *router) enqueue(ctx context.Context, it item) {
	r.active[it.N] = true
	r.queued++
	queue, runs := r.queues[it.queue]
	r.queues[it.queue] = append(queue, it)
	if !runs {
		r.wait.Go(func() { r.in.runWorker(ctx, it.queue) })
	}
}

// handleStop handles a stop on its own goroutine, without waiting for the queue of its chat.
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

// dequeue answers a worker. A worker that gets nothing ends.
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

// catchUp reads the updates that were left in the store.
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

// runWorker handles the updates of a queue one by one until it is empty.
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

// dequeue returns the router's answer, or nothing if ctx has ended.
func (in *Handler) dequeue(ctx context.Context, a dequeueRequest) []item {
	a.reply = make(chan []item, 1)
	select {
	case in.dequeues <- a:
		return <-a.reply
	case <-ctx.Done():
		return nil
	}
}

// collectAlbum waits for the other messages of an item's album. A message that comes later counts
// by itself.
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

// partOf reports whether two items belong to one album.
func (it *item) partOf(other *item) bool {
	m, o := it.up.Message, other.up.Message
	return m != nil && m.Group == o.Group && m.From != nil && o.From != nil && m.From.ID == o.From.ID
}

// stops reports whether an item is a stop.
func (it *item) stops() bool {
	if m := it.up.Message; m != nil && m.IsOwnWords() {
		c, ok := parseCommand(m.Text)
		return ok && c.name == "stop"
	}
	return it.up.Stopped != nil
}
