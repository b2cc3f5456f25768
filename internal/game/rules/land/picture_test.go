package land_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hob/internal/game/chart"
	"hob/internal/game/rules/land"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/world"
)

// castle is a layer of rooms on a grid in a keep, with what the party does not know: its names begin with "Secret".
func castle(t rulestest.T) *table {
	both := func(from, to, dir string, more world.Link) []world.Record {
		one, two := more, more
		one.From, one.To, one.Dir = from, to, dir
		two.From, two.To, two.Dir = to, from, map[string]string{"n": "s", "e": "w", "d": "u", "": ""}[dir]
		return []world.Record{&one, &two}
	}
	cell := func(x, y int64) *world.Cell { return &world.Cell{X: x, Y: y} }
	records := []world.Record{
		&world.Place{ID: "keep", Order: 1, Name: "Keep", Visited: true, Type: "area", Grid: cell(0, 0)},
		&world.Place{ID: "hall", Order: 2, Name: "Hall", Visited: true, Parent: "keep", Type: "area", Grid: cell(0, 0), Tags: []string{"entry", "hall"}},
		&world.Place{ID: "tower", Order: 3, Name: "Secret tower", Parent: "keep", Type: "area", Grid: cell(0, -1), Tags: []string{"tower"}},
		&world.Place{ID: "roof", Order: 4, Name: "Secret roof", Parent: "keep", Type: "area", Grid: cell(0, -2)},
		&world.Place{ID: "vault", Order: 5, Name: "Secret vault", Secret: true, Parent: "keep", Type: "area", Grid: cell(1, 0)},
		&world.Place{ID: "nook", Order: 6, Name: "Secret nook", Parent: "keep", Type: "area", Grid: cell(-1, 0)},
		&world.Place{ID: "yard", Order: 7, Name: "Yard", Parent: "keep", Type: "area", Grid: cell(0, 1), ZoneType: "Market"},
		&world.Place{ID: "crypt", Order: 8, Name: "Secret crypt", Secret: true, Parent: "hall", Type: "area"},
		&world.Actor{ID: "pc_001", Name: "Ann", Role: "pc", Place: "hall"}, &world.Actor{ID: "pc_002", Name: "Bo", Role: "pc",
			Place: "yard"},
		&world.Actor{ID: "npc_001", Name: "Secret guest", Role: "npc", Place: "hall"},
		&world.Actor{ID: "npc_002", Name: "Secret spy", Role: "npc", Place: "tower"},
		&world.Actor{ID: "npc_003", Name: "Secret friend", Role: "npc", Place: "keep", Talk: []world.Talk{{Text: "Hello.", Said: true}}},
		&world.Actor{ID: "npc_004", Name: "Secret stranger", Role: "npc", Place: "keep", Talk: []world.Talk{{Text: "Hello."}}},
		&world.Thing{ID: "obj_1", Name: "Secret bench", Parent: "hall"}, &world.Thing{ID: "obj_2", Name: "Secret ring", Parent: "hall", Hidden: true},
		&world.Thing{ID: "obj_3", Name: "Secret box", Parent: "keep"},
		&world.Link{From: "keep", To: "hall"}, &world.Link{From: "hall", To: "keep"},
		&world.Link{From: "hall", To: "yard", Dir: "s"}, &world.Link{From: "yard", To: "hall", Dir: "n", Hidden: true},
	}
	records = append(records, both("hall", "tower", "n", world.Link{Door: world.LockedDoor})...)
	records = append(records, both("tower", "roof", "n", world.Link{})...)
	records = append(records, both("hall", "vault", "e", world.Link{})...)
	records = append(records, both("hall", "nook", "", world.Link{Hidden: true})...)
	records = append(records, both("hall", "crypt", "d", world.Link{})...)
	return set(t, &world.Self{AllowAll: true, Title: "The keep", Party: []string{"pc_001", "pc_002"}, Active: "pc_001"},
		records...)
}

func TestPictureIsWhatThePartyKnows(t *testing.T) {
	b := castle(t)
	rulestest.Same(t, land.Picture(b.World, land.View{Dark: true, Trail: []string{"keep", "tower_2", "hall"}}), chart.Map{
		Title: "The keep", Layer: chart.Areas, Dark: true, North: true,
		Rooms: []chart.Room{
			{ID: "hall", Name: "Hall", Visited: true, Current: true, Party: []string{"Ann"}, Kind: chart.Hall, People: 1, Things: 1},
			{Y: -1}, // the tower, which nobody has seen
			{ID: "yard", Name: "Yard", Y: 1, Visited: true, Party: []string{"Bo"}, Kind: chart.Street},
			{ID: "keep", Name: "Keep", X: -1, Visited: true, People: 1},
		},
		Links: []chart.Link{
			{From: 0, To: 3}, {From: 0, To: 1, Dir: "n", Door: chart.Locked}, {From: 0, To: 2, Dir: "s", OneWay: true},
			{From: 3, To: 0},
		},
		Trail: []int{3, 0},
	})
	all := land.Picture(b.World, land.View{Reveal: true})
	if len(all.Rooms) != 7 || !all.Rooms[0].Down || all.Rooms[0].Things != 2 || all.Rooms[1].People != 1 || all.Rooms[1].Kind != chart.Tower || all.Rooms[3].Name != "Secret vault" || !all.Rooms[1].Known {
		t.Errorf("all there is: %v", all.Rooms)
	}
	above := land.Picture(b.World, land.View{Actor: "nobody"})
	if len(above.Rooms) != 4 {
		t.Error("who is not there sees what the active actor sees")
	}
}

