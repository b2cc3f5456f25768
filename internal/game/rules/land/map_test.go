package land_test

import (
	"fmt"
	"strings"
	"testing"

	"hob/internal/game/rules"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/world"
)

// made is the result of map_generate.
type made struct {
	Areas    []string `json:"created_area_ids"`
	Links    int      `json:"created_connections"`
	Parent   *string  `json:"root_parent_area_id"`
	Warnings []string `json:"warnings"`
	Objects  []string `json:"created_object_ids"`
}

// one is the world W2b of the cases: one area, and the actor whose turn it is.
func one(t rulestest.T, more ...world.Record) *table {
	t.Helper()
	return set(t, &world.Self{Shape: "002", Party: []string{"pc_001"}, Active: "pc_001"}, append([]world.Record{
		&world.Place{ID: "area_001", Name: "Gate", Type: "area"},
		&world.Actor{ID: "pc_001", Place: "area_001", HP: world.Known(10), State: world.Alive},
	}, more...)...)
}

// generate runs map_generate and holds the result against the world.
func (b *table) generate(args string) made {
	b.T.Helper()
	links := len(b.World.Links())
	got := read[made](b.T, b.ok("map_generate", args))
	if n := len(b.World.Links()) - links; n != got.Links {
		b.T.Errorf("%s: %d links are new, the result says %d", args, n, got.Links)
	}
	b.layersHold()
	return got
}

// layersHold looks for the invariants I4 and I5, and for cells that two rooms share.
func (b *table) layersHold() {
	b.T.Helper()
	for _, l := range b.World.Links() {
		if l.From == l.To || b.World.Place(l.From) == nil || b.World.Place(l.To) == nil {
			b.T.Errorf("the link %s leads nowhere", l.Key())
		}
	}
	parents := map[string]bool{}
	for _, p := range b.World.Places() {
		parents[p.Parent] = true
	}
	for parent := range parents {
		cells := map[world.Cell]string{}
		var areas []*world.Place
		for _, p := range b.World.Inner(parent) {
			if p.Grid != nil && cells[*p.Grid] != "" {
				b.T.Errorf("%s and %s are both at %v", p.ID, cells[*p.Grid], *p.Grid)
			}
			if p.Grid != nil {
				cells[*p.Grid] = p.ID
			}
			if p.Type == "area" {
				areas = append(areas, p)
			}
		}
		if len(areas) == 0 {
			continue
		}
		reached := b.reached(areas[0].ID, func(p *world.Place) bool { return p.Parent == parent })
		for _, p := range areas {
			if !reached[p.ID] {
				b.T.Errorf("%s and %s lie in %q, and no ways join them", areas[0].ID, p.ID, parent)
			}
		}
	}
}

// reached returns the places that ways join with a place, in whichever direction, over those that may be used.
func (b *table) reached(from string, use func(*world.Place) bool) map[string]bool {
	seen := map[string]bool{from: true}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		var next []string
		for _, l := range b.World.Outs(queue[0]) {
			next = append(next, l.To)
		}
		for _, l := range b.World.Ins(queue[0]) {
			next = append(next, l.From)
		}
		for _, id := range next {
			if !seen[id] && use(b.World.Place(id)) {
				seen[id] = true
				queue = append(queue, id)
			}
		}
	}
	return seen
}

// topology returns the ways between rooms, by what they are called.
func (b *table) topology(ids []string) string {
	var s strings.Builder
	for _, id := range ids {
		p := b.World.Place(id)
		fmt.Fprintf(&s, "%s %v:", p.Name, *p.Grid)
		for _, l := range b.World.Outs(id) {
			fmt.Fprintf(&s, " %s%s", l.Dir, b.World.Place(l.To).Name)
		}
		s.WriteByte('\n')
	}
	return s.String()
}

const badArgs = "invalid_args"

