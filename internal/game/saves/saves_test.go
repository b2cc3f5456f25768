package saves_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/saves"
	"hob/internal/game/world"
)

// TestSamples reads the samples as what the conformance list says they are.
func TestSamples(t *testing.T) {
	w, info := read(t, fixture(t, "w1"))
	self := world.Self{AllowAll: true, Desc: "a quiet house by a road", Genre: "cosy", Shape: "000", Integrity: world.Free}
	if diff := cmp.Diff(&self, w.Self()); diff != "" {
		t.Error(diff)
	}
	want := &world.Thing{ID: "obj_knife", Order: 12, Name: "Knife", Parent: "char_ann",
		Attrs: map[string]string{"condition": "sharp"}}
	if diff := cmp.Diff(want, w.Thing("obj_knife")); diff != "" {
		t.Error(diff)
	}
	ann := &world.Actor{ID: "char_ann", Order: 7, Role: "pc", Name: "Ann", Place: "loc_hall",
		Attrs: map[string]string{"health": "well"}}
	if diff := cmp.Diff(ann, w.Actor("char_ann")); diff != "" {
		t.Error(diff)
	}
	var ways []string
	for _, l := range w.Links() {
		ways = append(ways, l.From+">"+l.To+" "+l.Declared)
	}
	if diff := cmp.Diff([]string{"loc_attic>loc_hall htob", "loc_hall>loc_yard out", "loc_hall>loc_attic both",
		"loc_hall>loc_vault in",
		"loc_road>loc_yard htob", "loc_yard>loc_road both"}, ways); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int64{"order": 19}, info.Counts); diff != "" {
		t.Error(diff)
	}

	w, info = read(t, fixture(t, "w2"))
	first := &world.Actor{ID: "pc_001", Order: 3, Role: "pc", Name: "pc_001", Place: "area_001", HP: world.Known(10),
		State: "alive"}
	if diff := cmp.Diff(first, w.Actor("pc_001")); diff != "" {
		t.Error(diff)
	}
	gate := &world.Place{ID: "area_001", Order: 1, Name: "Gate", Type: "area"}
	if diff := cmp.Diff(gate, w.Place("area_001")); diff != "" {
		t.Error(diff)
	}
	if s := w.Self(); s.Session != "camp_0001" || s.Active != "pc_001" || len(s.Party) != 2 ||
		s.Rules["hp_zero_ends_game"] != 1 ||
		len(s.Allow) != 3 || s.AllowAll || s.Milestone != "intro" || s.Pace["turn_trigger_interval"] != 6 ||
		info.Counts["area"] != 2 {
		t.Errorf("%+v %v", s, info.Counts)
	}

	w, _ = read(t, fixture(t, "w3"))
	player := &world.Actor{ID: "player_001", Order: 4, Role: "pc", Name: "Player", Place: "zone_0_0_0", Pos: &world.Point{},
		Speed: world.Known(4500)}
	if diff := cmp.Diff(player, w.Actor("player_001")); diff != "" {
		t.Error(diff)
	}
	rubble := &world.Place{ID: "zone_120_-80_0", Order: 3, Name: "Rubble Stage", Type: "zone", Tags: []string{"ai",
		"generated"}, ZoneType: "road",
		Size: "small", Radius: 60, Overland: true, Pos: &world.Point{X: 120_000, Y: -80_000}}
	if diff := cmp.Diff(rubble, w.Place("zone_120_-80_0")); diff != "" {
		t.Error(diff)
	}
	if s := w.Self(); s.Session != "s1" || s.Active != "player_001" || !s.ClockSet || s.Calendar != "common" ||
		s.Minute != 538_150_170 {
		t.Errorf("%+v", s)
	}
}

