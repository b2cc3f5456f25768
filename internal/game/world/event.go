package world

import "fmt"

// Event is one change of a world: a record that comes (Old is nil), goes (New is nil) or is replaced by a changed copy. Both
// records have the same kind and key.
type Event struct{ Old, New Record }

// Inverse returns the event that takes e back.
func (e Event) Inverse() Event { return Event{Old: e.New, New: e.Old} }

// Subject returns the kind and the key of what changes.
func (e Event) Subject() (Kind, string) {
	if e.New != nil {
		return e.New.Kind(), e.New.Key()
	}
	return e.Old.Kind(), e.Old.Key()
}

// Change is one field of a record that differs. Old and New are JSON, nil where the field is not there.
type Change struct {
	Kind     Kind
	Key      string
	Field    string // "" is the record as a whole, which came or went
	Old, New []byte
}

// Changes returns what e changes, field by field in the order of their names.
func (e Event) Changes() []Change {
	kind, key := e.Subject()
	switch {
	case e.Old == nil:
		return []Change{{Kind: kind, Key: key, New: AppendRecord(nil, e.New)}}
	case e.New == nil:
		return []Change{{Kind: kind, Key: key, Old: AppendRecord(nil, e.Old)}}
	}
	var list []Change
	diff(nil, e.Old, e.New, func(name string, was, is []byte) {
		list = append(list, Change{Kind: kind, Key: key, Field: name, Old: was, New: is})
	})
	return list
}

// AppendEvent appends e as it stands in a log. An object comes, goes, or changes:
//
//	["object","obj_1",null,{...}]
//	["object","obj_1",{...},null]
//	["actor","pc_001",{"hp":[10,7],"state":[null,"dying"]}]
//
// Of a record that changes only the fields that differ are written, each as it was and as it is; null is a field that is not
// there. An event that changes nothing has an empty object.
func AppendEvent(b []byte, e Event) []byte {
	kind, key := e.Subject()
	b = append(append(b, '[', '"'), kind.String()...)
	b = append(AppendString(append(b, '"', ','), key), ',')
	switch {
	case e.Old == nil:
		b = AppendRecord(append(b, "null,"...), e.New)
	case e.New == nil:
		b = append(AppendRecord(b, e.Old), ",null"...)
	default:
		b, _ = diff(append(b, '{'), e.Old, e.New, nil)
		b = append(b, '}')
	}
	return append(b, ']')
}

// Way is the direction in which a log is read.
type Way int

// Forward is from older to newer, Back is from newer to older.
const (
	Forward Way = iota
	Back
)

// Event reads an event as [AppendEvent] writes it. The records that it changes must be in w as they were before it (Forward),
// or as they are after it (Back); the event that is returned goes from older to newer in any case.
func (s *Scanner) Event(w *World, way Way) (Event, error) {
	s.Take('[')
	kind := kindOf(s.word())
	s.Take(',')
	key := s.word()
	s.Take(',')
	var e Event
	switch {
	case kind == 0:
		s.fail()
	case s.null():
		s.Take(',')
		e.New = s.Record(kind)
	case s.err == nil:
		e = s.changed(w, kind, key, way)
	}
	s.Take(']')
	if s.err != nil {
		return Event{}, s.err
	}
	if k, id := e.Subject(); k != kind || id != string(key) {
		return Event{}, fmt.Errorf("an event of %s %q has a record of %s %q", kind, key, k, id)
	}
	return e, nil
}

// Next reads an event of a log and makes the change.
func (w *World) Next(s *Scanner) error {
	e, err := s.Event(w, Forward)
	switch {
	case err != nil:
		return err
	case e.Old == nil || e.New == nil:
		return w.Apply(e)
	}
	w.change(e) // what it replaces is what it was read against
	return nil
}

// changed reads the rest of an event that is not the coming of a record. Whether a record goes or changes shows only at its
// end, so it is read as changes first: what is a record cannot be read so, or has another value after it.
func (s *Scanner) changed(w *World, kind Kind, key []byte, way Way) Event {
	from := s.i
	known := w.record(kind, key)
	if known != nil && s.err == nil {
		if e := s.fields(known, way); s.err == nil && !s.ahead(',') {
			return e
		}
	}
	failed := s.err
	s.i, s.err = from, nil
	if s.Raw(); s.err != nil || !s.ahead(',') {
		switch {
		case known == nil && s.err == nil:
			s.err = fmt.Errorf("%s %q changes and is not there", kind, key)
		case failed != nil:
			s.err = failed
		}
		return Event{Old: &Self{}}
	}
	s.i = from
	e := Event{Old: s.Record(kind)}
	s.Take(',')
	if !s.null() {
		s.fail()
	}
	return e
}

// fields reads the fields that changed, and makes the other record of the one that is known.
func (s *Scanner) fields(known Record, way Way) Event {
	other := clone(known)
	s.into(other, true, way)
	if way == Forward {
		return Event{Old: known, New: other}
	}
	return Event{Old: other, New: known}
}

// ahead reports whether c comes next, and reads nothing.
func (s *Scanner) ahead(c byte) bool { return s.err == nil && s.i < len(s.b) && s.b[s.i] == c }

// kindOf returns the kind of that name, or 0.
func kindOf(name []byte) Kind {
	switch string(name) {
	case "place":
		return PlaceKind
	case "link":
		return LinkKind
	case "actor":
		return ActorKind
	case "object":
		return ThingKind
	case "quest":
		return QuestKind
	case "clock":
		return ClockKind
	case "fact":
		return FactKind
	case "lore":
		return LoreKind
	case "encounter":
		return EncounterKind
	case "world":
		return SelfKind
	}
	return 0
}

// record is [World.Record] of a key that need not be kept.
func (w *World) record(kind Kind, key []byte) Record {
	switch kind {
	case PlaceKind:
		return found(w.places[string(key)])
	case ActorKind:
		return found(w.actors[string(key)])
	case ThingKind:
		return found(w.things[string(key)])
	}
	return w.Record(kind, string(key))
}
