package saves

import "strings"

// What an Extra holds besides the members of which hob knows nothing, which stand in it as they stood in the save. Names of
// such members that begin with "~" have one "~" more.
const (
	mark       = "~"
	oddPart    = "~"       // members that hob knows, and that were not as hob would have written them: see [diff]
	mapPart    = "~map"    // of a zone: the same for its second appearance, in map_snapshot
	heldPart   = "~held"   // of an object: it was made from a count in an inventory
	keyPart    = "~key"    // of an area or actor of seed 002: under which key it stood, where that was no id
	listsPart  = "~lists"  // of the world: see [listing]
	playerPart = "~player" // of the world: which actor is the player of seed 003
	bornPart   = "~born"   // of a sub zone: it was made from what its zone says of it
)

// connections is the member of seed 000's locations that says where one can go.
const connections = "connections"

// extraOf returns the Extra for a difference, with more parts.
func extraOf(d *node, more ...node) string {
	e, odd := obj("", more...), obj(oddPart)
	if d != nil && d.kind == object {
		for i := range d.kids {
			kid := &d.kids[i]
			if kid.kind == array && len(kid.kids[0].kids) == 0 {
				name := kid.name
				if strings.HasPrefix(name, mark) {
					name = mark + name
				}
				e.kids = append(e.kids, one(&kid.kids[1]).named(name))
				continue
			}
			odd.kids = append(odd.kids, *kid)
		}
	}
	if len(odd.kids) > 0 {
		e.kids = append(e.kids, odd)
	}
	if len(e.kids) == 0 {
		return ""
	}
	return e.canonical()
}

// openExtra returns the difference that an Extra holds, and the whole of it. What is no such thing counts as nothing.
func openExtra(s string) (d, all *node) {
	e, p := parse(s)
	if p.failed != "" || e.kind != object {
		return nil, nil
	}
	r := obj("")
	for i := range e.kids {
		kid := e.kids[i]
		switch name, ok := strings.CutPrefix(kid.name, mark); {
		case !ok:
			r.kids = append(r.kids, diff(nil, &kid).named(kid.name))
		case strings.HasPrefix(name, mark):
			r.kids = append(r.kids, diff(nil, &kid).named(name))
		case kid.name == oddPart && kid.kind == object:
			r.kids = append(r.kids, kid.kids...)
		}
	}
	return &r, &e
}

// listing is what stood in one of a save's lists, where that is not simply all records of a kind in their order.
type listing struct {
	items []node // a text is the id of a record; an array holds an item that became none: [item], or [key, item] of an object
	upto  int64  // records with a greater Order came later
}

func (l listing) node(name string) node {
	return obj(name, list("items", l.items...), num("upto", l.upto))
}

// listings reads what [listing.node] made.
func listings(all *node) map[string]*listing {
	lists := map[string]*listing{}
	if n := all.get(listsPart); n.is(object) {
		for i := range n.kids {
			items, upto := n.kids[i].get("items"), n.kids[i].get("upto")
			if items.is(array) && upto.is(token) {
				l := &listing{items: items.kids}
				l.upto, _ = whole(upto.text)
				lists[n.kids[i].name] = l
			}
		}
	}
	return lists
}
