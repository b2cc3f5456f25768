package world

// Holder returns what a thing is with in the end: the actor or the place at the end of its chain of parents, so a coin in a purse
// in a bag of somebody's is with that actor. A chain that ends nowhere, or in itself, ends in kind 0.
func (w *World) Holder(thing string) (Kind, string) {
	t := w.things[thing]
	for range len(w.things) {
		if t == nil {
			break
		}
		switch {
		case w.actors[t.Parent] != nil:
			return ActorKind, t.Parent
		case w.places[t.Parent] != nil:
			return PlaceKind, t.Parent
		}
		t = w.things[t.Parent]
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
	from, to := w.places[a], w.places[b]
	if from == nil || to == nil {
		return false
	}
	joined := false
	w.spread(from, from.Parent == to.Parent, func(p *Place) { joined = joined || p == to })
	return joined
}

// spread calls reach with every place that is joined with start by ways, start among them, in no particular order.
func (w *World) spread(start *Place, sameLayer bool, reach func(*Place)) {
	seen := map[string]struct{}{start.ID: {}}
	next := []*Place{start}
	visit := func(id string) {
		p := w.places[id]
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
