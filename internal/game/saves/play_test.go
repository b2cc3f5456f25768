package saves_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/saves"
	"hob/internal/game/world"
)

// play changes a world as a turn does: by putting changed copies into the place of its records.
type play struct {
	t *testing.T
	w *world.World
}

func (p play) apply(e world.Event) {
	p.t.Helper()
	if err := p.w.Apply(e); err != nil {
		p.t.Fatal(err)
	}
}

func (p play) actor(id string, edit func(a *world.Actor)) {
	c := *p.w.Actor(id)
	edit(&c)
	p.apply(world.Event{Old: p.w.Actor(id), New: &c})
}

func (p play) thing(id string, edit func(t *world.Thing)) {
	c := *p.w.Thing(id)
	edit(&c)
	p.apply(world.Event{Old: p.w.Thing(id), New: &c})
}

func (p play) place(id string, edit func(p *world.Place)) {
	c := *p.w.Place(id)
	edit(&c)
	p.apply(world.Event{Old: p.w.Place(id), New: &c})
}

func (p play) self(edit func(s *world.Self)) {
	c := *p.w.Self()
	edit(&c)
	p.apply(world.Event{Old: p.w.Self(), New: &c})
}

func (p play) link(from, to string) {
	p.apply(world.Event{New: &world.Link{From: from, To: to, Order: 1000}})
}

func (p play) unlink(from, to string) { p.apply(world.Event{Old: p.w.Link(from, to)}) }

// after reads a save, plays and returns what is written in a shape.
func after(t *testing.T, b []byte, shape string, opt saves.Options, turn func(p play)) doc {
	t.Helper()
	w, _ := read(t, b)
	turn(play{t, w})
	out := write(t, w, shape, opt)
	again, _ := read(t, out)
	if shape == w.Self().Shape && len(again.Links()) != len(w.Links()) {
		t.Errorf("%d ways were written, there are %d: %s", len(again.Links()), len(w.Links()), out)
	}
	return value(t, out).(doc)
}

func js(t *testing.T, s string) any { return value(t, []byte(s)) }

