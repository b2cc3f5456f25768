package rules

import (
	"cmp"
	"context"
	"slices"

	"hob/internal/game/world"
)

// StrikeBack is a rule of a world: hostile people defend themselves, and attack those who stay too long.
const StrikeBack = "strike_back"

// struckTurn is where a world's pace keeps the last turn in which somebody struck back, since that happens once a turn.
const struckTurn = "struck_turn"

// Follow runs the next call that nobody asked for and that the turn leads to, if the rules have [StrikeBack]; ok is
// false when there is none. Hostile people strike back at the acting actor: somebody who was attacked in this turn, or
// else somebody who was already there before the turn and saw the actor do something else. Somebody who has just come
// or who leaves is not struck. It happens once a turn. A fight also ends when one side is down.
func (t *Turn) Follow(ctx context.Context, counts bool) (o Outcome, ok bool, err error) {
	self := t.World.Self()
	if self.Rules[StrikeBack] != 1 || self.Ended {
		return Outcome{}, false, nil
	}
	if self.Pace[struckTurn] != t.Number {
		if o, ok = t.strikeBack(ctx, counts); ok {
			err, o.Changed = t.recordStrike(), true
		}
	}
	if !ok && Decided(t.World) {
		o, ok = t.runAutomatic(ctx, "encounter_end", NewObj())
	}
	if ok {
		t.Outcomes = append(t.Outcomes, o)
	}
	return o, ok, err
}

// strikeBack lets somebody hostile attack the acting actor, as [Turn.Follow] says.
func (t *Turn) strikeBack(ctx context.Context, counts bool) (Outcome, bool) {
	actor := t.lastActor()
	if actor == nil {
		return Outcome{}, false
	}
	foe := t.findAvenger(actor, counts)
	if foe == nil {
		return Outcome{}, false
	}
	args := NewObj().Text("attacker_id", foe.ID).Text("target_id", actor.ID)
	if weapon := Weapon(t.World, foe.ID); weapon != nil {
		args.Text("weapon_id", weapon.ID)
	}
	return t.runAutomatic(ctx, "attack", args)
}

// runAutomatic runs a call that nobody asked for. A refused one does not count.
func (t *Turn) runAutomatic(ctx context.Context, tool string, args *Obj) (Outcome, bool) {
	unbound := t.Unbound
	t.Unbound = true
	o := t.run(ctx, Call{Tool: tool, Args: args.Bytes()})
	t.Unbound = unbound
	o.Automatic = true
	return o, o.OK()
}

// recordStrike remembers that somebody struck back in this turn.
func (t *Turn) recordStrike() error {
	s := t.newStep(&Args{})
	Change(s, t.World.Self(), func(next *world.Self) { next.Pace = world.With(next.Pace, struckTurn, t.Number) })
	t.commit(s)
	return s.err
}

// lastActor returns who acted last in this turn: one of the party, or the active actor. It is nil if that one cannot
// act, or if somebody hostile has attacked in this turn.
func (t *Turn) lastActor() *world.Actor {
	self := t.World.Self()
	id := ""
	for _, o := range slices.Backward(t.outcomes()) {
		who := actorOf(o)
		if a := t.World.Actor(who); o.OK() && o.Call.Tool == "attack" && a != nil && Hostile(t.World, a) {
			return nil
		}
		if id == "" && o.OK() && slices.Contains(self.Party, who) {
			id = who
		}
	}
	id = cmp.Or(id, self.Active)
	a := t.World.Actor(id)
	if a == nil || !CanAct(a) || !a.HP.Known && !a.HPMax.Known || !slices.Contains(self.Party, id) {
		return nil
	}
	return a
}

// outcomes are those of the whole turn so far, its earlier parts included.
func (t *Turn) outcomes() []Outcome { return slices.Concat(t.Earlier.Outcomes, t.Outcomes) }

// actorOf returns the id of the actor of a call, as far as its arguments name one.
func actorOf(o Outcome) string {
	a, _ := parseArgs(o.Call.Args)
	return cmp.Or(a.Text("attacker_id"), a.Text("player_id"), a.Text("actor_id"), o.Actor, o.Call.Actor)
}

// findAvenger returns who strikes back at an actor, or nil.
func (t *Turn) findAvenger(actor *world.Actor, counts bool) *world.Actor {
	var foes []*world.Actor
	for _, a := range t.World.Occupants(actor.Place) {
		if CanAct(a) && Hostile(t.World, a) {
			foes = append(foes, a)
		}
	}
	for _, foe := range foes {
		if slices.ContainsFunc(t.outcomes(), func(o Outcome) bool { return o.isAttackOn(foe.ID) }) {
			return foe
		}
	}
	if !t.tookTime(counts) || !wasThere(t.stateBefore(actor), actor) {
		return nil
	}
	for _, foe := range foes {
		if was := t.stateBefore(foe); wasThere(was, foe) && Hostile(t.World, was) && CanAct(was) {
			return foe
		}
	}
	return nil
}

// isAttackOn reports whether a call was an attack on somebody.
func (o Outcome) isAttackOn(id string) bool {
	a, _ := parseArgs(o.Call.Args)
	return o.OK() && o.Call.Tool == "attack" && a.Text("target_id") == id
}

// tookTime reports whether the turn took time in the story: by a call, or by words alone that count as a turn.
func (t *Turn) tookTime(counts bool) bool {
	all := t.outcomes()
	if len(all) == 0 {
		return counts
	}
	return slices.ContainsFunc(all, func(o Outcome) bool { return o.OK() && isDeed(o.Call.Tool) })
}

// isDeed reports whether a call is something that somebody in the story does, and not the narrator.
func isDeed(tool string) bool {
	switch tool {
	case "adjust_qty", "advance_time", "attack", "move", "move_object", "move_player", "move_to_zone", "next_turn",
		"opposed_check", "rest",
		"set_attribute", "set_container", "set_link", "skill_check", "talk":
		return true
	}
	return false
}

// stateBefore returns an actor as it was before this turn, or nil for a new one.
func (t *Turn) stateBefore(a *world.Actor) *world.Actor {
	for _, e := range slices.Concat(t.Earlier.Events, t.Events) {
		if kind, key := e.Subject(); kind == world.ActorKind && key == a.ID {
			was, _ := e.Old.(*world.Actor)
			return was
		}
	}
	return a
}

// wasThere reports whether an actor was at the same place before.
func wasThere(was, is *world.Actor) bool { return was != nil && was.Place == is.Place }

// Decided reports whether a fight goes on although one side, the party or the others, can do nothing any more. If only
// the party takes part, nothing is decided.
func Decided(w *world.World) bool {
	e := w.Encounter()
	if e == nil {
		return false
	}
	var took, able [2]bool // the party, the others
	side := func(id string) int {
		if InParty(w, id) {
			return 0
		}
		return 1
	}
	for id := range e.Initiative {
		took[side(id)] = true
	}
	for _, id := range e.Actors {
		took[side(id)] = true
		if a := w.Actor(id); a != nil && CanAct(a) {
			able[side(id)] = true
		}
	}
	return took[0] && !able[0] || took[1] && !able[1]
}
