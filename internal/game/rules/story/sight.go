package story

import (
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// Sight is all that an actor can see from their place: nothing that is hidden or in closed objects.
type Sight struct {
	Place  *world.Place
	Exits  []*world.Link
	Actors []*world.Actor
	Things []VisibleThing
	More   int // how many other objects are there
}

// VisibleThing is an object with its visible contents.
type VisibleThing struct {
	*world.Thing
	Inside []VisibleThing
	More   int // how many other objects are in it
}

const (
	deepest = 6       // how many levels of objects inside each other are visible
	all     = 1 << 30 // objects, which is as many as there are
)

// SightFrom returns what an actor sees from a place. Actors do not see themselves, and nobody sees anything from a nil
// place.
func SightFrom(w *world.World, place *world.Place, actor string) Sight {
	return limitedSight(w, place, actor, all)
}

// limitedSight is [SightFrom] with only the first objects.
func limitedSight(w *world.World, place *world.Place, actor string, most int) Sight {
	s := Sight{Place: place}
	if place == nil {
		return s
	}
	for _, l := range w.Outs(place.ID) {
		if to := w.Place(l.To); to != nil && !l.Hidden && !rules.Secret(to) {
			s.Exits = append(s.Exits, l)
		}
	}
	for _, a := range w.Occupants(place.ID) {
		if a.ID != actor {
			s.Actors = append(s.Actors, a)
		}
	}
	s.Things, s.More = visibleThings(w, place.ID, deepest, most, false)
	return s
}

// VisibleInside returns the visible objects with a parent and their visible contents, down to a number of levels.
func VisibleInside(w *world.World, parent string, levels int) []VisibleThing {
	list, _ := visibleThings(w, parent, levels, all, false)
	return list
}

// visibleThings returns the first visible objects with a parent, and how many more there are. Of a closed parent only
// its parts and the objects on it are visible. An object with the id of an actor or a place holds nothing, since
// records with that parent belong to these.
func visibleThings(w *world.World, parent string, levels, most int, shut bool) (list []VisibleThing, more int) {
	if levels == 0 {
		return nil, 0
	}
	for _, t := range w.Contents(parent) {
		if t.Hidden || shut && rules.Encloses(t.Rel) {
			continue
		}
		if len(list) >= most {
			more++
			continue
		}
		s := VisibleThing{Thing: t}
		if w.Actor(t.ID) == nil && w.Place(t.ID) == nil {
			s.Inside, s.More = visibleThings(w, t.ID, levels-1, most, t.Closed || t.Locked)
		}
		list = append(list, s)
	}
	return list, more
}

// findSeen returns the object with an id in a list and its contents.
func findSeen(list []VisibleThing, id string) *VisibleThing {
	for i := range list {
		if list[i].ID == id {
			return &list[i]
		}
		if s := findSeen(list[i].Inside, id); s != nil {
			return s
		}
	}
	return nil
}

// viewpointOf returns the actor of a call and its place; nil where there is nobody.
func viewpointOf(s *rules.Step) (*world.Actor, *world.Place) {
	a := rules.Viewpoint(s.World, s.Actor)
	if a == nil {
		return nil, nil
	}
	return a, s.World.Place(a.Place)
}

// enemies returns the actors of an encounter who can act and are not in the party.
func enemies(w *world.World) (list []*world.Actor) {
	e := w.Encounter()
	if e == nil {
		return nil
	}
	for _, id := range e.Actors {
		if a := w.Actor(id); a != nil && rules.CanAct(a) && !rules.InParty(w, id) {
			list = append(list, a)
		}
	}
	return list
}
