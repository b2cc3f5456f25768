package session

import (
	"context"
	"slices"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/tools"
)

// append journals bodies of a turn, folds them in and sends them to the followers. For a Said,
// which begins a turn, turn is 0, and the journal uses its Seq as the turn.
func (c *chat) append(ctx context.Context, turn int64, bodies ...event.Body) ([]event.Event, error) {
	entries := c.entries(turn, c.tr.completeBodies(bodies))
	folded := 0 // number of entries that are folded in already
	if len(c.unwritten) > 0 && c.unwritten[0].Turn == turn {
		folded = len(c.unwritten)
		entries = slices.Concat(c.unwritten, entries)
	}
	events, err := c.cfg.Journal.Append(ctx, entries...)
	if err != nil {
		return nil, err
	}
	if folded > 0 {
		c.unwritten = nil
		c.doneActing()
	}
	c.newest = nil
	for i, e := range events {
		prev := c.tr.last
		if c.tr.last = max(prev, e.Seq); i >= folded {
			c.tr.fold(e)
		}
		c.draft.fold(e.Turn, e.Body)
		it := &followedEvent{e, prev}
		c.newest = append(c.newest, it)
		for f := range c.followers {
			f.offer(it)
		}
	}
	return events, nil
}

// mayDelayWrite reports whether bodies may be journaled with the next event of the open turn, which
// saves a disk sync. In a turn without a model, a call and its Called may be written together with
// its Started or its question, and a result with the reply. A crash in between repeats or
// interrupts the call, which is safe because nothing acted unrecorded.
func (c *chat) mayDelayWrite(bodies []event.Body) bool {
	if cur := c.tr.current(); cur == nil || cur.progress.Steps > 0 {
		return false
	}
	onlyLooks := func(call llm.Call) bool { // no Started follows a read
		t := c.toolset.tool(call.Name)
		return t == nil || tools.DefOf(t).Capabilities.Repeatable()
	}
	for i, b := range bodies {
		switch b := b.(type) {
		case event.Generated:
			if i > 0 || len(b.Message.Calls) == 0 || !agent.IsWithoutModel(b) || slices.ContainsFunc(b.Message.Calls, onlyLooks) {
				return false
			}
		case event.Called:
			if _, begins := bodies[0].(event.Generated); !begins {
				return false
			}
		case event.Returned:
			if _, calls := bodies[0].(event.Generated); calls || len(b.Files) > 0 { // files are sent once they are journaled
				return false
			}
		default:
			return false
		}
	}
	return true
}

// delayWrite folds in bodies of the open turn that are journaled later.
func (c *chat) delayWrite(turn int64, bodies []event.Body) {
	bodies = c.tr.completeBodies(bodies)
	c.unwritten = append(c.unwritten, c.entries(turn, bodies)...)
	for _, b := range bodies {
		c.tr.fold(event.Event{Chat: c.name, Turn: turn, Time: c.cfg.Now(), Body: b})
	}
}

// beginActing waits while calls are held back. The call counts as acting until its result is
// journaled. It implements [agent.Turn].Enter, on the turn's goroutine.
func (c *chat) beginActing(ctx context.Context) (func(), error) {
	done, err := c.sessions.hold.beginActing(ctx)
	if err != nil {
		return nil, err
	}
	return func() {
		over := c.access(ctx, func() {
			if c.acting = append(c.acting, done); len(c.unwritten) == 0 {
				c.doneActing()
			}
		})
		if over != nil {
			done()
		}
	}, nil
}

// doneActing ends the acting of calls whose results are journaled.
func (c *chat) doneActing() {
	for _, done := range c.acting {
		done()
	}
	c.acting = nil
}

// emit journals the bodies of the turn, or passes transient ones on.
func (p *player) emit(ctx context.Context, bodies []event.Body) error {
	c, turn := p.c, p.seq
	bodies = p.translateNotes(bodies)
	return c.doInTurn(ctx, func(ctx context.Context) error {
		if event.IsTransient(bodies[0]) {
			c.passOn(turn, bodies[0])
			return nil
		}
		c.queueNotice = event.Event{}
		if c.mayDelayWrite(bodies) {
			c.delayWrite(turn, bodies)
			return nil
		}
		events, err := c.append(ctx, turn, bodies...)
		if err != nil {
			return err
		}
		for _, e := range events {
			if _, short := e.Body.(event.Compacted); short { // a restart need not read what came before this turn
				return c.markConversation(ctx, turn)
			}
		}
		return nil
	})
}
