package parser

import (
	"iter"

	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/world"
)

// kind is the kind of an entity, by where it is.
type kind uint8

const (
	near    kind = 1 << iota // an object that lies about, or in an open one
	carried                  // an object that the actor has
	held                     // an object that somebody else has in hand
	person                   // somebody who is here
	myself                   // the actor
	way                      // the place to which a way leads
)

// entity is something or somebody that a command can name.
type entity struct {
	kind     kind
	id, name string
	desc     string // of the place to which a way leads, if it was visited
	depth    int    // of an object: 0 is directly there
	inside   bool
	thing    *world.Thing
	actor    *world.Actor // the person; for a held object, its holder
	link     *world.Link
	tokens   []string // of the name, once they are needed
	other    []string // the words of another name: that of a way's door
}

// sight is what the actor can name.
type sight struct {
	place *world.Place
	list  []*entity
}

// sight returns what the actor can name: nothing hidden, and nothing inside a closed thing.
func (r *reader) sight() *sight {
	if r.seen != nil {
		return r.seen
	}
	r.seen = &sight{}
	if r.actor == nil {
		return r.seen
	}
	place := r.w.Place(r.actor.Place)
	r.seen.place = place
	s := story.SightFrom(r.w, place, r.actor.ID)
	r.seen.things(s.Things, near, nil, 0)
	r.seen.things(story.VisibleInside(r.w, r.actor.ID, 6), carried, nil, 0)
	r.seen.list = append(r.seen.list, &entity{kind: myself, id: r.actor.ID, name: rules.NameOrID(r.actor.Name, r.actor.ID), actor: r.actor})
	for _, a := range s.Actors {
		r.seen.list = append(r.seen.list, &entity{kind: person, id: a.ID, name: rules.NameOrID(a.Name, a.ID), actor: a})
		r.seen.things(story.VisibleInside(r.w, a.ID, 1), held, a, 0)
	}
	for _, l := range s.Exits {
		r.way(l)
	}
	if zone := r.zone(place); zone != nil {
		for _, l := range story.SightFrom(r.w, zone, r.actor.ID).Exits {
			r.way(l)
		}
	}
	return r.seen
}

// visible iterates over the entities of some kinds that fit; a nil fits takes all of them.
func (r *reader) visible(mask kind, fits func(*entity) bool) iter.Seq[*entity] {
	return func(yield func(*entity) bool) {
		for _, e := range r.sight().list {
			if e.kind&mask != 0 && (fits == nil || fits(e)) && !yield(e) {
				return
			}
		}
	}
}

// things adds objects and what is visible in them.
func (s *sight) things(list []story.VisibleThing, k kind, holder *world.Actor, depth int) {
	for _, t := range list {
		s.list = append(s.list, &entity{
			kind: k, id: t.ID, name: rules.NameOrID(t.Name, t.ID), depth: depth, thing: t.Thing, actor: holder, inside: len(t.Inside) > 0,
		})
		s.things(t.Inside, k, holder, depth+1)
	}
}

// way adds an exit. It has the names of its destination and of its door.
func (r *reader) way(l *world.Link) {
	to := r.w.Place(l.To)
	if l.To == r.actor.Place {
		return
	}
	for e := range r.visible(way, nil) {
		if e.id == l.To {
			return
		}
	}
	e := &entity{kind: way, id: l.To, name: rules.NameOrID(to.Name, to.ID), link: l}
	if to.Visited && r.options.NoModel {
		e.desc = to.Desc
	}
	if door := r.w.Thing(l.DoorID); door != nil && !door.Hidden && door.Name != "" {
		e.other = texts(tokens(door.Name).tokens)
	}
	r.seen.list = append(r.seen.list, e)
}

// zone returns the zone of the open country around a sub zone, or nil.
func (r *reader) zone(place *world.Place) *world.Place {
	if place == nil || place.Overland || place.Type != "sub_zone" {
		return nil
	}
	if zone := r.w.Place(place.Parent); zone != nil && zone.Overland {
		return zone
	}
	return nil
}

// words returns the tokens of an entity's name.
func (e *entity) words() []string {
	if e.tokens == nil {
		e.tokens = append(texts(tokens(e.name).tokens), "")
	}
	return e.tokens[:len(e.tokens)-1]
}

// loose reports whether a thing can be taken away.
func loose(t *world.Thing) bool { return !t.Fixed && t.Rel != world.Part }

// holds reports whether a thing is in the thing, or with the person, of an id.
func (r *reader) holds(id string, t *world.Thing) bool {
	for range 8 {
		if t == nil {
			return false
		}
		if t.Parent == id {
			return true
		}
		t = r.w.Thing(t.Parent)
	}
	return false
}
