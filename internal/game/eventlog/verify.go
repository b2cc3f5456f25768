package eventlog

import (
	"context"
	"fmt"
	"slices"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// Report is what [Log.Verify] looked at. Problems are sentences; a log that is what it should be has none.
type Report struct {
	Commitment string   `json:"commitment"`
	Events     int64    `json:"events"`
	Problems   []string `json:"problems"`
	Rolls      int64    `json:"rolls"`
	State      string   `json:"state_hash"`
	Turns      int64    `json:"turns"`
	Lines      int64    `json:"-"`
	Head       int64    `json:"-"`
}

// Verify reads the whole log: the chain of hashes, the fold, the state after each line, each roll thrown again, and, with
// check, what must hold of the world at the head. A log that is damaged is a [*DamagedError]; dice that are not those of the
// seed, and what check finds, are problems.
func (s *Log) Verify(ctx context.Context, check func(*world.World) []string) (Report, error) {
	f := newFold(s.fold.log)
	r := Report{Problems: []string{}}
	f.watch = func(e *entry) {
		r.Rolls += int64(len(e.part.Rolls))
		r.Problems = append(r.Problems, s.verifyRolls(f, e)...)
	}
	if err := f.foldRest(ctx); err != nil {
		return r, err
	}
	r.Lines, r.Turns, r.Events, r.Head, r.State = f.lines, f.newest(), f.events, f.head, f.state
	r.Commitment = commitment(f.seed)
	if check != nil {
		r.Problems = append(r.Problems, check(f.world)...)
	}
	return r, nil
}

// verifyRolls throws the dice of a line again. The world is as it was before the line.
func (s *Log) verifyRolls(f *fold, e *entry) (problems []string) {
	if len(e.part.Rolls) == 0 && e.dice == [3]int64{} {
		return nil
	}
	path, first, before := int64(f.nodes[e.parent].Acts)+1, int64(0), int64(0)
	if e.kind == "more" {
		n := f.nodes[e.turn]
		path, before = int64(f.nodes[n.Parent].Acts)+1, int64(n.Rolls)
		first = before
	}
	if f.world.Self().DicePolicy == policyBurn {
		path, first = 0, f.counts[burnCounter]
	}
	if want := [3]int64{path, first, int64(len(e.part.Rolls))}; e.dice != want {
		return []string{fmt.Sprintf("turn %d: its dice were thrown as %v, which should have been %v", e.turn, e.dice, want)}
	}
	if s.opt.Dice == nil {
		return []string{fmt.Sprintf("turn %d: there are no dice to throw its rolls again", e.turn)}
	}
	for i, was := range e.part.Rolls {
		is, err := s.opt.Dice(f.seed, path, first+int64(i), was.Expr)
		if err != nil {
			problems = append(problems, fmt.Sprintf("turn %d: roll %d: %v", e.turn, was.No, err))
			continue
		}
		if was.No != before+int64(i) || !sameDice(was, is) {
			problems = append(problems, fmt.Sprintf("turn %d: roll %d of %s is %d in the log, and %d by the seed",
				e.turn, was.No, was.Expr, was.Total, is.Total))
		}
	}
	return problems
}

// sameDice reports whether two rolls show the same dice.
func sameDice(a, b rules.Roll) bool {
	return a.Total == b.Total && a.Detail == b.Detail && slices.Equal(a.Dice, b.Dice)
}
