package saves

import "hob/internal/game/world"

// What seed 002 and seed 003 take for what a save does not say.
const (
	defaultHP    = 10
	defaultSpeed = 4500 // metres per hour
	defaultZone  = "zone_0_0_0"
)

// readActors reads the actors of all seeds.
func (r *reader) readActors(doc *node) {
	r.each(playersList, doc.get("players"), func(item *node) string {
		a := r.actor(item, item.get("id"), playersList, "pc")
		if a == nil {
			return ""
		}
		a.Place = r.ref(r.words(item, spot{world.ActorKind, a.ID}, "locationId"))
		return r.addActor(a, item, playersList)
	})
	party := map[string]bool{}
	for _, id := range r.w.Self().Party {
		party[id] = true
	}
	r.each(actorsList, doc.get("actors"), func(item *node) string {
		role := "pc"
		if len(party) > 0 && !party[r.ref(item.name)] {
			role = "npc"
		}
		a := r.actor(item, &node{kind: text, text: item.name}, actorsList, role)
		if a == nil {
			return ""
		}
		at := spot{world.ActorKind, a.ID}
		a.Place = r.ref(r.words(item, at, "position"))
		a.HP = world.Known(r.number(item, at, "hp", defaultHP))
		a.State = or(r.words(item, at, "character_state"), world.Alive)
		return r.addActor(a, item, actorsList)
	})
	if r.shape == Seed003 {
		r.readPlayer(doc)
	}
	r.each(rolesList, doc.get("role_pool"), func(item *node) string {
		a := r.actor(item, item.get("role_id"), rolesList, "npc")
		if a == nil {
			return ""
		}
		at := spot{world.ActorKind, a.ID}
		a.Place = r.within(r.ref(r.words(item, at, "zone_id")), r.ref(r.words(item, at, "sub_zone_id")))
		if profile := item.get("profile"); !a.Speed.Known && profile.is(object) {
			a.Speed = r.maybe(profile, at, "move_speed_mph")
			if a.Role = role(r.words(profile, at, "role_type")); a.Role == "" || a.Role == "pc" {
				a.Role = "npc"
			}
		}
		return r.addActor(a, item, rolesList)
	})
}

// within returns the sub zone, where there is one and it lies in the zone, else the zone.
func (r *reader) within(zone, sub string) string {
	if p := r.w.Place(sub); p != nil && (zone == "" || p.Parent == zone) {
		return sub
	}
	return zone
}

// role returns what an actor is by seed 003's word for it.
func role(word string) string {
	switch word {
	case "player":
		return "pc"
	case "npc", "monster":
		return word
	}
	return ""
}

func (r *reader) maybe(o *node, at spot, name string) world.Number {
	if isNull(o.get(name)) {
		return world.Number{}
	}
	return world.Known(r.number(o, at, name, 0))
}

// actor reads what an actor of any seed may have. Nil is one who is there already.
func (r *reader) actor(item, raw *node, from, as string) *world.Actor {
	id, made := r.id(raw, world.ActorKind, "actor")
	if r.w.Actor(id) != nil {
		r.twice(world.ActorKind, id)
		return nil
	}
	at := spot{world.ActorKind, id}
	a := &world.Actor{ID: id, Order: r.next(), Role: or(role(r.words(item, at, "role_type")), as)}
	a.Name = or(r.words(item, at, "name"), id)
	a.Desc = r.words(item, at, "description")
	a.Attrs = r.attributes(item, at)
	a.HP = r.maybe(item, at, "hp")
	a.HPMax = r.maybe(item, at, "hp_max")
	a.State = r.words(item, at, "character_state")
	a.Speed = r.maybe(item, at, "move_speed_mph")
	if made && from == actorsList {
		r.extras[a] = append(r.extras[a], str(keyPart, item.name))
	}
	return a
}

// addActor puts an actor into the world, with what is in the inventory.
func (r *reader) addActor(a *world.Actor, item *node, from string) string {
	r.add(a)
	r.sources = append(r.sources, source{a, *item, from})
	carried := item.get("inventory")
	if !carried.is(object) {
		return a.ID
	}
	at := spot{world.ActorKind, a.ID}
	amounts := map[string]int64{}
	for i := range carried.kids {
		kid := &carried.kids[i]
		n, ok := whole(kid.text)
		if !kid.is(token) || !ok || n < 1 {
			r.warn(at.String() + " has no number of " + quoted(kid.name) + ": it is kept in the save and is no object.")
			continue
		}
		amounts[kid.name] = n
	}
	for _, name := range sortedNames(amounts) {
		r.carried(a.ID, name, amounts[name])
	}
	return a.ID
}