func TestWaysAreWrittenAsTheyAre(t *testing.T) {
	conn := func(d doc, i int) any { return d["locations"].([]any)[i].(doc)["connections"] }
	for name, c := range map[string]struct {
		edit func(d doc)
		turn func(p play)
		at   int
		want string
	}{
		"half of a way both ways is gone": {nil, func(p play) { p.unlink("loc_attic", "loc_hall") }, 0,
			`[{"targetLocationId":"loc_yard","type":"out"},{"targetLocationId":"loc_attic","type":"out"}]`},
		"the other half is gone": {nil, func(p play) { p.unlink("loc_hall", "loc_attic") }, 0,
			`[{"targetLocationId":"loc_yard","type":"out"},{"targetLocationId":"loc_attic","type":"in"}]`},
		"a way in is gone": {nil, func(p play) { p.unlink("loc_hall", "loc_vault") }, 2, `[]`},
		"a new way out": {nil, func(p play) { p.link("loc_isle", "loc_road") }, 4, `[{"targetLocationId":"loc_road",
			"type":"out"}]`},
		"a new way both ways": {nil, func(p play) { p.link("loc_isle", "loc_road"); p.link("loc_road", "loc_isle") }, 4,
			`[{"targetLocationId":"loc_road","type":"bidirectional"}]`},
		"a way back of a way out": {nil, func(p play) { p.link("loc_yard", "loc_hall") }, 1,
			`[{"targetLocationId":"loc_road","type":"bidirectional"},{"targetLocationId":"loc_hall","type":"out"}]`},
		"a way that was declared at both ends is gone at both": {func(d doc) {
			d["locations"].([]any)[1].(doc)["connections"] = js(t, `[{"targetLocationId":"loc_hall","type":"in"},
				{"targetLocationId":"void","type":"out"}]`)
		}, func(p play) { p.unlink("loc_hall", "loc_yard") }, 1, `[{"targetLocationId":"void","type":"out"}]`},
		"a way that was declared twice in one place is gone": {func(d doc) {
			d["locations"].([]any)[4].(doc)["connections"] = js(t,
				`[{"targetLocationId":"loc_road","type":"out"},{"targetLocationId":"loc_road","type":"out"},5]`)
		}, func(p play) { p.unlink("loc_isle", "loc_road") }, 4, `[5]`},
		"what else a connection says stays with it": {func(d doc) {
			d["locations"].([]any)[0].(doc)["connections"].([]any)[1].(doc)["stairs"] = json.Number("1.50")
		}, func(p play) { p.unlink("loc_hall", "loc_yard") }, 0, `[{"targetLocationId":"loc_attic","type":"bidirectional",
			"stairs":1.50}]`},
	} {
		t.Run(name, func(t *testing.T) {
			b := fixture(t, "w1")
			if c.edit != nil {
				b = changed(t, "w1", c.edit)
			}
			d := after(t, b, saves.GameState, saves.Options{}, c.turn)
			if diff := cmp.Diff(js(t, c.want), conn(d, c.at)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestChangedAndUnchanged changes some members of damaged records: those are written as they are now, all others as they
// were.
func TestChangedAndUnchanged(t *testing.T) {
	b := changed(t, "w1", func(d doc) {
		d["players"].([]any)[0] = js(t, `{"id":"char_ann","name":5,"locationId":"loc_hall","attributes":{"a":1.50,"b":null,
			"c":"x"},"mood":[1]}`)
	})
	d := after(t, b, saves.GameState, saves.Options{}, func(p play) {
		p.actor("char_ann", func(a *world.Actor) { a.Attrs, a.Place = world.With(a.Attrs, "c", "y"), "loc_yard" })
		p.apply(world.Event{New: &world.Thing{ID: "obj_1_ab", Order: 500, Name: "Coin", Parent: "char_ann", Qty: 3}})
		p.apply(world.Event{Old: p.w.Thing("obj_tag")})
	})
	want := js(t, `{"id":"char_ann","name":5,"locationId":"loc_yard","attributes":{"a":1.50,"b":null,"c":"y"},"mood":[1]}`)
	if diff := cmp.Diff(want, d["players"].([]any)[0]); diff != "" {
		t.Error(diff)
	}
	things := d["objects"].([]any)
	want = js(t, `{"id":"obj_1_ab","name":"Coin","connectionId":"char_ann","attributes":{},"quantity":3}`)
	if diff := cmp.Diff(want, things[len(things)-1]); diff != "" || len(things) != 5 {
		t.Errorf("%s %d", diff, len(things))
	}
}

func TestCampaignAfterPlay(t *testing.T) {
	d := after(t, rich(t), saves.CampaignFile, saves.Options{EndedAt: "now"}, func(p play) {
		p.actor("pc_001", func(a *world.Actor) { a.HP, a.State, a.Place = world.Known(0), world.Dying, "area_002" })
		for _, th := range p.w.Contents("pc_001") {
			if th.Name == "torch" {
				p.thing(th.ID, func(th *world.Thing) { th.Qty = 1 })
			} else {
				p.thing(th.ID, func(th *world.Thing) { th.Parent = "area_001" })
			}
		}
		p.thing("obj_9_ab", func(th *world.Thing) { th.Parent = "pc_002" })
		p.apply(world.Event{New: &world.Thing{ID: "obj_10_ab", Order: 900, Name: "coin", Parent: "pc_002", Qty: 5}})
		p.apply(world.Event{New: &world.Place{ID: "area_003", Order: 901, Name: "Cellar", Type: "area", Parent: "area_001"}})
		p.link("area_001", "area_003")
		p.unlink("area_002", "area_001")
		p.self(func(s *world.Self) { s.Ended, s.EndedReason, s.Milestone = true, "party_down", "milestone_1" })
	})
	for path, want := range map[string]string{
		"actors.pc_001": `{"position":"area_002","hp":0,"character_state":"dying","inventory":{"torch":1,"nothing":0},
			"meta":{},"mood":"grim"}`,
		"actors.pc_002": `{"position":"area_001","hp":10,"character_state":"alive","inventory":{"coin":5},"meta":{}}`,
		"objects": `[{"id":"obj_9_ab","name":"Chest","connectionId":"pc_002","attributes":{}},
			{"id":"obj_1","name":"rope","connectionId":"area_001","attributes":{}}]`,
		"map.areas.area_002.reachable_area_ids": `["ghost","area_002"]`,
		"map.areas.area_003": `{"id":"area_003","name":"Cellar","description":"",
			"parent_area_id":"area_001","reachable_area_ids":[]}`,
		"map.connections": `[{"from_area_id":"area_001","to_area_id":"area_002","label":"an arch"},
			{"from_area_id":"area_001","to_area_id":"area_003"},{"from_area_id":"area_002","to_area_id":"area_002"},
			{"from_area_id":"area_002","to_area_id":"ghost"}]`,
		"lifecycle":         `{"ended":true,"reason":"party_down","ended_at":"now"}`,
		"milestone.current": `"milestone_1"`,
		"created_at":        `"2026-01-14T16:00:00+00:00"`,
	} {
		if diff := cmp.Diff(js(t, want), at(d, path)); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}

func TestSessionAfterPlay(t *testing.T) {
	w, info := read(t, upstream(t))
	if len(info.Warnings) != 1 || w.Actor("player_001").Place != "sub_zone_a_1" || w.Actor("npc_erin").Place != "sub_zone_a_1" ||
		w.Actor("npc_erin").Speed != world.Known(4000) || w.Actor("npc_ghost").Place != "nowhere" ||
		w.Place("sub_zone_b_1").Parent != "zone_b" ||
		*w.Place("sub_zone_b_1").Pos != (world.Point{X: 1_210_000, Y: -20_000}) ||
		*w.Place("sub_zone_a_1").Pos != (world.Point{X: 1250, Y: 123}) ||
		info.Counts["log"] != 7 {
		t.Errorf("%q %s", info.Warnings, w.AppendState(nil))
	}
	d := after(t, upstream(t), saves.Session, saves.Options{Logs: []saves.Log{{ID: "log_8", Kind: "move", Text: "went",
		Time: "u", Data: []byte(`{"n":1}`)}}},
		func(p play) {
			p.actor("player_001", func(a *world.Actor) { a.Place, a.Pos = "zone_b", &world.Point{X: 1_200_000, Y: 500} })
			p.self(func(s *world.Self) { s.Minute += 31 })
			p.place("zone_a", func(z *world.Place) { z.Name = "New A" })
			p.apply(world.Event{New: &world.Place{ID: "zone_9_9_0", Order: 900, Name: "N", Type: "zone", Overland: true,
				Pos: &world.Point{X: 9000, Y: 9000}}})
			p.apply(world.Event{New: &world.Actor{ID: "npc_7", Order: 901, Name: "New", Role: "npc", Place: "zone_9_9_0"}})
		})
	zone := `{"zone_id":"zone_9_9_0","name":"N","x":9,"y":9,"z":0,"zone_type":"unknown","size":"small","radius_m":120,
		"description":"","tags":[],"sub_zones":[]}`
	for path, want := range map[string]string{
		"player_runtime_data": `{"session_id":"sess_a","current_position":{"x":1200,"y":0.5,"z":0,
			"zone_id":"zone_b"},"updated_at":"t"}`,
		"map_snapshot.player_position":      `{"x":1200,"y":0.5,"z":0,"zone_id":"zone_b"}`,
		"area_snapshot.current_zone_id":     `"zone_b"`,
		"area_snapshot.current_sub_zone_id": `null`,
		"area_snapshot.clock": `{"calendar":"fantasy_default","year":1024,"month":3,"day":14,"hour":10,
			"minute":1,"updated_at":"2026-02-27T00:00:00+00:00"}`,
		"area_snapshot.zones.0.name":   `"New A"`,
		"area_snapshot.zones.0.center": `{"x":0.0,"y":0.5,"z":0.0}`,
		"area_snapshot.zones.1":        zone,
		"map_snapshot.zones.1.name":    `"New A"`,
		"map_snapshot.zones.0.name":    `"B"`,
		"map_snapshot.zones.2":         zone,
		"game_logs.0.payload.a":        `1.5`,
		"game_logs.1": `{"id":"log_8","session_id":"sess_a","kind":"move","message":"went",
			"payload":{"n":1},"created_at":"u"}`,
		"role_pool.2":                             `{"role_id":"npc_7","name":"New","zone_id":"zone_9_9_0","sub_zone_id":null}`,
		"player_static_data.inventory":            `{"torch":2}`,
		"area_snapshot.sub_zones.0.coord":         `{"x":1.25,"y":0.12345,"z":0}`,
		"map_snapshot.zones.0.sub_zones.0.name":   `"Grove"`,
		"role_pool.0.profile.move_speed_mph":      `4000`,
		"player_static_data.dnd5e_sheet.level":    `1`,
		"player_static_data.attributes.mood":      `"calm"`,
		"area_snapshot.zones.0.state.flags.0":     `"normal"`,
		"map_snapshot.zones.1.tags.0":             `"town"`,
		"area_snapshot.sub_zones.0.npcs.0.npc_id": `"npc_1"`,
	} {
		if diff := cmp.Diff(js(t, want), at(d, path)); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}

// TestOtherShapes writes each sample in each shape and looks for what matters of it.
func TestOtherShapes(t *testing.T) {
	for _, name := range []string{"w1", "w2", "w2b", "w3"} {
		w, _ := read(t, fixture(t, name))
		for _, shape := range []string{saves.GameState, saves.CampaignFile, saves.Session} {
			out := write(t, w, shape, saves.Options{})
			again, info := read(t, out)
			if info.Shape != shape {
				t.Errorf("%s as %s is read as %s: %s", name, shape, info.Shape, out)
			}
			for _, p := range w.Places() {
				if q := again.Place(p.ID); q == nil || q.Name != p.Name || q.Desc != p.Desc {
					t.Errorf("%s as %s: place %s is lost: %s", name, shape, p.ID, out)
				}
			}
			for _, l := range w.Links() {
				if again.Link(l.From, l.To) == nil {
					t.Errorf("%s as %s: the way from %s to %s is lost: %s", name, shape, l.From, l.To, out)
				}
			}
			for _, a := range w.Actors() {
				if b := again.Actor(a.ID); b == nil || b.Place != a.Place && shape != saves.Session {
					t.Errorf("%s as %s: actor %s is lost: %s", name, shape, a.ID, out)
				}
			}
			if shape == saves.GameState && !cmp.Equal(w.Thing("obj_key"), again.Thing("obj_key")) && name == "w1" {
				t.Errorf("%s as %s: the key is another one: %s", name, shape, out)
			}
		}
	}
}

// at follows a path of members and numbers.
func at(v any, path string) any {
	for _, step := range strings.Split(path, ".") {
		switch is := v.(type) {
		case doc:
			v = is[step]
		case []any:
			i, err := json.Number(step).Int64()
			if err != nil || int(i) >= len(is) {
				return nil
			}
			v = is[i]
		default:
			return nil
		}
	}
	return v
}
