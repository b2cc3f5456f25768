package session

import (
	"context"
	"errors"
	"iter"
	"strings"

	"hob/internal/event"
)

// follower is one reader of a chat. The chat never waits for it: events that do not fit into its
// channel are dropped, and the follower reads them from the journal, which has everything but
// deltas.
type follower struct {
	items chan *followedEvent // pointers, because the channel allocates all its slots and most stay empty
	lag   chan struct{}       // holds a token once something was dropped
}

type followedEvent struct {
	event event.Event
	// prev is the Seq of the chat's event before this one. It reveals a gap, and a delta of a reply
	// that was already read whole.
	prev int64
}

func newFollower() *follower {
	return &follower{items: make(chan *followedEvent, 256), lag: make(chan struct{}, 1)}
}

// offer sends an event without blocking. The chat calls it.
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

// draft is the part so far of a reply being written.
type draft struct {
	turn int64 // 0: no reply is being written
	text strings.Builder
}

// fold folds in a body of a turn: a piece of the reply, or an event that contains all of it.
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

// passOn sends followers an event that is never journaled.
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

// Follow yields what happened in the chat after seq, then what happens, including deltas, until ctx
// ends or the consumer stops. If a reply is being written, the first delta restarts it with all of
// its text so far. A slow consumer misses deltas and nothing else.
func (s *Sessions) Follow(ctx context.Context, name event.Chat, seq int64) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		f := newFollower()
		c, behind, err := s.addFollower(ctx, name, f, seq)
		if err != nil {
			yield(event.Event{}, err)
			return
		}
		defer func() { // a chat that has ended has no followers
			_ = c.do(context.WithoutCancel(ctx), func(context.Context) error { delete(c.followers, f); return nil })
		}()
		f.follow(ctx, c, seq, behind, yield)
	}
}

// addFollower adds a follower to a chat, and reports whether it must read the journal first. A chat
// that has failed is no error: the follower yields what is journaled.
func (s *Sessions) addFollower(ctx context.Context, name event.Chat, f *follower, seq int64) (c *chat, behind bool, err error) {
	behind = true
	for {
		if c, err = s.chat(ctx, name); err != nil {
			return nil, false, err
		}
		err = c.do(ctx, func(context.Context) error { behind = c.addFollower(f, seq); return nil })
		switch {
		case errors.Is(err, errIdle): // the chat is restarted
		case err != nil && !c.hasEnded():
			return nil, false, err
		default:
			return c, behind, nil
		}
	}
}

// addFollower adds a follower that has read the journal up to seq, and offers it what the journal
// does not have. It reports whether the follower must read the journal first.
func (c *chat) addFollower(f *follower, seq int64) (behind bool) {
	c.followers[f] = true
	if behind = !c.tr.hasOpenTurn || len(c.newest) == 0 || c.newest[0].prev > seq; !behind {
		for _, it := range c.newest { // spares the follower reading the journal while the turn writes it
			f.offer(it)
		}
	}
	if c.queueNotice.Body != nil {
		f.offer(&followedEvent{c.queueNotice, c.tr.last})
	}
	if c.draft.turn != 0 {
		e := event.Event{Time: c.cfg.Now(), Chat: c.name, Turn: c.draft.turn}
		e.Body = event.Delta{Text: c.draft.text.String(), Restart: true}
		f.offer(&followedEvent{e, c.tr.last})
	}
	return behind
}

// follow yields the chat's events after last. It reads the journal first if the follower is behind,
// then takes what the chat offers. After a drop or a gap it reads the journal again. It ends when
// the consumer stops, ctx ends or the chat ends; the latter two are yielded as an error.
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
		case it.event.Seq <= last: // already read from the journal
			return true
		case it.prev > last:
			return catchUp()
		}
		last = it.event.Seq
		return yield(it.event, nil)
	}
	takeAll := func() bool {
		for len(f.items) > 0 {
			if !take(<-f.items) {
				return false
			}
		}
		return catchUp()
	}
	for {
		select {
		case it := <-f.items:
			if !take(it) {
				return
			}
		case <-f.lag: // first come the events from before the drop
			if !takeAll() {
				return
			}
		case <-c.done: // the events that were journaled last come, too
			if takeAll() {
				yield(event.Event{}, c.failure)
			}
			return
		case <-ctx.Done():
			yield(event.Event{}, context.Cause(ctx))
			return
		}
	}
}
