package saves

import (
	"cmp"
	"slices"

	"hob/internal/game/world"
	"hob/internal/lists"
)

// readLinks reads the ways, once all places are known.
func (r *reader) readLinks() {
	for _, s := range r.sources {
		p, ok := s.record.(*world.Place)
		if !ok {
			continue
		}
		at := subject{world.PlaceKind, p.ID}
		for _, entry := range s.from.get(connections).of(array) {
			r.readConnection(p.ID, &entry, at)
		}
		if ways := s.from.get("reachable_area_ids"); ways.is(array) {
			for _, to := range r.textsOf(ways, at, "reachable_area_ids") {
				r.addLink(p.ID, r.ref(to), at)
			}
		}
	}
	for _, entry := range r.doc.get("map", "connections").of(array) { // they repeat the areas, but for members of their own
		from, to := entry.get("from_area_id"), entry.get("to_area_id")
		if len(entry.kids) <= 2 || !from.is(text) || !to.is(text) {
			continue
		}
		if l := r.w.Link(r.ref(from.text), r.ref(to.text)); l != nil && l.Extra == "" {
			l.Extra = linkExtra(entry)
		}
	}
}

// addLink makes a link, or returns the one that there is. Fresh is true for a new one.
func (r *reader) addLink(from, to string, at subject) (l *world.Link, fresh bool) {
	switch {
	case from == to:
		r.warn(at.String() + " leads to itself: that is kept in the save and is no way.")
		return nil, false
	case r.w.Place(from) == nil || r.w.Place(to) == nil:
		r.warn(at.String() + " has a way from " + quoted(from) + " to " + quoted(to) + ", one of which does not exist.")
		return nil, false
	}
	if l = r.w.Link(from, to); l != nil {
		return l, false
	}
	l = &world.Link{From: from, To: to, Order: r.nextOrder()}
	r.add(l)
	return l, true
}

// readConnection reads a connection of a location.
func (r *reader) readConnection(from string, entry *node, at subject) {
	target, sort := entry.get("targetLocationId"), entry.get("type")
	if !target.is(text) || !sort.is(text) {
		r.warn(at.String() + " has a connection without a target or without a type: it is kept in the save and is no way.")
		return
	}
	to := r.ref(target.text)
	declared := sort.text
	switch sort.text {
	case "in":
		from, to = to, from
	case "out":
	case "bidirectional":
		declared = "both"
	default:
		r.warn(at.String() + " has a connection of the type " + quoted(sort.text) + ": it is kept in the save and is no way.")
		return
	}
	l, fresh := r.addLink(from, to, at)
	if declared == "both" && l != nil {
		var back *world.Link
		var also bool
		if back, also = r.addLink(to, from, at); fresh && also {
			back.Declared = "htob"
		}
		fresh = fresh && also
	}
	if fresh {
		l.Declared, l.Extra = declared, linkExtra(*entry)
	}
}

// linkExtra returns the Extra for the members of a connection that hob does not know.
func linkExtra(entry node) string {
	rest := obj("")
	for _, kid := range entry.kids {
		switch kid.name {
		case "targetLocationId", "type", "from_area_id", "to_area_id":
		default:
			rest.kids = append(rest.kids, kid)
		}
	}
	if len(rest.kids) == 0 {
		return ""
	}
	return rest.canonical()
}

// ways returns the connections of a place as a GameState declares them. Each way is declared once, at one of its ends: as the
// save did it where its declaration still holds, else where it begins.
func (x *writer) ways(p *world.Place) []node {
	if x.declared == nil {
		x.declareWays()
	}
	return x.declared[p.ID]
}

func newConnection(to, sort, extra string) node {
	n := obj("", str("targetLocationId", to), str("type", sort))
	n.kids = append(n.kids, parseObject(extra).kids...)
	return n
}