// readPlayer reads the player of seed 003, who is there whatever the save says.
func (r *reader) readPlayer(doc *node) {
	static, runtime := doc.get("player_static_data"), doc.get("player_runtime_data")
	none := obj("")
	if !static.is(object) {
		static = &none
	}
	raw := static.get("player_id")
	if isNull(raw) {
		raw = &node{kind: text, text: fallback}
	}
	if raw.is(text) && r.w.Actor(r.ref(raw.text)) != nil {
		r.player = r.ref(raw.text) // one of those whom another list of the save has
		r.lead(r.player)
		return
	}
	a := r.actor(static, raw, "", "pc")
	at := spot{world.ActorKind, a.ID}
	if !a.Speed.Known {
		a.Speed = world.Known(defaultSpeed)
	}
	area := doc.get("area_snapshot")
	zone := ""
	for _, where := range []*node{runtime.get("current_position"), doc.get("map_snapshot").get("player_position")} {
		if !where.is(object) {
			continue
		}
		if zone == "" {
			zone = r.ref(r.words(where, at, "zone_id"))
		}
		if a.Pos == nil {
			a.Pos = r.point(where, at)
		}
	}
	if zone == "" && area.is(object) {
		zone = r.ref(r.words(area, at, "current_zone_id"))
	}
	if zone == "" && runtime.is(object) && a.Pos == nil {
		r.warn("The save does not say where the player is: they are at " + defaultZone + ".")
	}
	zone = or(zone, defaultZone)
	if area.is(object) {
		a.Place = r.within(zone, r.ref(r.words(area, at, "current_sub_zone_id")))
	} else {
		a.Place = zone
	}
	r.settle(a, zone)
	r.addActor(a, static, "")
	r.sources = r.sources[:len(r.sources)-1] // its differences are those of the save as a whole
	r.player = a.ID
	r.lead(a.ID)
}

// lead makes an actor the one who acts, where the save names none.
func (r *reader) lead(id string) {
	self := r.w.Self()
	if self.Active == "" {
		self.Active = id
	}
	if len(self.Party) == 0 {
		self.Party = []string{id}
	}
}

// settle sees to it that the player is somewhere: a new session, which knows no places, begins in the zone at the origin.
func (r *reader) settle(a *world.Actor, zoneID string) {
	if zoneID == defaultZone && len(r.w.Places()) == 0 {
		r.add(&world.Place{ID: defaultZone, Order: r.next(), Name: defaultZone, Type: zone, Overland: true, Pos: &world.Point{}})
		r.odd[zonesList], r.odd[mapZonesList] = true, true
	}
	if p := r.w.Place(zoneID); a.Pos == nil && p != nil && p.Pos != nil {
		pos := *p.Pos
		a.Pos = &pos
	}
	if a.Pos == nil {
		a.Pos = &world.Point{}
	}
}

// beyondActor writes what an actor has that the members of a seed have no room for.
func (x *writer) beyondActor(n *node, a *world.Actor) {
	more := func(there bool, kid node) {
		if there && n.get(kid.name) == nil {
			n.kids = append(n.kids, kid)
		}
	}
	more(a.Name != "" && a.Name != a.ID, str("name", a.Name))
	more(a.Desc != "", str("description", a.Desc))
	if len(a.Attrs) > 0 {
		more(true, prose(a.Attrs))
	}
	more(a.HP.Known, num("hp", a.HP.N))
	more(a.HPMax.Known, num("hp_max", a.HPMax.N))
	more(a.State != "", str("character_state", a.State))
	more(a.Speed.Known, num("move_speed_mph", a.Speed.N))
	if carried := x.inventory(a); len(carried.kids) > 0 {
		more(true, carried)
	}
}

// player writes an actor as seed 000 does.
func (x *writer) player(a *world.Actor) node {
	n := obj("", str("id", a.ID), str("name", a.Name), str("description", a.Desc), str("locationId", a.Place), prose(a.Attrs))
	x.beyondActor(&n, a)
	if a.Role != "pc" && a.Role != "" {
		n.kids = append(n.kids, str("role_type", a.Role))
	}
	return n
}

// actor writes an actor as seed 002 does.
func (x *writer) actor(a *world.Actor) node {
	n := obj(a.ID, orNull("position", a.Place), num("hp", a.HP.Or(defaultHP)), str("character_state", or(a.State, world.Alive)),
		x.inventory(a), obj("meta"))
	x.beyondActor(&n, a)
	return n
}

// static writes the player of seed 003.
func (x *writer) static(a *world.Actor) node {
	sort := "player"
	if a.Role == "npc" || a.Role == "monster" {
		sort = a.Role
	}
	n := obj("player_static_data", str("player_id", a.ID), str("name", a.Name), num("move_speed_mph", a.Speed.Or(defaultSpeed)),
		str("role_type", sort))
	x.beyondActor(&n, a)
	return n
}

// role writes anybody else of seed 003.
func (x *writer) role(a *world.Actor) node {
	zone, sub := x.zoneOf(a.Place)
	n := obj("", str("role_id", a.ID), str("name", a.Name), orNull("zone_id", zone), orNull("sub_zone_id", sub))
	x.beyondActor(&n, a)
	return n
}

// zoneOf returns the zone that a place lies in, and the place where that is not the zone itself.
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
