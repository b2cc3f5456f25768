package saves

import (
	"strconv"

	"hob/internal/game/world"
)

// readThings reads the objects of seed 000.
func (r *reader) readThings(doc *node) {
	r.each(objectsList, doc.get("objects"), func(item *node) string {
		id, _ := r.id(item.get("id"), world.ThingKind, "object")
		if r.w.Thing(id) != nil {
			r.twice(world.ThingKind, id)
			return ""
		}
		at := spot{world.ThingKind, id}
		t := &world.Thing{ID: id, Order: r.next(), Name: or(r.words(item, at, "name"), id)}
		t.Desc = r.words(item, at, "description")
		t.Attrs = r.attributes(item, at)
		t.Parent = r.ref(r.words(item, at, "connectionId"))
		t.Qty = r.number(item, at, "quantity", 0)
		r.add(t)
		r.sources = append(r.sources, source{t, *item, objectsList})
		return id
	})
}

// carried makes an object of a count in an inventory.
func (r *reader) carried(by, name string, n int64) {
	r.items++
	id := "obj_" + strconv.FormatInt(r.items, 10)
	for r.isTaken(id) {
		r.items++
		id = "obj_" + strconv.FormatInt(r.items, 10)
	}
	r.add(&world.Thing{ID: id, Order: r.next(), Name: name, Parent: by, Qty: n, Extra: extraOf(nil, flag(heldPart, true))})
}

// thing writes an object as seed 000 does.
func (x *writer) thing(t *world.Thing) node {
	n := obj("", str("id", t.ID), str("name", t.Name), str("connectionId", t.Parent), prose(t.Attrs))
	if t.Desc != "" {
		n.kids = append(n.kids, str("description", t.Desc))
	}
	if t.Qty > 1 || t.Qty < 0 {
		n.kids = append(n.kids, num("quantity", t.Qty))
	}
	return n
}

// inventory writes what an actor carries, also in what is carried, as seed 002 does: how many of each name. Objects that have
// a record in the save are not among it.
func (x *writer) inventory(a *world.Actor) node {
	n := obj("inventory")
	if x.carriers == nil {
		x.carry()
	}
	amounts := map[string]int64{}
	for _, t := range x.carriers[a.ID] {
		if _, ok := amounts[t.Name]; !ok {
			n.kids = append(n.kids, word(t.Name, ""))
		}
		amounts[t.Name] = sum(amounts[t.Name], max(t.Qty, 1))
	}
	for i := range n.kids {
		n.kids[i] = num(n.kids[i].name, amounts[n.kids[i].name])
	}
	return n
}

// sum adds two counts, as far as that goes.
func sum(a, b int64) int64 {
	if s := a + b; s >= a {
		return s
	}
	return a
}

// carry finds out who carries what, of all that stands in inventories.
func (x *writer) carry() {
	x.carriers, x.counted = map[string][]*world.Thing{}, map[string]bool{}
	listed := map[string]bool{}
	if l := x.lists[objectsList]; l != nil {
		for _, item := range l.items {
			listed[item.text] = true
		}
	}
	for _, t := range x.w.Things() {
		if listed[t.ID] || x.shape != Seed002 && !(x.back && marked(t.Extra, heldPart)) {
			continue
		}
		if by := x.carrier(t); by != "" {
			x.carriers[by] = append(x.carriers[by], t)
			x.counted[t.ID] = true
		}
	}
}

// carrier returns the actor who has t, or "".
func (x *writer) carrier(t *world.Thing) string {
	for n := 0; t != nil && n < 1000; n++ {
		if x.w.Actor(t.Parent) != nil {
			return t.Parent
		}
		if x.w.Place(t.Parent) != nil {
			return ""
		}
		t = x.w.Thing(t.Parent)
	}
	return ""
}

// marked reports whether an Extra has that mark.
func marked(extra, part string) bool {
	if extra == "" {
		return false
	}
	_, all := openExtra(extra)
	return all.get(part) != nil
}
