package saves

import (
	"math"

	"hob/internal/game/world"
)

// writer makes a save of a world.
type writer struct {
	w     *world.World
	shape string
	opt   Options
	back  bool // the world came in this shape, and what it differed in comes back

	lists    map[string]*listing
	playerID string
	rest     *node             // what the save as a whole differed in
	bare     func(string) bool // lists that are left out; only while a save is read
	declared map[string][]node // connections by place
	carriers map[string][]*world.Thing
	counted  map[string]bool // objects that stand in inventories
}

func newWriter(w *world.World, shape string, opt Options) *writer {
	x := &writer{w: w, shape: shape, opt: opt, back: w.Self().Shape == shape}
	if x.back {
		var all *node
		x.rest, all = openExtra(w.Self().Extra)
		x.lists = listings(all)
		if player := all.get(playerPart); player.is(text) {
			x.playerID = player.text
		}
	}
	return x
}

// has reports whether the save that was read had that list beside those of its own seed.
func (x *writer) has(name string) bool { return x.lists[name] != nil }

// whole writes the save as a whole.
func (x *writer) whole() node {
	doc := x.document()
	if x.back {
		if patched := patch(&doc, x.rest); patched != nil {
			doc = *patched
		}
	}
	if m := doc.get("map"); m.is(object) && m.get("areas").is(object) && (x.shape == Seed002 || x.has(areasList)) {
		m.put(x.projection(m.get("areas")))
	}
	return doc
}

// document writes the members of all seeds that the save has.
func (x *writer) document() node {
	doc, self := obj(""), x.w.Self()
	if x.shape == Seed000 || self.Desc != "" || self.Genre != "" {
		doc.kids = append(doc.kids, obj("world", str("worldDescription", self.Desc), str("gameGenre", self.Genre)))
	}
	if x.shape == Seed000 || x.has(locationsList) {
		doc.kids = append(doc.kids, x.places(locationsList, array, x.location))
	}
	if x.shape == Seed000 || x.has(playersList) {
		doc.kids = append(doc.kids, x.actors(playersList, array, x.player))
	}
	if objects := x.things(); x.shape == Seed000 || x.has(objectsList) || len(objects.kids) > 0 {
		doc.kids = append(doc.kids, objects)
	}
	x.campaign(&doc)
	x.session(&doc)
	return doc
}

// projection writes the connections of seed 002: what its areas say, sorted.
func (x *writer) projection(areas *node) node {
	n := list("connections")
	sorted := map[string]*node{}
	for i := range areas.kids {
		sorted[areas.kids[i].name] = &areas.kids[i]
	}
	for _, from := range sortedNames(sorted) {
		reach := sorted[from].get("reachable_area_ids")
		if !reach.is(array) {
			continue
		}
		count := map[string]int{}
		for i := range reach.kids {
			if reach.kids[i].kind == text {
				count[reach.kids[i].text]++
			}
		}
		for _, to := range sortedNames(count) {
			entry := obj("", str("from_area_id", from), str("to_area_id", to))
			if l := x.w.Link(from, to); l != nil && l.Extra != "" {
				if rest, p := parse(l.Extra); p.failed == "" {
					entry.kids = append(entry.kids, rest.kids...)
				}
			}
			for range count[to] {
				n.kids = append(n.kids, entry)
			}
		}
	}
	return n
}

// record is one that may stand in a list.
type record struct {
	id    string
	order int64
}

