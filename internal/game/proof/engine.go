package proof

import (
	"context"
	"errors"

	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// engine plays a player's turns on a world by the rules of the game, and takes them back. Its dice show the faces that
// it is told to.
type engine struct {
	book  *rules.Book
	world *world.World
	// view is the world without what makes no difference to an ending: see [essence]. Its hash tells the states of a search apart.
	view   *world.World
	counts rules.Counts
	face   int  // of a twenty-sided die for the party
	foes   bool // somebody else throws
}

func newEngine(book *rules.Book, w *world.World, counts rules.Counts) (*engine, error) {
	e := &engine{book: book, world: w, view: world.Empty(), counts: counts, face: 1}
	named := clocksInConditions(w)
	for _, ev := range w.Events() {
		if err := e.view.Apply(world.Event{Old: ev.Old, New: essence(ev.New, named)}); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// Face implements [dice.Source]: the lowest face for the party and the highest for others.
func (e *engine) Face(sides int) (int, error) {
	switch {
	case e.foes:
		return sides, nil
	case sides == d20:
		return e.face, nil
	}
	return 1, nil
}

const d20 = 20

// play plays a turn of one call with all that it leads to. It returns what changed, or false if the call was refused.
func (e *engine) play(ctx context.Context, depth int64, call rules.Call, words string) (events []world.Event, ok bool, err error) {
	t := rules.Turn{Book: e.book, World: e.world, Number: depth, Depth: depth, Words: words, Services: rules.Services{
		Throw:   func(expr string, _ int64) (rules.Roll, error) { return game.ThrowFrom(e, expr) },
		Letters: func(n int, words ...string) string { return eventlog.Letters([32]byte{}, n, words...) },
		Counts:  &e.counts,
	}}
	if o := t.Do(ctx, call, nil); !o.OK() || o.Code != "" {
		return nil, false, e.revert(t.Events)
	}
	e.foes = true
	for err == nil {
		var more bool
		if _, more, err = t.Follow(ctx, true); !more {
			break
		}
	}
	e.foes = false
	if err = errors.Join(err, t.Finish(true)); err != nil {
		return nil, false, errors.Join(err, e.revert(t.Events))
	}
	return t.Events, true, nil
}

func (e *engine) revert(events []world.Event) error { return e.world.Revert(events) }

// change applies changes, forward or back.
func (e *engine) change(n *node, forward bool) error {
	if !forward {
		return errors.Join(e.world.Revert(n.events), e.view.Revert(n.seen))
	}
	for _, ev := range n.events {
		if err := e.world.Apply(ev); err != nil {
			return err
		}
	}
	return e.see(n.seen)
}

func (e *engine) see(events []world.Event) error {
	for _, ev := range events {
		if err := e.view.Apply(ev); err != nil {
			return err
		}
	}
	return nil
}

// visible returns what events change in the view.
func (e *engine) visible(events []world.Event) (seen []world.Event) {
	named := clocksInConditions(e.world)
	for _, ev := range world.Merge(events) {
		ev = world.Event{Old: essence(ev.Old, named), New: essence(ev.New, named)}
		if ev.Old == nil || ev.New == nil || len(ev.Changes()) > 0 {
			seen = append(seen, ev)
		}
	}
	return seen
}

// clocksInConditions returns the progress clocks that a condition names.
func clocksInConditions(w *world.World) map[string]bool {
	named := map[string]bool{}
	for _, c := range w.Clocks() {
		named[c.ID] = w.Decides("full", c.ID)
	}
	return named
}

// essence returns a record without what makes no difference to how a story can end: the time (the search counts it as
// cost), where somebody was before, and what the rules remember of turns.
func essence(r world.Record, named map[string]bool) world.Record {
	switch r := r.(type) {
	case *world.Self:
		c := *r
		c.Minute, c.Pace, c.Searched, c.Milestone, c.EndedTurn = 0, nil, nil, "", 0
		return &c
	case *world.Place:
		c := *r
		c.Visited = false
		return &c
	case *world.Actor:
		c := *r
		c.Tried = nil
		return &c
	case *world.Clock:
		c := *r
		c.Since = 0
		if !named[c.ID] {
			c.Filled = 0
		}
		return &c
	}
	return r
}
