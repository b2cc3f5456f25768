package rules

import (
	"cmp"
	"slices"

	"hob/internal/game/travel"
	"hob/internal/game/world"
)

// Zone is a zone of the open world, as seen from where somebody is.
type Zone struct {
	*world.Place
	Metres int64 // how far it is, from the middle of one zone to the middle of the other
}

// Zones returns the zones that somebody in the open can walk to across country, the nearest first. It leaves out those that a way leads
// to from here, and those that nobody knows of.
func Zones(w *world.World, a *world.Actor) (list []Zone) {
	if a == nil || w.Self().Session == "" { // a journey wants the session
		return nil
	}
	here := w.Place(a.Place)
	if here != nil && here.Type == "sub_zone" && !slices.ContainsFunc(w.Ins(here.ID), func(l *world.Link) bool { return l.Door != world.NoDoor }) {
		here = w.Place(here.Parent)
	}
	if here == nil || !here.Overland || here.Pos == nil {
		return nil
	}
	for _, p := range w.Places() {
		if p.ID == here.ID || !p.Overland || p.Pos == nil || Secret(p) || w.Link(a.Place, p.ID) != nil || w.Link(here.ID, p.ID) != nil {
			continue
		}
		far := travel.Distance2D(travel.Point{X: here.Pos.X, Y: here.Pos.Y}, travel.Point{X: p.Pos.X, Y: p.Pos.Y})
		list = append(list, Zone{p, far / 1000})
	}
	slices.SortStableFunc(list, func(a, b Zone) int { return cmp.Compare(a.Metres, b.Metres) })
	return list
}
