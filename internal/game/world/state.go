package world

import (
	"fmt"
	"maps"
	"slices"
)

// AppendState appends the whole state as the canonical JSON of the package's comment. A kind of which there is
// nothing is an empty object: a patch may add to it. Beats are left out where there are none: a state of before there were any
// has the same bytes.
func (w *World) AppendState(b []byte) []byte {
	b = append(b, '{')
	for _, kind := range stateOrder() {
		if kind == BeatKind && len(w.records[kind]) == 0 {
			continue
		}
		if kind == SelfKind {
			b = AppendRecord(append(b, `"world":`...), w.self)
			continue
		}
		b = append(AppendString(b, kind.Plural()), ':')
		b = append(appendMap(b, w.records[kind], AppendRecord), ',')
	}
	return append(b, '}')
}

// Clone returns a world with the same records.
func (w *World) Clone() *World {
	c := Empty()
	for _, e := range w.Events() {
		c.replaceRecord(e)
	}
	return c
}

// Events returns the events by which an empty world becomes w, in the order of kinds and keys.
func (w *World) Events() []Event {
	events := make([]Event, 0, w.Size()+2)
	for _, kind := range stateOrder() {
		for _, key := range slices.Sorted(maps.Keys(w.records[kind])) {
			e := Event{New: w.Record(kind, key)}
			if kind == SelfKind {
				e.Old = &Self{}
			}
			events = append(events, e)
		}
	}
	return events
}

// State reads a state as [World.AppendState] writes it. It does not check it: see [World.Validate].
func (s *Scanner) State() (*World, error) {
	w := Empty()
	s.Expect('{')
	for n := 0; ; n++ {
		name, ok := s.Member(n)
		if !ok {
			return w, s.err
		}
		if string(name) == SelfKind.String() {
			w.replaceRecord(Event{Old: w.self, New: s.Record(SelfKind)})
			continue
		}
		s.readKind(w, name)
	}
}

// readKind reads all records of the kind with a plural name.
func (s *Scanner) readKind(w *World, name []byte) {
	kind := PlaceKind
	for kind == SelfKind || kind.Plural() != string(name) {
		if kind++; int(kind) > kinds {
			s.err = fmt.Errorf("a world has no %q", name)
			return
		}
	}
	s.Expect('{')
	for n := 0; ; n++ {
		raw, ok := s.Member(n)
		if !ok {
			return
		}
		key := string(raw)
		r := s.Record(kind)
		if s.err == nil && (r.Key() != key || w.has(kind, key)) {
			s.err = fmt.Errorf("%s %q stands twice, or under another name", kind, key)
		}
		if s.err != nil {
			return
		}
		w.replaceRecord(Event{New: r})
	}
}
