package gamemaster

import (
	"context"
	"iter"
	"math"
	"slices"
	"strings"

	"hob/internal/game/saga"
	"hob/internal/tools"
)

// currentParts returns the parts of the campaign's turn that a chat's turn has played so far. What it has set of the table, or a move of its own
// has kept of that, is none: as a part of that a turn of the story could not be undone.
func (camp *campaign) currentParts(ctx context.Context, caller tools.Caller) ([]saga.Part, error) {
	parts, err := camp.Parts(ctx, camp.Head())
	if err != nil || len(parts) == 0 || parts[0].Table || caller.Turn == 0 || !strings.HasPrefix(parts[0].Request, prefix(caller)+"/") {
		return nil, err
	}
	return parts, nil
}

// whole is as many turns as there are.
const whole = math.MaxInt

// history returns the parts of the last turns up to the head, as many as there are at most, the newest turn first. An error ends it.
func (camp *campaign) history(ctx context.Context, most int) iter.Seq2[[]saga.Part, error] {
	return func(yield func([]saga.Part, error) bool) {
		path := camp.Path()
		for _, turn := range slices.Backward(path[max(0, len(path)-most):]) {
			if parts, err := camp.Parts(ctx, turn); !yield(parts, err) || err != nil {
				return
			}
		}
	}
}

// canExtend reports whether the campaign's turn at the head can have further parts: not once another was played after it, and taken back.
func (camp *campaign) canExtend() bool { return camp.Head() > 0 && camp.Head() == camp.Turns() }

// playPart plays what a chat's turn does next: as a part of the campaign's turn that has those parts, or, where it has none or can
// have no more, as a turn of its own.
func (camp *campaign) playPart(ctx context.Context, parts []saga.Part, r saga.Request) (saga.Played, error) {
	if len(parts) > 0 && camp.canExtend() {
		return camp.Extend(ctx, r)
	}
	return camp.Play(ctx, r)
}

// turnsPlayed are the turns of the campaign that a chat's turn has played and that stand, the oldest first, and their parts. There is one, but
// where another chat of the same story played in between.
func (camp *campaign) turnsPlayed(ctx context.Context, caller tools.Caller, s *turnState) (all []int64, parts []saga.Part, err error) {
	if parts, err = camp.currentParts(ctx, caller); err != nil {
		return nil, nil, err
	}
	newest := int64(0)
	if len(parts) > 0 {
		newest, all = parts[0].Turn, []int64{parts[0].Turn}
	}
	if s.turn != caller.Turn || !slices.ContainsFunc(s.turns, func(turn int64) bool { return turn != newest }) {
		return all, parts, nil
	}
	all, parts = nil, nil
	for _, turn := range camp.Path() {
		if turn != newest && !slices.Contains(s.turns, turn) {
			continue
		}
		more, err := camp.Parts(ctx, turn)
		if err != nil {
			return nil, nil, err
		}
		all, parts = append(all, turn), append(parts, more...)
	}
	return all, parts, nil
}
