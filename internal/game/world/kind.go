package world

import "reflect"

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

// kindNames returns the names of the kinds, singular and plural, by kind.
func kindNames() [kinds + 1][2]string {
	return [...][2]string{
		PlaceKind: {"place", "places"}, LinkKind: {"link", "links"}, ActorKind: {"actor", "actors"}, ThingKind: {"object", "objects"},
		QuestKind: {"quest", "quests"}, ClockKind: {"clock", "clocks"}, FactKind: {"fact", "facts"}, LoreKind: {"lore", "lore"},
		EncounterKind: {"encounter", "encounters"}, SelfKind: {"world", "worlds"}, BeatKind: {"beat", "beats"},
	}
}

// String returns the name of the kind, such as "actor".
func (k Kind) String() string { return kindNames()[k][0] }

// Plural returns the plural name of the kind, such as "actors": its member in a state.
func (k Kind) Plural() string { return kindNames()[k][1] }

// kindOf returns the kind with a name, or 0.
func kindOf(name []byte) Kind {
	for kind, names := range kindNames() {
		if kind > 0 && names[0] == string(name) {
			return Kind(kind)
		}
	}
	return 0
}

// stateOrder returns the kinds in the order of their plural names.
func stateOrder() []Kind {
	return []Kind{ActorKind, BeatKind, ClockKind, EncounterKind, FactKind, LinkKind, LoreKind, ThingKind, PlaceKind, QuestKind, SelfKind}
}

// Record is one entry of a [World]. It is immutable once a world has it: a change replaces it with a changed copy, and copies
// the maps and lists that differ ([With], [Without], [Append]).
type Record interface {
	Kind() Kind
	Key() string                  // unique among the records of its kind
	fields(space []Field) []Field // appends all fields to space, in the order of their names
}

// New returns an empty record of kind, or nil where there is no such kind.
func New(kind Kind) Record {
	switch kind {
	case PlaceKind:
		return &Place{}
	case LinkKind:
		return &Link{}
	case ActorKind:
		return &Actor{}
	case ThingKind:
		return &Thing{}
	case QuestKind:
		return &Quest{}
	case ClockKind:
		return &Clock{}
	case FactKind:
		return &Fact{}
	case LoreKind:
		return &Lore{}
	case EncounterKind:
		return &Encounter{}
	case SelfKind:
		return &Self{}
	case BeatKind:
		return &Beat{}
	}
	return nil
}

// clone returns a copy of r with the same maps and lists.
func clone(r Record) Record {
	c := New(r.Kind())
	reflect.ValueOf(c).Elem().Set(reflect.ValueOf(r).Elem())
	return c
}

// fieldSpace is space for the fields of any record.
type fieldSpace [33]Field

// fieldsOf returns the fields of a record, in the order of their names. They are in space: a call by way of the interface
// would move it to the heap.
func fieldsOf(r Record, space *fieldSpace) []Field {
	to := space[:0]
	switch r := r.(type) {
	case *Place:
		return r.fields(to)
	case *Link:
		return r.fields(to)
	case *Actor:
		return r.fields(to)
	case *Thing:
		return r.fields(to)
	case *Quest:
		return r.fields(to)
	case *Clock:
		return r.fields(to)
	case *Fact:
		return r.fields(to)
	case *Lore:
		return r.fields(to)
	case *Encounter:
		return r.fields(to)
	case *Self:
		return r.fields(to)
	case *Beat:
		return r.fields(to)
	}
	return nil
}
