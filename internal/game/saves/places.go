package saves

import (
	"strconv"

	"hob/internal/game/world"
)

// The types of a place.
const (
	location = "location"
	area     = "area"
	zone     = "zone"
	subZone  = "sub_zone"
)

// readPlaces reads the places of all seeds.
func (r *reader) readPlaces(doc *node) {
	r.each(locationsList, doc.get("locations"), func(item *node) string {
		return r.place(item, item.get("id"), location, locationsList)
	})
	r.each(areasList, doc.get("map").get("areas"), func(item *node) string {
		return r.place(item, &node{kind: text, text: item.name}, area, areasList)
	})
	r.each(zonesList, doc.get("area_snapshot").get("zones"), func(item *node) string {
		return r.place(item, item.get("zone_id"), zone, zonesList)
	})
	seen := map[string]bool{}
	r.each(mapZonesList, doc.get("map_snapshot").get("zones"), func(item *node) string {
		raw := item.get("zone_id")
		if raw.is(text) && !seen[r.ref(raw.text)] {
			if p := r.w.Place(r.ref(raw.text)); p != nil && p.Type == zone {
				seen[p.ID] = true
				r.second[p.ID] = *item
				return p.ID
			}
		}
		id := r.place(item, raw, zone, mapZonesList)
		seen[id] = true
		return id
	})
	r.each(subZonesList, doc.get("area_snapshot").get("sub_zones"), func(item *node) string {
		return r.place(item, item.get("sub_zone_id"), subZone, subZonesList)
	})
	r.readBorn()
}

// place reads a place of any seed and returns its id, or "" for one that is there already.
func (r *reader) place(item, raw *node, sort, from string) string {
	id, made := r.id(raw, world.PlaceKind, sort)
	if r.w.Place(id) != nil {
		r.twice(world.PlaceKind, id)
		return ""
	}
	at := spot{world.PlaceKind, id}
	p := &world.Place{ID: id, Order: r.next(), Type: sort, Overland: sort == zone}
	p.Name = r.words(item, at, "name")
	if p.Name == "" {
		p.Name = id
	}
	p.Desc = r.words(item, at, "description")
	p.Situation = r.words(item, at, "currentSituation")
	p.Attrs = r.attributes(item, at)
	p.Tags = r.strings(item.get("tags"), at, "tags")
	p.ZoneType = r.words(item, at, "zone_type")
	p.Size = r.words(item, at, "size")
	p.Radius = r.number(item, at, "radius_m", 0)
	for _, where := range []*node{item, item.get("center"), item.get("coord")} {
		if p.Pos == nil {
			p.Pos = r.point(where, at)
		}
	}
	parent := "parent_area_id"
	if sort == subZone {
		parent = "zone_id"
	}
	p.Parent = r.ref(r.words(item, at, parent))
	r.add(p)
	r.sources = append(r.sources, source{p, *item, from})
	if made && from == areasList {
		r.extras[p] = append(r.extras[p], str(keyPart, item.name))
	}
	return id
}

// readBorn makes places of what zones say of their sub zones, where the save has none for them. Their ids and positions are
// those that seed 003 gives them.
func (r *reader) readBorn() {
	has := map[string]bool{}
	for _, s := range r.sources {
		if p := s.rec.(*world.Place); p.Type == subZone {
			has[p.Parent] = true
		}
	}
	for _, s := range r.sources {
		p := s.rec.(*world.Place)
		if p.Type != zone || has[p.ID] {
			continue
		}
		seeds := s.from.get("sub_zones")
		if second, ok := r.second[p.ID]; ok && (!seeds.is(array) || len(seeds.kids) == 0) {
			seeds = second.get("sub_zones")
		}
		if !seeds.is(array) {
			continue
		}
		for i := range seeds.kids {
			r.born(p, &seeds.kids[i], i+1)
		}
	}
}