// TestNoSecretInAnyPicture searches what is drawn, in all its forms, for what the party does not know.
func TestNoSecretInAnyPicture(t *testing.T) {
	b := castle(t)
	for _, args := range []string{`{}`, `{"format":"svg"}`, `{"format":"text","scope":"area_layer"}`, `{"format":"png"}`} {
		o := b.ok("map_render", args)
		if text := string(o.Result) + b.Text(o); strings.Contains(text, "Secret") || strings.Contains(text, "crypt") {
			t.Errorf("%s: %s", args, text)
		}
	}
	if o := b.ok("map_render", `{"format":"svg","reveal":true}`); !strings.Contains(string(o.Result), "Secret vault") {
		t.Error("what is revealed is not there")
	}
	b.no("error", badArgs, "map_render", `{"format":"gif"}`)
	if o := b.Call("map_render", `{"scope":"zone"}`); o.OK() {
		t.Error("a world without zones has a map of them")
	}
}

func TestPictureOfZones(t *testing.T) {
	b := three(t, nil, zone(3, -90, 300, 60, "Vale"), &world.Link{From: "zone_0_0_0", To: "zone_-90_300_0", Minutes: 3},
		&world.Place{ID: "sub", Parent: "zone_600_0_0", Type: "sub_zone", Pos: &world.Point{}})
	secret := *zone(4, 99, 99, 60, "Secret Grove")
	secret.Secret = true
	if err := b.World.Apply(world.Event{New: &secret}); err != nil {
		t.Fatal(err)
	}
	moved := *b.World.Actor("player_001")
	moved.Place, moved.Name, moved.Role = "sub", "Ann", "pc"
	if err := b.World.Apply(world.Event{Old: b.World.Actor("player_001"), New: &moved}); err != nil {
		t.Fatal(err)
	}
	rulestest.Same(t, land.Picture(b.World, land.View{Zones: true, Actor: "player_001"}), chart.Map{
		Layer: chart.Zones,
		Rooms: []chart.Room{
			{ID: "zone_0_0_0", Name: "Origin", Radius: 120, Known: true},
			{ID: "zone_600_0_0", Name: "East Post", Radius: 120, X: 600, Known: true, Visited: true, Current: true,
				Party: []string{"Ann"}, Kind: chart.Field},
			{ID: "zone_-90_300_0", Name: "Vale", Radius: 60, X: -90, Y: 300, Known: true},
		},
	})
}

// TestPictureOfAnyWorld draws worlds as they may come from anywhere: with cells and without, all in one cell, with no places.
func TestPictureOfAnyWorld(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var records []world.Record
		ids := []string{"", "a", "b", "c", "d", "e", "f"}
		id := rapid.SampledFrom(ids)
		for i, name := range ids[1 : 1+rapid.IntRange(0, 6).Draw(t, "places")] {
			p := &world.Place{
				ID: name, Order: int64(i), Name: "Place " + name, Visited: rapid.Bool().Draw(t, "visited"),
				Secret:   rapid.Bool().Draw(t, "secret"),
				Overland: rapid.Bool().Draw(t, "overland"), Parent: id.Draw(t, "parent"),
			}
			if !p.Visited {
				p.Name = "Unseen-" + name
			}
			if p.Overland && p.Visited == p.Secret { // the name of a zone is known, unless it is a secret
				p.Overland = false
			}
			if p.Overland {
				p.Name = "Place " + name
			}
			if rapid.Bool().Draw(t, "grid") {
				p.Grid = &world.Cell{X: rapid.Int64Range(-2, 2).Draw(t, "gx"), Y: rapid.Int64Range(-1<<62, 1<<62).Draw(t, "gy")}
			}
			if rapid.Bool().Draw(t, "pos") {
				p.Pos = &world.Point{X: rapid.Int64Range(-1<<62, 1<<62).Draw(t, "x")}
			}
			records = append(records, p)
		}
		for range rapid.IntRange(0, 8).Draw(t, "links") {
			l := &world.Link{From: id.Draw(t, "from"), To: id.Draw(t, "to"), Hidden: rapid.Bool().Draw(t, "hidden"),
				Dir: rapid.SampledFrom([]string{"", "n", "u"}).Draw(t, "dir")}
			records = append(records, l)
		}
		records = append(records, &world.Actor{ID: "pc", Name: "Ann", Place: id.Draw(t, "at")})
		b := set(t, &world.Self{AllowAll: true, Active: "pc"}, records...)
		here := b.World.Actor("pc").Place
		for _, v := range []land.View{{}, {Zones: true}, {Reveal: true}} {
			m := land.Picture(b.World, v)
			for _, text := range []string{chart.SVG(m), chart.Text(m, 78)} {
				if !v.Reveal && strings.Contains(strings.ReplaceAll(text, "Unseen-"+here, ""), "Unseen") {
					t.Fatalf("what nobody has seen is drawn: %s", text)
				}
			}
			again := land.Picture(b.World.Clone(), v)
			rulestest.Same(t, again, m)
		}
		b.Call("map_render", `{"format":"png"}`)
	})
}
