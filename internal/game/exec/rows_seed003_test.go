package exec_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

func itoa(n int) string { return strconv.Itoa(n) }

func sorted(d doc) []string { return slices.Sorted(maps.Keys(d)) }

func list(texts []string) any {
	all := []any{}
	for _, s := range texts {
		all = append(all, s)
	}
	return all
}

// arrives is the player at another zone, and minute past nine on the clock if there is one.
func arrives(d doc, x, y, zone string, minute int) {
	at := doc{"x": number(x), "y": number(y), "z": number("0"), "zone_id": zone}
	d["player_runtime_data"].(doc)["current_position"] = at
	d["map_snapshot"].(doc)["player_position"] = at
	d["area_snapshot"].(doc)["current_zone_id"] = zone
	if clock, ok := d["area_snapshot"].(doc)["clock"].(doc); ok {
		clock["minute"] = number(itoa(minute))
	}
}

func trip(zone string) string { return `{"session_id":"s1","to_zone_id":"` + zone + `"}` }

// zoneAt moves the second zone of the world.
func zoneAt(x, y, z string) func(doc) {
	return func(d doc) {
		zone := in(d["area_snapshot"].(doc)["zones"], "zone_600_0_0")
		zone["x"], zone["y"], zone["z"] = number(x), number(y), number(z)
	}
}

// lasted looks how long a trip took.
func lasted(minutes string) func(*tale, answer) {
	return func(t *tale, a answer) {
		t.Helper()
		if got := a.Result.(doc)["duration_min"]; got != number(minutes) {
			t.Errorf("it took %v minutes", got)
		}
	}
}

func tripRows() []row {
	east := trip("zone_600_0_0")
	return append([]row{
		{id: "move_to_zone-01", world: "w3", args: east, want: applied(), text: []string{"East Post", "8"},
			after: func(d doc, a answer) {
				arrives(d, "600", "0", "zone_600_0_0", 38)
				d["game_logs"] = []any{journey("log_1", a, "zone_0_0_0", "zone_600_0_0", "600", "8")}
			}, result: `{"ok":true,"new_position":{"x":600,"y":0,"z":0,"zone_id":"zone_600_0_0"},"duration_min":8,` +
				`"movement_log_id":"log_1"}`},
		{id: "move_to_zone-02", world: "w3", args: trip("zone_120_-80_0"), want: applied(), after: func(d doc, a answer) {
			arrives(d, "120", "-80", "zone_120_-80_0", 32)
			d["game_logs"] = []any{journey("log_1", a, "zone_0_0_0", "zone_120_-80_0", "144.223", "2")}
		}, look: lasted("2")},
		{id: "move_to_zone-04", world: "w3", edit: zoneAt("2325", "0", "0"), args: east, want: applied(), look: lasted("31"),
			free: true},
		{id: "move_to_zone-07", world: "w3", args: `{"session_id":"s1"}`, want: wrong(), look: refused("INVALID_ARGS")},
		{id: "move_to_zone-08", world: "w3", args: `{"session_id":"s1","to_zone_name":"East Post"}`, want: applied(), look: lasted("8"),
			after: func(d doc, a answer) {
				arrives(d, "600", "0", "zone_600_0_0", 38)
				d["game_logs"] = []any{journey("log_1", a, "zone_0_0_0", "zone_600_0_0", "600", "8")}
			}},
		{id: "move_to_zone-08/unknown", world: "w3", args: `{"session_id":"s1","to_zone_name":"east post"}`, want: noZone(),
			look: refused("ZONE_NOT_FOUND")},
		{id: "move_to_zone-10", world: "w3", args: `{"session_id":"other","to_zone_id":"zone_600_0_0"}`, want: otherSession(),
			look: refused("SESSION_MISMATCH")},
		{id: "move_to_zone-11", world: "w3", args: `"not json"`, want: wrong(), look: refused("INVALID_ARGS")},
		{id: "move_to_zone-13", world: "w3", edit: zoneAt("600", "0", "400"), args: east, want: applied(), look: lasted("8"),
			free: true},
		{id: "move_to_zone-13/sub zone", world: "w3", edit: subZone, args: trip("sub_1"), want: applied(), look: lasted("11"),
			free: true},
		{id: "move_to_zone-14", world: "w3", edit: unmapped, args: east, want: applied(), look: lasted("6"), free: true},
		{id: "move_to_zone-16", world: "w3", edit: func(d doc) {
			d["area_snapshot"].(doc)["clock"] = doc{"calendar": "common", "year": 1024, "month": 3, "day": 31, "hour": 23, "minute": 59}
			zoneAt("60", "0", "0")(d)
		}, args: east, want: applied(), free: true, look: func(t *tale, a answer) {
			lasted("1")(t, a)
			want := any(doc{"calendar": "common", "year": number("1024"), "month": number("4"), "day": number("1"), "hour": number("0"),
				"minute": number("0")})
			same(t, want, t.state("003")["area_snapshot"].(doc)["clock"])
		}},
		{id: "move_to_zone-17", world: "w3", first: []string{call("move_to_zone", east)}, args: trip("zone_0_0_0"), want: applied(),
			free: true, look: func(t *tale, a answer) {
				if a.Result.(doc)["movement_log_id"] != "log_2" {
					t.Errorf("result %v", a.Result)
				}
			}},
		{id: "move_to_zone-19", world: "w3", edit: subZone, args: east, want: applied(), free: true, look: func(t *tale, a answer) {
			area := t.state("003")["area_snapshot"].(doc)
			if area["current_zone_id"] != "zone_600_0_0" || area["current_sub_zone_id"] != "sub_2" {
				t.Errorf("area snapshot %v", area)
			}
		}},
	}, tripEdges()...)
}

