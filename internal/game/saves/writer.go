package saves

import (
	"maps"
	"slices"

	"hob/internal/game/world"
)

// writer makes a save of a world.
type writer struct {
	w     *world.World
	shape string
	opt   Options
	back  bool // the world came in this shape: its differences come back

	lists    map[string]*listing
	playerID string
	rest     *node             // the differences of the save as a whole
	hollow   map[string]bool   // lists that are written without items; nil except while a save is read
	declared map[string][]node // connections by place
	carriers map[string][]*world.Thing
	inside   map[string]bool // objects that stand in inventories
}

func newWriter(w *world.World, shape string, opt Options) *writer {
	x := &writer{w: w, shape: shape, opt: opt, back: w.Self().Shape == shape}
	if x.back {
		var all *node
		x.rest, all = openExtra(w.Self().Extra)
		x.lists = storedListings(all)
		if player := all.get(playerPart); player.is(text) {
			x.playerID = player.text
		}
	}
	return x
}

// whole writes the save as a whole.
func (x *writer) whole() node {
	doc := x.document()
	if patched := patch(&doc, x.rest); patched != nil {
		doc = *patched
	}
	if m := doc.get("map"); m.get("areas").is(object) && x.has(areasList) {
		m.put(x.areaConnections(m.get("areas")))
	}
	return doc
}

// document writes the members of all shapes that the save has.
func (x *writer) document() node {
	doc, self := obj(""), x.w.Self()
	add := func(there bool, kid node) {
		if there {
			doc.kids = append(doc.kids, kid)
		}
	}
	add(x.shape == GameState || self.Desc != "" || self.Genre != "",
		obj("world", str("worldDescription", self.Desc), str("gameGenre", self.Genre)))
	for _, name := range []string{locationsList, playersList} {
		if x.has(name) {
			add(true, x.list(name))
		}
	}
	objects := x.list(objectsList)
	add(x.has(objectsList) || len(objects.kids) > 0, objects)
	x.addCampaign(add)
	x.addSession(add)
	return doc
}

// areaConnections writes the connections of a campaign.json: the ways of its areas, sorted.
func (x *writer) areaConnections(areas *node) node {
	n := list("connections")
	reachable := map[string]map[string]int{}
	for _, area := range areas.kids {
		reachable[area.name] = map[string]int{}
		for _, to := range area.get("reachable_area_ids").of(array) {
			if to.kind == text {
				reachable[area.name][to.text]++
			}
		}
	}
	for _, from := range slices.Sorted(maps.Keys(reachable)) {
		for _, to := range slices.Sorted(maps.Keys(reachable[from])) {
			entry := obj("", str("from_area_id", from), str("to_area_id", to))
			if l := x.w.Link(from, to); l != nil {
				entry.kids = append(entry.kids, parseObject(l.Extra).kids...)
			}
			for range reachable[from][to] {
				n.kids = append(n.kids, entry)
			}
		}
	}
	return n
}
