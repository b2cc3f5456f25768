package saves

import (
	"cmp"
	"maps"
	"slices"

	"hob/internal/game/world"
)

// Values for what a campaign.json or a session does not say.
const (
	defaultHP   = 10
	defaultZone = "zone_0_0_0"
)

// readActors reads the actors of all shapes.
func (r *reader) readActors() {
	r.readList(playersList, func(item *node) string {
		return r.readActor(item, item.get("id"), playersList, "pc", func(a *world.Actor, at subject) {
			a.Place = r.ref(r.textOf(item, at, "locationId"))
		})
	})
	party := map[string]bool{}
	for _, id := range r.w.Self().Party {
		party[id] = true
	}
	r.readList(actorsList, func(item *node) string {
		role := "pc"
		if len(party) > 0 && !party[r.ref(item.name)] {
			role = "npc"
		}
		return r.readActor(item, &node{kind: text, text: item.name}, actorsList, role, func(a *world.Actor, at subject) {
			a.Place = r.ref(r.textOf(item, at, "position"))
			a.HP = world.Known(r.numberOf(item, at, "hp", defaultHP))
			a.State = cmp.Or(r.textOf(item, at, "character_state"), world.Alive)
		})
	})
	if r.shape == Session {
		r.readPlayer()
	}
	r.readList(rolesList, func(item *node) string {
		return r.readActor(item, item.get("role_id"), rolesList, "npc", func(a *world.Actor, at subject) {
			a.Place = r.within(r.ref(r.textOf(item, at, "zone_id")), r.ref(r.textOf(item, at, "sub_zone_id")))
			if profile := item.get("profile"); !a.Speed.Known && profile.is(object) {
				a.Speed = r.optionalOf(profile, at, "move_speed_mph")
				if a.Role = roleOf(r.textOf(profile, at, "role_type")); a.Role == "" || a.Role == "pc" {
					a.Role = "npc"
				}
			}
		})
	})
}

// within returns the sub zone if it lies in the zone, else the zone.
func (r *reader) within(zone, sub string) string {
	if p := r.w.Place(sub); p != nil && (zone == "" || p.Parent == zone) {
		return sub
	}
	return zone
}

// roleOf returns the role for a session's word for it.
func roleOf(word string) string {
	switch word {
	case "player":
		return "pc"
	case "npc", "monster":
		return word
	}
	return ""
}

// readActor reads an actor of any shape with the inventory, and returns its id, or "" for one that is there already. more reads
// the members of its shape.
func (r *reader) readActor(item, raw *node, from, role string, more func(*world.Actor, subject)) string {
	id, made := r.id(raw, world.ActorKind, "actor")
	if r.isTwice(world.ActorKind, id) {
		return ""
	}
	at := subject{world.ActorKind, id}
	a := &world.Actor{ID: id, Order: r.nextOrder(), Role: cmp.Or(roleOf(r.textOf(item, at, "role_type")), role)}
	a.Name = cmp.Or(r.textOf(item, at, "name"), id)
	a.Desc = r.textOf(item, at, "description")
	a.Attrs = r.attributesOf(item, at)
	a.HP = r.optionalOf(item, at, "hp")
	a.HPMax = r.optionalOf(item, at, "hp_max")
	a.State = r.textOf(item, at, "character_state")
	a.Speed = r.optionalOf(item, at, "move_speed_mph")
	if made && from == actorsList {
		r.extras[a] = append(r.extras[a], str(keyPart, item.name))
	}
	more(a, at)
	r.add(a)
	if from != "" { // the differences of a session's player are those of the save
		r.sources = append(r.sources, source{a, *item, from})
	}
	amounts := map[string]int64{}
	for _, kid := range item.get("inventory").of(object) {
		n, ok := whole(kid.text)
		if !kid.is(token) || !ok || n < 1 {
			r.warn(at.String() + " has no number of " + quoted(kid.name) + ": it is kept in the save and is no object.")
			continue
		}
		amounts[kid.name] = n
	}
	for _, name := range slices.Sorted(maps.Keys(amounts)) {
		r.addCarried(id, name, amounts[name])
	}
	return id
}

// readPlayer reads the player of a session. There is always one.
func (r *reader) readPlayer() {
	static, runtime := r.doc.get("player_static_data"), r.doc.get("player_runtime_data")
	if !static.is(object) {
		static = &node{kind: object}
	}
	raw := static.get("player_id")
	if isNull(raw) {
		raw = &node{kind: text, text: fallback}
	}
	if raw.is(text) && r.w.Actor(r.ref(raw.text)) != nil {
		r.player = r.ref(raw.text) // another list of the save has that actor
	} else {
		r.player = r.readActor(static, raw, "", "pc", func(a *world.Actor, at subject) { r.placePlayer(a, at, runtime) })
	}
	self := r.w.Self()
	self.Active = cmp.Or(self.Active, r.player)
	if len(self.Party) == 0 {
		self.Party = []string{r.player}
	}
}

