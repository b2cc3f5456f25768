package saves

import (
	"maps"
	"slices"

	"hob/internal/game/world"
)

// modernize brings an old campaign.json to the later form of its program. In the old one the ways stood in map.connections alone, and
// the positions and states of actors in maps beside them: positions (before that in state), hp and character_states.
func (r *reader) modernize() {
	if areas := r.doc.get("map", "areas"); areas.is(object) {
		addReachable(areas, r.doc.get("map", "connections"))
	}
	if r.shape != CampaignFile {
		return
	}
	switch actors := r.doc.get("actors"); {
	case actors == nil:
		r.moveStates(obj("actors"))
	case actors.kind == object:
		r.moveStates(*actors)
	}
}

// addReachable adds the list of reachable areas to each area that has none.
func addReachable(areas, ways *node) {
	reachable := map[string]map[string]bool{}
	for _, way := range ways.of(array) {
		from, to := way.get("from_area_id"), way.get("to_area_id")
		if from.is(text) && to.is(text) {
			if reachable[from.text] == nil {
				reachable[from.text] = map[string]bool{}
			}
			reachable[from.text][to.text] = true
		}
	}
	for i := range areas.kids {
		if area := &areas.kids[i]; area.kind == object && area.get("reachable_area_ids") == nil {
			area.put(texts("reachable_area_ids", slices.Sorted(maps.Keys(reachable[area.name]))))
		}
	}
}

// stateMap is one of the maps by actor.
type stateMap struct {
	from   *node
	member string // the actor's member that it became
	kind   kind
	find   func(actor string) *node
	moved  map[string]bool
}

// stateMaps returns the maps by actor that have entries.
func (r *reader) stateMaps() []stateMap {
	var found []stateMap
	for _, m := range []stateMap{
		{from: r.doc.get("positions"), member: "position", kind: text},
		{from: r.doc.get("state", "positions_parent"), member: "position", kind: text},
		{from: r.doc.get("state", "positions"), member: "position", kind: text},
		{from: r.doc.get("hp"), member: "hp", kind: token},
		{from: r.doc.get("character_states"), member: "character_state", kind: text},
	} {
		if len(m.from.of(object)) > 0 {
			m.find, m.moved = m.from.finder(), map[string]bool{}
			found = append(found, m)
		}
	}
	return found
}

// moveStates moves the entries of the maps beside the actors into them. The actor's own member counts; where a map has something
// else, its entry stays.
func (r *reader) moveStates(actors node) {
	old := r.stateMaps()
	ids := map[string]bool{}
	for _, m := range old {
		for _, entry := range m.from.kids {
			ids[entry.name] = true
		}
	}
	if len(ids) == 0 {
		return
	}
	find := actors.finder()
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		actor := find(id)
		if actor == nil {
			actors.kids = append(actors.kids, obj(id, obj("inventory"), obj("meta")))
			actor = &actors.kids[len(actors.kids)-1]
		}
		if actor.kind == object {
			for _, m := range old {
				r.moveState(actor, m)
			}
		}
	}
	for _, m := range old {
		m.from.kids = slices.DeleteFunc(m.from.kids, func(entry node) bool { return m.moved[entry.name] })
	}
	r.doc.put(actors)
}

// moveState moves the entry of one actor.
func (r *reader) moveState(actor *node, m stateMap) {
	entry := m.find(actor.name)
	if entry == nil || entry.kind != m.kind {
		return
	}
	if own := actor.get(m.member); own != nil && !same(own, entry) {
		r.warn(subject{world.ActorKind, actor.name}.String() + " has two values for its " + quoted(m.member) + ": its own counts.")
		return
	}
	actor.put(entry.named(m.member))
	m.moved[actor.name] = true
}