// TestDamaged has the damages that the conformance list and the specification name, each with its warning.
func TestDamaged(t *testing.T) {
	object := func(id, parent string) doc {
		return doc{"id": id, "name": id, "connectionId": parent, "attributes": doc{}}
	}
	add := func(d doc, items ...any) { d["objects"] = append(d["objects"].([]any), items...) }
	for name, c := range map[string]struct {
		from string
		edit func(d doc)
		warn string
		look func(w *world.World) bool
	}{
		"move_object-14 objects in each other": {"w1", func(d doc) {
			add(d, object("obj_p", "obj_q"), object("obj_q",
				"obj_p"))
		}, "obj_p",
			func(w *world.World) bool {
				return w.Thing("obj_p").Parent == "obj_q" && w.Thing("obj_q").Parent == "obj_p"
			}},
		"move_object-16 a parent that is not there": {"w1",
			func(d doc) { d["objects"].([]any)[0].(doc)["connectionId"] = "ghost" }, "ghost",
			func(w *world.World) bool { return w.Thing("obj_box").Parent == "ghost" }},
		"move_object-17 a place and an object with one id": {"w1", func(d doc) { add(d, object("loc_yard", "loc_hall")) },
			`"loc_yard"`,
			func(w *world.World) bool {
				return w.Place("loc_yard") != nil && w.Thing("loc_yard").Parent == "loc_hall"
			}},
		"turn-engine-26 a position that is not there": {"w2",
			func(d doc) { d["actors"].(doc)["pc_002"].(doc)["position"] = "area_999" }, "area_999",
			func(w *world.World) bool { return w.Actor("pc_002").Place == "area_999" }},
		"move_to_zone-14 a zone that is not there": {"w3", func(d doc) {
			d["player_runtime_data"].(doc)["current_position"] = doc{"x": 30, "y": 40, "z": 0, "zone_id": "zone_lost"}
		}, "zone_lost", func(w *world.World) bool {
			a := w.Actor("player_001")
			return a.Place == "zone_lost" && *a.Pos == world.Point{X: 30_000, Y: 40_000}
		}},
		"a player who is nowhere": {"w3", func(d doc) {
			d["player_runtime_data"].(doc)["current_position"] = nil
			delete(d["map_snapshot"].(doc), "player_position")
			delete(d, "area_snapshot")
		}, "where the player is", func(w *world.World) bool { return w.Actor("player_001").Place == "zone_0_0_0" }},
		"an id twice": {"w1", func(d doc) { add(d, object("obj_box", "loc_road")) }, "stands twice",
			func(w *world.World) bool { return w.Thing("obj_box").Parent == "loc_hall" }},
		"a place without an id": {"w1", func(d doc) { delete(d["locations"].([]any)[4].(doc), "id") },
			`"location_1" it is called`,
			func(w *world.World) bool { return w.Place("location_1").Name == "Isle" }},
		"an id with a control character": {"w1", func(d doc) {
			d["players"].([]any)[0].(doc)["locationId"] = "a\nb"
			d["locations"].([]any)[4].(doc)["id"] = "a\nb"
		}, `"a_b" it is called`, func(w *world.World) bool {
			return w.Place("a_b") != nil &&
				w.Actor("char_ann").Place == "a_b"
		}},
		"a number as text": {"w2", func(d doc) { d["actors"].(doc)["pc_001"].(doc)["hp"] = "7" }, "whole number",
			func(w *world.World) bool { return w.Actor("pc_001").HP == world.Known(7) }},
		"a fraction of a point": {"w2", func(d doc) { d["actors"].(doc)["pc_001"].(doc)["hp"] = json.Number("7.9") },
			"whole number",
			func(w *world.World) bool { return w.Actor("pc_001").HP == world.Known(7) }},
		"a number that is too large": {"w2",
			func(d doc) { d["actors"].(doc)["pc_001"].(doc)["hp"] = json.Number("99999999999999999999") }, "whole number",
			func(w *world.World) bool { return w.Actor("pc_001").HP == world.Known(10) }},
		"a fraction of a metre": {"w3",
			func(d doc) { d["area_snapshot"].(doc)["zones"].([]any)[1].(doc)["x"] = json.Number("600.12367") }, "",
			func(w *world.World) bool { return w.Place("zone_600_0_0").Pos.X == 600_124 }},
		"a month that is none": {"w3", func(d doc) { d["area_snapshot"].(doc)["clock"].(doc)["month"] = 13 }, "no time",
			func(w *world.World) bool { return !w.Self().ClockSet }},
		"a way to nowhere": {"w2", func(d doc) {
			d["map"].(doc)["areas"].(doc)["area_001"].(doc)["reachable_area_ids"] = []any{"area_002", "area_404"}
		}, "area_404", func(w *world.World) bool { return len(w.Outs("area_001")) == 1 }},
		"a way of no known kind": {"w1", func(d doc) {
			d["locations"].([]any)[4].(doc)["connections"] = []any{doc{"targetLocationId": "loc_hall", "type": "sideways"}}
		}, "sideways", func(w *world.World) bool { return len(w.Outs("loc_isle")) == 0 }},
		"no attributes, no connections": {"w1", func(d doc) {
			delete(d["locations"].([]any)[0].(doc), "attributes")
			delete(d["locations"].([]any)[5].(doc), "connections")
		}, "", func(w *world.World) bool { return w.Place("loc_hall").Attrs == nil && w.Place("loc_yard").Attrs != nil }},
		"attributes that are no text": {"w1", func(d doc) {
			d["players"].([]any)[0].(doc)["attributes"] = doc{"a": 5, "b": nil, "c": []any{1, "x"}, "d": true}
		}, "", func(w *world.World) bool {
			return cmp.Equal(w.Actor("char_ann").Attrs, map[string]string{"a": "5", "c": `[1,"x"]`, "d": "true"})
		}},
		"no allowlist": {"w2", func(d doc) { delete(d, "allowlist") }, "",
			func(w *world.World) bool { return w.Self().Allow == nil && !w.Self().AllowAll }},
		"an allowlist of a GameState": {"w1", func(d doc) { d["allowlist"] = []any{"set_attribute"} }, "",
			func(w *world.World) bool {
				return cmp.Equal(w.Self().Allow, []string{"set_attribute"}) && !w.Self().AllowAll
			}},
		"map_generate-17 no areas": {"w2b", func(d doc) { d["map"].(doc)["areas"] = doc{} }, "area_001",
			func(w *world.World) bool { return len(w.Places()) == 0 }},
		"map_generate-19 an area of another name": {"w2b", func(d doc) {
			d["map"].(doc)["areas"] = doc{"foo": doc{"id": "foo", "name": "Foo", "description": "", "parent_area_id": nil,
				"reachable_area_ids": []any{}}}
			d["actors"].(doc)["pc_001"].(doc)["position"] = "foo"
		}, "", func(w *world.World) bool { return w.Place("foo") != nil }},
	} {
		t.Run(name, func(t *testing.T) {
			w, info := returns(t, changed(t, c.from, c.edit))
			switch {
			case c.warn == "" && len(info.Warnings) > 0:
				t.Errorf("warnings %q", info.Warnings)
			case c.warn != "" && !strings.Contains(strings.Join(info.Warnings, "\n"), c.warn):
				t.Errorf("no warning has %q: %q", c.warn, info.Warnings)
			}
			if !c.look(w) {
				t.Errorf("another world: %s", w.AppendState(nil))
			}
		})
	}
}

