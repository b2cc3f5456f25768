package eventlog

import (
	"context"
	"errors"

	"hob/internal/game/world"
)

// walk brings a world from the state of one turn to that of another, back to where their ways part and on from there. It
// returns the events that were applied; after an error none were.
func (f *fold) walk(ctx context.Context, w *world.World, from, to int64) (done []world.Event, err error) {
	var down []int64
	fork := f.findFork(from, to)
	for ; to != fork; to = f.nodes[to].Parent {
		down = append(down, to)
	}
	for ; from != fork; from = f.nodes[from].Parent {
		if done, err = f.stepTurn(ctx, w, from, world.Back, done); err != nil {
			return nil, errors.Join(err, w.Revert(done))
		}
	}
	for i := len(down) - 1; i >= 0; i-- {
		if done, err = f.stepTurn(ctx, w, down[i], world.Forward, done); err != nil {
			return nil, errors.Join(err, w.Revert(done))
		}
	}
	return done, nil
}

// stepTurn takes a turn back, or does it again.
func (f *fold) stepTurn(ctx context.Context, w *world.World, turn int64, way world.Direction, done []world.Event) ([]world.Event, error) {
	n := f.nodes[turn]
	if !n.Changed {
		return done, nil
	}
	lines, err := f.readTurn(ctx, turn) // the newest first
	if err != nil {
		return done, err
	}
	for i := range lines {
		if way == world.Forward {
			i = len(lines) - 1 - i
		}
		if done, err = stepLine(w, lines[i], way, done); err != nil {
			return done, f.damagedAt(turn, n.Line, err)
		}
	}
	return done, nil
}

// stepLine takes the events of one line back, the last one first, or does them again.
func stepLine(w *world.World, l part, way world.Direction, done []world.Event) ([]world.Event, error) {
	if l.events == 0 {
		return done, nil
	}
	s := world.Scan(l.b[l.events:])
	s.Expect('[')
	var starts []int
	for n := 0; s.Item(n); n++ {
		starts = append(starts, s.At())
		s.Raw()
	}
	if err := s.Err(); err != nil {
		return done, err
	}
	for i := range starts {
		if way == world.Back {
			i = len(starts) - 1 - i
		}
		e, err := world.Scan(l.b[l.events+starts[i]:]).Event(w, way)
		if err != nil {
			return done, err
		}
		if way == world.Back {
			e = e.Inverse()
		}
		if err := w.Apply(e); err != nil {
			return done, err
		}
		done = append(done, e)
	}
	return done, nil
}

// part is a line of a turn.
type part struct {
	b  []byte
	at int64
	*entry
}

// readTurn returns the lines of a turn, the newest first, read up to their states.
func (f *fold) readTurn(ctx context.Context, turn int64) ([]part, error) {
	n := f.nodes[turn]
	var list []part
	for at := n.Last; ; {
		b, err := f.readLine(ctx, at, turn)
		if err != nil {
			return nil, err
		}
		e := &entry{}
		err = e.skim(b)
		if err == nil && (e.turn != turn || e.kind == "more" && e.after >= at) {
			err = errors.New("it is not of this turn")
		}
		if err != nil {
			return nil, f.damagedAt(turn, at, err)
		}
		list = append(list, part{b: b, at: at, entry: e})
		if at == n.Line {
			return list, nil
		}
		at = e.after
	}
}

// readLine returns a line of the log that is as it was written.
func (f *fold) readLine(ctx context.Context, at, turn int64) ([]byte, error) {
	b, err := f.log.Line(ctx, at)
	if err != nil {
		return nil, &unreadError{err: err}
	}
	if _, _, ok := readHashes(b); !ok {
		return nil, f.damagedAt(turn, at, errors.New("it is not what its hash says"))
	}
	return b, nil
}

// damagedAt names a turn whose line cannot be used.
func (f *fold) damagedAt(turn, at int64, why error) error {
	return &DamagedError{Line: at + 1, Turn: turn, Why: why.Error()}
}

// readParts returns all that the log says of a turn, the oldest part first.
func (f *fold) readParts(ctx context.Context, turn int64) ([]Part, error) {
	lines, err := f.readTurn(ctx, turn)
	if err != nil {
		return nil, err
	}
	list := make([]Part, len(lines))
	for i := range lines {
		e := lines[i].entry
		e.parent = f.nodes[turn].Parent
		if err := e.rest(); err != nil {
			return nil, f.damagedAt(turn, f.nodes[turn].Line, err)
		}
		list[len(lines)-1-i] = e.part
	}
	return list, nil
}

// unreadError is a log that could not be read, which says nothing of what is in it.
type unreadError struct{ err error }

func (e *unreadError) Error() string { return e.err.Error() }
func (e *unreadError) Unwrap() error { return e.err }

// saysWhy reports whether an error says already what is the matter with the log, so that it is not the damage of the line at
// hand.
func saysWhy(err error) bool {
	var damaged *DamagedError
	var unread *unreadError
	return errors.As(err, &damaged) || errors.As(err, &unread) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded)
}