func TestMapGenerateRows(t *testing.T) {
	t.Run("map_generate-01", func(t *testing.T) {
		got := one(t).generate(`{"parent_area_id":null,"theme":"Forest","constraints":{"size":4,"seed":"alpha"}}`)
		rulestest.Same(t, got.Areas, []string{"area_002", "area_003", "area_004", "area_005"})
		rulestest.Same(t, got.Parent, (*string)(nil))
		rulestest.Same(t, got.Warnings, []string{})
	})
	t.Run("map_generate-04", func(t *testing.T) {
		b := one(t)
		got := b.generate(`{"parent_area_id":"area_001","theme":"Cave","constraints":{"size":3,"seed":"beta"}}`)
		if b.World.Link("area_001", got.Areas[0]) == nil || b.World.Link(got.Areas[0], "area_001") == nil {
			t.Error("the entry and the parent are not linked both ways")
		}
		reached := b.reached("area_001", func(*world.Place) bool { return true })
		for _, id := range got.Areas {
			p := b.World.Place(id)
			if !reached[id] || !strings.Contains(p.Name, "Cave") || p.Parent != "area_001" {
				t.Errorf("%s %q in %q", id, p.Name, p.Parent)
			}
		}
	})
	t.Run("map_generate-05", func(t *testing.T) {
		var maps [3]string
		for i, seed := range []string{"a", "a", "b"} {
			b := one(t)
			maps[i] = b.topology(b.generate(`{"parent_area_id":null,"constraints":{"size":12,"seed":"` + seed + `"}}`).Areas)
		}
		if maps[0] != maps[1] || maps[0] == maps[2] {
			t.Errorf("%s\n%s\n%s", maps[0], maps[1], maps[2])
		}
	})
	t.Run("map_generate-07", func(t *testing.T) {
		for _, theme := range []string{`""`, `"   "`} {
			b := one(t)
			got := b.generate(`{"parent_area_id":null,"theme":` + theme + `}`)
			rulestest.Same(t, got.Warnings, []string{"theme_defaulted", "seed_defaulted"})
			if name := b.World.Place(got.Areas[0]).Name; !strings.HasPrefix(name, "Generated") {
				t.Errorf("a map without a theme has %q", name)
			}
		}
	})
	t.Run("map_generate-08", func(t *testing.T) {
		rulestest.Same(t, one(t).generate(`{"parent_area_id":null,"theme":null}`).Warnings, []string{"seed_defaulted"})
	})
	for id, list := range map[string][]string{
		"map_generate-10": {`{"parent_area_id":"missing"}`, `{"parent_area_id":""}`, `{"parent_area_id":5}`},
		"map_generate-11": {
			`{"parent_area_id":null,"constraints":{"size":0}}`, `{"parent_area_id":null,"constraints":{"size":-1}}`,
			`{"parent_area_id":null,"constraints":{"size":31}}`, `{"parent_area_id":null,"constraints":{"size":"6"}}`,
			`{"parent_area_id":null,"constraints":{"size":6.5}}`, `{"parent_area_id":null,"constraints":{"size":6.0}}`,
			`{"parent_area_id":null,"constraints":{"size":true}}`, `{"parent_area_id":null,"size":31}`,
			`{"parent_area_id":null,"constraints":{"size":99999999999999999999}}`,
		},
		"map_generate-13": {
			`{"parent_area_id":null,"constraints":[]}`, `{"parent_area_id":null,"constraints":"size"}`,
			`{"parent_area_id":null,"constraints":{"size":3,"colour":"red"}}`,
			`{"parent_area_id":null,"constraints":{"size":3,"size":4}}`,
		},
		"map_generate-14": {
			`{"parent_area_id":null,"constraints":{"seed":5}}`, `{"parent_area_id":null,"seed":["a"]}`,
			`{"parent_area_id":null,"theme":5}`, `{"parent_area_id":null,"constraints":{"hub":"yes"}}`,
			`{"parent_area_id":null,"constraints":{"locks":1}}`, `{"parent_area_id":null,"constraints":{"loops":1.001}}`,
			`{"parent_area_id":null,"constraints":{"loops":-0.1}}`, `{"parent_area_id":null,"constraints":{"loops":"0.5"}}`,
			`{"parent_area_id":null,"constraints":{"loops":1e400}}`, `{"parent_area_id":null,"constraints":{"loops":true}}`,
			`{"parent_area_id":null,"theme":"` + strings.Repeat("я", 81) + `"}`,
		},
	} {
		t.Run(id, func(t *testing.T) {
			for _, args := range list {
				one(t).no(rules.Failed, badArgs, "map_generate", args)
			}
		})
	}
	t.Run("map_generate-14 null", func(t *testing.T) {
		got := one(t).generate(`{"parent_area_id":null,"theme":"x","constraints":{"seed":null}}`)
		rulestest.Same(t, got.Warnings, []string{"seed_defaulted"})
	})
	t.Run("map_generate-16", func(t *testing.T) {
		rulestest.Same(t, len(one(t).generate(`{"parent_area_id":null,"size":3,"constraints":{}}`).Areas), 6)
		rulestest.Same(t, len(one(t).generate(`{"parent_area_id":null,"size":3,"seed":"a"}`).Areas), 3)
	})
}

