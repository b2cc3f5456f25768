package telegram

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
)

const (
	// maxWaiting is how many updates wait in memory. What comes on top is read from [Memory], where all of them are, when
	// there is room again.
	maxWaiting = 1000
	// maxLane is how many of those are of one lane: one that is stuck holds up no other.
	maxLane = 100
	// albumWait is how long is waited for more of what was sent as one: it comes in an update each.
	albumWait = time.Second
	maxAlbum  = 10 // messages, says Telegram
	// maxStops is how many stops of a place are dealt with at a time: each may wait until Telegram takes its answer, and the next
	// one is about another turn.
	maxStops = 10
)

// lane is what is dealt with in the order in which it came: all that was told in a place, but for answers to questions,
// which do not wait for a download.
type lane struct {
	chat.Address
	aside bool
}

// wish is how the goroutine of a lane asks for work.
type wish struct {
	lane  lane
	done  []int64 // N of what it has dealt with
	part  *item   // only what was sent as one with this; nil: the next
	reply chan []item
}

// router says which update waits for which. It belongs to the goroutine of run.
type router struct {
	in       *inbound
	wait     sync.WaitGroup
	queues   map[lane][]item      // of lanes that have a goroutine
	queued   int                  // items in them
	active   map[int64]bool       // updates that wait or are dealt with, by their N
	stopping map[chat.Address]int // how many stops are dealt with beside the lane

	behind bool             // what came last was left to the memory
	late   map[lane]bool    // likewise, of these lanes
	read   map[int64]bool   // updates that were read from there; they may be delivered yet
	newest int64            // N of what was delivered
	again  <-chan time.Time // when reading is tried again
}

// Run deals with what is delivered until ctx ends, and waits for all that it began.
func (in *inbound) Run(ctx context.Context) {
	defer close(in.over)
	r := &router{in: in, queues: map[lane][]item{}, active: map[int64]bool{}, stopping: map[chat.Address]int{}}
	defer r.wait.Wait()
	for {
		select {
		case <-ctx.Done():
			return
		case u := <-in.updates:
			r.delivered(ctx, u)
		case a := <-in.asks:
			a.reply <- r.next(a)
		case it := <-in.free:
			if r.stopping[it.lane.Address]--; r.stopping[it.lane.Address] == 0 {
				delete(r.stopping, it.lane.Address)
			}
			delete(r.active, it.N)
		case <-r.again:
			r.again = nil
		}
		if r.again == nil && r.room() && ctx.Err() == nil {
			r.catchUp(ctx)
		}
	}
}

// room reports whether there is room again for something that was left to the memory.
func (r *router) room() bool {
	if r.queued > maxWaiting/2 {
		return false
	}
	for l := range r.late {
		if len(r.queues[l]) <= maxLane/2 {
			return true
		}
	}
	return r.behind
}

func (r *router) delivered(ctx context.Context, u event.Update) {
	r.newest = max(r.newest, u.N)
	if r.active[u.N] || r.read[u.N] {
		delete(r.read, u.N)
		return
	}
	it := r.in.newItem(u)
	if it.stops() && r.stopping[it.lane.Address] < maxStops {
		r.stop(ctx, it)
		return
	}
	if r.behind || r.queued >= maxWaiting {
		r.behind = true // also what comes after it: the order stays
		return
	}
	if !r.isLate(it.lane) {
		r.put(ctx, it)
	}
}

// isLate reports whether what comes in a lane is left to the memory, and what comes after it, too.
func (r *router) isLate(l lane) bool {
	if r.late[l] || len(r.queues[l]) >= maxLane {
		if r.late == nil {
			r.late = map[lane]bool{}
		}
		r.late[l] = true
	}
	return r.late[l]
}

// put appends an item to its lane.
func (r *router) put(ctx context.Context, it item) {
	r.active[it.N] = true
	r.queued++
	queue, runs := r.queues[it.lane]
	r.queues[it.lane] = append(queue, it)
	if !runs {
		r.wait.Go(func() { r.in.walk(ctx, it.lane) })
	}
}

// stop deals with a stop on a goroutine of its own: nothing that a chat waits for holds it up.
func (r *router) stop(ctx context.Context, it item) {
	r.active[it.N] = true
	r.stopping[it.lane.Address]++
	r.wait.Go(func() {
		r.in.deal(ctx, it)
		select {
		case r.in.free <- it:
		case <-ctx.Done():
		}
	})
}

// next answers a lane that asks for work. One that asks in vain for the next item has none any more.
func (r *router) next(a wish) []item {
	for _, n := range a.done {
		delete(r.active, n)
	}
	queue := r.queues[a.lane]
	var given, left []item
	switch {
	case a.part != nil:
		for _, it := range queue {
			if it.partOf(a.part) {
				given = append(given, it)
			} else {
				left = append(left, it)
			}
		}
	case len(queue) > 0:
		given, left = queue[:1], queue[1:]
	default:
		delete(r.queues, a.lane)
		return nil
	}
	r.queued -= len(given)
	r.queues[a.lane] = left
	return slices.Clone(given)
}

// catchUp reads what there was no room for.
func (r *router) catchUp(ctx context.Context) {
	undone, err := r.in.cfg.Updates.Undone(ctx, chat.Platform)
	if err != nil {
		r.in.cfg.Log.Warn("updates not read", "err", err)
		r.again = time.After(lastPause / 6)
		return
	}
	if r.behind, r.late = false, nil; r.read == nil {
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
		if it := r.in.newItem(u); !r.isLate(it.lane) {
			r.read[u.N] = true
			r.put(ctx, it)
		}
	}
}

// walk is the goroutine of a lane. It ends when nothing waits in it.
func (in *inbound) walk(ctx context.Context, l lane) {
	var done []int64
	for {
		next := in.request(ctx, wish{lane: l, done: done})
		if len(next) == 0 {
			return
		}
		done = in.deal(ctx, next[0])
	}
}

// request is what the router answers; nothing when ctx has ended.
func (in *inbound) request(ctx context.Context, a wish) []item {
	a.reply = make(chan []item, 1)
	select {
	case in.asks <- a:
		return <-a.reply
	case <-ctx.Done():
		return nil
	}
}

// album waits for all that was sent as one with an item. What comes later than that is a message of its own.
func (in *inbound) album(ctx context.Context, it item) ([]item, error) {
	all := []item{it}
	for len(all) < maxAlbum {
		if err := rest(ctx, albumWait); err != nil {
			return nil, err
		}
		more := in.request(ctx, wish{lane: it.lane, part: &it})
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
