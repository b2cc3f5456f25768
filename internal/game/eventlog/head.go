package eventlog

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"hob/internal/game/world"
)

// Origin is the origin of a move. A request id that was used before with the same move gets the result of then, and nothing moves.
type Origin struct{ Request, User string }

// MoveResult is the result of a move of the head.
type MoveResult struct {
	Head     int64
	Turns    int // the number of turns with changes that were undone or redone
	State    string
	Replayed bool
}

// Undo moves the head to before the n-th last turn that changed something. It passes over turns that changed nothing and those
// of the table. Where there are fewer, it goes as far as it can and returns how far. The settings of the table stay; see
// [Options].
func (s *Log) Undo(ctx context.Context, n int, by Origin) (MoveResult, error) {
	return s.moveHead(ctx, "undo", strconv.Itoa(n), by, func(f *fold) (int64, int, error) {
		to, done := f.head, 0
		for t := f.head; t != 0 && done < n; t = f.nodes[t].Parent {
			if f.nodes[t].isUndoable() {
				to = f.nodes[t].Parent
				done++
			}
		}
		return to, done, nil
	})
}

// Redo moves the head along its last way, past the n next turns that changed something and to the last one that changed nothing
// after these, or as far as there are turns. Turns of the table count as turns that changed nothing, and its settings stay.
func (s *Log) Redo(ctx context.Context, n int, by Origin) (MoveResult, error) {
	return s.moveHead(ctx, "redo", strconv.Itoa(n), by, func(f *fold) (int64, int, error) {
		to, done := f.head, 0
		for t := f.nodes[to].Visited; t != 0; t = f.nodes[t].Visited {
			if f.nodes[t].isUndoable() {
				if done == n {
					break
				}
				done++
			}
			to = t
		}
		if done == 0 {
			to = f.head
		}
		return to, done, nil
	})
}

// Switch moves the head to a turn, or to the turn of that name if there is such a label.
func (s *Log) Switch(ctx context.Context, where string, by Origin) (MoveResult, error) {
	return s.moveHead(ctx, "switch", where, by, func(f *fold) (int64, int, error) {
		to, ok := f.labels[where]
		if !ok {
			n, err := strconv.ParseInt(where, 10, 64)
			if err != nil {
				return 0, 0, fmt.Errorf("there is no branch %q; name one that there is, or the number of a turn", where)
			}
			to = n
		}
		return to, 0, f.checkTurn(to)
	})
}

// checkTurn fails where there is no turn with a number.
func (f *fold) checkTurn(turn int64) error {
	if turn < 0 || turn > f.newest() {
		return fmt.Errorf("there is no turn %d; the newest is %d", turn, f.newest())
	}
	return nil
}

// moveHead moves the head and logs it. A move to where the head is is only logged if it is known by a request.
func (s *Log) moveHead(ctx context.Context, why, what string, by Origin, find func(*fold) (int64, int, error)) (MoveResult, error) {
	if err := s.lock(); err != nil {
		return MoveResult{}, err
	}
	defer s.mu.Unlock()
	f := s.fold
	body := bodyHash(by.Request, []byte(why+" "+what))
	e, _, err := s.findRequest(ctx, by.Request, body)
	if err != nil {
		return MoveResult{}, err
	}
	if e != nil {
		return MoveResult{Head: e.turn, Turns: int(e.moved), State: e.state, Replayed: true}, nil
	}
	to, turns, err := find(f)
	if err != nil || to == f.head && by.Request == "" {
		return MoveResult{Head: f.head, State: f.state}, err
	}
	kept, err := s.tableChanges(ctx, to)
	if err != nil {
		return MoveResult{}, err
	}
	done, err := f.walk(ctx, f.world, f.at, to)
	if err != nil {
		return MoveResult{}, err
	}
	m := &headMove{why: why, to: to, turns: turns}
	err = f.checkState(ctx, to, f.world.Hash())
	if err == nil && kept != nil {
		m.events, err = kept(f.world)
	}
	for i := 0; err == nil && i < len(m.events); i++ {
		if err = f.world.Apply(m.events[i]); err == nil {
			done = append(done, m.events[i])
		}
	}
	if err == nil {
		m.part = Part{Time: s.formatNow(), User: cleanText(by.User), Request: cleanText(by.Request), State: f.world.Hash(), body: body}
		err = s.logMove(ctx, m)
	}
	if err != nil {
		return MoveResult{}, errors.Join(err, s.revert(done))
	}
	return MoveResult{Head: f.head, Turns: turns, State: f.state}, nil
}

// headMove is a move of the head that the world has made and the log does not have.
type headMove struct {
	why    string
	to     int64
	turns  int
	events []world.Event // by which what the table has set stays
	part   Part
}

