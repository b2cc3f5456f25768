package session

import (
	"context"
	"strings"

	"hob/internal/event"
)

// follower is one reader of a chat. The chat never waits for it: what does not fit into its channel
// is dropped, and the follower reads it from the journal, where everything but deltas is.
type follower struct {
	items chan *followedEvent // pointers: a channel has room for all that it may hold, and most are empty
	lag   chan struct{}       // holds a token when something was dropped
}

type followedEvent struct {
	event event.Event
	// prev is the Seq of the chat's event before this one. It shows a gap, and a delta whose whole
	// was read already.
	prev int64
}

func newFollower() *follower {
	return &follower{items: make(chan *followedEvent, 256), lag: make(chan struct{}, 1)}
}

// offer is called by the chat.
func (f *follower) offer(it *followedEvent) {
	select {
	case f.items <- it:
	default:
		if it.event.Seq == 0 {
			return
		}
		select {
		case f.lag <- struct{}{}:
		default:
		}
	}
}

// draft is what has come of a reply that is being written.
type draft struct {
	turn int64 // 0: none is being written
	text strings.Builder
}

// fold folds in what a turn emits: a piece of the reply, or an event that has the whole of it.
func (d *draft) fold(turn int64, b event.Body) {
	switch b := b.(type) {
	case event.Delta:
		if b.Restart || d.turn != turn {
			d.turn = turn
			d.text.Reset()
		}
		d.text.WriteString(b.Text)
	case event.Generated, event.Replied, event.Ended:
		d.turn = 0
		d.text.Reset()
	}
}

// passOn sends the followers an event that is never journaled.
func (c *chat) passOn(turn int64, b event.Body) {
	e := event.Event{Time: c.cfg.Now(), Chat: c.name, Turn: turn, Body: b}
	c.draft.fold(turn, b)
	c.queueNotice = event.Event{}
	if _, waits := b.(event.Waiting); waits {
		c.queueNotice = e
	}
	it := &followedEvent{e, c.tr.last}
	for f := range c.followers {
		f.offer(it)
	}
}

// follow yields the events of the chat after last: first those of the journal, where the follower is
// behind what the chat offers, then what the chat offers. Where something was dropped or a gap shows, it reads the journal again. It ends when the
// consumer stops, ctx ends or the chat is over; the latter two it yields as an error.
func (f *follower) follow(ctx context.Context, c *chat, last int64, behind bool, yield func(event.Event, error) bool) {
	catchUp := func() bool {
		for e, err := range c.cfg.Journal.Chat(ctx, c.name, last) {
			if !yield(e, err) || err != nil {
				return false
			}
			last = e.Seq
		}
		return true
	}
	if behind && !catchUp() {
		return
	}
	take := func(it *followedEvent) bool {
		switch {
		case it.event.Seq == 0:
			return it.prev < last || yield(it.event, nil)
		case it.event.Seq <= last: // read from the journal already
			return true
		case it.prev > last:
			return catchUp()
		}
		last = it.event.Seq
		return yield(it.event, nil)
	}
	for {
		select {
		case it := <-f.items:
			if !take(it) {
				return
			}
		case <-f.lag:
			for len(f.items) > 0 { // first what was there before the drop
				if !take(<-f.items) {
					return
				}
			}
			if !catchUp() {
				return
			}
		case <-c.done:
			for len(f.items) > 0 { // what it journaled last is yielded, too
				if !take(<-f.items) {
					return
				}
			}
			if catchUp() {
				yield(event.Event{}, c.failure)
			}
			return
		case <-ctx.Done():
			yield(event.Event{}, context.Cause(ctx))
			return
		}
	}
}
