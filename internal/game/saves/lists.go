package saves

import (
	"maps"
	"math"
	"slices"

	"hob/internal/game/world"
)

// The lists of a save, by the names that warnings and stored [listing]s have for them.
const (
	locationsList = "locations"
	playersList   = "players"
	objectsList   = "objects"
	areasList     = "areas"
	actorsList    = "actors"
	zonesList     = "zones"
	subZonesList  = "sub_zones"
	mapZonesList  = "map_zones"
	rolesList     = "role_pool"
)

// listSpec describes one of the lists.
type listSpec struct {
	name    string
	shape   string
	records world.Kind
	kind    kind // an object has its items by id
	path    []string
}

func listSpecs() []listSpec {
	return []listSpec{
		{locationsList, GameState, world.PlaceKind, array, []string{"locations"}},
		{playersList, GameState, world.ActorKind, array, []string{"players"}},
		{objectsList, GameState, world.ThingKind, array, []string{"objects"}},
		{areasList, CampaignFile, world.PlaceKind, object, []string{"map", "areas"}},
		{actorsList, CampaignFile, world.ActorKind, object, []string{"actors"}},
		{zonesList, Session, world.PlaceKind, array, []string{"area_snapshot", "zones"}},
		{subZonesList, Session, world.PlaceKind, array, []string{"area_snapshot", "sub_zones"}},
		{mapZonesList, Session, world.PlaceKind, array, []string{"map_snapshot", "zones"}},
		{rolesList, Session, world.ActorKind, array, []string{"role_pool"}},
	}
}

func specOf(name string) listSpec {
	specs := listSpecs()
	return specs[slices.IndexFunc(specs, func(l listSpec) bool { return l.name == name })]
}

// listing is the content of a list that is not simply all records of a kind in their order.
type listing struct {
	items []node // a text is the id of a record; an array is an item that became no record: [item], or [key, item] in an object
	upto  int64  // records with a greater Order came later
}

func (l listing) node(name string) node {
	return obj(name, list("items", l.items...), num("upto", l.upto))
}

// storedListings reads the result of [listing.node].
func storedListings(extra *node) map[string]*listing {
	lists := map[string]*listing{}
	for _, n := range extra.get(listsPart).of(object) {
		if items, upto := n.get("items"), n.get("upto"); items.is(array) && upto.is(token) {
			l := &listing{items: items.kids}
			l.upto, _ = whole(upto.text)
			lists[n.name] = l
		}
	}
	return lists
}

// readList reads one of the lists. take makes a record of an item and returns its id, or "" for none: such an item stays in the
// list as it is.
func (r *reader) readList(name string, take func(item *node) string) {
	spec := specOf(name)
	from := r.doc.get(spec.path...)
	if isNull(from) {
		return
	}
	if from.kind != spec.kind {
		r.warn("The save has something else than a list for its " + quoted(name) + ".")
		return
	}
	l := &listing{items: make([]node, 0, len(from.kids))}
	for i := range from.kids {
		item, id := &from.kids[i], ""
		if item.kind == object {
			id = take(item)
		} else {
			r.warn("The list of " + name + " has an item that is no object: it is kept as it is.")
		}
		switch {
		case id != "":
			l.items = append(l.items, str("", id))
			continue
		case spec.kind == object:
			l.items = append(l.items, list("", str("", item.name), item.named("")))
		default:
			l.items = append(l.items, list("", item.named("")))
		}
		r.odd[name] = true
	}
	r.lists[name] = l
}

// listings returns the lists whose items must be remembered: those that are not all records of their kind in their order. In a
// save with lists of several shapes that is all of them.
func (r *reader) listings() map[string]*listing {
	shapes := map[string]bool{r.shape: true}
	for name := range r.lists {
		shapes[specOf(name).shape] = true
	}
	mixed := len(shapes) > 1
	differ := !sameItems(r.lists[zonesList], r.lists[mapZonesList])
	stored := map[string]*listing{}
	for _, spec := range listSpecs() {
		l, read := r.lists[spec.name]
		zones := spec.name == zonesList || spec.name == mapZonesList
		switch {
		case read && (mixed || r.odd[spec.name] || zones && differ):
			stored[spec.name] = l
		case mixed && spec.shape == r.shape && spec.name != objectsList:
			stored[spec.name] = &listing{upto: r.order}
		}
	}
	return stored
}

func sameItems(a, b *listing) bool {
	if a == nil || b == nil {
		return a == b
	}
	return slices.EqualFunc(a.items, b.items, func(x, y node) bool { return same(&x, &y) })
}

// has reports whether the save has a list: one of its own shape, or one that it came with.
func (x *writer) has(name string) bool {
	return specOf(name).shape == x.shape || x.lists[name] != nil
}