func TestMapGenerateRowsOfOtherWorlds(t *testing.T) {
	self := &world.Self{Party: []string{"pc_001"}, Active: "pc_001", Shape: "002"}
	pc := &world.Actor{ID: "pc_001", HP: world.Known(10), State: world.Alive}
	t.Run("map_generate-17", func(t *testing.T) {
		got := set(t, self, pc).generate(`{"parent_area_id":null,"theme":"x","constraints":{"size":3,"seed":"s","loops":0}}`)
		rulestest.Same(t, got, made{Areas: []string{"area_001", "area_002", "area_003"}, Links: 4, Warnings: []string{}})
	})
	t.Run("map_generate-19", func(t *testing.T) {
		foo := "foo"
		got := set(t, self, pc, &world.Place{ID: "foo", Type: "area"}).generate(
			`{"parent_area_id":"foo","theme":"x","constraints":{"size":2,"seed":"s"}}`)
		rulestest.Same(t, got, made{Areas: []string{"area_001", "area_002"}, Links: 4, Parent: &foo, Warnings: []string{}})
	})
	t.Run("map_generate-22", func(t *testing.T) {
		strict := *self
		strict.Allow = []string{"move"}
		set(t, &strict, pc).no(rules.Rejected, "tool_not_allowed", "map_generate", `{"parent_area_id":null}`)
	})
	t.Run("map_generate-23", func(t *testing.T) {
		dead := *pc
		dead.State = world.Dead
		set(t, self, &dead).no(rules.Rejected, "actor_state_restricted", "map_generate", `{"parent_area_id":null}`)
	})
}

func TestLoopsAreAnyNumber(t *testing.T) {
	for args, like := range map[string]string{
		`1`: `1.0`, `0`: `0.0`, `2.5e-1`: `0.25`, `5E-1`: `0.5`, `0.2500`: `0.25`, `1e0`: `1`, `0.3`: `0.30001`, `-0`: `0`,
	} {
		var maps [2]string
		for i, loops := range []string{args, like} {
			b := one(t)
			maps[i] = b.topology(b.generate(`{"parent_area_id":null,"constraints":{"size":20,"seed":"a","loops":` + loops +
				`}}`).Areas)
		}
		if maps[0] != maps[1] {
			t.Errorf("loops %s and %s make different maps", args, like)
		}
	}
	b := one(t)
	tree := b.generate(`{"parent_area_id":"area_001","constraints":{"size":20,"seed":"a","loops":0}}`)
	full := b.generate(`{"parent_area_id":"` + tree.Areas[0] + `","constraints":{"size":20,"seed":"a","loops":1}}`)
	if tree.Links != 2*20 || full.Links <= tree.Links {
		t.Errorf("without loops there are %d links, with all of them %d", tree.Links, full.Links)
	}
}

func TestMapsOfOneLayerAreJoined(t *testing.T) {
	apart := []world.Record{
		&world.Place{ID: "isle", Order: 1, Name: "Isle", Type: "area"}, &world.Place{ID: "reef", Order: 2, Name: "Reef",
			Type: "area"},
		&world.Place{ID: "rock", Order: 3, Name: "Rock", Type: "area"}, &world.Link{From: "reef", To: "rock"},
		&world.Place{ID: "inn", Order: 4, Name: "Inn", Type: "location"},
	}
	b := one(t, apart...)
	got := b.generate(`{"parent_area_id":null,"constraints":{"size":3,"seed":"a","loops":0}}`)
	// the entry is joined with the gate (where the actor is), the isle and one of reef and rock; an inn may lie apart
	rulestest.Same(t, got.Links, 4+2*3)
	if b.World.Link("area_001", got.Areas[0]) == nil || b.World.Link("inn", got.Areas[0]) != nil {
		t.Error("a map begins where the actor is, and not at an inn")
	}
	for i := range 20 {
		parent, size := "null", 1+i*7%30
		if i%3 == 1 {
			parent = `"area_001"`
		}
		b.generate(fmt.Sprintf(`{"parent_area_id":%s,"constraints":{"size":%d,"seed":"s","hub":%v,"locks":%v}}`, parent, size,
			i%2 == 0, i%5 == 0))
	}
	names := map[string]string{}
	for _, p := range b.World.Places() {
		if names[p.Parent+p.Name] != "" && len(names) < 144 {
			t.Errorf("two places in %q are called %q", p.Parent, p.Name)
		}
		names[p.Parent+p.Name] = p.ID
	}
}

func TestMapsAmongLocations(t *testing.T) {
	b := set(t, &world.Self{AllowAll: true, Active: "ann"}, &world.Actor{ID: "ann", Place: "hall"},
		&world.Place{ID: "hall", Order: 1, Name: "Hall", Type: "location"}, &world.Place{ID: "isle", Order: 2, Name: "Isle",
			Type: "location"})
	got := b.generate(`{"parent_area_id":null,"constraints":{"size":1,"seed":"a"}}`)
	rulestest.Same(t, got.Links, 2)
	if b.World.Link("hall", got.Areas[0]) == nil || len(b.World.Ins("isle")) > 0 {
		t.Error("the map begins beside the actor, and the isle stays one")
	}
}

