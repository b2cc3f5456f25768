package world

import "iter"

// Entity returns the actor, the place or the object with an id, in this order where several have it, or nil.
func (w *World) Entity(id string) Record {
	for _, kind := range [...]Kind{ActorKind, PlaceKind, ThingKind} {
		if r := w.records[kind][id]; r != nil {
			return r
		}
	}
	return nil
}

// container returns the object in which an object lies, nil where that is no object.
func (w *World) container(t *Thing) *Thing {
	if t.Parent == "" {
		return nil
	}
	in, _ := w.Entity(t.Parent).(*Thing)
	return in
}

// Around yields the place with an id and those that it lies in, from the inside out. A chain that ends in itself is cut.
func (w *World) Around(place string) iter.Seq[*Place] {
	return func(yield func(*Place) bool) {
		p := w.Place(place)
		for range w.Size() {
			if p == nil || !yield(p) {
				return
			}
			p = w.Place(p.Parent)
		}
	}
}

// holders returns the chain of parents of an object, from the inside out. A chain that ends in itself is cut.
func (w *World) holders(thing string) iter.Seq[Record] {
	return func(yield func(Record) bool) {
		t := w.Thing(thing)
		for range len(w.records[ThingKind]) {
			if t == nil {
				return
			}
			if parent := w.Entity(t.Parent); parent == nil || !yield(parent) {
				return
			}
			t = w.container(t)
		}
	}
}

// Holder returns the actor or the place at the end of the chain of parents of an object: a coin in a purse in a bag of
// somebody's is with that actor. A chain that ends nowhere, or in itself, ends in kind 0.
func (w *World) Holder(thing string) (kind Kind, id string) {
	for r := range w.holders(thing) {
		if r.Kind() != ThingKind {
			return r.Kind(), r.Key()
		}
	}
	return 0, ""
}

// Carries reports whether the actor has the thing, in whatever it may be.
func (w *World) Carries(actor, thing string) bool {
	kind, id := w.Holder(thing)
	return kind == ActorKind && id == actor
}

// Connected reports whether a and b are joined by ways, in whichever direction these can be taken and whatever bars them. Where
// both lie within the same place (or both at the root), only ways among what lies there count, as in the fifth invariant.
func (w *World) Connected(a, b string) bool {
	from, to := w.Place(a), w.Place(b)
	if from == nil || to == nil {
		return false
	}
	joined := false
	w.walkLinks(from, from.Parent == to.Parent, func(p *Place) { joined = joined || p == to })
	return joined
}

// Joined returns the ids of the places that ways join with p, p among them, in whichever direction. Only places with the same parent count.
func (w *World) Joined(p *Place) map[string]bool {
	ids := map[string]bool{}
	w.walkLinks(p, true, func(p *Place) { ids[p.ID] = true })
	return ids
}

// walkLinks calls reach with every place that is joined with start by ways, start among them, in no particular order.
func (w *World) walkLinks(start *Place, sameLayer bool, reach func(*Place)) {
	seen := map[string]struct{}{start.ID: {}}
	next := []*Place{start}
	visit := func(id string) {
		p := w.Place(id)
		if _, was := seen[id]; was || p == nil || sameLayer && p.Parent != start.Parent {
			return
		}
		seen[id] = struct{}{}
		next = append(next, p)
	}
	for len(next) > 0 {
		p := next[len(next)-1]
		next = next[:len(next)-1]
		reach(p)
		for _, l := range w.outs[p.ID] {
			visit(l.To)
		}
		for _, l := range w.ins[p.ID] {
			visit(l.From)
		}
	}
}
