package travel_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"hob/internal/game/calendar"
	"hob/internal/game/rules"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/world"
)

const (
	notFound     = "error invalid_args entity_not_found"
	badArgs      = "error invalid_args invalid_args"
	notReachable = "error invalid_args not_reachable"
	samePlace    = "error invalid_args same_place"
	shut         = "error invalid_args door_closed"
)

func run(t *testing.T, rows map[string]func(t *testing.T)) {
	for id, row := range rows {
		t.Run(id, row)
	}
}

func TestConformance_MovePlayer(t *testing.T) {
	go1 := func(who, to string) string { return `{"playerId":"` + who + `","targetLocationId":"` + to + `"}` }
	run(t, map[string]func(t *testing.T){
		"move_player-01": func(t *testing.T) {
			b := w1(t)
			b.ok("move_player", go1("char_ann", "loc_yard"), `{"from":"loc_hall","to":"loc_yard","minutes":1}`, "Ann", "Hall", "Yard")
			b.at("char_ann", "loc_yard")
			w1(t).is(ru).ok("move_player", go1("char_ann", "loc_yard"), "", "перемещён", "Ann", "Hall", "Yard")
		},
		"move_player-02": func(t *testing.T) {
			b := w1(t)
			b.ok("move_player", go1("char_ann", "loc_attic"), "")
			b.at("char_ann", "loc_attic")
			b.ok("move_player", go1("char_ann", "loc_hall"), "")
			b.at("char_ann", "loc_hall")
		},
		"move_player-04": func(t *testing.T) {
			w1(t).is(ru).no(notReachable, "move_player", go1("char_bo", "loc_hall"), "нет подходящей связи", "Hall", "Yard")
		},
		"move_player-05": func(t *testing.T) { w1(t).no(notReachable, "move_player", go1("char_ann", "loc_isle"), "Isle") },
		"move_player-07": func(t *testing.T) {
			b := w1(t)
			for _, to := range []string{"loc_yard", "loc_road", "loc_yard"} {
				b.ok("move_player", go1("char_ann", to), "")
			}
			b.at("char_ann", "loc_yard")
		},
		"move_player-08": func(t *testing.T) {
			for _, args := range []string{
				`{"playerId":"","targetLocationId":"loc_yard"}`, `{"playerId":null,"targetLocationId":"loc_yard"}`, `{"targetLocationId":"loc_yard"}`,
				`{"playerId":"char_ann"}`, `{"playerId":"char_ann","targetLocationId":" "}`,
			} {
				w1(t).is(ru).no(badArgs, "move_player", args, "не могут быть пустыми")
			}
		},
		"move_player-10": func(t *testing.T) {
			w1(t).is(ru).no(notFound, "move_player", go1("char_999", "loc_yard"), "char_999", "не найден")
		},
		"move_player-11": func(t *testing.T) {
			w1(t).is(ru).no(notFound, "move_player", go1("char_ann", "loc_999"), "loc_999", "не найдена")
		},
		"move_player-13": func(t *testing.T) {
			b := w1(t, &world.Actor{ID: "char_ann", Name: "Ann", Place: "loc_gone"})
			if o := b.no(notFound, "move_player", go1("char_ann", "loc_nope"), "loc_gone"); strings.Contains(b.Text(o), "loc_nope") {
				t.Errorf("it speaks of the target: %s", b.Text(o))
			}
		},
		"move_player-14": func(t *testing.T) {
			b := w1(t).is(ru)
			o := b.ok("move_player", go1("char_ann", "loc_hall"), `{"from":"loc_hall","to":"loc_hall","minutes":0}`, "уже находится")
			if o.Detail() != "same_place" || o.Changed {
				t.Errorf("detail %q, changed %v", o.Detail(), o.Changed)
			}
		},
		"move_player-16": func(t *testing.T) {
			b := w1(t)
			bo, knife := *b.World.Actor("char_bo"), *b.World.Thing("obj_knife")
			b.ok("move_player", go1("char_ann", "loc_yard"), "")
			rulestest.Same(t, b.World.Actor("char_bo"), &bo)
			rulestest.Same(t, b.World.Thing("obj_knife"), &knife)
			if kind, id := b.World.Holder("obj_knife"); kind != world.ActorKind || id != "char_ann" {
				t.Errorf("the knife is with %s", id)
			}
		},
		"move_player-17": func(t *testing.T) {
			at := func(id, name string, x int64) world.Record {
				return &world.Place{ID: id, Name: name, Type: "location", Pos: &world.Point{X: x}}
			}
			b := w1(t, at("loc_hall", "Hall", 0), at("loc_yard", "Yard", 75_001))
			first := b.ok("move_player", go1("char_ann", "loc_yard"), `{"from":"loc_hall","to":"loc_yard","minutes":2}`)
			if b.World.Self().Minute != 0 {
				t.Error("time passes without a clock")
			}
			clocked := w1(t, at("loc_hall", "Hall", 0), at("loc_yard", "Yard", 75_001)).is(func(s *world.Self) { s.ClockSet, s.Minute = true, nineThirty })
			second := clocked.ok("move_player", go1("char_ann", "loc_yard"), "")
			clocked.takes(2)
			rulestest.Same(t, clocked.Text(second), b.Text(first))
			rulestest.Same(t, clocked.World.Actor("char_ann").Pos, &world.Point{X: 75_001})
		},
	})
}

