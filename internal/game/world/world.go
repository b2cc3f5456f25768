// Package world is what a story's world is made of: records, what changes them, and what must hold of them.
//
// A [World] changes only by [Event]s, and an event can be taken back by its inverse, so a world is the fold of a log and any moment of it
// can be had again. Nothing in here knows of rules, of a model, of a disk or of the time of day.
//
// # Invariants
//
//   - A record is never changed: an event puts a changed copy into its place. Who holds a record may read it for ever.
//   - The bytes of a record are canonical ([AppendRecord]): equal records have equal bytes. There are no floats.
//   - [World.Hash] depends on the records alone, not on the order in which they came.
//   - Nothing that a world lists depends on the order of a Go map.
//
// # Bytes
//
// A state is one JSON object: {"actors":{"pc_001":{...}},"clocks":{},...,"world":{...}}, kinds and keys in order. The key of a link is its
// two places with ">" between them, where a ">" or a "\" of an id has a "\" before it.
package world

import (
	"cmp"
	"slices"
	"strings"
)

// World is a state. It is not safe for concurrent use.
type World struct {
	self      *Self
	encounter *Encounter
	places    map[string]*Place
	links     map[LinkKey]*Link
	actors    map[string]*Actor
	things    map[string]*Thing
	quests    map[string]*Quest
	clocks    map[string]*Clock
	facts     map[string]*Fact
	lore      map[string]*Lore
	outs, ins map[string][]*Link  // by From, by To
	contents  map[string][]*Thing // by Parent
	occupants map[string][]*Actor // by Place
	inner     map[string][]*Place // by Parent
	tree      *tree               // of hashes; nil before anybody asked
}

// Empty returns a world with nothing in it.
func Empty() *World {
	return &World{
		self: &Self{}, places: map[string]*Place{}, links: map[LinkKey]*Link{}, actors: map[string]*Actor{}, things: map[string]*Thing{},
		quests: map[string]*Quest{}, clocks: map[string]*Clock{}, facts: map[string]*Fact{}, lore: map[string]*Lore{},
		outs: map[string][]*Link{}, ins: map[string][]*Link{}, contents: map[string][]*Thing{}, occupants: map[string][]*Actor{},
		inner: map[string][]*Place{},
	}
}

// Self returns what the world is as a whole; never nil.
func (w *World) Self() *Self { return w.self }

// Encounter returns the encounter that goes on, or nil.
func (w *World) Encounter() *Encounter { return w.encounter }

// Place returns the place of that id, or nil.
func (w *World) Place(id string) *Place { return w.places[id] }

// Actor returns the actor of that id, or nil.
func (w *World) Actor(id string) *Actor { return w.actors[id] }

// Thing returns the object of that id, or nil.
func (w *World) Thing(id string) *Thing { return w.things[id] }

// Link returns the way from one place to another, or nil.
func (w *World) Link(from, to string) *Link { return w.links[LinkKey{From: from, To: to}] }

// Quest returns the quest of that id, or nil.
func (w *World) Quest(id string) *Quest { return w.quests[id] }

// Clock returns the progress clock of that id, or nil.
func (w *World) Clock(id string) *Clock { return w.clocks[id] }

// Fact returns the fact of that id, or nil.
func (w *World) Fact(id string) *Fact { return w.facts[id] }

// Lore returns the lore of that id, or nil.
func (w *World) Lore(id string) *Lore { return w.lore[id] }

// Record returns the record of that kind and key, or nil.
func (w *World) Record(kind Kind, key string) Record {
	switch kind {
	case PlaceKind:
		return found(w.places[key])
	case LinkKind:
		return found(w.links[splitKey(key)])
	case ActorKind:
		return found(w.actors[key])
	case ThingKind:
		return found(w.things[key])
	case QuestKind:
		return found(w.quests[key])
	case ClockKind:
		return found(w.clocks[key])
	case FactKind:
		return found(w.facts[key])
	case LoreKind:
		return found(w.lore[key])
	case EncounterKind:
		return found(w.encounter)
	case SelfKind:
		return w.self
	}
	return nil
}

// found returns r, or a nil interface for a nil pointer.
func found[T any, P interface {
	*T
	Record
}](r P) Record {
	if r == nil {
		return nil
	}
	return r
}

// Places returns all places in their order.
func (w *World) Places() []*Place {
	return ordered(w.places, func(p *Place) (int64, string) { return p.Order, p.ID })
}