func (x *writer) declareWays() {
	x.declared = map[string][]node{}
	covered := map[world.LinkKey]bool{}
	for _, p := range x.w.Places() {
		if source := x.sourceWays(p); source != nil {
			x.declared[p.ID] = x.holdingWays(p, source, covered)
			continue
		}
		x.declared[p.ID] = x.rememberedWays(p, covered)
	}
	for _, l := range x.w.Links() {
		if covered[keyOf(l)] {
			continue
		}
		covered[keyOf(l)] = true
		sort := "out"
		if back := x.w.Link(l.To, l.From); back != nil && !covered[keyOf(back)] {
			sort, covered[keyOf(back)] = "bidirectional", true
		}
		x.declared[l.From] = append(x.declared[l.From], newConnection(l.To, sort, l.Extra))
	}
}

func keyOf(l *world.Link) world.LinkKey { return world.LinkKey{From: l.From, To: l.To} }

// rememberedWays returns the connections that stood at p and still hold, as the links remember them.
func (x *writer) rememberedWays(p *world.Place, covered map[world.LinkKey]bool) []node {
	type way struct {
		order int64
		node  node
	}
	var ways []way
	for _, l := range x.w.Outs(p.ID) {
		if l.Declared != "out" && l.Declared != "both" {
			continue
		}
		covered[keyOf(l)] = true
		sort := "out"
		if back := x.w.Link(l.To, l.From); l.Declared == "both" && back != nil {
			sort, covered[keyOf(back)] = "bidirectional", true
		}
		ways = append(ways, way{l.Order, newConnection(l.To, sort, l.Extra)})
	}
	for _, l := range x.w.Ins(p.ID) {
		back := x.w.Link(l.To, l.From)
		if l.Declared != "in" && (l.Declared != "htob" || back != nil && back.Declared == "both") {
			continue
		}
		covered[keyOf(l)] = true
		ways = append(ways, way{l.Order, newConnection(l.From, "in", l.Extra)})
	}
	slices.SortStableFunc(ways, func(a, b way) int { return cmp.Compare(a.order, b.order) })
	return lists.Map(ways, func(w way) node { return w.node })
}

// sourceWays returns the connections that a save had at p, if hob would have written them otherwise.
func (x *writer) sourceWays(p *world.Place) *node {
	if !x.back || x.hollow != nil || p.Extra == "" {
		return nil
	}
	d, _ := openExtra(p.Extra)
	if ways := d.get(connections); isWayList(ways) {
		return first(&ways.kids[1])
	}
	return nil
}

// isWayList reports whether the difference of a member is that its source is another list.
func isWayList(d *node) bool {
	return d.is(array) && len(d.kids) == 2 && first(&d.kids[1]).is(array)
}

// holdingWays returns those of a save's connections at p that still hold, or never were a way.
func (x *writer) holdingWays(p *world.Place, source *node, covered map[world.LinkKey]bool) []node {
	var kept []node
	for _, entry := range source.kids {
		target, sort := entry.get("targetLocationId"), entry.get("type")
		if !target.is(text) || !sort.is(text) || x.w.Place(target.text) == nil || target.text == p.ID {
			kept = append(kept, entry)
			continue
		}
		there := world.LinkKey{From: p.ID, To: target.text}
		back := world.LinkKey{From: target.text, To: p.ID}
		goes, comes := x.w.Link(there.From, there.To) != nil, x.w.Link(back.From, back.To) != nil
		want := sort.text
		switch {
		case want != "out" && want != "in" && want != "bidirectional":
			kept = append(kept, entry)
			continue
		case want == "bidirectional" && goes && !comes:
			want = "out"
		case want == "bidirectional" && comes && !goes:
			want = "in"
		}
		if want != "in" && !goes || want != "out" && !comes {
			continue
		}
		covered[there] = covered[there] || want != "in"
		covered[back] = covered[back] || want != "out"
		if want != sort.text {
			entry.kids = slices.Clone(entry.kids)
			entry.put(str("type", want))
		}
		kept = append(kept, entry)
	}
	return kept
}
