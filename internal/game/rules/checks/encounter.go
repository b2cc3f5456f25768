package checks

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// How many take part in an encounter.
const (
	minParticipants = 2
	maxParticipants = 40
)

// participant is an actor of an encounter, with the roll for the order.
type participant struct {
	actor      *world.Actor
	initiative int64
}

// runEncounterStart runs the tool encounter_start. Its result is {"order":[{"actor","init"}],"round","actor"}:
// who acts first is actor.
func runEncounterStart(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	if s.World.Encounter() != nil {
		return rules.Refuse("encounter_running", "encounter_start.running")
	}
	list, bad := rollInitiative(s, a.List("participants"), a.List("surprise"))
	if bad != nil {
		return bad
	}
	slices.SortStableFunc(list, func(a, b participant) int {
		return cmp.Or(cmp.Compare(b.initiative, a.initiative), cmp.Compare(b.actor.Stats["finesse"], a.actor.Stats["finesse"]))
	})
	e := &world.Encounter{Round: 1, Initiative: map[string]int64{}, Started: s.World.Self().Minute}
	var order rules.Items
	for _, l := range list {
		e.Actors = append(e.Actors, l.actor.ID)
		e.Initiative[l.actor.ID] = l.initiative
		order.Add(rules.NewObj().Text("actor", l.actor.ID).Int("init", l.initiative),
			fmt.Sprint(rules.NameOf(l.actor), " ", l.initiative))
	}
	s.Put(e)
	passTurn(s, e, "combat")
	result := rules.NewObj().Objs("order", order.Objs).Int("round", 1).Text("actor", e.Actors[0])
	return rules.Accept(result, "encounter_start.done", strings.Join(order.Lines, ", "))
}

// rollInitiative rolls for all participants, in the order in which the call names them.
func rollInitiative(s *rules.Step, ids, surprised []string) ([]participant, *rules.Verdict) {
	if len(ids) < minParticipants || len(ids) > maxParticipants {
		return nil, rules.Refuse(rules.InvalidArgs, "encounter_start.few", minParticipants, maxParticipants)
	}
	for _, id := range surprised {
		if !slices.Contains(ids, id) {
			return nil, rules.Refuse(rules.InvalidArgs, "encounter_start.surprise", id)
		}
	}
	list := make([]participant, 0, len(ids))
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			return nil, rules.Refuse(rules.InvalidArgs, "encounter_start.twice", id)
		}
		actor, bad := findAble(s, id)
		if bad != nil {
			return nil, bad
		}
		edge := ""
		if slices.Contains(surprised, id) {
			edge = "dis"
		}
		t, err := s.RollD20(rules.Bounded(actor.Stats["finesse"]), edge, "initiative")
		if err != nil {
			return nil, refuseDice(err)
		}
		list = append(list, participant{actor: actor, initiative: t.Total})
	}
	return list, nil
}

// passTurn makes the one whose turn it is the active actor, if it is of the party, and sets the mode.
func passTurn(s *rules.Step, e *world.Encounter, mode string) {
	self := *s.World.Self()
	self.Mode = mode
	if e != nil && slices.Contains(self.Party, e.Actors[e.Turn]) {
		self.Active = e.Actors[e.Turn]
	}
	s.Put(&self)
}

// runNextTurn runs the tool next_turn. Its result is {"actor","round","over"}, and expired,
// [{"actor_id","name"}], where conditions ended; over says that one side has nobody left who can
// act.
func runNextTurn(_ context.Context, s *rules.Step, _ rules.Args) *rules.Verdict {
	e := s.World.Encounter()
	if e == nil {
		return rules.Refuse("no_encounter", "next_turn.none")
	}
	next := *e
	if next.Turn < 0 || next.Turn >= int64(len(e.Actors)) { // of an imported world
		next.Turn = int64(len(e.Actors)) - 1
	}
	var actor *world.Actor
	var expired []*rules.Obj
	for range e.Actors {
		expired = append(expired, endRound(s, s.World.Actor(e.Actors[next.Turn]))...) // the turn of who cannot act passes, too
		if next.Turn++; next.Turn >= int64(len(e.Actors)) {
			next.Turn = 0
			next.Round++
		}
		if a := s.World.Actor(e.Actors[next.Turn]); a != nil && rules.CanAct(a) {
			actor = a
			break
		}
	}
	if actor == nil {
		return rules.Refuse("nobody_left", "next_turn.nobody")
	}
	s.Put(&next)
	passTurn(s, &next, "combat")
	over, key := rules.Decided(s.World), "next_turn.done"
	if over {
		key = "next_turn.over"
	}
	result := rules.NewObj().Text("actor", actor.ID).Int("round", next.Round).Flag("over", over).Some("expired", expired)
	return rules.Accept(result, key, actor, next.Round)
}

// endRound ends a round of the conditions of the one whose turn is over, and returns those that are
// over with it.
func endRound(s *rules.Step, a *world.Actor) (expired []*rules.Obj) {
	if a == nil || len(a.Rounds) == 0 {
		return nil
	}
	next := *a
	next.Rounds = nil
	for _, name := range slices.Sorted(maps.Keys(a.Rounds)) {
		if n := a.Rounds[name]; n > 1 {
			next.Rounds = world.With(next.Rounds, name, n-1)
		} else {
			expired = append(expired, rules.NewObj().Text("actor_id", a.ID).Text("name", name))
		}
	}
	s.Put(&next)
	return expired
}

// runEncounterEnd runs the tool encounter_end. Its result is {"rounds","minutes"}.
func runEncounterEnd(_ context.Context, s *rules.Step, _ rules.Args) *rules.Verdict {
	e := s.World.Encounter()
	if e == nil {
		return rules.Refuse("no_encounter", "next_turn.none")
	}
	for _, id := range e.Actors { // what holds for rounds is over with them
		if a := s.World.Actor(id); a != nil && len(a.Rounds) > 0 {
			rules.Change(s, a, func(next *world.Actor) { next.Rounds = nil })
		}
	}
	s.Drop(e)
	passTurn(s, nil, "")
	passed := s.PassTime((e.Round + 9) / 10)
	return rules.Accept(rules.NewObj().Int("rounds", e.Round).Int("minutes", passed.Minutes), "encounter_end.done", e.Round)
}
