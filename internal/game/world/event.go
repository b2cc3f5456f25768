package world

import (
	"fmt"
	"reflect"
	"slices"
)

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
	var older, newer fieldSpace
	is := fieldsOf(e.New, &newer)
	for i, was := range fieldsOf(e.Old, &older) {
		if !equal(was.Value, is[i].Value) {
			list = append(list, Change{
				Kind: kind, Key: key, Field: was.Name, Old: appendValue(nil, was.Value), New: appendValue(nil, is[i].Value),
			})
		}
	}
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
		var older, newer fieldSpace
		b = appendChanges(b, fieldsOf(e.Old, &older), fieldsOf(e.New, &newer))
	}
	return append(b, ']')
}

// appendChanges appends the fields that differ, each with its older and its newer value.
func appendChanges(b []byte, older, newer []Field) []byte {
	b = append(b, '{')
	begin := len(b)
	for i, was := range older {
		is := newer[i].Value
		if equal(was.Value, is) {
			continue
		}
		if len(b) > begin {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), was.Name...), '"', ':', '[')
		b = appendValueOrNull(b, was.Value)
		b = append(b, ',')
		b = append(appendValueOrNull(b, is), ']')
	}
	return append(b, '}')
}

func appendValueOrNull(b []byte, value any) []byte {
	before := len(b)
	if b = appendValue(b, value); len(b) == before {
		b = append(b, "null"...)
	}
	return b
}

// equal reports whether the variables of a field in two records have the same value. An empty list or map is not nil.
func equal(a, b any) bool {
	switch v := a.(type) {
	case *string:
		return *v == *b.(*string)
	case *rawJSON:
		return *v == *b.(*rawJSON)
	case *int64:
		return *v == *b.(*int64)
	case *bool:
		return *v == *b.(*bool)
	case *Number:
		is := b.(*Number)
		return *v == *is || !v.Known && !is.Known
	}
	return reflect.DeepEqual(a, b)
}

// same reports whether two records of one kind and key are equal.
func same(a, b Record) bool {
	var first, second fieldSpace
	return slices.EqualFunc(fieldsOf(a, &first), fieldsOf(b, &second), func(x, y Field) bool {
		return equal(x.Value, y.Value)
	})
}

// Direction is the direction in which a log is read.
type Direction int

// Forward is from older to newer, Back is from newer to older.
const (
	Forward Direction = iota
	Back
)

// Event reads an event as [AppendEvent] writes it. The records that it changes must be in w as they were before it (Forward),
// or as they are after it (Back); the event that is returned goes from older to newer in any case.
func (s *Scanner) Event(w *World, way Direction) (Event, error) {
	s.Expect('[')
	kind := kindOf(s.bytes())
	s.Expect(',')
	key := s.bytes()
	s.Expect(',')
	var e Event
	switch {
	case kind == 0:
		s.Fail()
	case s.literal("null"):
		s.Expect(',')
		e.New = s.Record(kind)
	case s.err == nil:
		e = s.readChange(w, kind, key, way)
	}
	s.Expect(']')
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

// readChange reads the rest of an event that is not the coming of a record. Whether a record goes or changes shows only at its
// end, so it is read as changes first: what is a record cannot be read so, or has another value after it.
func (s *Scanner) readChange(w *World, kind Kind, key []byte, way Direction) Event {
	from := s.i
	known := w.records[kind][string(key)]
	if known != nil && s.err == nil {
		if e := s.readFields(known, way); s.err == nil && !s.peek(',') {
			return e
		}
	}
	failed := s.err
	s.i, s.err = from, nil
	if s.Raw(); s.err != nil || !s.peek(',') {
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
	s.Expect(',')
	if !s.literal("null") {
		s.Fail()
	}
	return e
}

// readFields reads the fields that changed, and makes the other record of the one that is known.
func (s *Scanner) readFields(known Record, way Direction) Event {
	other := clone(known)
	if way == Forward {
		s.record(other, s.readNewer)
		return Event{Old: known, New: other}
	}
	s.record(other, s.readOlder)
	return Event{Old: other, New: known}
}