func TestHub(t *testing.T) {
	b := one(t)
	got := b.generate(`{"parent_area_id":"area_001","theme":"x","constraints":{"size":5,"seed":"a","hub":true,"locks":true,"loops":0}}`)
	rulestest.Same(t, got.Links, 2*4+2*5)
	rulestest.Same(t, got.Warnings, []string{"locks_ignored"})
	for _, id := range got.Areas {
		if b.World.Link("area_001", id) == nil || b.World.Link(id, "area_001") == nil {
			t.Errorf("%s is not linked with the hub both ways", id)
		}
	}
	rulestest.Same(t, one(t).generate(`{"parent_area_id":null,"constraints":{"size":2,"seed":"a","hub":true}}`).Warnings,
		[]string{"hub_ignored"})
}

// TestLocksAreSolvable walks from the parent with the keys that are found on the way.
func TestLocksAreSolvable(t *testing.T) {
	locked := 0
	for i := range 60 {
		b := one(t)
		got := b.generate(fmt.Sprintf(`{"parent_area_id":"area_001","constraints":{"size":%d,"seed":"%d","locks":true}}`,
			1+i%30, i))
		reached, keys := map[string]bool{"area_001": true}, map[string]bool{}
		for range got.Areas {
			for _, l := range b.World.Links() {
				if reached[l.From] && (l.Door != world.LockedDoor || keys[l.Lock]) {
					reached[l.To] = true
				}
				for _, key := range b.World.Contents(l.To) {
					keys[key.ID] = keys[key.ID] || reached[l.To]
				}
			}
		}
		for _, id := range got.Areas {
			if !reached[id] {
				t.Errorf("seed %d: %s cannot be reached", i, id)
			}
		}
		for _, id := range got.Objects {
			if b.World.Thing(id) == nil || b.World.Place(b.World.Thing(id).Parent) == nil {
				t.Errorf("the key %s is nowhere", id)
			}
		}
		for _, l := range b.World.Links() {
			if l.Door == world.LockedDoor {
				locked++
				if b.World.Thing(l.Lock) == nil || b.World.Link(l.To, l.From).Lock != l.Lock {
					t.Errorf("the door of %s has no key, or another one from behind", l.Key())
				}
			}
		}
	}
	if locked == 0 {
		t.Error("no map has a lock")
	}
}

func TestPositionsLieWithinTheParent(t *testing.T) {
	for _, parent := range []world.Place{
		{ID: "zone", Type: "zone", Overland: true, Radius: 60, Pos: &world.Point{X: -120_500, Y: 80_250, Z: -500}},
		{ID: "zone", Type: "zone", Overland: true, Radius: 420, Pos: &world.Point{X: 1, Y: -1}},
	} {
		b := one(t, &parent)
		for i := range 10 {
			for _, id := range b.generate(fmt.Sprintf(`{"parent_area_id":"zone","constraints":{"size":30,"seed":"%d"}}`,
				i)).Areas {
				at := b.World.Place(id).Pos
				dx, dy := at.X-parent.Pos.X, at.Y-parent.Pos.Y
				if most := parent.Radius * 1000; dx*dx+dy*dy > most*most || at.Z != parent.Pos.Z || !b.World.Place(id).Laid {
					t.Errorf("%s is at %v, %d m around %v is its parent", id, *at, parent.Radius, *parent.Pos)
				}
			}
		}
	}
}

// Without a parent it is the root layer; in a campaign of seed 002 whose map is not connected nothing is made, elsewhere that is no matter.
func TestMapGenerate_TheWholeMapMustHold(t *testing.T) {
	one(t).ok("map_generate", `{"parent_area_id":null,"constraints":{"size":2}}`)
	if o := one(t).Call("map_generate", `{"constraints":{"size":2}}`); o.OK() || o.Reason() != "invalid_args" {
		t.Errorf("without parent_area_id: %s", o.Status)
	}
	for _, shape := range []string{"002", ""} {
		b := one(t)
		self := *b.World.Self()
		self.Shape = shape
		b.Put(&self, &world.Place{ID: "area_900", Type: "area", Parent: "area_001"}, &world.Place{ID: "area_901", Type: "area", Parent: "area_001"})
		if args := `{"parent_area_id":null,"constraints":{"size":2}}`; shape == "" {
			b.ok("map_generate", args)
		} else {
			b.no(rules.Failed, badArgs, "map_generate", args)
		}
	}
}
