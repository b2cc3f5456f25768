package saves

import "hob/internal/game/world"

// way is a connection of seed 000 that is to be written.
type way struct {
	order int64
	node  node
}

// ways returns the connections of a place as seed 000 declares them. Each way that there is is declared once, at either of
// its ends, and nothing else is: as the save did it where its declaration still holds, else at its beginning.
func (x *writer) ways(p *world.Place) []node {
	if x.declared == nil {
		x.declare()
	}
	return x.declared[p.ID]
}

func connection(to, sort, extra string) node {
	n := obj("", str("targetLocationId", to), str("type", sort))
	if extra != "" {
		if rest, p := parse(extra); p.failed == "" {
			n.kids = append(n.kids, rest.kids...)
		}
	}
	return n
}

func (x *writer) declare() {
	x.declared = map[string][]node{}
	covered := map[world.LinkKey]bool{}
	for _, p := range x.w.Places() {
		if raw := x.rawWays(p); raw != nil {
			x.declared[p.ID] = x.holding(p, raw, covered)
			continue
		}
		x.declared[p.ID] = x.derived(p, covered)
	}
	for _, l := range x.w.Links() {
		key, back := world.LinkKey{From: l.From, To: l.To}, world.LinkKey{From: l.To, To: l.From}
		if covered[key] {
			continue
		}
		covered[key] = true
		sort := "out"
		if !covered[back] && x.w.Link(l.To, l.From) != nil {
			sort, covered[back] = "bidirectional", true
		}
		x.declared[l.From] = append(x.declared[l.From], connection(l.To, sort, l.Extra))
	}
}

// derived returns the connections that stood at p and still hold, from what the links remember.
func (x *writer) derived(p *world.Place, covered map[world.LinkKey]bool) []node {
	var ways []way
	for _, l := range x.w.Outs(p.ID) {
		if l.Declared != "out" && l.Declared != "both" {
			continue
		}
		covered[world.LinkKey{From: l.From, To: l.To}] = true
		sort := "out"
		if l.Declared == "both" && x.w.Link(l.To, l.From) != nil {
			sort = "bidirectional"
			covered[world.LinkKey{From: l.To, To: l.From}] = true
		}
		ways = append(ways, way{l.Order, connection(l.To, sort, l.Extra)})
	}
	for _, l := range x.w.Ins(p.ID) {
		back := x.w.Link(l.To, l.From)
		if l.Declared != "in" && (l.Declared != "htob" || back != nil && back.Declared == "both") {
			continue
		}
		covered[world.LinkKey{From: l.From, To: l.To}] = true
		ways = append(ways, way{l.Order, connection(l.From, "in", l.Extra)})
	}
	byOrder(ways)
	nodes := make([]node, 0, len(ways))
	for _, w := range ways {
		nodes = append(nodes, w.node)
	}
	return nodes
}

// rawWays returns the connections that a save had at p, where they were not such as hob would have written them.
func (x *writer) rawWays(p *world.Place) *node {
	if !x.back || x.bare != nil || p.Extra == "" {
		return nil
	}
	d, _ := openExtra(p.Extra)
	raw := d.get(connections)
	if raw.is(array) && len(raw.kids) == 2 {
		if source := one(&raw.kids[1]); source.is(array) {
			return source
		}
	}
	return nil
}

// holding returns those of a save's connections at p that still hold, or never meant a way.
func (x *writer) holding(p *world.Place, raw *node, covered map[world.LinkKey]bool) []node {
	var kept []node
	for _, entry := range raw.kids {
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
		if want == "out" && !goes || want == "in" && !comes || want == "bidirectional" && !goes && !comes {
			continue
		}
		covered[there] = covered[there] || want != "in"
		covered[back] = covered[back] || want != "out"
		if want != sort.text {
			entry.kids = append([]node(nil), entry.kids...)
			entry.put(str("type", want))
		}
		kept = append(kept, entry)
	}
	return kept
}
