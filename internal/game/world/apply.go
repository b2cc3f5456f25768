package world

import (
	"fmt"
	"slices"
)

// Apply applies e. Its old record must be the one in the world: an event that does not fit is an error and changes nothing.
func (w *World) Apply(e Event) error {
	kind, key := e.Subject()
	if is := w.Record(kind, key); is != e.Old && !(kind == SelfKind && e.Old == nil) {
		if is == nil || e.Old == nil || !same(is, e.Old) {
			return fmt.Errorf("%s %q is not as it should be before it changes", kind, key)
		}
		e.Old = is
	}
	w.change(e)
	return nil
}

// change applies an event that fits.
func (w *World) change(e Event) {
	w.replaceRecord(e)
	if w.tree != nil {
		w.tree.touch(e.Subject())
	}
}

// replaceRecord puts the new record of an event into the place of its old one, in all maps.
func (w *World) replaceRecord(e Event) {
	kind, key := e.Subject()
	if e.New == nil && kind == SelfKind {
		e.New = &Self{}
	}
	if w.records[kind][key] = e.New; e.New == nil {
		delete(w.records[kind], key)
	}
	switch kind {
	case PlaceKind:
		index(w.inner, e, func(p *Place) string { return p.Parent })
	case LinkKind:
		index(w.outs, e, func(l *Link) string { return l.From })
		index(w.ins, e, func(l *Link) string { return l.To })
	case ActorKind:
		index(w.occupants, e, func(a *Actor) string { return a.Place })
	case ThingKind:
		index(w.contents, e, func(t *Thing) string { return t.Parent })
	case SelfKind:
		w.self, _ = e.New.(*Self)
	}
}

// index moves the record of an event among the lists of records with the same value of a field.
func index[T interface {
	comparable
	Record
}](lists map[string][]T, e Event, field func(T) string) {
	if was, ok := e.Old.(T); ok {
		value := field(was)
		list := lists[value]
		at := slices.Index(list, was)
		if is, ok := e.New.(T); ok && at >= 0 && field(is) == value {
			list[at] = is
			return
		}
		switch last := len(list) - 1; {
		case at < 0:
		case last == 0:
			delete(lists, value)
		default:
			list[at] = list[last]
			clear(list[last:])
			lists[value] = list[:last]
		}
	}
	if is, ok := e.New.(T); ok {
		lists[field(is)] = append(lists[field(is)], is)
	}
}

// Revert applies the inverses of events, the last one first.
func (w *World) Revert(events []Event) error {
	for i := len(events) - 1; i >= 0; i-- {
		if err := w.Apply(events[i].Inverse()); err != nil {
			return err
		}
	}
	return nil
}

// Merge returns one event for each record: from its value before the first to its value after the last event, in the order in
// which the records first changed. A record that ends as it began is left out.
func Merge(events []Event) []Event {
	at := make(map[subject]int, len(events))
	merged := make([]Event, 0, len(events))
	for _, e := range events {
		kind, key := e.Subject()
		s := subject{kind: kind, key: key}
		if i, ok := at[s]; ok {
			merged[i].New = e.New
			continue
		}
		at[s] = len(merged)
		merged = append(merged, e)
	}
	kept := merged[:0]
	for _, e := range merged {
		if e.Old == nil && e.New == nil || e.Old != nil && e.New != nil && same(e.Old, e.New) {
			continue
		}
		kept = append(kept, e)
	}
	return kept
}
