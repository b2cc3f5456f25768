package saves_test

import (
	"encoding/json"
	"strings"

	"pgregory.net/rapid"
)

// rich is a campaign.json with more in it than the sample has.
func rich(t rapid.TB) []byte {
	return changed(t, "w2", func(d doc) {
		d["actors"].(doc)["pc_001"].(doc)["inventory"] = doc{"torch": json.Number("2"), "rope": json.Number("1"),
			"nothing": json.Number("0")}
		d["actors"].(doc)["pc_001"].(doc)["mood"] = "grim"
		d["actors"].(doc)["spirit"] = doc{"position": nil, "hp": json.Number("0"), "character_state": "dead",
			"inventory": doc{}, "meta": doc{"a": []any{}}}
		d["settings_snapshot"] = doc{
			"rules":   doc{"hp_zero_ends_game": false, "limit": json.Number("7"), "odd": json.Number("1.5")},
			"context": doc{"full": true},
		}
		d["objects"] = []any{doc{"id": "obj_9_ab", "name": "Chest", "connectionId": "area_002", "attributes": doc{}}}
		area := d["map"].(doc)["areas"].(doc)["area_002"].(doc)
		area["reachable_area_ids"] = []any{"ghost", "area_001", "area_001", "area_002"}
		area["attributes"] = doc{"light": "dim"}
		d["map"].(doc)["connections"] = []any{doc{"from_area_id": "area_001", "to_area_id": "area_002", "label": "an arch"}}
		d["facts"] = doc{"f1": doc{"text": "long ago"}}
	})
}

// upstream is a session as its program writes it, which differs from the sample.
func upstream(t rapid.TB) []byte {
	return marshal(t, value(t, []byte(`{"version":"1.1.0","session_id":"sess_a",
	"map_snapshot":{"player_position":{"x":5,"y":0,"z":0,"zone_id":"zone_a"},"zones":[
		{"zone_id":"zone_b","name":"B","x":1200,"y":0,"z":0,"zone_type":"forest","size":"large","radius_m":200,
			"description":"d","tags":["forest"],
		 "sub_zones":[{"name":"Grove","offset_x":10,"offset_y":-20,"offset_z":0,"description":"g"}]},
		{"zone_id":"zone_a","name":"A town","x":0,"y":0,"z":0,"zone_type":"town","size":"medium","radius_m":200,
			"description":"start","tags":["town"],
		 "sub_zones":[{"name":"Square","offset_x":0,"offset_y":0,"offset_z":0,"description":"s"}]}]},
	"area_snapshot":{"version":"0.1.0","zones":[
		{"zone_id":"zone_a","name":"A","zone_type":"town","size":"medium","center":{"x":0.0,"y":0.5,"z":0.0},"radius_m":200,
			"description":"",
		 "sub_zone_ids":["sub_zone_a_1"],"state":{"flags":["normal"],"last_refresh_clock":""}}],
	  "sub_zones":[{"sub_zone_id":"sub_zone_a_1","zone_id":"zone_a","name":"Square","coord":{"x":1.25,"y":0.12345,"z":0},
	  	"radius_m":20,
	    "description":"s","generated_mode":"pre","key_interactions":[],"npcs":[{"npc_id":"npc_1","name":"Erin","state":"idle"}]}],
	  "current_zone_id":"zone_a","current_sub_zone_id":"sub_zone_a_1",
	  "clock":{"calendar":"fantasy_default","year":1024,"month":3,"day":14,"hour":9,"minute":30,
	  	"updated_at":"2026-02-27T00:00:00+00:00"}},
	"game_logs":[{"id":"log_7","session_id":"sess_a","kind":"move","message":"m","payload":{"a":1.5},"created_at":"t"}],
	"game_log_settings":{"ai_fetch_limit":10},
	"player_static_data":{"player_id":"player_001","name":"P","move_speed_mph":6000,"role_type":"player",
		"dnd5e_sheet":{"level":1},
	  "hp":7,"character_state":"alive","attributes":{"mood":"calm"},"inventory":{"torch":2}},
	"player_runtime_data":{"session_id":"sess_a","current_position":{"x":1,"y":2,"z":3,"zone_id":"zone_a"},"updated_at":"t"},
	"role_pool":[{"role_id":"npc_erin","name":"Erin","zone_id":"zone_a","sub_zone_id":"sub_zone_a_1","state":"idle",
		"personality":"careful",
	  "profile":{"player_id":"player_001","move_speed_mph":4000,"role_type":"npc"},"relations":[]},
	  {"role_id":"npc_ghost","name":"Ghost","zone_id":"nowhere","sub_zone_id":null,"state":"hidden"}],
	"updated_at":"t"}`)))
}