// tripEdges are the cases of move_to_zone in which nobody goes anywhere.
func tripEdges() []row {
	return []row{
		{id: "move_to_zone-05", world: "w3", args: trip("zone_0_0_0"), want: noted("same_place"), look: func(t *tale, a answer) {
			lasted("0")(t, a)
			if r := a.Result.(doc); r["ok"] != true || r["movement_log_id"] != nil || r["notice"] != a.Text {
				t.Errorf("result %v", r)
			}
		}},
		{id: "move_to_zone-20", world: "w3", edit: dead, args: trip("zone_600_0_0"), want: restricted(), look: refused("ACTOR_STATE_RESTRICTED")},
	}
}

// journey is the note of a trip, as it stands in a save.
func journey(id string, a answer, from, to, metres, minutes string) doc {
	return doc{
		"id": id, "session_id": "s1", "kind": "move", "message": a.Text, "created_at": "2026-01-14T16:05:31Z",
		"payload": doc{"actor": "player_001", "from": from, "to": to, "distance": number(metres), "minutes": number(minutes)},
	}
}

// refused looks at the envelope of a call that failed.
func refused(code string) func(*tale, answer) {
	return func(t *tale, a answer) {
		t.Helper()
		same(t, doc{"ok": false, "error_code": code, "message": a.Text}, a.Result)
	}
}

// subZone gives the second zone two sub zones, and height to the farther one.
func subZone(d doc) {
	zone := in(d["area_snapshot"].(doc)["zones"], "zone_600_0_0")
	sub := func(id, x, z string) doc {
		return doc{"sub_zone_id": id, "zone_id": "zone_600_0_0", "name": id, "x": number(x), "y": number("0"), "z": number(z),
			"description": ""}
	}
	both := []any{sub("sub_1", "660", "400"), sub("sub_2", "610", "0")}
	zone["sub_zones"], d["area_snapshot"].(doc)["sub_zones"] = both, both
}

// unmapped puts the player to a place that is not on the map.
func unmapped(d doc) {
	at := doc{"x": number("150"), "y": number("0"), "z": number("0"), "zone_id": "zone_150_0_0"}
	d["player_runtime_data"].(doc)["current_position"], d["map_snapshot"].(doc)["player_position"] = at, at
	d["area_snapshot"].(doc)["current_zone_id"] = "zone_150_0_0"
}

// dead makes the player a dead one.
func dead(d doc) {
	d["player_static_data"].(doc)["character_state"], d["player_static_data"].(doc)["hp"] = "dead", number("0")
}

