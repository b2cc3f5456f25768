// Package world is the state of a story's world: its records, the events that change them, and the invariants that hold.
//
// A [World] changes only by an [Event], and the inverse of an event reverts it. So a world is the fold of a log, and every
// earlier state can be restored. The package knows no rules, no model, no disk and no time of day.
//
// # Invariants
//
//   - A record is immutable: an event replaces it with a changed copy. A caller may keep a record and read it for ever.
//   - The bytes of a record are canonical ([AppendRecord]): equal records have equal bytes. There are no floats.
//   - [World.Hash] depends on the records alone, not on the order in which they came.
//   - No list of a world depends on the order of a Go map.
//
// # Bytes
//
// A state is one JSON object: {"actors":{"pc_001":{...}},"clocks":{},...,"world":{...}}, kinds and keys in order. The key of a
// link is its two places with ">" between them, where a ">" or a "\" of an id has a "\" before it. The members of a record are the
// fields of its struct, by their names: they are written, read and compared by one walk over the struct. Whoever renames a field
// changes the format.
package world

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"
)

// World is a state. It is not safe for concurrent use.
type World struct {
	self      *Self
	records   [kinds + 1]map[string]Record // by kind and key
	outs, ins map[string][]*Link           // by From, by To
	contents  map[string][]*Thing          // by Parent
	occupants map[string][]*Actor          // by Place
	inner     map[string][]*Place          // by Parent
	tree      *tree                        // of hashes; nil before the first [World.Hash]
}

// Empty returns a world with nothing in it.
func Empty() *World {
	w := &World{
		outs: map[string][]*Link{}, ins: map[string][]*Link{}, contents: map[string][]*Thing{},
		occupants: map[string][]*Actor{}, inner: map[string][]*Place{},
	}
	for kind := range w.records {
		w.records[kind] = map[string]Record{}
	}
	w.replaceRecord(Event{New: &Self{}})
	return w
}

// get returns the record of a key, or nil.
func get[T Record](w *World, key string) T {
	var none T
	r, _ := w.records[none.Kind()][key].(T)
	return r
}

// all returns the records of a kind in no particular order.
func all[T Record](w *World) iter.Seq[T] {
	var none T
	return func(yield func(T) bool) {
		for _, r := range w.records[none.Kind()] {
			if !yield(r.(T)) {
				return
			}
		}
	}
}

// Self returns the record of the world as a whole; never nil.
func (w *World) Self() *Self { return w.self }

// Party returns the actors of the party, in their order.
func (w *World) Party() (list []*Actor) {
	for _, id := range w.self.Party {
		if a := w.Actor(id); a != nil {
			list = append(list, a)
		}
	}
	return list
}

// Encounter returns the encounter that goes on, or nil.
func (w *World) Encounter() *Encounter { return get[*Encounter](w, EncounterKind.String()) }

// Place returns the place of that id, or nil.
func (w *World) Place(id string) *Place { return get[*Place](w, id) }

// Actor returns the actor of that id, or nil.
func (w *World) Actor(id string) *Actor { return get[*Actor](w, id) }

// Thing returns the object of that id, or nil.
func (w *World) Thing(id string) *Thing { return get[*Thing](w, id) }

// Link returns the way from one place to another, or nil.
func (w *World) Link(from, to string) *Link { return get[*Link](w, linkKey(from, to)) }

// Quest returns the quest of that id, or nil.
func (w *World) Quest(id string) *Quest { return get[*Quest](w, id) }

// Clock returns the progress clock of that id, or nil.
func (w *World) Clock(id string) *Clock { return get[*Clock](w, id) }

// Fact returns the fact of that id, or nil.
func (w *World) Fact(id string) *Fact { return get[*Fact](w, id) }

// Lore returns the lore of that id, or nil.
func (w *World) Lore(id string) *Lore { return get[*Lore](w, id) }

// Beat returns the beat of that id, or nil.
func (w *World) Beat(id string) *Beat { return get[*Beat](w, id) }

// Record returns the record of that kind and key, or nil.
func (w *World) Record(kind Kind, key string) Record { return w.records[kind][key] }

// has reports whether there is a record of that kind and key.
func (w *World) has(kind Kind, key string) bool { return w.records[kind][key] != nil }

// idKinds returns the kinds whose records have ids, of which no two are the same.
func idKinds() []Kind {
	return []Kind{PlaceKind, ActorKind, ThingKind, QuestKind, ClockKind, FactKind, LoreKind}
}

// Known reports whether a record has the id.
func (w *World) Known(id string) bool {
	return slices.ContainsFunc(idKinds(), func(k Kind) bool { return w.has(k, id) })
}

// Places returns all places in their order.
func (w *World) Places() []*Place { return sorted(slices.Collect(all[*Place](w)), (*Place).rank) }

// Actors returns all actors in their order.
func (w *World) Actors() []*Actor { return sorted(slices.Collect(all[*Actor](w)), (*Actor).rank) }

// Things returns all objects in their order.
func (w *World) Things() []*Thing { return sorted(slices.Collect(all[*Thing](w)), (*Thing).rank) }

// Links returns all links, by place and then in their order.
func (w *World) Links() []*Link {
	list := make([]*Link, 0, len(w.records[LinkKind]))
	for _, p := range slices.Sorted(maps.Keys(w.outs)) {
		list = append(list, w.Outs(p)...)
	}
	return list
}

// Quests returns all quests in their order.
func (w *World) Quests() []*Quest { return sorted(slices.Collect(all[*Quest](w)), (*Quest).rank) }

// Clocks returns all progress clocks in their order.
func (w *World) Clocks() []*Clock { return sorted(slices.Collect(all[*Clock](w)), (*Clock).rank) }

// Facts returns all facts in their order.
func (w *World) Facts() []*Fact { return sorted(slices.Collect(all[*Fact](w)), (*Fact).rank) }

// LoreList returns all lore in its order.
func (w *World) LoreList() []*Lore { return sorted(slices.Collect(all[*Lore](w)), (*Lore).rank) }

// Beats returns all beats in the order of their ids.
func (w *World) Beats() []*Beat { return sorted(slices.Collect(all[*Beat](w)), (*Beat).rank) }

// Outs returns the ways that lead from a place, in their order.
func (w *World) Outs(place string) []*Link {
	return sorted(w.outs[place], func(l *Link) (int64, string) { return l.Order, l.To })
}

// Ins returns the ways that lead to a place, in their order.
func (w *World) Ins(place string) []*Link {
	return sorted(w.ins[place], func(l *Link) (int64, string) { return l.Order, l.From })
}

// Contents returns the objects whose parent has that id, in their order. Roots are the contents of "".
func (w *World) Contents(parent string) []*Thing { return sorted(w.contents[parent], (*Thing).rank) }

// Occupants returns the actors who are at a place, in their order.
func (w *World) Occupants(place string) []*Actor { return sorted(w.occupants[place], (*Actor).rank) }

// Inner returns the places that lie within another, in their order. The root layer lies within "".
func (w *World) Inner(parent string) []*Place { return sorted(w.inner[parent], (*Place).rank) }

// Size returns the number of records, apart from [Self], [Encounter] and the beats.
func (w *World) Size() (n int) {
	for kind := PlaceKind; kind <= LoreKind; kind++ {
		n += len(w.records[kind])
	}
	return n
}

// sorted returns a copy of list by rank.
func sorted[T any](list []T, rank func(T) (order int64, id string)) []T {
	list = append(make([]T, 0, len(list)), list...)
	slices.SortFunc(list, func(i, j T) int {
		a, x := rank(i)
		b, y := rank(j)
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
