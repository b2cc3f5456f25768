package eventlog

import (
	"context"
	"slices"
	"strconv"
)

// Move is where a line takes the head, by the turns of the story that changed something: those of the table, and those that changed
// nothing, are passed over. A storage that keeps what can be taken back finds it with [MoveFrom].
type Move struct {
	Commitment string  // of the campaign's dice, which no other campaign has
	Turns      []int64 // from where the head was to where it is; 0 is the beginning
	Played     bool    // the last one is new
}

type moveKey struct{}

// MoveFrom returns the move of the line that is appended with ctx; none where the line moves nothing of the story.
func MoveFrom(ctx context.Context) (m Move, moves bool) {
	m, moves = ctx.Value(moveKey{}).(Move)
	return m, moves
}

// withMove returns ctx for appending e, which is not folded yet.
func (f *fold) withMove(ctx context.Context, e *entry) context.Context {
	m := Move{Commitment: commitment(f.seed)}
	switch {
	case e.kind == "log" || e.kind == "label":
		return ctx
	case e.kind == "turn" && e.table:
		m.Turns = f.way(f.head, e.parent)
	case e.kind == "turn":
		m.Turns, m.Played = f.way(f.head, e.parent), len(e.changes) > 0
	case e.kind == "more":
		m.Turns, m.Played = f.way(f.head, e.turn), len(e.changes) > 0 && !f.nodes[e.turn].Changed && !f.nodes[e.turn].Table
	default:
		m.Turns = f.way(f.head, e.turn)
	}
	if m.Played {
		m.Turns = append(m.Turns, e.turn)
	}
	if len(m.Turns) < 2 {
		return ctx
	}
	return context.WithValue(ctx, moveKey{}, m)
}

// acted returns the last turn of the story up to t that changed something, 0 where there is none.
func (f *fold) acted(t int64) int64 {
	for t != 0 && !f.nodes[t].isUndoable() {
		t = f.nodes[t].Parent
	}
	return t
}

// way returns the turns of the story that changed something on the way from one turn to another, with both ends.
func (f *fold) way(from, to int64) []int64 {
	from, to = f.acted(from), f.acted(to)
	fork := f.acted(f.findFork(from, to))
	var down, up []int64
	for t := from; t != fork; t = f.acted(f.nodes[t].Parent) {
		down = append(down, t)
	}
	for t := to; t != fork; t = f.acted(f.nodes[t].Parent) {
		up = append(up, t)
	}
	slices.Reverse(up)
	return append(append(down, fork), up...)
}

// Acted returns the last turn of the story up to the head that changed something, 0 where there is none.
func (s *Log) Acted() int64 { return locked(s, func(f *fold) int64 { return f.acted(f.head) }) }

// Number returns the number of a turn in the log of changes, 0 where it has none; see [NumberedStorage].
func (s *Log) Number(ctx context.Context, turn int64) (int64, error) {
	numbered, ok := s.fold.log.(NumberedStorage)
	if !ok {
		return 0, nil
	}
	return numbered.Number(ctx, s.Commitment(), turn)
}

// Return moves the head to where turn was the last of the story that changed something: as [Log.Undo] or [Log.Redo] by one where that
// leads there, and else as [Log.Switch].
func (s *Log) Return(ctx context.Context, turn int64, by Origin) (MoveResult, error) {
	what := strconv.FormatInt(turn, 10)
	return s.moveHead(ctx, "return", what, by, func(f *fold) (to int64, turns int, err error) {
		if err := f.checkTurn(turn); err != nil {
			return 0, 0, err
		}
		turns = len(f.way(f.head, turn)) - 1
		if last := f.acted(f.head); last != 0 && f.acted(f.nodes[last].Parent) == turn { // what was only looked at before it stays
			return f.nodes[last].Parent, turns, nil
		}
		return turn, turns, nil
	})
}