func TestConformance_Move(t *testing.T) {
	const there = `{"actor_id":"pc_001","from_area_id":"area_001","to_area_id":"area_002"}`
	const result = `{"to_area_id":"area_002","from_area_id":"area_001"}`
	state := func(b *table, is string) *table {
		a := *b.World.Actor("pc_001")
		a.State = is
		b.Put(&a)
		return b
	}
	run(t, map[string]func(t *testing.T){
		"move-01": func(t *testing.T) {
			b := w2(t)
			o := b.ok("move", there, result)
			rulestest.Same(t, string(o.Call.Args), there)
			b.at("pc_001", "area_002")
			b.at("pc_002", "area_001")
		},
		"move-02": func(t *testing.T) {
			b := w2(t)
			o := b.ok("move", `{"to_area_id":"area_002"}`, result)
			rulestest.Same(t, string(o.Call.Args), `{"to_area_id":"area_002","actor_id":"pc_001","from_area_id":"area_001"}`)
		},
		"move-04": func(t *testing.T) { w2(t).no(badArgs, "move", `{"from_area_id":"area_002","to_area_id":"area_002"}`) },
		"move-05": func(t *testing.T) {
			w2(t).no("rejected actor_context_mismatch actor_context_mismatch", "move", `{"actor_id":"pc_002","to_area_id":"area_002"}`)
		},
		"move-07": func(t *testing.T) {
			o := w2(t).ok("move", `{"actor_id":" pc_001 ","from_area_id":" area_001 ","to_area_id":" area_002"}`, result)
			rulestest.Same(t, string(o.Call.Args), there)
		},
		"move-08": func(t *testing.T) {
			o := w2(t).Batch(t.Context(), rules.Call{Tool: "move", Actor: "zz", Args: json.RawMessage(`{"actor_id":"zz","to_area_id":"area_002"}`)})[0]
			if o.Status != rules.Failed || o.Reason() != "invalid_args" {
				t.Errorf("%s %s", o.Status, o.Reason())
			}
		},
		"move-10": func(t *testing.T) { w2(t).no(notFound, "move", `{"to_area_id":"area_009"}`, "area_009") },
		"move-11": func(t *testing.T) { w2(t).no(samePlace, "move", `{"to_area_id":"area_001"}`) },
		"move-13": func(t *testing.T) {
			for _, is := range []string{world.Dying, world.Unconscious, world.Restrained, world.Dead} {
				state(w2(t), is).no("rejected actor_state_restricted actor_state_restricted", "move", there)
			}
		},
		"move-14": func(t *testing.T) {
			state(w2(t), world.Dead).no("rejected actor_state_restricted actor_state_restricted", "move", `{}`)
		},
		"move-16": func(t *testing.T) {
			b := state(w2(t), world.Dead).is(func(s *world.Self) { s.Allow = []string{"hp_delta"} })
			b.no("rejected tool_not_allowed tool_not_allowed", "move", `{"actor_id":"pc_002","to_area_id":"area_002"}`)
		},
		"move-17": func(t *testing.T) {
			b := w2(t)
			o := b.Batch(t.Context(), rules.Call{Tool: "move", Actor: "pc_002", Args: json.RawMessage(`{"actor_id":"pc_002","to_area_id":"area_002"}`)})[0]
			if !o.OK() || o.Actor != "pc_002" {
				t.Errorf("%s for %s", o.Status, o.Actor)
			}
			b.at("pc_001", "area_001")
			b.at("pc_002", "area_002")
		},
		"move-19": func(t *testing.T) {
			b := w2(t)
			list := b.Turn.Batch(context.Background(), []rules.Call{
				{Tool: "move", Args: json.RawMessage(`{"to_area_id":"area_002"}`)}, {Tool: "move", Args: json.RawMessage(`{"to_area_id":"area_001"}`)},
			})
			if !list[0].OK() || list[1].Detail() != "not_reachable" {
				t.Errorf("%s, then %s", list[0].Detail(), list[1].Detail())
			}
			b.at("pc_001", "area_002")
			b.Put(&world.Link{From: "area_002", To: "area_001"})
			b.ok("move", `{"to_area_id":"area_001"}`, "")
		},
	})
}