// placePlayer reads where the player of a session is. A new session, which knows no places, begins in the zone at the origin.
func (r *reader) placePlayer(a *world.Actor, at subject, runtime *node) {
	if !a.Speed.Known {
		a.Speed = world.Known(world.WalkingPace)
	}
	zoneID := ""
	for _, where := range []*node{runtime.get("current_position"), r.doc.get("map_snapshot", "player_position")} {
		if !where.is(object) {
			continue
		}
		if zoneID == "" {
			zoneID = r.ref(r.textOf(where, at, "zone_id"))
		}
		if a.Pos == nil {
			a.Pos = r.pointOf(where, at)
		}
	}
	area := r.doc.get("area_snapshot")
	if zoneID == "" {
		zoneID = r.ref(r.textOf(area, at, "current_zone_id"))
	}
	if zoneID == "" && runtime.is(object) && a.Pos == nil {
		r.warn("The save does not say where the player is: they are at " + defaultZone + ".")
	}
	zoneID = cmp.Or(zoneID, defaultZone)
	a.Place = zoneID
	if area.is(object) {
		a.Place = r.within(zoneID, r.ref(r.textOf(area, at, "current_sub_zone_id")))
	}
	if zoneID == defaultZone && len(r.w.Places()) == 0 {
		r.add(&world.Place{ID: defaultZone, Order: r.nextOrder(), Name: defaultZone, Type: zone, Overland: true, Pos: &world.Point{}})
		r.odd[zonesList], r.odd[mapZonesList] = true, true
	}
	if a.Pos == nil {
		a.Pos = &world.Point{}
		if p := r.w.Place(zoneID); p != nil && p.Pos != nil {
			*a.Pos = *p.Pos
		}
	}
}

// fillActor adds the properties of an actor for which n has no member yet.
func (x *writer) fillActor(n *node, a *world.Actor) {
	name := a.Name
	if name == a.ID {
		name = ""
	}
	n.fill(str("name", name), str("description", a.Desc), prose(a.Attrs), optional("hp", a.HP), optional("hp_max", a.HPMax),
		str("character_state", a.State), optional("move_speed_mph", a.Speed), x.inventory(a))
}

// player writes an actor as in a GameState.
func (x *writer) player(a *world.Actor) node {
	n := obj("", str("id", a.ID), str("name", a.Name), str("description", a.Desc), str("locationId", a.Place), prose(a.Attrs))
	x.fillActor(&n, a)
	if a.Role != "pc" {
		n.fill(str("role_type", a.Role))
	}
	return n
}

// actor writes an actor as in a campaign.json.
func (x *writer) actor(a *world.Actor) node {
	n := obj(a.ID, orNull("position", a.Place), num("hp", a.HP.Or(defaultHP)), str("character_state", cmp.Or(a.State, world.Alive)),
		x.inventory(a), obj("meta"))
	x.fillActor(&n, a)
	return n
}

// staticData writes the player of a session.
func (x *writer) staticData(a *world.Actor) node {
	role := "player"
	if a.Role == "npc" || a.Role == "monster" {
		role = a.Role
	}
	n := obj("player_static_data", str("player_id", a.ID), str("name", a.Name), num("move_speed_mph", a.Speed.Or(world.WalkingPace)),
		str("role_type", role))
	x.fillActor(&n, a)
	return n
}

// role writes any other actor of a session.
func (x *writer) role(a *world.Actor) node {
	zone, sub := x.zoneOf(a.Place)
	n := obj("", str("role_id", a.ID), str("name", a.Name), orNull("zone_id", zone), orNull("sub_zone_id", sub))
	x.fillActor(&n, a)
	return n
}

// zoneOf returns the zone that a place lies in, and the place if it is not the zone itself.
func (x *writer) zoneOf(place string) (zone, sub string) {
	at := x.w.Place(place)
	for n := 0; at != nil && n < 100; n++ {
		up := x.w.Place(at.Parent)
		if up == nil {
			break
		}
		at = up
	}
	if at == nil || at.ID == place {
		return place, ""
	}
	return at.ID, place
}

// sessionPlayer returns the player of a session: the save's player, else the acting actor.
func (x *writer) sessionPlayer() *world.Actor {
	self := x.w.Self()
	for _, id := range append([]string{x.playerID, self.Active}, self.Party...) {
		if a := x.w.Actor(id); a != nil {
			return a
		}
	}
	for _, a := range x.w.Actors() {
		if a.Role == "pc" || a.Role == "" {
			return a
		}
	}
	return nil
}