// tableChanges returns what says, of the world at the turn to, by what changes what the table has set by now stays; nil where nothing does.
func (s *Log) tableChanges(ctx context.Context, to int64) (func(then *world.World) ([]world.Event, error), error) {
	f := s.fold
	if s.opt.CarryOver == nil || to == f.head {
		return nil, nil
	}
	var left []world.Event
	for t, fork := f.head, f.findFork(f.head, to); t != fork; t = f.nodes[t].Parent {
		if n := f.nodes[t]; n.Table && n.Changed {
			w := f.world.Clone()
			if _, err := f.walk(ctx, w, f.at, n.Parent); err != nil {
				return nil, err
			}
			events, err := f.walk(ctx, w, n.Parent, t)
			if err != nil {
				return nil, err
			}
			left = append(left, events...)
		}
	}
	now := f.world.Clone()
	return func(then *world.World) ([]world.Event, error) { return s.opt.CarryOver(now, then, left) }, nil
}

// logMove writes a move of the head. Where what the table has set differs there, it is one line all the same: a turn of the table that is
// played after the turn to.
func (s *Log) logMove(ctx context.Context, m *headMove) error {
	f := s.fold
	e := &entry{kind: "head", turn: m.to, why: m.why, moved: int64(m.turns), changes: m.events, state: m.part.State, part: m.part}
	if len(m.events) > 0 {
		e.kind, e.turn, e.parent, e.table = "turn", f.newest()+1, m.to, true
		e.part.Parent, e.part.Table = m.to, true
	}
	at := f.lines
	if err := s.writeLine(ctx, e); err != nil {
		return err
	}
	f.leadTo(m.to)
	f.head, f.at, f.state = m.to, m.to, m.part.State
	if len(m.events) > 0 {
		f.addTurn(m.to, at, true, true, 0)
		s.cache.put(e.part)
	}
	s.keepSnapshot(ctx)
	return nil
}

// checkState holds the hash of a state against the one that the log has after a turn.
func (f *fold) checkState(ctx context.Context, turn int64, state string) error {
	n := f.nodes[turn]
	b, err := f.readLine(ctx, n.Last, turn)
	if err != nil {
		return err
	}
	e := &entry{}
	err = e.skim(b)
	if err == nil && e.state != state {
		err = fmt.Errorf("the state after it is %s and not %s, as the log says", state, e.state)
	}
	if err != nil {
		return f.damagedAt(turn, n.Last, err)
	}
	return nil
}

// Branch gives the turn at the head a name. A name that another turn has is refused, and so is one that is a number.
func (s *Log) Branch(ctx context.Context, name string, by Origin) error {
	if err := s.lock(); err != nil {
		return err
	}
	defer s.mu.Unlock()
	f := s.fold
	name = cleanText(name)
	body := bodyHash(by.Request, []byte("branch "+name))
	if e, _, err := s.findRequest(ctx, by.Request, body); e != nil || err != nil {
		return err
	}
	if _, err := strconv.ParseInt(name, 10, 64); err == nil || name == "" {
		return fmt.Errorf("a branch cannot be called %q; give it a name that is not a number", name)
	}
	if turn, ok := f.labels[name]; ok && turn != f.head {
		return fmt.Errorf("there is a branch %q already, at turn %d; choose another name", name, turn)
	} else if ok {
		return nil
	}
	e := &entry{
		kind: "label", turn: f.head, name: name, state: f.state,
		part: Part{Time: s.formatNow(), User: cleanText(by.User), Request: cleanText(by.Request), body: body},
	}
	if err := s.writeLine(ctx, e); err != nil {
		return err
	}
	f.labels[name] = f.head
	s.keepSnapshot(ctx)
	return nil
}

// BeforeAndChanges returns the world as it was before a turn, the caller's own, and what the turn changed, the oldest change first.
func (s *Log) BeforeAndChanges(ctx context.Context, turn int64) (before *world.World, events []world.Event, err error) {
	if err := s.lock(); err != nil {
		return nil, nil, err
	}
	defer s.mu.Unlock()
	if err := s.fold.checkTurn(turn); err != nil || turn == 0 {
		return nil, nil, err
	}
	before = s.fold.world.Clone()
	parent := s.fold.nodes[turn].Parent
	if _, err := s.fold.walk(ctx, before, s.fold.at, parent); err != nil {
		return nil, nil, err
	}
	events, err = s.fold.walk(ctx, before.Clone(), parent, turn)
	return before, events, err
}

// At returns the world as it was after a turn, whatever branch that is on. It is the caller's own.
func (s *Log) At(ctx context.Context, turn int64) (*world.World, error) {
	if err := s.lock(); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	w, err := s.fold.worldAfter(ctx, turn)
	if err != nil {
		return nil, err
	}
	return w, s.fold.checkState(ctx, turn, w.Hash())
}

// worldAfter returns a copy of the world as it was after a turn.
func (f *fold) worldAfter(ctx context.Context, turn int64) (*world.World, error) {
	if err := f.checkTurn(turn); err != nil {
		return nil, err
	}
	w := f.world.Clone()
	_, err := f.walk(ctx, w, f.at, turn)
	return w, err
}