// junk draws a value that may stand anywhere.
func junk(t *rapid.T) any {
	return rapid.SampledFrom([]any{
		nil, true, false, json.Number("0"), json.Number("-1"), json.Number("12"), json.Number("1.5"), json.Number("1e3"),
		json.Number("-0.0"), json.Number("99999999999999999999999"), json.Number("1e400"), json.Number("0.00012"), "12",
		"1.5", "", " ", "x",
		"a\nb", "\x00", "area_001", "loc_hall", "zone_0_0_0", "player_001", "char_ann", "obj_box", "ghost", "~", "~~x",
		"out", "日本 \u2028",
		[]any{}, []any{"x", json.Number("3"), nil}, doc{}, doc{"x": json.Number("1"), "~": doc{"y": []any{[]any{},
			[]any{}}}}, doc{"id": "loc_new"},
		[]any{doc{"id": "area_001"}, doc{"targetLocationId": "loc_yard", "type": "in"}},
	}).Draw(t, "junk")
}

func names() []string {
	return []string{
		"x", "~", "~map", "~~", "", "a\tb", "id", "name", "description", "connections", "attributes", "parent_area_id",
		"locationId",
		"inventory", "hp", "hp_max", "character_state", "x", "y", "z", "center", "coord", "radius_m", "tags", "zone_id",
		"sub_zone_id",
		"move_speed_mph", "role_type", "quantity", "currentSituation", "reachable_area_ids", "loc_isle", "area_001", "sub_zones",
	}
}

// damage changes one thing somewhere in v, which is an object or a list.
func damage(t *rapid.T, v any) {
	top := true
	for {
		var keys []string
		switch v := v.(type) {
		case doc:
			keys = sorted(v)
		case []any:
			if len(v) == 0 {
				return
			}
			i := rapid.IntRange(0, len(v)-1).Draw(t, "item")
			if next(v[i]) && rapid.IntRange(0, 3).Draw(t, "deeper") > 0 {
				damage(t, v[i])
				return
			}
			v[i] = pick(t, v[i], v[rapid.IntRange(0, len(v)-1).Draw(t, "other")])
			return
		}
		object := v.(doc)
		if len(keys) > 0 {
			key := rapid.SampledFrom(keys).Draw(t, "member")
			if next(object[key]) && rapid.IntRange(0, 4).Draw(t, "deeper") > 0 {
				v, top = object[key], false
				continue
			}
			switch rapid.IntRange(0, 3).Draw(t, "how") {
			case 0:
				delete(object, key)
				return
			case 1:
				object[key] = pick(t, object[key], nil)
				return
			case 2:
				if list, ok := object[key].([]any); ok {
					object[key] = append(list[:len(list):len(list)], pick(t, nil, nil))
					return
				}
			}
		}
		name := rapid.SampledFrom(names()).Draw(t, "name")
		if top && (name == "hp" || strings.Contains(name, "position")) {
			return // where an old campaign.json has it
		}
		object[name] = pick(t, nil, nil)
		return
	}
}

func next(v any) bool {
	switch v := v.(type) {
	case doc:
		return true
	case []any:
		return len(v) > 0
	}
	return false
}

// pick draws what stands instead of a value.
func pick(t *rapid.T, is, other any) any {
	switch rapid.IntRange(0, 3).Draw(t, "what") {
	case 0:
		if other != nil {
			return copied(t, other)
		}
	case 1:
		if n, ok := is.(json.Number); ok {
			return n.String()
		}
	}
	return junk(t)
}

func copied(t rapid.TB, v any) any { return value(t, marshal(t, v)) }
