package saves

import (
	"cmp"
	"slices"
	"strconv"

	"hob/internal/game/world"
	"hob/internal/lists"
)

// The types of a place.
const (
	location = "location"
	area     = "area"
	zone     = "zone"
	subZone  = "sub_zone"
)

// readPlaces reads the places of all shapes.
func (r *reader) readPlaces() {
	r.readList(locationsList, func(item *node) string {
		return r.readPlace(item, item.get("id"), location, locationsList)
	})
	r.readList(areasList, func(item *node) string {
		return r.readPlace(item, &node{kind: text, text: item.name}, area, areasList)
	})
	r.readList(zonesList, func(item *node) string {
		return r.readPlace(item, item.get("zone_id"), zone, zonesList)
	})
	seen := map[string]bool{}
	r.readList(mapZonesList, func(item *node) string {
		raw := item.get("zone_id")
		if raw.is(text) && !seen[r.ref(raw.text)] {
			if p := r.w.Place(r.ref(raw.text)); p != nil && p.Type == zone {
				seen[p.ID] = true
				r.second[p.ID] = *item
				return p.ID
			}
		}
		id := r.readPlace(item, raw, zone, mapZonesList)
		seen[id] = true
		return id
	})
	r.readList(subZonesList, func(item *node) string {
		return r.readPlace(item, item.get("sub_zone_id"), subZone, subZonesList)
	})
	r.makeSubZones()
}

// readPlace reads a place of any shape and returns its id, or "" for one that is there already.
func (r *reader) readPlace(item, raw *node, sort, from string) string {
	id, made := r.id(raw, world.PlaceKind, sort)
	if r.isTwice(world.PlaceKind, id) {
		return ""
	}
	at := subject{world.PlaceKind, id}
	p := &world.Place{ID: id, Order: r.nextOrder(), Type: sort, Overland: sort == zone}
	p.Name = cmp.Or(r.textOf(item, at, "name"), id)
	p.Desc = r.textOf(item, at, "description")
	p.Situation = r.textOf(item, at, "currentSituation")
	p.Attrs = r.attributesOf(item, at)
	p.Tags = r.textsOf(item.get("tags"), at, "tags")
	p.ZoneType = r.textOf(item, at, "zone_type")
	p.Size = r.textOf(item, at, "size")
	p.Radius = r.numberOf(item, at, "radius_m", 0)
	for _, where := range []*node{item, item.get("center"), item.get("coord")} {
		if p.Pos == nil {
			p.Pos = r.pointOf(where, at)
		}
	}
	parent := "parent_area_id"
	if sort == subZone {
		parent = "zone_id"
	}
	p.Parent = r.ref(r.textOf(item, at, parent))
	r.add(p)
	r.sources = append(r.sources, source{p, *item, from})
	if made && from == areasList {
		r.extras[p] = append(r.extras[p], str(keyPart, item.name))
	}
	return id
}

// makeSubZones makes places of the outlines of sub zones in a zone, if the save has no sub zones for it. They get the ids and the
// positions that the session's own program would give them.
func (r *reader) makeSubZones() {
	has := map[string]bool{}
	for _, s := range r.sources {
		if p := s.record.(*world.Place); p.Type == subZone {
			has[p.Parent] = true
		}
	}
	for _, s := range r.sources {
		p := s.record.(*world.Place)
		if p.Type != zone || has[p.ID] {
			continue
		}
		outlines := s.from.get("sub_zones")
		if second, ok := r.second[p.ID]; ok && len(outlines.of(array)) == 0 {
			outlines = second.get("sub_zones")
		}
		for i, outline := range outlines.of(array) {
			r.makeSubZone(p, &outline, i+1)
		}
	}
}

func (r *reader) makeSubZone(in *world.Place, outline *node, n int) {
	if outline.kind != object {
		return
	}
	id := "sub_" + in.ID + "_" + strconv.Itoa(n)
	if raw := outline.get("sub_zone_id"); raw.is(text) && raw.text != "" {
		id, _ = r.id(raw, world.PlaceKind, subZone)
	}
	if r.w.Place(id) != nil {
		return
	}
	at := subject{world.PlaceKind, id}
	p := &world.Place{ID: id, Order: r.nextOrder(), Type: subZone, Parent: in.ID, Pos: &world.Point{}}
	p.Name = cmp.Or(r.textOf(outline, at, "name"), id)
	p.Desc = r.textOf(outline, at, "description")
	if in.Pos != nil {
		*p.Pos = *in.Pos
	}
	for name, axis := range map[string]*int64{"offset_x": &p.Pos.X, "offset_y": &p.Pos.Y, "offset_z": &p.Pos.Z} {
		offset, _ := millimetres(outline.get(name))
		*axis += offset
	}
	p.Extra = newExtra(nil, flag(bornPart, true))
	r.add(p)
	r.odd[subZonesList] = true
	if r.lists[subZonesList] == nil {
		r.lists[subZonesList] = &listing{}
	}
}

// fillPlace adds the properties of a place for which n has no member yet.
func fillPlace(n *node, p *world.Place) {
	parent := p.Parent
	if n.get("zone_id") != nil {
		parent = ""
	}
	n.fill(str("currentSituation", p.Situation), prose(p.Attrs), texts("tags", p.Tags), str("zone_type", p.ZoneType), str("size", p.Size),
		optional("radius_m", world.Number{N: p.Radius, Known: p.Radius != 0}), str("parent_area_id", parent))
	if p.Pos != nil && n.get("coord") == nil {
		n.fill(coordinates(p.Pos)...)
	}
}

// location writes a place as in a GameState.
func (x *writer) location(p *world.Place) node {
	n := obj("", str("id", p.ID), str("name", p.Name), str("description", p.Desc), str("currentSituation", p.Situation),
		list(connections, x.ways(p)...), prose(p.Attrs))
	fillPlace(&n, p)
	return n
}

// area writes a place as in a campaign.json.
func (x *writer) area(p *world.Place) node {
	to := lists.Map(x.w.Outs(p.ID), func(l *world.Link) string { return l.To })
	slices.Sort(to) // as the original writes them; a save with another order keeps it
	n := obj(p.ID, str("id", p.ID), str("name", p.Name), str("description", p.Desc), orNull("parent_area_id", p.Parent),
		texts("reachable_area_ids", to))
	fillPlace(&n, p)
	return n
}

// zone writes a place as in a session, where people walk across country.
func (x *writer) zone(p *world.Place) node {
	n := obj("", str("zone_id", p.ID), str("name", p.Name))
	n.kids = append(n.kids, coordinates(p.Pos)...)
	n.kids = append(n.kids, str("zone_type", cmp.Or(p.ZoneType, "unknown")), str("size", cmp.Or(p.Size, "small")),
		num("radius_m", cmp.Or(p.Radius, 120)), str("description", p.Desc), texts("tags", p.Tags), list("sub_zones"))
	fillPlace(&n, p)
	n.fill(list(connections, x.ways(p)...))
	return n
}

// subZone writes a place within a zone as in a session.
func (x *writer) subZone(p *world.Place) node {
	n := obj("", str("sub_zone_id", p.ID), str("zone_id", p.Parent), str("name", p.Name), obj("coord", coordinates(p.Pos)...),
		num("radius_m", cmp.Or(p.Radius, 20)), str("description", p.Desc))
	fillPlace(&n, p)
	n.fill(list(connections, x.ways(p)...))
	return n
}
