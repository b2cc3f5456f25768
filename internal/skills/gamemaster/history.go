package gamemaster

import (
	"context"
	"iter"
	"math"
	"slices"
	"strings"

	"hob/internal/game/account"
	"hob/internal/game/eventlog"
)

// currentParts returns the parts of the campaign's turn that a chat's turn has played so far. A
// setting is not among them: as a part of it a turn of the story could not be undone.
func (tn turn) currentParts(ctx context.Context) ([]eventlog.Part, error) {
	parts, err := tn.Parts(ctx, tn.Head())
	if err != nil || len(parts) == 0 || parts[0].Table || tn.caller.Turn == 0 || !strings.HasPrefix(parts[0].Request, prefix(tn.caller)+"/") {
		return nil, err
	}
	return parts, nil
}

// whole is the length of any history.
const whole = math.MaxInt

// history iterates over the parts of the last turns up to the head, the newest turn first. An error
// ends it.
func (camp *campaign) history(ctx context.Context, most int) iter.Seq2[[]eventlog.Part, error] {
	return func(yield func([]eventlog.Part, error) bool) {
		path := camp.Path()
		for _, turn := range slices.Backward(path[max(0, len(path)-most):]) {
			if parts, err := camp.Parts(ctx, turn); !yield(parts, err) || err != nil {
				return
			}
		}
	}
}

// pastTurns returns the last n turns of the story, the oldest first, for a summary.
func (camp *campaign) pastTurns(ctx context.Context, n int) (turns []account.Turn, err error) {
	for parts, err := range camp.history(ctx, whole) {
		if err != nil {
			return nil, err
		}
		if len(parts) == 0 || parts[0].Table || keepsRound(parts[0]) {
			continue
		}
		t, err := camp.pastTurn(ctx, parts)
		if err != nil {
			return nil, err
		}
		if len(t.Events)+len(t.Rolls) > 0 {
			n--
		}
		if turns = append(turns, t); n <= 0 {
			break
		}
	}
	slices.Reverse(turns)
	return turns, nil
}

// pastTurn returns a turn of the log in the form that can be told.
func (camp *campaign) pastTurn(ctx context.Context, parts []eventlog.Part) (t account.Turn, err error) {
	t = account.Turn{Book: camp.m.book, Lang: camp.lang(), Actor: camp.actorOf(parts[0].User)}
	for _, p := range parts {
		t.Outcomes, t.Rolls = append(t.Outcomes, p.Outcomes...), append(t.Rolls, p.Rolls...)
	}
	if t.Before, t.Events, err = camp.BeforeAndChanges(ctx, parts[0].Turn); err != nil {
		return t, err
	}
	t.After = t.Before.Clone()
	for _, e := range t.Events {
		if err := t.After.Apply(e); err != nil {
			return t, err
		}
	}
	return t, nil
}

// canExtend reports whether more parts can be added to the campaign's turn at the head. They cannot once a later turn
// was played, even if it was undone.
func (camp *campaign) canExtend() bool { return camp.Head() > 0 && camp.Head() == camp.Turns() }

// playPart plays the next part of a chat's turn. It is added to the campaign's turn with the parts before it, or begins
// a new one if that cannot be extended.
func (camp *campaign) playPart(ctx context.Context, parts []eventlog.Part, r eventlog.Request) (eventlog.PlayResult, error) {
	if len(parts) > 0 && camp.canExtend() {
		return camp.Extend(ctx, r)
	}
	return camp.Play(ctx, r)
}

// turnsPlayed returns the campaign's turns that a chat's turn has played, the oldest first, and their parts. There are
// several when another chat of the same story played in between.
func (tn turn) turnsPlayed(ctx context.Context) (all []int64, parts []eventlog.Part, err error) {
	if parts, err = tn.currentParts(ctx); err != nil {
		return nil, nil, err
	}
	newest := int64(0)
	if len(parts) > 0 {
		newest, all = parts[0].Turn, []int64{parts[0].Turn}
	}
	if tn.state.turn != tn.caller.Turn || !slices.ContainsFunc(tn.state.turns, func(turn int64) bool { return turn != newest }) {
		return all, parts, nil
	}
	all, parts = nil, nil
	for _, turn := range tn.Path() {
		if turn != newest && !slices.Contains(tn.state.turns, turn) {
			continue
		}
		more, err := tn.Parts(ctx, turn)
		if err != nil {
			return nil, nil, err
		}
		all, parts = append(all, turn), append(parts, more...)
	}
	return all, parts, nil
}
