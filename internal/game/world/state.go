package world

import (
	"fmt"
	"sort"
)

// keys returns the keys of all records of kind, in order.
func (w *World) keys(kind Kind) []string {
	switch kind {
	case PlaceKind:
		return sortedKeys(w.places)
	case LinkKind:
		keys := make([]string, 0, len(w.links))
		for k := range w.links {
			keys = append(keys, linkKey(k.From, k.To))
		}
		sort.Strings(keys)
		return keys
	case ActorKind:
		return sortedKeys(w.actors)
	case ThingKind:
		return sortedKeys(w.things)
	case QuestKind:
		return sortedKeys(w.quests)
	case ClockKind:
		return sortedKeys(w.clocks)
	case FactKind:
		return sortedKeys(w.facts)
	case LoreKind:
		return sortedKeys(w.lore)
	case EncounterKind:
		if w.encounter != nil {
			return []string{kind.String()}
		}
	case SelfKind:
		return []string{kind.String()}
	}
	return nil
}

// stateOrder returns the kinds in the order of their plural names.
func stateOrder() []Kind {
	return []Kind{ActorKind, ClockKind, EncounterKind, FactKind, LinkKind, LoreKind, ThingKind, PlaceKind, QuestKind, SelfKind}
}

// AppendState appends the whole state as the canonical JSON of the package's comment. A kind of which there is
// nothing is an empty object: a patch may add to it.
func (w *World) AppendState(b []byte) []byte {
	b = append(b, '{')
	begun := false
	for _, kind := range stateOrder() {
		keys := w.keys(kind)
		if begun {
			b = append(b, ',')
		}
		begun = true
		if kind == SelfKind {
			b = AppendRecord(append(b, `"world":`...), w.self)
			continue
		}
		b = append(AppendString(b, kind.Plural()), ':', '{')
		for i, key := range keys {
			if i > 0 {
				b = append(b, ',')
			}
			b = AppendRecord(append(AppendString(b, key), ':'), w.Record(kind, key))
		}
		b = append(b, '}')
	}
	return append(b, '}')
}

// Clone returns a world with the same records.
func (w *World) Clone() *World {
	c := Empty()
	for _, e := range w.Events() {
		c.swap(e)
	}
	return c
}

// Events returns the events by which an empty world becomes w, in the order of kinds and keys.
func (w *World) Events() []Event {
	events := make([]Event, 0, w.Size()+2)
	for _, kind := range stateOrder() {
		for _, key := range w.keys(kind) {
			e := Event{New: w.Record(kind, key)}
			if kind == SelfKind {
				e.Old = &Self{}
			}
			events = append(events, e)
		}
	}
	return events
}

// State reads a state as [World.AppendState] writes it. It does not look whether anything holds of it: see [World.Validate].
func (s *Scanner) State() (*World, error) {
	w := Empty()
	s.Take('{')
	for n := 0; ; n++ {
		name, ok := s.Member(n)
		if !ok {
			break
		}
		if string(name) == SelfKind.String() {
			if self, ok := s.Record(SelfKind).(*Self); ok {
				w.self = self
			}
			continue
		}
		s.kind(w, name)
	}
	return w, s.err
}

// kind reads all records of one kind.
func (s *Scanner) kind(w *World, name []byte) {
	var kind Kind
	for _, k := range stateOrder() {
		if k.Plural() == string(name) {
			kind = k
		}
	}
	if kind == 0 {
		if s.err == nil {
			s.err = fmt.Errorf("a world has no %q", name)
		}
		return
	}
	s.Take('{')
	for n := 0; ; n++ {
		raw, ok := s.Member(n)
		if !ok {
			return
		}
		key := string(raw)
		r := s.Record(kind)
		if s.err == nil && (r.Key() != key || w.Record(kind, key) != nil) {
			s.err = fmt.Errorf("%s %q stands twice, or under another name", kind, key)
		}
		if s.err != nil {
			return
		}
		w.swap(Event{New: r})
	}
}
