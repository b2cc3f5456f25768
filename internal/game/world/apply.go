package world

import "fmt"

// Apply makes the change e. What it replaces must be what is there: an event that does not fit is an error, and nothing
// was changed.
func (w *World) Apply(e Event) error {
	kind, key := e.Subject()
	if is := w.Record(kind, key); is != e.Old && !(kind == SelfKind && e.Old == nil) {
		if is == nil || e.Old == nil || !equal(is, e.Old) {
			return fmt.Errorf("%s %q is not as it should be before it changes", kind, key)
		}
		e.Old = is
	}
	w.change(e)
	return nil
}

// change makes a change that fits.
func (w *World) change(e Event) {
	w.swap(e)
	if w.tree != nil {
		w.tree.touch(e.Subject())
	}
}

// equal reports whether two records of one kind and key are the same.
func equal(a, b Record) bool {
	_, differ := diff(nil, a, b, nil)
	return !differ
}

// swap puts e's new record into the place of its old one, in the maps and in what is found by them.
func (w *World) swap(e Event) {
	switch subject := either(e).(type) {
	case *Place:
		was, is := pair[*Place](e)
		put(w.places, subject.ID, is)
		index(w.inner, was, is, func(p *Place) string { return p.Parent })
	case *Link:
		was, is := pair[*Link](e)
		put(w.links, LinkKey{From: subject.From, To: subject.To}, is)
		index(w.outs, was, is, func(l *Link) string { return l.From })
		index(w.ins, was, is, func(l *Link) string { return l.To })
	case *Actor:
		was, is := pair[*Actor](e)
		put(w.actors, subject.ID, is)
		index(w.occupants, was, is, func(a *Actor) string { return a.Place })
	case *Thing:
		was, is := pair[*Thing](e)
		put(w.things, subject.ID, is)
		index(w.contents, was, is, func(t *Thing) string { return t.Parent })
	case *Quest:
		_, is := pair[*Quest](e)
		put(w.quests, subject.ID, is)
	case *Clock:
		_, is := pair[*Clock](e)
		put(w.clocks, subject.ID, is)
	case *Fact:
		_, is := pair[*Fact](e)
		put(w.facts, subject.ID, is)
	case *Lore:
		_, is := pair[*Lore](e)
		put(w.lore, subject.ID, is)
	case *Encounter:
		_, w.encounter = pair[*Encounter](e)
	case *Self:
		if _, w.self = pair[*Self](e); w.self == nil {
			w.self = &Self{}
		}
	}
}

// either returns one of e's records.
func either(e Event) Record {
	if e.New != nil {
		return e.New
	}
	return e.Old
}

// pair returns e's records, nil for what is not there.
func pair[T Record](e Event) (was, is T) {
	if e.Old != nil {
		was = e.Old.(T)
	}
	if e.New != nil {
		is = e.New.(T)
	}
	return was, is
}

func put[K comparable, T any](m map[K]*T, key K, is *T) {
	if is == nil {
		delete(m, key)
		return
	}
	m[key] = is
}

// index moves a record among the lists of those who have the same of something.
func index[T any](m map[string][]*T, was, is *T, of func(*T) string) {
	if was != nil {
		at, list := of(was), m[of(was)]
		for i, r := range list {
			if r != was {
				continue
			}
			if is != nil && of(is) == at {
				list[i] = is
				return
			}
			if list[i] = list[len(list)-1]; len(list) == 1 {
				delete(m, at)
			} else {
				list[len(list)-1] = nil
				m[at] = list[:len(list)-1]
			}
			break
		}
	}
	if is != nil {
		m[of(is)] = append(m[of(is)], is)
	}
}

// Revert takes events back, the last one first.
func (w *World) Revert(events []Event) error {
	for i := len(events) - 1; i >= 0; i-- {
		if err := w.Apply(events[i].Inverse()); err != nil {
			return err
		}
	}
	return nil
}
