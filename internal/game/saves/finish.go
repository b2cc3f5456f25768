package saves

import "hob/internal/game/world"

// finish keeps what the save differs in from what hob would write.
func (r *reader) finish(doc *node) {
	for _, l := range r.lists {
		l.upto = r.order
	}
	held := map[string]bool{}
	bare := func(name string) bool { return held[name] }
	x := &writer{w: r.w, shape: r.shape, back: true, lists: r.lists, playerID: r.player, bare: bare}
	for _, s := range r.sources {
		r.keep(x, s)
	}
	if m := doc.get("map"); m.is(object) && m.get("areas").is(object) {
		m.drop("connections")
	}
	stored := r.storedLists()
	for name, hole := range r.holes(doc) {
		held[name] = true
		hole.kids = nil
	}
	x.lists = stored
	normal := x.document()
	var parts []node
	if len(stored) > 0 {
		lists := obj(listsPart)
		for _, name := range sortedNames(stored) {
			lists.kids = append(lists.kids, stored[name].node(name))
		}
		parts = append(parts, lists)
	}
	if r.player != "" {
		parts = append(parts, str(playerPart, r.player))
	}
	r.w.Self().Extra = extraOf(diff(&normal, doc), parts...)
}

// keep finds out what one record differs in.
func (r *reader) keep(x *writer, s source) {
	var normal node
	var extra *string
	parts := r.extras[s.rec]
	switch rec := s.rec.(type) {
	case *world.Place:
		extra = &rec.Extra
		switch s.list {
		case locationsList:
			normal = x.location(rec)
		case areasList:
			normal = x.area(rec)
		case subZonesList:
			normal = x.subZone(rec)
		default:
			normal = x.zone(rec)
		}
		if second, ok := r.second[rec.ID]; ok {
			if d := diff(&normal, &second); d != nil {
				parts = append(parts, d.named(mapPart))
			}
		}
	case *world.Actor:
		extra = &rec.Extra
		switch s.list {
		case playersList:
			normal = x.player(rec)
		case actorsList:
			normal = x.actor(rec)
		default:
			normal = x.role(rec)
		}
	case *world.Thing:
		extra = &rec.Extra
		normal = x.thing(rec)
	}
	d := diff(&normal, &s.from)
	if s.list == mapZonesList && d != nil {
		parts, d = append(parts, d.named(mapPart)), nil
	}
	*extra = extraOf(d, parts...)
}

// holes returns the lists of a save that are written record by record, so that they need no comparison.
func (r *reader) holes(doc *node) map[string]*node {
	holes := map[string]*node{}
	for name, n := range map[string]*node{
		locationsList: doc.get("locations"), playersList: doc.get("players"), objectsList: doc.get("objects"),
		areasList: doc.get("map").get("areas"), actorsList: doc.get("actors"),
		zonesList: doc.get("area_snapshot").get("zones"), subZonesList: doc.get("area_snapshot").get("sub_zones"),
		mapZonesList: doc.get("map_snapshot").get("zones"), rolesList: doc.get("role_pool"),
	} {
		want := array
		if name == areasList || name == actorsList {
			want = object
		}
		if n.is(want) {
			holes[name] = n
		}
	}
	return holes
}

// storedLists returns the lists whose items must be remembered: such as are not all records of their kind in their order.
// Where a save has lists of several seeds that is so for all of them.
func (r *reader) storedLists() map[string]*listing {
	stored := map[string]*listing{}
	mixed := map[string]bool{r.shape: true}
	for name := range r.lists {
		switch name {
		case locationsList, playersList, objectsList:
			mixed[Seed000] = true
		case areasList, actorsList:
			mixed[Seed002] = true
		default:
			mixed[Seed003] = true
		}
	}
	seconds := r.lists[mapZonesList]
	for name, l := range r.lists {
		differ := (name == zonesList || name == mapZonesList) && !sameItems(r.lists[zonesList], seconds)
		if r.odd[name] || len(mixed) > 1 || differ {
			stored[name] = l
		}
	}
	x := &writer{shape: r.shape}
	for _, name := range [...]string{
		locationsList, playersList, areasList, actorsList, zonesList, mapZonesList, subZonesList, rolesList,
	} {
		if len(mixed) > 1 && x.home(name) && stored[name] == nil {
			stored[name] = &listing{upto: r.order}
		}
	}
	return stored
}

func sameItems(a, b *listing) bool {
	if a == nil || b == nil || len(a.items) != len(b.items) {
		return a == b
	}
	for i := range a.items {
		if !same(&a.items[i], &b.items[i]) {
			return false
		}
	}
	return true
}
