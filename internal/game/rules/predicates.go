package rules

import (
	"cmp"
	"slices"

	"hob/internal/game/distance"
	"hob/internal/game/world"
)

// StateOf returns an actor's state. An actor without one is alive.
func StateOf(a *world.Actor) string { return cmp.Or(a.State, world.Alive) }

// Over reports whether a quest is done or has failed.
func Over(q *world.Quest) bool { return q.State == world.Done || q.State == world.Failed }

// Secret reports whether players do not yet know of a place.
func Secret(p *world.Place) bool { return p.Secret && !p.Visited }

// Shut reports whether the door of a way is closed or locked.
func Shut(l *world.Link) bool { return l.Door == world.ClosedDoor || l.Door == world.LockedDoor }

// Encloses reports whether something with that relation to an object is inside of it, and not just on it or a part of
// it.
func Encloses(rel string) bool { return rel != world.On && rel != world.Part }

// Greeting returns the index of somebody's greeting: the first of the lines that may be said (open) without keys; -1
// for none.
func Greeting(a *world.Actor, open []int) int {
	for _, i := range open {
		if len(a.Talk[i].Keys) == 0 {
			return i
		}
	}
	return -1
}

// InParty reports whether an actor is of the party.
func InParty(w *world.World, id string) bool { return slices.Contains(w.Self().Party, id) }

// Viewers returns the actors from whose view a story can be shown, the best first: the named one, the active one, the
// party.
func Viewers(w *world.World, actor string) (list []*world.Actor) {
	for _, id := range []string{actor, w.Self().Active} {
		if a := w.Actor(id); a != nil {
			list = append(list, a)
		}
	}
	return append(list, w.Party()...)
}

// Viewpoint returns the actor from whose view a story is shown, the first of [Viewers], or nil.
func Viewpoint(w *world.World, actor string) *world.Actor { return append(Viewers(w, actor), nil)[0] }

// PartyPlace returns where the active actor is, or else the first of the party who is anywhere; "" for nowhere.
func PartyPlace(w *world.World) string {
	for _, a := range Viewers(w, "") {
		if a.Place != "" {
			return a.Place
		}
	}
	return ""
}

// HasDirectionName reports whether the rules have a word for a direction.
func HasDirectionName(dir string) bool {
	return slices.Contains([]string{"n", "ne", "e", "se", "s", "sw", "w", "nw", "u", "d"}, dir)
}

// Opposite returns the direction back, "" for a word that is no direction.
func Opposite(dir string) string {
	return map[string]string{
		"n": "s", "ne": "sw", "e": "w", "se": "nw", "s": "n", "sw": "ne", "w": "e", "nw": "se", "u": "d", "d": "u", "in": "out", "out": "in",
	}[dir]
}

// Zone is a zone of the open world, as seen from where somebody is.
type Zone struct {
	*world.Place
	Metres int64 // how far it is, from the middle of one zone to the middle of the other
}

// Zones returns the zones to which somebody outdoors can walk across country, the nearest first. It leaves out those
// that a way leads to, and those that players do not know.
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
		far := distance.Distance2D(distance.Point{X: here.Pos.X, Y: here.Pos.Y}, distance.Point{X: p.Pos.X, Y: p.Pos.Y})
		list = append(list, Zone{p, far / 1000})
	}
	slices.SortStableFunc(list, func(a, b Zone) int { return cmp.Compare(a.Metres, b.Metres) })
	return list
}
