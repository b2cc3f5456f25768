package land

import (
	"maps"
	"slices"

	"hob/internal/game/atlas"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// builder makes places and links of a layout.
type builder struct {
	s       *rules.Step
	request mapRequest
	layout  atlas.Layout
	naming  atlas.Naming
	names   []string // by room
	ids     []string // by room
	keys    []string
	links   int64
	old     []*world.Place // what lay in the same parent before
}

func newBuilder(s *rules.Step, w mapRequest, l atlas.Layout) *builder {
	return &builder{
		s: s, request: w, layout: l, naming: atlas.NewNaming(l.Key, w.theme, s.Lang), old: s.World.Inner(w.parent),
	}
}

// rooms makes the areas, beside those that are there on the grid, and within their parent on the
// ground.
func (b *builder) rooms() {
	parent := b.s.World.Place(b.request.parent)
	var spots []atlas.Point // from the parent's middle, in metres
	if parent != nil && parent.Pos != nil && parent.Radius > 0 {
		spots = atlas.Lay(b.layout, atlas.Point{}, parent.Radius)
	}
	shift, next := b.columnShift(), 0
	for i, r := range b.layout.Rooms {
		var name string
		name, next = b.freeName(next)
		p := &world.Place{
			ID: b.s.NewID("area"), Order: b.s.NewOrder(), Name: name, Desc: b.naming.Describe(i, r.Tags), Parent: b.request.parent,
			Type: "area", Tags: r.Tags, Grid: &world.Cell{X: int64(r.GX) + shift, Y: int64(r.GY)},
		}
		if spots != nil {
			at := spots[i]
			p.Pos = &world.Point{X: parent.Pos.X + at.X*1000, Y: parent.Pos.Y + at.Y*1000, Z: parent.Pos.Z + at.Z*1000}
			p.Laid = true
		}
		b.s.Put(p)
		b.ids, b.names = append(b.ids, p.ID), append(b.names, name)
	}
}

// freeName returns the n-th name, or the next one that no place beside has: maps with the same seed
// have the same names.
func (b *builder) freeName(n int) (name string, next int) {
	const most = 144 // different names there are
	for i := n; i < n+most; i++ {
		name = b.naming.Name(i)
		if !slices.ContainsFunc(b.old, func(p *world.Place) bool { return p.Name == name }) {
			return name, i + 1
		}
	}
	return b.naming.Name(n), n + 1
}

// columnShift returns how many columns to the east the new rooms stand, so that a free column
// separates them from the rooms that exist.
func (b *builder) columnShift() int64 {
	least := int64(0)
	for _, r := range b.layout.Rooms {
		least = min(least, int64(r.GX))
	}
	var columns []int64
	for _, p := range b.old {
		if p.Grid != nil {
			columns = append(columns, p.Grid.X)
		}
	}
	if len(columns) == 0 {
		return 0
	}
	return slices.Max(columns) + 2 - least
}

// passages links the rooms with each other, with doors, and puts the keys of locked ones where they
// can be found before.
func (b *builder) passages() {
	for _, l := range b.layout.Links {
		door, lock := l.Door, ""
		if door == atlas.NoDoor {
			door = world.NoDoor
		}
		if l.KeyRoom >= 0 {
			key := &world.Thing{
				ID: b.s.NewObjectID(), Order: b.s.NewOrder(), Name: b.s.Say("map_generate.key", b.names[l.B]),
				Parent: b.ids[l.KeyRoom],
				Attrs:  map[string]string{"condition": b.s.Say("map_generate.key_condition")},
			}
			b.s.Put(key)
			b.keys = append(b.keys, key.ID)
			lock = key.ID
		}
		b.links += connect(b.s, world.Link{From: b.ids[l.A], To: b.ids[l.B], Dir: l.Dir, Door: door, Lock: lock})
	}
}

// joinParent links the parent with the entry, or with every room around a hub.
func (b *builder) joinParent() {
	if b.request.parent == "" {
		return
	}
	for _, i := range b.layout.Outward {
		b.links += connect(b.s, world.Link{From: b.request.parent, To: b.ids[i]})
	}
}

// joinLayer links the entry with what lay in the same parent before, so that the areas of the layer
// are connected (invariant I5): with one place of each group that has an area in it, even where
// these were apart. Where there were no areas, as among the locations of seed 000, one link will do
// at the root: inside of a place the parent is the way in.
func (b *builder) joinLayer() {
	linked, seen := false, map[string]bool{}
	for _, p := range b.old {
		if seen[p.ID] {
			continue
		}
		joined := b.s.World.Joined(p)
		maps.Copy(seen, joined)
		group := slices.DeleteFunc(slices.Clone(b.old), func(p *world.Place) bool { return !joined[p.ID] })
		if slices.ContainsFunc(group, isArea) {
			b.links += connect(b.s, world.Link{From: b.startPlace(group).ID, To: b.ids[0]})
			linked = true
		}
	}
	if !linked && b.request.parent == "" && len(b.old) > 0 {
		b.links += connect(b.s, world.Link{From: b.startPlace(b.old).ID, To: b.ids[0]})
	}
}

func isArea(p *world.Place) bool { return p.Type == "area" }

// startPlace returns the place of several beside which a map begins: the place of the acting actor,
// or else the newest; an area before other places, and a known place before a secret one.
func (b *builder) startPlace(list []*world.Place) (best *world.Place) {
	here := ""
	if a := b.s.World.Actor(b.s.Actor); a != nil {
		here = a.Place
	}
	rank := func(p *world.Place) (n int) {
		if p.ID == here {
			n += 4
		}
		if !rules.Secret(p) {
			n += 2
		}
		if isArea(p) {
			n++
		}
		return n
	}
	for _, p := range list {
		if best == nil || rank(p) >= rank(best) {
			best = p
		}
	}
	return best
}