// TestRows has the rows of the conformance list that are about saves.
func TestRows(t *testing.T) {
	t.Run("get_player_state-02", newSession)
	t.Run("get_player_state-11", secrets)
	t.Run("turn-engine-26", func(t *testing.T) {
		oldCampaign(t)
		w, info := read(t, changed(t, "w2", func(d doc) {
			d["map"].(doc)["connections"] = []any{doc{"from_area_id": "area_002", "to_area_id": "area_001"}}
			d["actors"].(doc)["pc_002"].(doc)["position"] = "area_999"
		}))
		warned(t, info, "area_999")
		d := value(t, write(t, w, saves.CampaignFile, saves.Options{}))
		want := js(t, `[{"from_area_id":"area_001","to_area_id":"area_002"}]`)
		if diff := cmp.Diff(want, at(d, "map.connections")); diff != "" || at(d, "actors.pc_002.position") != "area_999" {
			t.Errorf("%s %v", diff, d)
		}
	})
}

func newSession(t *testing.T) {
	w, info := returns(t, []byte(`{"session_id":"s1"}`))
	player := &world.Actor{ID: "player_001", Order: 1, Role: "pc", Name: "player_001", Place: "zone_0_0_0",
		Pos: &world.Point{}, Speed: world.Known(4500)}
	if diff := cmp.Diff(player, w.Actor("player_001")); diff != "" || len(info.Warnings) != 0 {
		t.Errorf("%s %q", diff, info.Warnings)
	}
	returns(t, []byte(`{"session_id":"s1","area_snapshot":{"zones":[],"sub_zones":[]},"map_snapshot":{"zones":[]},
		"role_pool":[]}`))
}

