package saves

import (
	"cmp"
	"strconv"

	"hob/internal/game/world"
)

// readObjects reads the objects of a GameState.
func (r *reader) readObjects() {
	r.readList(objectsList, func(item *node) string {
		id, _ := r.id(item.get("id"), world.ThingKind, "object")
		if r.isTwice(world.ThingKind, id) {
			return ""
		}
		at := subject{world.ThingKind, id}
		t := &world.Thing{ID: id, Order: r.nextOrder(), Name: cmp.Or(r.textOf(item, at, "name"), id)}
		t.Desc = r.textOf(item, at, "description")
		t.Attrs = r.attributesOf(item, at)
		t.Parent = r.ref(r.textOf(item, at, "connectionId"))
		t.Qty = r.numberOf(item, at, "quantity", 0)
		r.add(t)
		r.sources = append(r.sources, source{t, *item, objectsList})
		return id
	})
}

// addCarried makes an object of a count in an inventory.
func (r *reader) addCarried(by, name string, n int64) {
	id := ""
	for id == "" || r.isTaken(id) {
		r.items++
		id = "obj_" + strconv.FormatInt(r.items, 10)
	}
	r.add(&world.Thing{ID: id, Order: r.nextOrder(), Name: name, Parent: by, Qty: n, Extra: newExtra(nil, flag(heldPart, true))})
}

// object writes an object as in a GameState.
func (x *writer) object(t *world.Thing) node {
	n := obj("", str("id", t.ID), str("name", t.Name), str("connectionId", t.Parent), prose(t.Attrs))
	n.fill(str("description", t.Desc), optional("quantity", world.Number{N: t.Qty, Known: t.Qty > 1 || t.Qty < 0}))
	return n
}

// inventory writes the objects that an actor carries, and those in them, as in a campaign.json: the number of each name. Objects
// that have a record in the save are not among them.
func (x *writer) inventory(a *world.Actor) node {
	n := obj("inventory")
	x.counted()
	amounts := map[string]int64{}
	for _, t := range x.carriers[a.ID] {
		if _, known := amounts[t.Name]; !known {
			n.kids = append(n.kids, word(t.Name, ""))
		}
		if sum := amounts[t.Name] + max(t.Qty, 1); sum >= amounts[t.Name] { // else it does not fit
			amounts[t.Name] = sum
		}
	}
	for i, kid := range n.kids {
		n.kids[i] = num(kid.name, amounts[kid.name])
	}
	return n
}

// counted returns the objects that stand in inventories.
func (x *writer) counted() map[string]bool {
	if x.inside != nil {
		return x.inside
	}
	x.carriers, x.inside = map[string][]*world.Thing{}, map[string]bool{}
	listed := map[string]bool{}
	if l := x.lists[objectsList]; l != nil {
		for _, item := range l.items {
			listed[item.text] = true
		}
	}
	for _, t := range x.w.Things() {
		if listed[t.ID] || x.shape != CampaignFile && !(x.back && hasPart(t.Extra, heldPart)) {
			continue
		}
		if by := x.carrier(t); by != "" {
			x.carriers[by] = append(x.carriers[by], t)
			x.inside[t.ID] = true
		}
	}
	return x.inside
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