func (r *reader) born(in *world.Place, seed *node, n int) {
	if seed.kind != object {
		return
	}
	id := "sub_" + in.ID + "_" + strconv.Itoa(n)
	if raw := seed.get("sub_zone_id"); raw.is(text) && raw.text != "" {
		id, _ = r.id(raw, world.PlaceKind, subZone)
	}
	if r.w.Place(id) != nil {
		return
	}
	at := spot{world.PlaceKind, id}
	p := &world.Place{ID: id, Order: r.next(), Type: subZone, Parent: in.ID, Name: r.words(seed, at, "name")}
	if p.Name == "" {
		p.Name = id
	}
	p.Desc = r.words(seed, at, "description")
	centre := world.Point{}
	if in.Pos != nil {
		centre = *in.Pos
	}
	var off [3]int64
	for i, name := range [...]string{"offset_x", "offset_y", "offset_z"} {
		off[i], _ = millimetres(seed.get(name))
	}
	p.Pos = &world.Point{X: centre.X + off[0], Y: centre.Y + off[1], Z: centre.Z + off[2]}
	p.Extra = extraOf(nil, flag(bornPart, true))
	r.add(p)
	r.odd[subZonesList] = true
	if r.lists[subZonesList] == nil {
		r.lists[subZonesList] = &listing{}
	}
}

// beyond writes what a place has that the members of a seed have no room for. What stands there already is left out.
func beyond(n *node, p *world.Place) {
	more := func(there bool, kid node) {
		if there && n.get(kid.name) == nil {
			n.kids = append(n.kids, kid)
		}
	}
	more(p.Situation != "", str("currentSituation", p.Situation))
	if len(p.Attrs) > 0 {
		more(true, prose(p.Attrs))
	}
	more(len(p.Tags) > 0, texts("tags", p.Tags))
	more(p.ZoneType != "", str("zone_type", p.ZoneType))
	more(p.Size != "", str("size", p.Size))
	more(p.Radius != 0, num("radius_m", p.Radius))
	if p.Parent != "" && n.get("zone_id") == nil {
		more(true, str("parent_area_id", p.Parent))
	}
	if p.Pos != nil && n.get("x") == nil && n.get("coord") == nil {
		n.kids = append(n.kids, coordinates(p.Pos)...)
	}
}

// location writes a place as seed 000 does.
func (x *writer) location(p *world.Place) node {
	n := obj("", str("id", p.ID), str("name", p.Name), str("description", p.Desc), str("currentSituation", p.Situation),
		list(connections, x.ways(p)...), prose(p.Attrs))
	beyond(&n, p)
	return n
}

// area writes a place as seed 002 does.
func (x *writer) area(p *world.Place) node {
	reach := map[string]bool{}
	for _, l := range x.w.Outs(p.ID) {
		reach[l.To] = true
	}
	to := texts("reachable_area_ids", sortedNames(reach)) // as the seed writes them; what a save had in another order stays so
	n := obj(p.ID, str("id", p.ID), str("name", p.Name), str("description", p.Desc), orNull("parent_area_id", p.Parent), to)
	beyond(&n, p)
	return n
}

// zone writes a place as seed 003 does where people walk across country.
func (x *writer) zone(p *world.Place) node {
	n := obj("", str("zone_id", p.ID), str("name", p.Name))
	n.kids = append(n.kids, coordinates(p.Pos)...)
	n.kids = append(n.kids, str("zone_type", or(p.ZoneType, "unknown")), str("size", or(p.Size, "small")),
		num("radius_m", orNumber(p.Radius, 120)), str("description", p.Desc), texts("tags", p.Tags), list("sub_zones"))
	x.beyondZone(&n, p)
	return n
}

// subZone writes a place within a zone as seed 003 does.
func (x *writer) subZone(p *world.Place) node {
	n := obj("", str("sub_zone_id", p.ID), str("zone_id", p.Parent), str("name", p.Name), obj("coord", coordinates(p.Pos)...),
		num("radius_m", orNumber(p.Radius, 20)), str("description", p.Desc))
	x.beyondZone(&n, p)
	return n
}

func (x *writer) beyondZone(n *node, p *world.Place) {
	beyond(n, p)
	if ways := x.ways(p); len(ways) > 0 {
		n.kids = append(n.kids, list(connections, ways...))
	}
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func orNumber(n, other int64) int64 {
	if n == 0 {
		return other
	}
	return n
}