func secrets(t *testing.T) {
	b := changed(t, "w3", func(d doc) {
		d["ai_config"] = doc{"model": "m", "openai_api_key": "sk-1-verysecret"}
		d["game_settings"].(doc)["API-Key"] = "sk-2-verysecret"
		d["player_static_data"].(doc)["settings"] = []any{doc{"access_token": "sk-3-verysecret", "max_tokens": 512}}
		d["player_static_data"].(doc)["attributes"] = doc{"token": "a brass token", "apikey": "sk-4-verysecret"}
	})
	w, info := read(t, b)
	all := string(w.AppendState(nil)) + strings.Join(info.Warnings, " ") + string(write(t, w, saves.Session, saves.Options{})) +
		string(write(t, w, saves.Own, saves.Options{}))
	if strings.Contains(all, "verysecret") || !strings.Contains(all, "a brass token") || !strings.Contains(all,
		`"max_tokens":512`) {
		t.Errorf("%s", all)
	}
	if len(info.Warnings) != 4 {
		t.Errorf("%q", info.Warnings)
	}
	warned(t, info, `"access_token" looks like a secret`)
}

// oldCampaign reads a campaign.json as it was before actors had their own records and areas their lists.
func oldCampaign(t *testing.T) {
	b := changed(t, "w2", func(d doc) {
		delete(d, "actors")
		d["positions"] = doc{"pc_001": "area_002"}
		d["state"] = doc{"positions_parent": doc{"pc_002": "area_001"}, "positions": doc{"pc_002": "area_001"},
			"positions_child": doc{}}
		d["hp"] = doc{"pc_001": 4, "pc_002": 10}
		d["character_states"] = doc{"pc_001": "dying"}
		for _, a := range d["map"].(doc)["areas"].(doc) {
			delete(a.(doc), "reachable_area_ids")
		}
	})
	w, info := read(t, b)
	a, o := w.Actor("pc_001"), w.Actor("pc_002")
	if a.Place != "area_002" || a.HP != world.Known(4) || a.State != "dying" || o.Place != "area_001" ||
		o.HP != world.Known(10) || o.State != "alive" ||
		w.Link("area_001", "area_002") == nil || len(info.Warnings) != 0 {
		t.Errorf("%s %q", w.AppendState(nil), info.Warnings)
	}
	got := value(t, write(t, w, saves.CampaignFile, saves.Options{})).(doc)
	want := value(t, fixture(t, "w2")).(doc)
	want["actors"] = value(t, []byte(`{"pc_001":{"position":"area_002","hp":4,"character_state":"dying","inventory":{},"meta":{}},
		"pc_002":{"position":"area_001","hp":10,"inventory":{},"meta":{}}}`))
	for _, k := range []string{"positions", "hp", "character_states"} {
		want[k] = doc{}
	}
	want["state"] = doc{"positions_parent": doc{}, "positions": doc{}, "positions_child": doc{}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestRefused(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 200) + "1" + strings.Repeat("}", 200)
	for name, c := range map[string]struct{ b, want string }{
		"nothing":     {"", "it ends too early"},
		"no JSON":     {"{locations}", "invalid character"},
		"half":        {`{"locations":[{"id":"a"`, "too early"},
		"a list":      {"[]", "no member of a save"},
		"another":     {`{"name":"x"}`, "no member of a save"},
		"two":         {`{"session_id":"s"}{"session_id":"s"}`, "something follows"},
		"NaN":         {`{"session_id":NaN}`, "invalid character 'N'"},
		"01":          {`{"session_id":01}`, "invalid character '1'"},
		"deep":        {`{"locations":[],"x":` + deep + "}", "deeper"},
		"very deep":   {`{"locations":[],"x":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "}", "deeper"},
		"a newer hob": {`{"format":"hob-state","version":2,"state":{}}`, "version"},
		"hob damaged": {`{"format":"hob-state","version":1,"state":{"actors":{"a":{"id":"b"}}}}`, "damaged"},
		"hob unknown": {`{"format":"hob-state","version":1,"state":{"dragons":{}}}`, "damaged"},
		"hob count":   {`{"format":"hob-state","version":1,"counts":{"obj":1.5},"state":{}}`, "whole number"},
		"hob empty":   {`{"format":"hob-state","version":1}`, "without a state"},
	} {
		_, _, err := saves.Read([]byte(c.b))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Count(err.Error(), "\n") > 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := saves.Write(world.Empty(), "004", saves.Options{}); err == nil {
		t.Error("there is no shape 004")
	}
}

// TestDeep keeps what is as deep as a save may be, in all forms.
func TestDeep(t *testing.T) {
	for levels := 1; levels < 79; levels++ {
		deep := strings.Repeat(`{"a":[`, levels/2) + strings.Repeat("[", levels%2) + strings.Repeat("]",
			levels%2) + strings.Repeat("]}", levels/2)
		if levels == 1 {
			deep = "[]"
		}
		returns(t, []byte(`{"players":[],"x":`+deep+`}`))
	}
	deep := strings.Repeat("[", 74) + strings.Repeat("]", 74)
	returns(t, []byte(`{"session_id":"s","area_snapshot":{"clock":{"x":`+deep+`},"zones":[{"zone_id":"z","x":`+deep+`},
		`+deep+`]}}`))
}

func TestBytes(t *testing.T) {
	b := []byte("\xEF\xBB\xBF" + strings.Replace(string(fixture(t, "w1")), "Hall", "H\xff\xc3ll\xe2\x28", 1))
	w, info := read(t, b)
	if got := w.Place("loc_hall").Name; got != "H\uFFFD\uFFFDll\uFFFD(" {
		t.Errorf("%q", got)
	}
	warned(t, info, "UTF-8")
	w, info = read(t, []byte(`{"locations":[{"id":"a","name":"\u0441\ud83d\ude00\ud800\u0041\/\b","id":"b"}],"locations2":1}`))
	if p := w.Place("b"); p == nil || p.Name != "с😀\uFFFDA/\b" {
		t.Errorf("%s", w.AppendState(nil))
	}
	warned(t, info, `stands twice in an object, "id"`)
}

func TestIsLog(t *testing.T) {
	for s, want := range map[string]bool{
		`{"log":1,"campaign":"c"}` + "\n": true, "  {\"log\":1}": true, `{"logs":1}`: false,
		`{"format":"hob-state"}`: false, "": false,
	} {
		if saves.IsLog([]byte(s)) != want {
			t.Error(s)
		}
	}
}