func TestConformance_MoveToZone(t *testing.T) {
	to := func(id string) string { return `{"session_id":"s1","to_zone_id":"` + id + `"}` }
	result := func(x, y, z, id, minutes, log string) string {
		return `{"ok":true,"new_position":{"x":` + x + `,"y":` + y + `,"z":` + z + `,"zone_id":"` + id + `"},"duration_min":` + minutes +
			`,"movement_log_id":"` + log + `"}`
	}
	failed := func(t *testing.T, o rules.Outcome, code string) {
		t.Helper()
		if o.ErrorCode() != code || !strings.HasPrefix(string(o.Result), `{"ok":false,"error_code":"`+code+`","message":"`) {
			t.Errorf("%s: %s", o.ErrorCode(), o.Result)
		}
	}
	run(t, map[string]func(t *testing.T){
		"move_to_zone-01": func(t *testing.T) {
			b := w3(t)
			b.ok("move_to_zone", to("zone_600_0_0"), result("600", "0", "0", "zone_600_0_0", "8", "log_1"))
			b.takes(8)
			b.at("player_001", "zone_600_0_0")
		},
		"move_to_zone-02": func(t *testing.T) {
			b := w3(t)
			b.ok("move_to_zone", to("zone_120_-80_0"), result("120", "-80", "0", "zone_120_-80_0", "2", "log_1"))
			b.takes(2)
		},
		"move_to_zone-04": func(t *testing.T) {
			for k := int64(1); k < 400; k++ {
				b := w3(t, zone("zone_far", "Far", 75*k, 0, 0))
				b.ok("move_to_zone", to("zone_far"), "")
				b.takes(k)
			}
		},
		"move_to_zone-05": func(t *testing.T) {
			b := w3(t)
			o := b.ok("move_to_zone", to("zone_0_0_0"), `{"ok":true,"new_position":{"x":0,"y":0,"z":0,"zone_id":"zone_0_0_0"},"duration_min":0,`+
				`"movement_log_id":null,"notice":"Player is already at \"Origin\"."}`)
			if o.Detail() != "same_place" {
				t.Errorf("detail %q", o.Detail())
			}
			b.notes()
		},
		"move_to_zone-07": func(t *testing.T) {
			failed(t, w3(t).no(badArgs, "move_to_zone", `{"session_id":"s1"}`), "INVALID_ARGS")
			failed(t, w3(t).no(badArgs, "move_to_zone", `{"session_id":"s1","to_zone_id":" ","to_zone_name":null}`), "INVALID_ARGS")
			failed(t, w3(t).no(badArgs, "move_to_zone", `{"to_zone_id":"zone_600_0_0"}`), "INVALID_ARGS")
			failed(t, w3(t).no(notFound, "move_to_zone", to("zone_9")), "ZONE_NOT_FOUND")
		},
		"move_to_zone-08": func(t *testing.T) {
			b := w3(t)
			b.ok("move_to_zone", `{"session_id":"s1","to_zone_name":"East Post"}`, result("600", "0", "0", "zone_600_0_0", "8", "log_1"))
			failed(t, w3(t).no(notFound, "move_to_zone", `{"session_id":"s1","to_zone_name":"east post"}`), "ZONE_NOT_FOUND")
			failed(t, w3(t).no(notFound, "move_to_zone", `{"session_id":"s1","to_zone_name":"East"}`), "ZONE_NOT_FOUND")
		},
		"move_to_zone-10": func(t *testing.T) {
			failed(t, w3(t).no("error invalid_args session_mismatch", "move_to_zone", `{"session_id":"s2","to_zone_id":"zone_600_0_0"}`), "SESSION_MISMATCH")
		},
		"move_to_zone-11": func(t *testing.T) { failed(t, w3(t).no(badArgs, "move_to_zone", `to the east`), "INVALID_ARGS") },
		"move_to_zone-13": func(t *testing.T) {
			sub := func(id string, x, z int64) world.Record {
				return &world.Place{ID: id, Type: "sub_zone", Parent: "zone_0_0_0", Pos: &world.Point{X: x * 1000, Z: z * 1000}}
			}
			b := w3(t, zone("zone_high", "High", 300, 0, 400))
			b.ok("move_to_zone", to("zone_high"), result("300", "0", "400", "zone_high", "4", "log_1"))
			b.takes(4)
			b = w3(t, sub("sub_low", 0, 0), sub("sub_high", 300, 400))
			b.Put(&world.Actor{ID: "player_001", Place: "sub_low", Speed: world.Known(4500)})
			b.ok("move_to_zone", to("sub_high"), result("300", "0", "400", "zone_0_0_0", "7", "log_1"))
			b.takes(7)
		},
		"move_to_zone-14": func(t *testing.T) {
			for _, place := range []string{"", "zone_gone"} {
				b := w3(t, &world.Actor{ID: "player_001", Name: "Player", Place: place, Pos: &world.Point{X: 450_000}})
				b.ok("move_to_zone", to("zone_600_0_0"), result("600", "0", "0", "zone_600_0_0", "2", "log_1"))
				b.takes(2)
			}
			w3(t, &world.Actor{ID: "player_001", Place: "zone_gone"}).no(notReachable, "move_to_zone", to("zone_600_0_0"))
		},
		"move_to_zone-16": func(t *testing.T) {
			late, err := calendar.Date{Year: 1024, Month: 3, Day: 31, Hour: 23, Minute: 59}.Minutes()
			if err != nil {
				t.Fatal(err)
			}
			b := w3(t, zone("zone_near", "Near", 75, 0, 0)).is(func(s *world.Self) { s.Minute = late })
			b.ok("move_to_zone", to("zone_near"), "")
			if date, err := calendar.FromMinutes(b.World.Self().Minute); err != nil || date.String() != "1024-04-01 00:00" {
				t.Errorf("it is %s, %v", date, err)
			}
		},
		"move_to_zone-17": func(t *testing.T) {
			b := w3(t)
			b.ok("move_to_zone", to("zone_600_0_0"), "")
			b.ok("move_to_zone", to("zone_0_0_0"), result("0", "0", "0", "zone_0_0_0", "8", "log_2"))
		},
		"move_to_zone-19": func(t *testing.T) {
			sub := func(id string, order, x int64) world.Record {
				return &world.Place{ID: id, Order: order, Type: "sub_zone", Parent: "zone_600_0_0", Pos: &world.Point{X: x * 1000}}
			}
			b := w3(t, sub("sub_1", 1, 580), sub("sub_2", 2, 605), sub("sub_3", 3, 595))
			b.ok("move_to_zone", to("zone_600_0_0"), result("600", "0", "0", "zone_600_0_0", "8", "log_1"))
			b.at("player_001", "sub_2")
			b.notes(rules.Note{ID: "log_1", Kind: "move", Text: `Player travels from "Origin" to "East Post": 600 m, 8 min.`,
				Data: json.RawMessage(`{"actor":"player_001","from":"zone_0_0_0","to":"zone_600_0_0","distance":600,"minutes":8}`)})
			var changed []string
			for _, e := range b.Turn.Events {
				for _, c := range e.Changes() {
					changed = append(changed, c.Key+"."+c.Field)
				}
			}
			rulestest.Same(t, changed, []string{"zone_600_0_0.visited", "sub_2.visited", "player_001.place", "player_001.pos", "world.minute"})
			// Who is in a sub zone is in its zone, and goes on from there.
			b.ok("move_to_zone", to("zone_600_0_0"), "", "already")
			b.ok("move_to_zone", to("zone_0_0_0"), result("0", "0", "0", "zone_0_0_0", "8", "log_2"))
		},
		"move_to_zone-20": func(t *testing.T) {
			b := w3(t, &world.Actor{ID: "player_001", Place: "zone_0_0_0", State: world.Dead})
			failed(t, b.no("rejected actor_state_restricted actor_state_restricted", "move_to_zone", to("zone_600_0_0")), "ACTOR_STATE_RESTRICTED")
		},
	})
}