// list writes one of the lists: what stood in it and still exists, and then what came later; where nothing else is known, all
// of its kind.
func (x *writer) list(name string, as kind, all []record, write func(id string) (node, bool)) node {
	n := node{name: name, kind: as}
	if x.hollow(name) {
		return n
	}
	upto := int64(math.MinInt64)
	if l := x.lists[name]; l != nil {
		upto = l.upto
		for _, item := range l.items {
			if item.kind == text {
				if kid, ok := write(item.text); ok {
					n.kids = append(n.kids, kid)
				}
				continue
			}
			switch {
			case as == array && len(item.kids) == 1:
				n.kids = append(n.kids, item.kids[0])
			case as == object && len(item.kids) == 2:
				n.kids = append(n.kids, item.kids[1].named(item.kids[0].text))
			}
		}
	}
	for _, r := range all {
		if r.order > upto {
			if kid, ok := write(r.id); ok {
				n.kids = append(n.kids, kid)
			}
		}
	}
	return n
}

// hollow reports whether a list is written without its items, because a save has it and each of its items was looked at.
func (x *writer) hollow(name string) bool { return x.bare != nil && x.bare(name) }

// home reports whether new places and actors come into that list: those of the shape's own seed.
func (x *writer) home(name string) bool {
	switch name {
	case locationsList, playersList:
		return x.shape == Seed000
	case areasList, actorsList:
		return x.shape == Seed002
	}
	return x.shape == Seed003
}

func (x *writer) places(name string, as kind, write func(*world.Place) node) node {
	var all []record
	if x.home(name) && !x.hollow(name) {
		for _, p := range x.w.Places() {
			inner := p.Type == subZone || p.Type != zone && p.Parent != ""
			if x.shape != Seed003 || inner == (name == subZonesList) {
				all = append(all, record{p.ID, p.Order})
			}
		}
	}
	part := oddPart
	if name == mapZonesList {
		part = mapPart
	}
	return x.list(name, as, all, func(id string) (node, bool) {
		p := x.w.Place(id)
		if p == nil {
			return node{}, false
		}
		return x.restore(write(p), p.Extra, part), true
	})
}

func (x *writer) actors(name string, as kind, write func(*world.Actor) node) node {
	var all []record
	if x.home(name) && !x.hollow(name) {
		player := x.player003()
		for _, a := range x.w.Actors() {
			if name != rolesList || a != player {
				all = append(all, record{a.ID, a.Order})
			}
		}
	}
	return x.list(name, as, all, func(id string) (node, bool) {
		a := x.w.Actor(id)
		if a == nil {
			return node{}, false
		}
		return x.restore(write(a), a.Extra, oddPart), true
	})
}

func (x *writer) things() node {
	if x.hollow(objectsList) {
		return list(objectsList)
	}
	if x.carriers == nil {
		x.carry()
	}
	var all []record
	for _, t := range x.w.Things() {
		switch {
		case x.counted[t.ID]:
		case x.lists[objectsList] != nil && marked(t.Extra, heldPart): // put down since the save was read
			all = append(all, record{t.ID, math.MaxInt64})
		default:
			all = append(all, record{t.ID, t.Order})
		}
	}
	return x.list(objectsList, array, all, func(id string) (node, bool) {
		t := x.w.Thing(id)
		if t == nil || x.counted[id] {
			return node{}, false
		}
		return x.restore(x.thing(t), t.Extra, oddPart), true
	})
}

// restore gives a record back what it differed in when it was read.
func (x *writer) restore(n node, extra, part string) node {
	if !x.back || x.bare != nil || extra == "" {
		return n
	}
	d, all := openExtra(extra)
	if part == mapPart {
		d = all.get(mapPart)
	}
	if ways := d.get(connections); ways.is(array) && n.get(connections) != nil && x.rawWaysOf(ways) {
		copied := *d
		copied.kids = append([]node(nil), d.kids...)
		copied.drop(connections)
		d = &copied
	}
	name := n.name
	if key := all.get(keyPart); key.is(text) {
		name = key.text
	}
	if patched := patch(&n, d); patched != nil {
		n = *patched
	}
	return n.named(name)
}

// rawWaysOf reports whether the connections were written from those of the save already.
func (x *writer) rawWaysOf(d *node) bool {
	return len(d.kids) == 2 && one(&d.kids[1]).is(array)
}
