package saves

import (
	"sort"

	"hob/internal/game/world"
)

// migrate brings an old save of seed 002 to the form that the seed has now. Ways were in map.connections alone; where actors
// were and how they were stood in maps beside them: positions (before that in state), hp and character_states.
func (r *reader) migrate(doc *node) {
	if areas := doc.get("map").get("areas"); areas.is(object) {
		r.migrateWays(areas, doc.get("map").get("connections"))
	}
	if r.shape == Seed002 {
		r.migrateActors(doc)
	}
}

// migrateWays gives each area its list of what can be reached from it.
func (r *reader) migrateWays(areas, ways *node) {
	missing := map[string]map[string]bool{}
	for i := range areas.kids {
		if areas.kids[i].kind == object && areas.kids[i].get("reachable_area_ids") == nil {
			missing[areas.kids[i].name] = map[string]bool{}
		}
	}
	if len(missing) == 0 {
		return
	}
	if ways.is(array) {
		for i := range ways.kids {
			from, to := ways.kids[i].get("from_area_id"), ways.kids[i].get("to_area_id")
			if from.is(text) && to.is(text) && missing[from.text] != nil {
				missing[from.text][to.text] = true
			}
		}
	}
	for i := range areas.kids {
		if to, ok := missing[areas.kids[i].name]; ok {
			areas.kids[i].kids = append(areas.kids[i].kids[:len(areas.kids[i].kids):len(areas.kids[i].kids)],
				texts("reachable_area_ids", sortedNames(to)))
		}
	}
}

// migrateActors moves what stood in maps beside the actors into them. What an actor says of itself counts; where such a map
// says something else, its entry stays.
func (r *reader) migrateActors(doc *node) {
	actors := doc.get("actors")
	if actors != nil && actors.kind != object {
		return
	}
	found := obj("actors")
	if actors != nil {
		found = *actors
	}
	old := legacyMaps(doc)
	ids := map[string]bool{}
	for _, m := range old {
		for i := range m.from.kids {
			ids[m.from.kids[i].name] = true
		}
	}
	if len(ids) == 0 {
		return
	}
	known := map[string]int{}
	for i := range found.kids {
		known[found.kids[i].name] = i
	}
	for _, id := range sortedNames(ids) {
		at, ok := known[id]
		if !ok {
			found.kids = append(found.kids, obj(id, obj("inventory"), obj("meta")))
			at = len(found.kids) - 1
		}
		if actor := &found.kids[at]; actor.kind == object {
			for _, m := range old {
				r.fill(actor, m)
			}
		}
	}
	for _, m := range old {
		kept := make([]node, 0, len(m.from.kids))
		for _, entry := range m.from.kids {
			if !m.gone[entry.name] {
				kept = append(kept, entry)
			}
		}
		m.from.kids = kept
	}
	doc.put(found)
}

// legacy is one of the maps by actor, and the member that it has become.
type legacy struct {
	from   *node
	member string
	kind   kind
	find   func(string) *node
	gone   map[string]bool // entries that are in their actors now
}

func legacyMaps(doc *node) []legacy {
	var maps []legacy
	for _, m := range []legacy{
		{from: doc.get("positions"), member: "position", kind: text},
		{from: doc.get("state").get("positions_parent"), member: "position", kind: text},
		{from: doc.get("state").get("positions"), member: "position", kind: text},
		{from: doc.get("hp"), member: "hp", kind: token},
		{from: doc.get("character_states"), member: "character_state", kind: text},
	} {
		if m.from.is(object) && len(m.from.kids) > 0 {
			m.find, m.gone = m.from.finder(), map[string]bool{}
			maps = append(maps, m)
		}
	}
	return maps
}

// fill moves the entry of one actor.
func (r *reader) fill(actor *node, m legacy) {
	entry := m.find(actor.name)
	if entry == nil || entry.kind != m.kind {
		return
	}
	switch has := actor.get(m.member); {
	case has == nil:
		actor.kids = append(actor.kids[:len(actor.kids):len(actor.kids)], entry.named(m.member))
	case !same(has, entry):
		r.warn(spot{world.ActorKind, actor.name}.String() + " has two values for its " + quoted(m.member) + ": its own counts.")
		return
	}
	m.gone[actor.name] = true
}

// readLinks reads the ways. Only now all places are known.
func (r *reader) readLinks() {
	for _, s := range r.sources {
		p, ok := s.rec.(*world.Place)
		if !ok {
			continue
		}
		at := spot{world.PlaceKind, p.ID}
		if ways := s.from.get(connections); ways.is(array) {
			for i := range ways.kids {
				r.declared(p, &ways.kids[i], at)
			}
		}
		if ways := s.from.get("reachable_area_ids"); ways.is(array) {
			for _, to := range r.strings(ways, at, "reachable_area_ids") {
				r.way(p.ID, r.ref(to), at)
			}
		}
	}
	if ways := r.doc.get("map").get("connections"); ways.is(array) {
		for i := range ways.kids {
			r.labelled(&ways.kids[i])
		}
	}
}

// way makes a link, or returns the one that there is. Fresh is whether it was made now.
func (r *reader) way(from, to string, at spot) (l *world.Link, fresh bool) {
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
	l = &world.Link{From: from, To: to, Order: r.next()}
	r.add(l)
	return l, true
}

// declared reads a connection of seed 000.
func (r *reader) declared(p *world.Place, entry *node, at spot) {
	to, sort := entry.get("targetLocationId"), entry.get("type")
	if !to.is(text) || !sort.is(text) {
		r.warn(at.String() + " has a connection without a target or without a type: it is kept in the save and is no way.")
		return
	}
	other := r.ref(to.text)
	switch sort.text {
	case "out":
		r.declare(p.ID, other, "out", entry, at)
	case "in":
		r.declare(other, p.ID, "in", entry, at)
	case "bidirectional":
		there, fresh := r.way(p.ID, other, at)
		if there == nil {
			return
		}
		if back, also := r.way(other, p.ID, at); fresh && also {
			there.Declared, back.Declared = "both", "htob"
			there.Extra = extraOfWay(entry)
		}
	default:
		r.warn(at.String() + " has a connection of the type " + quoted(sort.text) + ": it is kept in the save and is no way.")
	}
}

func (r *reader) declare(from, to, as string, entry *node, at spot) {
	if l, fresh := r.way(from, to, at); fresh {
		l.Declared, l.Extra = as, extraOfWay(entry)
	}
}

// extraOfWay returns what a connection says besides what it is.
func extraOfWay(entry *node) string {
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

// labelled keeps what an entry of map.connections says besides from where and to where.
func (r *reader) labelled(entry *node) {
	from, to := entry.get("from_area_id"), entry.get("to_area_id")
	if len(entry.kids) <= 2 || !from.is(text) || !to.is(text) {
		return
	}
	if l := r.w.Link(r.ref(from.text), r.ref(to.text)); l != nil && l.Extra == "" {
		l.Extra = extraOfWay(entry)
	}
}

// byOrder sorts ways by their order.
func byOrder(ways []way) {
	sort.SliceStable(ways, func(i, j int) bool { return ways[i].order < ways[j].order })
}