func playerRows() []row {
	const s1 = `{"session_id":"s1"}`
	state := func(name, position string) string {
		return `{"ok":true,"player_static_data":{"player_id":"player_001","name":"` + name + `","move_speed_mph":4500},` +
			`"player_runtime_data":{"session_id":"s1","current_position":` + position + `}}`
	}
	const origin = `{"x":0,"y":0,"z":0,"zone_id":"zone_0_0_0"}`
	return []row{
		{id: "get_player_state-01", world: "w3", args: s1, want: applied(), result: state("Player", origin), text: []string{"Player"}},
		{id: "get_player_state-02", world: "w3", edit: newSession, args: s1, want: applied(), free: true,
			result: state("player_001", origin)},
		{id: "get_player_state-04", world: "w3", args: `{"session_id":"s2"}`, want: otherSession(), look: refused("SESSION_MISMATCH")},
		{id: "get_player_state-05", world: "w3", first: []string{call("move_to_zone", trip("zone_600_0_0"))}, args: s1, want: applied(),
			result: state("Player", `{"x":600,"y":0,"z":0,"zone_id":"zone_600_0_0"}`)},
		{id: "get_player_state-07", world: "w3", edit: dead, args: s1, want: applied(), look: func(t *tale, a answer) {
			now := a.Result.(doc)["player_runtime_data"].(doc)
			if now["character_state"] != "dead" || now["hp"] != number("0") {
				t.Errorf("result %v", now)
			}
		}},
		{id: "get_player_state-08", world: "w3", args: `{"session_id":"s1","verbose":true}`, want: wrong(), text: []string{"verbose"},
			look: refused("INVALID_ARGS")},
		{id: "get_player_state-10", world: "w3", edit: func(d doc) {
			d["players"] = []any{doc{"id": "player_001", "name": "Player", "attributes": doc{"health": "well"},
				"locationId": "zone_0_0_0"}}
		}, args: s1, want: applied(), look: func(t *tale, a answer) {
			same(t, doc{"health": "well"}, a.Result.(doc)["player_static_data"].(doc)["attributes"])
		}},
		{id: "get_player_state-11", world: "w3", edit: func(d doc) { d["game_settings"].(doc)["api_key"] = "sk-verysecret" }, args: s1,
			want: applied(), look: func(t *tale, a answer) {
				if strings.Contains(a.line, "verysecret") || strings.Contains(a.line, "api_key") {
					t.Errorf("a secret: %s", a.line)
				}
			}},
		{id: "get_player_state-13", world: "w3", edit: allow("move"), args: s1, want: notAllowed(), look: refused("TOOL_NOT_ALLOWED")},
	}
}

// newSession is a session in which nothing was saved yet.
func newSession(d doc) {
	for name := range d {
		switch name {
		case "session_id", "game_settings":
		case "area_snapshot":
			d[name] = doc{"zones": []any{}, "sub_zones": []any{}}
		case "map_snapshot":
			d[name] = doc{"zones": []any{}}
		case "game_logs", "role_pool":
			d[name] = []any{}
		default:
			delete(d, name)
		}
	}
}

func zoneRows() []row {
	ask := func(more string) string { return `{"session_id":"s1","world_prompt":"w"` + more + `}` }
	const away = `,"count":3,"near_player":false`
	made := func(n int) func(*tale, answer) { return func(t *tale, a answer) { zones(t, a, n) } }
	return []row{
		{id: "generate_zone-02", world: "w3", args: `{"session_id":"s1"}`, want: wrong(), look: refused("INVALID_ARGS")},
		{id: "generate_zone-02/empty", world: "w3", args: `{"session_id":"s1","world_prompt":""}`, want: wrong(),
			look: refused("INVALID_ARGS")},
		{id: "generate_zone-02/blank", world: "w3", args: `{"session_id":"s1","world_prompt":"  "}`, want: wrong(),
			look: refused("INVALID_ARGS")},
		{id: "generate_zone-04", world: "w3", args: `"not json"`, want: wrong(), look: refused("INVALID_ARGS")},
		{id: "generate_zone-05", world: "w3", args: ask(""), want: applied(), look: made(1), free: true},
		{id: "generate_zone-05/none", world: "w3", args: ask(`,"count":0`), want: applied(), look: made(1), free: true},
		{id: "generate_zone-05/less", world: "w3", args: ask(`,"count":-5`), want: applied(), look: made(1), free: true},
		{id: "generate_zone-05/more", world: "w3", args: ask(`,"count":9`), want: applied(), look: made(3), free: true},
		{id: "generate_zone-07", world: "w3", args: ask(`,"count":"abc"`), want: wrong(), look: refused("INVALID_ARGS")},
		{id: "generate_zone-07/half", world: "w3", args: ask(`,"count":1.5`), want: wrong(), look: refused("INVALID_ARGS")},
		{id: "generate_zone-19", world: "w3", first: []string{call("generate_zone", ask(away)), call("generate_zone", ask(away))},
			args: ask(away), want: applied(), look: made(3), free: true},
		{id: "generate_zone-20", world: "w3", first: []string{call("generate_zone", ask(""))}, args: ask(`,"count":2`), want: applied(),
			look: made(2), free: true},
		{id: "generate_zone-22", world: "w3", args: ask(`,"count":3,"near_player":true`), want: applied(),
			look: func(t *tale, a answer) {
				zones(t, a, 3)
				near(t, a)
			}, free: true},
		{id: "generate_zone-22/far", world: "w3", args: ask(away), want: applied(), look: made(3), free: true},
		{id: "generate_zone-25", world: "w3", args: ask(`,"count":2`), want: applied(), free: true, look: func(t *tale, a answer) {
			zones(t, a, 2)
			logs := t.state("003")["game_logs"].([]any)
			if last := logs[len(logs)-1].(doc); last["kind"] != "area_generate" || last["payload"].(doc)["count"] != number("2") {
				t.Errorf("log %v", logs)
			}
		}},
	}
}