// list writes one of the lists: the items that it came with and that still exist, then the later records. Without a stored
// listing these are all of their kind.
func (x *writer) list(name string) node {
	spec := specOf(name)
	n := node{name: spec.path[len(spec.path)-1], kind: spec.kind}
	if x.hollow[name] {
		return n
	}
	upto := int64(math.MinInt64)
	if l := x.lists[name]; l != nil {
		upto = l.upto
		for _, item := range l.items {
			switch {
			case item.kind == text:
				if rec := x.w.Record(spec.records, item.text); rec != nil && !(name == objectsList && x.counted()[item.text]) {
					n.kids = append(n.kids, x.restored(name, rec))
				}
			case spec.kind == array && len(item.kids) == 1:
				n.kids = append(n.kids, item.kids[0])
			case spec.kind == object && len(item.kids) == 2:
				n.kids = append(n.kids, item.kids[1].named(item.kids[0].text))
			}
		}
	}
	for _, c := range x.candidates(spec) {
		if c.order > upto {
			n.kids = append(n.kids, x.restored(name, c.record))
		}
	}
	return n
}

// candidate is a record that belongs into a list.
type candidate struct {
	record world.Record
	order  int64
}

// candidates returns the records that belong into a list: all objects, and new places and actors only in the lists of the shape.
func (x *writer) candidates(spec listSpec) (all []candidate) {
	switch {
	case spec.records == world.ThingKind:
		for _, t := range x.w.Things() {
			order := t.Order
			if x.lists[objectsList] != nil && hasPart(t.Extra, heldPart) {
				order = math.MaxInt64 // put down since the save was read
			}
			if !x.counted()[t.ID] {
				all = append(all, candidate{t, order})
			}
		}
	case spec.shape != x.shape:
	case spec.records == world.ActorKind:
		player := x.sessionPlayer()
		for _, a := range x.w.Actors() {
			if spec.name != rolesList || a != player {
				all = append(all, candidate{a, a.Order})
			}
		}
	default:
		for _, p := range x.w.Places() {
			inner := p.Type == subZone || p.Type != zone && p.Parent != ""
			if x.shape != Session || inner == (spec.name == subZonesList) {
				all = append(all, candidate{p, p.Order})
			}
		}
	}
	return all
}

// record writes a record as an item of a list, as hob would write it by itself.
func (x *writer) record(name string, rec world.Record) node {
	switch rec := rec.(type) {
	case *world.Thing:
		return x.object(rec)
	case *world.Actor:
		switch name {
		case playersList:
			return x.player(rec)
		case actorsList:
			return x.actor(rec)
		}
		return x.role(rec)
	case *world.Place:
		switch name {
		case locationsList:
			return x.location(rec)
		case areasList:
			return x.area(rec)
		case subZonesList:
			return x.subZone(rec)
		}
		return x.zone(rec)
	}
	return node{}
}

// restored writes a record as an item of a list, with its differences from when it was read.
func (x *writer) restored(name string, rec world.Record) node {
	n, extra := x.record(name, rec), *extraOf(rec)
	if !x.back || x.hollow != nil || extra == "" {
		return n
	}
	d, all := openExtra(extra)
	if name == mapZonesList {
		d = all.get(mapPart)
	}
	if ways := d.get(connections); isWayList(ways) && n.get(connections) != nil {
		rest := d.without(connections)
		d = &rest
	}
	if key := all.get(keyPart); key.is(text) {
		n.name = key.text
	}
	if patched := patch(&n, d); patched != nil {
		return patched.named(n.name)
	}
	return n
}

// extraOf returns the Extra of a record that stands in a list.
func extraOf(rec world.Record) *string {
	switch rec := rec.(type) {
	case *world.Place:
		return &rec.Extra
	case *world.Actor:
		return &rec.Extra
	case *world.Thing:
		return &rec.Extra
	}
	return new(string)
}

// compare keeps the differences between a save and what hob would write for it.
func (r *reader) compare() {
	for _, l := range r.lists {
		l.upto = r.order
	}
	x := &writer{w: r.w, shape: r.shape, back: true, lists: r.lists, playerID: r.player, hollow: map[string]bool{}}
	for _, s := range r.sources {
		parts := r.extras[s.record]
		normal := x.record(s.list, s.record)
		if p, ok := s.record.(*world.Place); ok {
			if second, ok := r.second[p.ID]; ok {
				if d := diff(&normal, &second); d != nil {
					parts = append(parts, d.named(mapPart))
				}
			}
		}
		d := diff(&normal, &s.from)
		if s.list == mapZonesList && d != nil {
			parts, d = append(parts, d.named(mapPart)), nil
		}
		*extraOf(s.record) = newExtra(d, parts...)
	}
	if m := r.doc.get("map"); m.get("areas").is(object) {
		*m = m.without("connections")
	}
	stored := r.listings()
	for _, spec := range listSpecs() { // they were compared item by item
		if l := r.doc.get(spec.path...); l.is(spec.kind) {
			x.hollow[spec.name] = true
			l.kids = nil
		}
	}
	x.lists = stored
	normal := x.document()
	var parts []node
	if len(stored) > 0 {
		lists := obj(listsPart)
		for _, name := range slices.Sorted(maps.Keys(stored)) {
			lists.kids = append(lists.kids, stored[name].node(name))
		}
		parts = append(parts, lists)
	}
	if r.player != "" {
		parts = append(parts, str(playerPart, r.player))
	}
	r.w.Self().Extra = newExtra(diff(&normal, r.doc), parts...)
}
