package travel

import (
	"cmp"
	"context"

	"hob/internal/game/distance"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// runMoveToZone runs the tool move_to_zone of seed 003. Its result is
// {"ok","new_position":{"x","y","z","zone_id"},"duration_min","movement_log_id"}; who is there already gets "notice", too, and no
// log.
func runMoveToZone(_ context.Context, s *rules.Step, args rules.Args) *rules.Verdict {
	to, refused := findDestination(s.World, args.Text("to_zone_id"), args.Text("to_zone_name"))
	if refused != nil {
		return refused
	}
	w, a := s.World, s.World.Actor(s.Actor)
	if isAt(w, a, to.ID) {
		notice := rules.NewSentence("travel.same", a, to)
		result := rules.NewObj().Flag("ok", true).Obj("new_position", positionObj(w, a)).Int("duration_min", 0).
			TextOrNull("movement_log_id", "").Text("notice", s.Text(notice))
		return &rules.Verdict{OK: true, Code: rules.SamePlace, Result: result, Say: notice}
	}
	j := findRoute(w, a, to)
	if j == nil {
		return rules.Refuse(rules.NotReachable, "move_to_zone.not_reachable", rules.PlaceName(w, a.Place), to)
	}
	if refused := j.checkTime(s); refused != nil {
		return refused
	}
	words := rules.NewSentence("move_to_zone.done", a, rules.PlaceName(w, j.from), to,
		distance.Metres(j.mm), j.minutes)
	id := j.perform(s, words)
	result := rules.NewObj().Flag("ok", true).Obj("new_position", positionObj(w, w.Actor(a.ID))).Int("duration_min", j.minutes).
		Text("movement_log_id", id)
	return &rules.Verdict{OK: true, Result: result, Say: words}
}

// findDestination finds the place that is meant. An id goes before a name, and a zone before other
// places of its name.
func findDestination(w *world.World, id, name string) (*world.Place, *rules.Verdict) {
	switch p := w.Place(id); {
	case id == "" && name == "":
		return nil, rules.Refuse(rules.InvalidArgs, "move_to_zone.missing")
	case id != "" && p == nil:
		return nil, rules.Refuse(rules.PlaceNotFound, "travel.no_place", id)
	case id != "":
		return p, nil
	}
	var zones, others []*world.Place
	for _, p := range w.Places() {
		switch {
		case p.Name != name:
		case p.Overland:
			zones = append(zones, p)
		default:
			others = append(others, p)
		}
	}
	if len(zones) == 0 {
		zones = others
	}
	switch len(zones) {
	case 0:
		return nil, rules.Refuse(rules.PlaceNotFound, "travel.no_place", name)
	case 1:
		return zones[0], nil
	}
	return nil, rules.Refuse(rules.InvalidArgs, "move_to_zone.many", name, zones[0].ID, zones[1].ID)
}

// positionObj returns where somebody is, in metres: exactly, if that is known, else where their
// place lies, or the nearest around it.
func positionObj(w *world.World, a *world.Actor) *rules.Obj {
	pos := a.Pos
	for p := range w.Around(a.Place) {
		pos = cmp.Or(pos, p.Pos)
	}
	pos = cmp.Or(pos, &world.Point{})
	return rules.NewObj().Metres("x", pos.X).Metres("y", pos.Y).Metres("z", pos.Z).Text("zone_id", zoneID(w, a.Place))
}

// findRoute finds the shortest way from where somebody is to a place, or nil.
func findRoute(w *world.World, a *world.Actor, to *world.Place) *journey {
	j := &journey{actor: a, from: zoneID(w, a.Place), to: to, at: arrivalPlace(w, to)}
	here := w.Place(a.Place)
	into := searchFrom(w, a, to.ID, true)
	out := searchFrom(w, a, a.Place, false)
	switch {
	case here == nil && a.Pos == nil:
		return nil
	case here == nil: // somewhere in the open, as far as anybody knows
		here = &world.Place{Pos: a.Pos, Overland: true}
		out.open = []string{a.Place}
	}
	best := int64(-1)
	consider := func(exit, entry string, straight int64) {
		x, y := out.spots[exit], into.spots[entry]
		span := distance.Sum(x.span, lengthSpan(straight), y.span)
		if best >= 0 && span >= best {
			return
		}
		best = span
		j.ways = append(out.ways(exit), into.ways(entry)...)
		j.mm = distance.Sum(x.mm, straight, y.mm)
		j.minutes = spanMinutes(span, speed(a))
	}
	if at := out.spots[to.ID]; at != nil {
		consider(to.ID, to.ID, 0)
	}
	for _, exit := range out.open {
		from := w.Place(exit)
		if from == nil {
			from = here
		}
		for _, entry := range into.open {
			consider(exit, entry, straightLine(w, from, w.Place(entry)))
		}
	}
	if best < 0 {
		return nil
	}
	return j
}

// straightLine returns how far it is from one place in the open to another: between zones from
// centre to centre.
func straightLine(w *world.World, from, to *world.Place) int64 {
	if zone := enclosingZone(w, from); zone != nil && zone.Pos != nil && to.Overland {
		from = zone
	}
	mm, _ := distanceBetween(from, to)
	return mm
}

// arrivalPlace returns where somebody who comes to a place is then: of a zone, the sub zone nearest
// to its middle.
func arrivalPlace(w *world.World, to *world.Place) *world.Place {
	if !to.Overland || to.Pos == nil {
		return to
	}
	at, best := to, int64(-1)
	for _, p := range w.Inner(to.ID) {
		if p.Type != subZone || !isOpen(w, p) {
			continue
		}
		if mm := distance.Distance3D(point(to.Pos), point(p.Pos)); best < 0 || mm < best {
			at, best = p, mm
		}
	}
	return at
}
