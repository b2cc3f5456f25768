package saves

import "strings"

// The parts of an Extra besides the members that hob does not know, which stand in it as in the save. Names of
// such members that begin with "~" have one "~" more.
const (
	mark       = "~"
	oddPart    = "~"       // members that hob knows and would have written otherwise: see [diff]
	mapPart    = "~map"    // of a zone: the same for its second appearance, in map_snapshot
	heldPart   = "~held"   // of an object: it was made from a count in an inventory
	keyPart    = "~key"    // of an area or actor of a campaign.json: its key, if that was no id
	listsPart  = "~lists"  // of the world: see [listing]
	playerPart = "~player" // of the world: the actor who is the player of a session
	bornPart   = "~born"   // of a sub zone: it was made from its outline in a zone
)

// connections is the member with the ways of a location of a GameState.
const connections = "connections"

// newExtra returns the Extra for a difference, with more parts.
func newExtra(d *node, more ...node) string {
	e, odd := obj("", more...), obj(oddPart)
	for _, kid := range d.of(object) {
		if kid.kind == object || len(kid.kids[0].kids) > 0 {
			odd.kids = append(odd.kids, kid)
			continue
		}
		name := kid.name
		if strings.HasPrefix(name, mark) {
			name = mark + name
		}
		e.kids = append(e.kids, first(&kid.kids[1]).named(name))
	}
	e.fill(odd)
	if len(e.kids) == 0 {
		return ""
	}
	return e.canonical()
}

// openExtra returns the difference that an Extra holds, and the whole of it. Anything else is empty.
func openExtra(s string) (d, all *node) {
	e, r := parseObject(s), obj("")
	for _, kid := range e.kids {
		switch name, marked := strings.CutPrefix(kid.name, mark); {
		case !marked:
			r.kids = append(r.kids, diff(nil, &kid).named(kid.name))
		case strings.HasPrefix(name, mark):
			r.kids = append(r.kids, diff(nil, &kid).named(name))
		case kid.name == oddPart:
			r.kids = append(r.kids, kid.of(object)...)
		}
	}
	return &r, e
}

// hasPart reports whether an Extra has that part.
func hasPart(extra, part string) bool {
	if extra == "" {
		return false
	}
	_, all := openExtra(extra)
	return all.get(part) != nil
}
