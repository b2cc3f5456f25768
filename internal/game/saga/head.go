package saga

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"hob/internal/game/world"
)

// By is who moves the head. A request id that came before with the same move is answered as it was then, and nothing moves.
type By struct{ Request, User string }

// Moved is where the head is after a move.
type Moved struct {
	Head     int64
	Turns    int // how many turns that changed something were taken back or done again
	State    string
	Replayed bool
}

// Undo moves the head to before the n-th last turn that changed something. Turns that changed nothing are passed over. Where
// there are fewer, it goes as far as it can, and says so.
func (s *Saga) Undo(ctx context.Context, n int, by By) (Moved, error) {
	return s.move(ctx, "undo", strconv.Itoa(n), by, func(f *fold) (int64, int, error) {
		to, done := f.head, 0
		for t := f.head; t != 0 && done < n; t = f.nodes[t].parent {
			if f.nodes[t].changed {
				to = f.nodes[t].parent
				done++
			}
		}
		return to, done, nil
	})
}

// Redo moves the head along the way that it took last, past the n next turns that changed something and to the last one that
// changed nothing after these, or as far as there are turns.
func (s *Saga) Redo(ctx context.Context, n int, by By) (Moved, error) {
	return s.move(ctx, "redo", strconv.Itoa(n), by, func(f *fold) (int64, int, error) {
		to, done := f.head, 0
		for t := f.nodes[to].visited; t != 0; t = f.nodes[t].visited {
			if f.nodes[t].changed {
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
func (s *Saga) Switch(ctx context.Context, where string, by By) (Moved, error) {
	return s.move(ctx, "switch", where, by, func(f *fold) (int64, int, error) {
		to, ok := f.labels[where]
		if !ok {
			n, err := strconv.ParseInt(where, 10, 64)
			if err != nil {
				return 0, 0, fmt.Errorf("there is no branch %q; name one that there is, or the number of a turn", where)
			}
			to = n
		}
		return to, 0, f.known(to)
	})
}

// known refuses the number of a turn that there is not.
func (f *fold) known(turn int64) error {
	if turn < 0 || turn > f.newest() {
		return fmt.Errorf("there is no turn %d; the newest is %d", turn, f.newest())
	}
	return nil
}

// move moves the head and logs it. A move to where the head is is only logged if it is known by a request.
func (s *Saga) move(ctx context.Context, why, what string, by By, find func(*fold) (int64, int, error)) (Moved, error) {
	if err := s.take(); err != nil {
		return Moved{}, err
	}
	defer s.mu.Unlock()
	f := s.fold
	body := bodyHash(by.Request, []byte(why+" "+what))
	e, _, err := s.asked(ctx, by.Request, body)
	if err != nil {
		return Moved{}, err
	}
	if e != nil {
		return Moved{Head: e.turn, Turns: int(e.moved), State: e.state, Replayed: true}, nil
	}
	to, turns, err := find(f)
	if err != nil || to == f.head && by.Request == "" {
		return Moved{Head: f.head, State: f.state}, err
	}
	done, err := f.walk(ctx, f.world, f.at, to)
	if err != nil {
		return Moved{}, err
	}
	state := f.world.Hash()
	err = f.expect(ctx, to, state)
	if err == nil {
		l := line{b: s.scratch}
		l.begin("head", to)
		l.text("why", why)
		l.num("moved", int64(turns))
		l.text("state", state)
		l.part(&Part{Time: s.time(), User: clean(by.User), Request: clean(by.Request), body: body})
		err = s.write(ctx, l.b, Index{Turn: to, Request: clean(by.Request)})
	}
	if err != nil {
		return Moved{}, errors.Join(err, s.revert(done))
	}
	f.visit(to)
	f.head, f.at, f.state = to, to, state
	s.keep(ctx)
	return Moved{Head: to, Turns: turns, State: state}, nil
}

// expect holds the hash of a state against the one that the log has after a turn.
func (f *fold) expect(ctx context.Context, turn int64, state string) error {
	n := f.nodes[turn]
	b, err := f.line(ctx, n.last, turn)
	if err != nil {
		return err
	}
	e, err := skim(b, nil)
	if err == nil && e.state != state {
		err = fmt.Errorf("the state after it is %s and not %s, as the log says", state, e.state)
	}
	if err != nil {
		return f.spoilt(turn, n.last, err)
	}
	return nil
}

// Branch gives the turn at the head a name. A name that another turn has is refused, and so is one that is a number.
func (s *Saga) Branch(ctx context.Context, name string, by By) error {
	if err := s.take(); err != nil {
		return err
	}
	defer s.mu.Unlock()
	f := s.fold
	name = clean(name)
	body := bodyHash(by.Request, []byte("branch "+name))
	if e, _, err := s.asked(ctx, by.Request, body); e != nil || err != nil {
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
	l := line{b: s.scratch}
	l.begin("label", f.head)
	l.text("name", name)
	l.text("state", f.state)
	l.part(&Part{Time: s.time(), User: clean(by.User), Request: clean(by.Request), body: body})
	if err := s.write(ctx, l.b, Index{Turn: f.head, Request: clean(by.Request)}); err != nil {
		return err
	}
	f.labels[name] = f.head
	s.keep(ctx)
	return nil
}

// At returns the world as it was after a turn, whatever branch that is on. It is the caller's own.
func (s *Saga) At(ctx context.Context, turn int64) (*world.World, error) {
	if err := s.take(); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	f := s.fold
	if err := f.known(turn); err != nil {
		return nil, err
	}
	w := f.world.Clone()
	if _, err := f.walk(ctx, w, f.at, turn); err != nil {
		return nil, err
	}
	return w, f.expect(ctx, turn, w.Hash())
}
