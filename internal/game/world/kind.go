package world

import (
	"reflect"
	"sync"
)

// Kind is the kind of a record.
type Kind uint8

// The kinds of records, in the order of their numbers in hashes.
const (
	PlaceKind Kind = iota + 1
	LinkKind
	ActorKind
	ThingKind
	QuestKind
	ClockKind
	FactKind
	LoreKind
	EncounterKind
	SelfKind
	BeatKind
	kinds = int(BeatKind)
)

// shape is what the records of a kind are called, one and many, and their type.
type shape struct {
	name, plural string
	record       reflect.Type
}

// shapes returns the shapes by kind.
var shapes = sync.OnceValue(func() []shape {
	return []shape{
		PlaceKind: {"place", "places", reflect.TypeFor[Place]()}, LinkKind: {"link", "links", reflect.TypeFor[Link]()},
		ActorKind: {"actor", "actors", reflect.TypeFor[Actor]()}, ThingKind: {"object", "objects", reflect.TypeFor[Thing]()},
		QuestKind: {"quest", "quests", reflect.TypeFor[Quest]()}, ClockKind: {"clock", "clocks", reflect.TypeFor[Clock]()},
		FactKind: {"fact", "facts", reflect.TypeFor[Fact]()}, LoreKind: {"lore", "lore", reflect.TypeFor[Lore]()},
		EncounterKind: {"encounter", "encounters", reflect.TypeFor[Encounter]()}, SelfKind: {"world", "worlds", reflect.TypeFor[Self]()},
		BeatKind: {"beat", "beats", reflect.TypeFor[Beat]()},
	}
})

// String returns the name of the kind, such as "actor".
func (k Kind) String() string { return shapes()[k].name }

// Plural returns the plural name of the kind, such as "actors": its member in a state.
func (k Kind) Plural() string { return shapes()[k].plural }

// kindOf returns the kind with a name, or 0.
func kindOf(name []byte) Kind {
	for kind, is := range shapes() {
		if kind > 0 && is.name == string(name) {
			return Kind(kind)
		}
	}
	return 0
}

// stateOrder returns the kinds in the order of their plural names.
func stateOrder() []Kind {
	return []Kind{ActorKind, BeatKind, ClockKind, EncounterKind, FactKind, LinkKind, LoreKind, ThingKind, PlaceKind, QuestKind, SelfKind}
}

// Record is one entry of a [World]: a pointer to a struct. It is immutable once a world has it: a change replaces it with a changed
// copy, and copies the maps and lists that differ ([With], [Without], [Append]).
type Record interface {
	Kind() Kind
	Key() string // unique among the records of its kind
}

// New returns an empty record of kind, or nil where there is no such kind.
func New(kind Kind) Record {
	if kind == 0 || int(kind) > kinds {
		return nil
	}
	r, _ := reflect.New(shapes()[kind].record).Interface().(Record)
	return r
}

// clone returns a copy of r with the same maps and lists.
func clone(r Record) Record {
	c := New(r.Kind())
	reflect.ValueOf(c).Elem().Set(reflect.ValueOf(r).Elem())
	return c
}
