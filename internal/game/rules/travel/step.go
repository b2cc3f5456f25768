package travel

import (
	"context"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// runMovePlayer is move_player of seed 000, the narrator's: it moves anybody, in whatever state. Its
// result is {"from","to","minutes"}.
func runMovePlayer(s *rules.Step, args rules.Args, a *world.Actor) *rules.Verdict {
	to := args.Text("target_location_id")
	if isAt(s.World, a, to) {
		return rules.AcceptNoting(rules.SamePlace, rules.NewObj().Text("from", to).Text("to", to).Int("minutes", 0),
			"travel.same", a, rules.PlaceName(s.World, to))
	}
	j, refused := findStep(s, a, to)
	if refused != nil {
		return refused
	}
	done := "move_player.done"
	if j.to.IsPage() {
		done = "move_player.chosen"
	}
	d := rules.Accept(rules.NewObj().Text("from", j.from).Text("to", to).Int("minutes", j.minutes), done,
		a, rules.PlaceName(s.World, j.from), rules.PlaceName(s.World, to))
	return j.report(s, d)
}

// runMove is move of seed 002, the acting actor's. Its result is {"to_area_id","from_area_id"}.
func runMove(_ context.Context, s *rules.Step, args rules.Args) *rules.Verdict {
	a := s.World.Actor(s.Actor)
	if !args.Has("actor_id") {
		s.SetArg("actor_id", a.ID)
	}
	from, to := args.Text("from_area_id"), args.Text("to_area_id")
	if from != "" && !isAt(s.World, a, from) {
		return rules.Refuse(rules.InvalidArgs, "move.from", a, from, a.Place)
	}
	if from == "" {
		s.SetArg("from_area_id", a.Place)
	}
	if isAt(s.World, a, to) {
		return rules.Refuse(rules.SamePlace, "travel.same", a, rules.PlaceName(s.World, to))
	}
	j, refused := findStep(s, a, to)
	if refused != nil {
		return refused
	}
	d := rules.Accept(rules.NewObj().Text("to_area_id", to).Text("from_area_id", j.from), "move.done", a,
		rules.PlaceName(s.World, j.from), rules.PlaceName(s.World, to))
	return j.report(s, d)
}

// report makes a journey of one step. Where it unlocked a door, the sentence says that, too.
func (j *journey) report(s *rules.Step, d *rules.Verdict) *rules.Verdict {
	if j.key != "" {
		d.Say.Key += "_unlocked"
		d.Say.Args = append(d.Say.Args, rules.ThingName(s.World, j.key))
	}
	j.perform(s, d.Say)
	return d
}

// findStep finds the way that takes an actor to a place in one step, or refuses the step.
func findStep(s *rules.Step, a *world.Actor, to string) (*journey, *rules.Verdict) {
	w := s.World
	here, there := w.Place(a.Place), w.Place(to)
	switch {
	case a.Place == "":
		return nil, rules.Refuse(rules.NotReachable, "travel.nowhere", a)
	case here == nil:
		return nil, rules.Refuse(rules.EntityNotFound, "travel.no_place", a.Place)
	case there == nil:
		return nil, rules.Refuse(rules.EntityNotFound, "travel.no_place", to)
	}
	l := w.Link(here.ID, to)
	if zone := enclosingZone(w, here); l == nil && zone != nil {
		l = w.Link(zone.ID, to)
	}
	if l == nil {
		return nil, rules.Refuse(rules.NotReachable, "travel.not_reachable", here, there)
	}
	if barrier := checkWay(w, a, l); barrier != nil {
		return nil, barrier
	}
	span, mm := wayLength(w, l, speed(a))
	j := &journey{actor: a, from: here.ID, to: there, at: there, ways: []*world.Link{l}, mm: mm}
	j.minutes = spanMinutes(span, speed(a))
	if l.Door == world.LockedDoor {
		j.key = l.Lock
	}
	return j, j.checkTime(s)
}

// checkWay refuses a way that an actor cannot take.
func checkWay(w *world.World, a *world.Actor, l *world.Link) *rules.Verdict {
	from, to := rules.PlaceName(w, l.From), rules.PlaceName(w, l.To)
	switch {
	case l.Blocked != "":
		return rules.Refuse(blockedWay, "travel.blocked", from, to, l.Blocked)
	case l.Needs != "" && !w.Carries(a.ID, l.Needs):
		return rules.Refuse(needsObject, "travel.needs", from, to, rules.ThingName(w, l.Needs))
	case l.Door == world.ClosedDoor:
		return rules.Refuse(doorClosed, "travel.closed", from, to)
	case l.Door == world.LockedDoor && (l.Lock == "" || !w.Carries(a.ID, l.Lock)):
		return rules.Refuse(doorClosed, "travel.locked", from, to)
	}
	return nil
}