// Actors returns all actors in their order.
func (w *World) Actors() []*Actor {
	return ordered(w.actors, func(a *Actor) (int64, string) { return a.Order, a.ID })
}

// Things returns all objects in their order.
func (w *World) Things() []*Thing {
	return ordered(w.things, func(t *Thing) (int64, string) { return t.Order, t.ID })
}

// Links returns all links, by place and then in their order.
func (w *World) Links() []*Link {
	list := make([]*Link, 0, len(w.links))
	for _, p := range sortedKeys(w.outs) {
		list = append(list, w.Outs(p)...)
	}
	return list
}

// Quests returns all quests in their order.
func (w *World) Quests() []*Quest {
	return ordered(w.quests, func(q *Quest) (int64, string) { return q.Order, q.ID })
}

// Clocks returns all progress clocks in their order.
func (w *World) Clocks() []*Clock {
	return ordered(w.clocks, func(c *Clock) (int64, string) { return c.Order, c.ID })
}

// Facts returns all facts in their order.
func (w *World) Facts() []*Fact {
	return ordered(w.facts, func(f *Fact) (int64, string) { return f.Order, f.ID })
}

// AllLore returns all lore in its order.
func (w *World) AllLore() []*Lore {
	return ordered(w.lore, func(l *Lore) (int64, string) { return l.Order, l.ID })
}

// Outs returns the ways that lead from a place, in their order.
func (w *World) Outs(place string) []*Link {
	return sorted(w.outs[place], func(l *Link) (int64, string) { return l.Order, l.To })
}

// Ins returns the ways that lead to a place, in their order.
func (w *World) Ins(place string) []*Link {
	return sorted(w.ins[place], func(l *Link) (int64, string) { return l.Order, l.From })
}

// Contents returns the objects whose parent has that id, in their order. Roots are the contents of "".
func (w *World) Contents(parent string) []*Thing {
	return sorted(w.contents[parent], func(t *Thing) (int64, string) { return t.Order, t.ID })
}

// Occupants returns the actors who are at a place, in their order.
func (w *World) Occupants(place string) []*Actor {
	return sorted(w.occupants[place], func(a *Actor) (int64, string) { return a.Order, a.ID })
}

// Inner returns the places that lie within another, in their order. The root layer lies within "".
func (w *World) Inner(parent string) []*Place {
	return sorted(w.inner[parent], func(p *Place) (int64, string) { return p.Order, p.ID })
}

// Size returns how many records there are.
func (w *World) Size() int {
	return len(w.places) + len(w.links) + len(w.actors) + len(w.things) + len(w.quests) + len(w.clocks) + len(w.facts) + len(w.lore)
}

// ordered returns the values of m by their order.
func ordered[T any](m map[string]*T, by func(*T) (int64, string)) []*T {
	list := make([]*T, 0, len(m))
	for _, v := range m {
		list = append(list, v)
	}
	return sortBy(list, by)
}

// sorted returns a copy of list by its order.
func sorted[T any](list []*T, by func(*T) (int64, string)) []*T {
	return sortBy(append(make([]*T, 0, len(list)), list...), by)
}

func sortBy[T any](list []*T, by func(*T) (int64, string)) []*T {
	slices.SortFunc(list, func(i, j *T) int {
		a, x := by(i)
		b, y := by(j)
		if a != b {
			return cmp.Compare(a, b)
		}
		return strings.Compare(x, y)
	})
	return list
}

// linkKey returns the key of the link between two places.
func linkKey(from, to string) string {
	if !strings.ContainsAny(from, `>\`) && !strings.ContainsAny(to, `>\`) {
		return from + ">" + to
	}
	escape := strings.NewReplacer(`\`, `\\`, `>`, `\>`)
	return escape.Replace(from) + ">" + escape.Replace(to)
}

// splitKey takes the key of a link apart. What is no such key is that of no link.
func splitKey(key string) LinkKey {
	if from, to, ok := strings.Cut(key, ">"); ok && !strings.ContainsAny(from, `\`) && !strings.ContainsAny(to, `>\`) {
		return LinkKey{From: from, To: to}
	}
	var parts [2][]byte
	n := 0
	for i := 0; i < len(key); i++ {
		switch c := key[i]; {
		case c == '\\' && i+1 < len(key):
			i++
			parts[n] = append(parts[n], key[i])
		case c == '>' && n == 0:
			n = 1
		default:
			parts[n] = append(parts[n], c)
		}
	}
	return LinkKey{From: string(parts[0]), To: string(parts[1])}
}
