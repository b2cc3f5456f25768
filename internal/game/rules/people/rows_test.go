package people_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"hob/internal/game/rules"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/world"
)

// hit is the arguments of hp_delta; delta is JSON.
func hit(target, delta string) string {
	return fmt.Sprintf(`{"target_character_id":%q,"delta":%s,"cause":"a fall"}`, target, delta)
}

// The rows of hp_delta, by their ids.
func TestHPDeltaRows(t *testing.T) {
	const tool = "hp_delta"
	state := func(b *table, id string) string {
		return fmt.Sprint(b.World.Actor(id).HP.N, " ", b.World.Actor(id).State)
	}
	t.Run("hp_delta-01", func(t *testing.T) {
		b := w2(t)
		o := b.ok(tool, hit("pc_001", "-3"), `Hit points of "pc_001": 10 → 7 (a fall).`)
		rulestest.Same(t, string(o.Result), `{"new_hp":7}`)
		rulestest.Same(t, state(b, "pc_001"), "7 alive")
	})
	t.Run("hp_delta-02", func(t *testing.T) {
		b := w2(t)
		rulestest.Same(t, string(b.ok(tool, hit("pc_001", "-10"), "is dying").Result), `{"new_hp":0,"state":"dying"}`)
		rulestest.Same(t, state(b, "pc_001"), "0 dying")
	})
	t.Run("hp_delta-04", func(t *testing.T) {
		b := w2(t, hero("pc_001", 0, world.Dying))
		rulestest.Same(t, string(b.ok(tool, hit("pc_001", "5"), "alive again").Result), `{"new_hp":5,"state":"alive"}`)
		rulestest.Same(t, state(b, "pc_001"), "5 alive")
	})
	t.Run("hp_delta-05", func(t *testing.T) {
		b := w2(t, hero("pc_001", 0, world.Dying))
		for _, args := range []string{hit("pc_001", "0"), hit("pc_001", "-1"), hit("pc_002", "5")} {
			rulestest.Same(t, b.no(rules.ActorRestricted, tool, args).Status, rules.Rejected)
		}
	})
	t.Run("hp_delta-07", func(t *testing.T) {
		for _, is := range []string{world.Dead, world.Unconscious, world.Restrained} {
			w2(t, hero("pc_001", 0, is)).no(rules.ActorRestricted, tool, hit("pc_001", "5"))
		}
	})
	t.Run("hp_delta-08", func(t *testing.T) {
		w2(t, hero("pc_001", 0, "weird")).no(rules.ActorInvalid, tool, hit("pc_001", "5"))
	})
	t.Run("hp_delta-10", func(t *testing.T) {
		b := w2(t)
		for _, delta := range []string{`"5"`, "1.5", "5.0", "null"} {
			b.no(rules.InvalidArgs, tool, hit("pc_001", delta), "delta")
		}
		b.no(rules.InvalidArgs, tool, `{"target_character_id":"pc_001","cause":"x"}`, "delta")
	})
	t.Run("hp_delta-11", func(t *testing.T) {
		w2(t).no(rules.InvalidArgs, tool, hit("pc_001", "true"))
	})
	t.Run("hp_delta-13", func(t *testing.T) {
		b := w2(t)
		b.ok(tool, `{"target_character_id":"pc_001","delta":-1,"cause":""}`, "10 → 9.")
		b.no(rules.InvalidArgs, tool, `{"target_character_id":"pc_001","delta":-1}`, "cause")
		b.no(rules.InvalidArgs, tool, `{"target_character_id":"pc_001","delta":-1,"cause":7}`, "cause")
	})
	t.Run("hp_delta-14", func(t *testing.T) {
		o := w2(t).ok(tool, hit("pc_001", "0"))
		rulestest.Same(t, string(o.Result), `{"new_hp":10}`)
		rulestest.Same(t, o.Changed, false)
	})
	t.Run("hp_delta-16", func(t *testing.T) {
		b := w2(t, hero("pc_002", 0, world.Dead))
		rulestest.Same(t, string(b.ok(tool, hit("pc_002", "-1")).Result), `{"new_hp":0}`)
		rulestest.Same(t, state(b, "pc_002"), "0 dead")
	})
	t.Run("hp_delta-17", func(t *testing.T) {
		b := w2(t, hero("pc_002", 0, world.Dead))
		o := b.no("target_dead", tool, hit("pc_002", "5"), "dead")
		rulestest.Same(t, o.Reason()+" "+o.Detail(), "invalid_args target_dead")
		rulestest.Same(t, state(b, "pc_002"), "0 dead")
		self := *b.World.Self()
		self.Rules = world.With(self.Rules, "allow_resurrection", 1)
		b = w2(t, &self, hero("pc_002", 0, world.Dead))
		b.ok(tool, hit("pc_002", "5"), "alive again")
		rulestest.Same(t, state(b, "pc_002"), "5 alive")
	})
	t.Run("hp_delta-19", func(t *testing.T) {
		b := w2(t, hero("pc_002", 0, world.Dead))
		b.ok(tool, hit("pc_001", "-99"))
		if err := b.Turn.Finish(false); err != nil {
			t.Fatal(err)
		}
		rulestest.Same(t, fmt.Sprint(b.World.Self().Ended, " ", b.World.Self().EndedReason), "true party_dead")
		b.no(rules.CampaignEnded, tool, hit("pc_001", "5"), "party_dead")
	})
	t.Run("hp_delta-20", func(t *testing.T) {
		ann := hero("pc_001", 10, world.Alive)
		ann.Attrs = map[string]string{"health": "well"}
		b := w2(t, ann)
		b.ok(tool, hit("pc_001", "-10"))
		rulestest.Same(t, b.World.Actor("pc_001").Attrs, map[string]string{"health": "well"})
	})
}

// Hit points stay from 0 to the maximum, whatever is added to whatever; states follow them.
func TestHPDeltaBounds(t *testing.T) {
	known := world.Known
	for _, tt := range []struct {
		name    string
		hp, max world.Number
		state   string
		rule    int64
		delta   int64
		code    rules.Code
		want    string
	}{
		{"over the maximum", known(8), known(10), "alive", 1, 5, "", `{"new_hp":10}`},
		{"over all numbers", known(8), world.Number{}, "alive", 1, math.MaxInt64, "", fmt.Sprintf(`{"new_hp":%d}`,
			int64(math.MaxInt64))},
		{"over all numbers, with a maximum", known(8), known(10), "alive", 1, math.MaxInt64, "", `{"new_hp":10}`},
		{"below all numbers", known(8), known(10), "alive", 0, math.MinInt64, "", `{"new_hp":0}`},
		{"from below 0", known(-8), known(10), "", 1, 3, "", `{"new_hp":3}`},
		{"no rule, no dying", known(8), known(10), "alive", 0, -8, "", `{"new_hp":0}`},
		{"the unconscious die, too", known(8), known(10), "unconscious", 1, -8, "", `{"new_hp":0,"state":"dying"}`},
		{"the dying stay so at 0", known(0), known(10), "dying", 1, -1, "", `{"new_hp":0}`},
		{"without a rule the dying stay so", known(0), known(10), "dying", 0, 1, "", `{"new_hp":1}`},
		{"the restrained stay so", known(5), known(10), "restrained_permanent", 1, 1, "", `{"new_hp":6}`},
		{"a dead body that had some", known(5), known(10), "dead", 1, -1, "", `{"new_hp":4}`},
		{"never hurt before", world.Number{}, known(10), "", 1, -4, "", `{"new_hp":6}`},
		{"no hit points at all", world.Number{}, world.Number{}, "", 1, -4, "no_hit_points", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := w2(t, &world.Actor{ID: "npc_001", Name: "Osric", Role: "npc", Place: "area_001", HP: tt.hp, HPMax: tt.max,
				State: tt.state})
			self := *b.World.Self()
			self.Rules = map[string]int64{"hp_zero_ends_game": tt.rule}
			b.Put(&self)
			if args := hit("npc_001", fmt.Sprint(tt.delta)); tt.code != "" {
				b.no(tt.code, "hp_delta", args, "Osric")
			} else {
				rulestest.Same(t, string(b.ok("hp_delta", args).Result), tt.want)
			}
		})
	}
	w2(t).no(rules.EntityNotFound, "hp_delta", hit("npc_999", "1"), "npc_999")
}

// The rows of get_player_state, by their ids.
func TestGetPlayerStateRows(t *testing.T) {
	const tool, s1 = "get_player_state", `{"session_id":"s1"}`
	const begun = `{"ok":true,"player_static_data":{"player_id":"player_001","name":"Player","move_speed_mph":4500},` +
		`"player_runtime_data":{"session_id":"s1","current_position":{"x":0,"y":0,"z":0,"zone_id":"zone_0_0_0"}}}`
	t.Run("get_player_state-01", func(t *testing.T) {
		rulestest.Same(t, string(w3(t).ok(tool, s1, "Player", "Origin").Result), begun)
	})
	t.Run("get_player_state-02", func(t *testing.T) {
		b := set(t, "en", &world.Self{Lang: "en", Session: "s1"})
		rulestest.Same(t, string(b.ok(tool, s1).Result), begun)
		b = set(t, "ru", &world.Self{Lang: "ru", Session: "s1"})
		rulestest.Same(t, string(b.ok(tool, s1).Result), strings.Replace(begun, `"Player"`, `"Игрок"`, 1))
	})
	t.Run("get_player_state-04", func(t *testing.T) {
		b := w3(t)
		rulestest.Same(t, b.no(rules.SessionMismatch, tool, `{"session_id":"s2"}`).ErrorCode(), "SESSION_MISMATCH")
		rulestest.Same(t, b.no(rules.InvalidArgs, tool, `{}`, "session_id").ErrorCode(), "INVALID_ARGS")
		rulestest.Same(t, set(t, "en").no(rules.InvalidArgs, tool, s1).ErrorCode(), "INVALID_ARGS")
	})
	t.Run("get_player_state-05", func(t *testing.T) {
		b := w3(t, &world.Actor{
			ID: "player_001", Role: "pc", Name: "Player", Place: "zone_120_-80_0", Pos: &world.Point{X: 120000, Y: -80000},
			Speed: world.Known(4500),
		})
		rulestest.Same(t, string(b.ok(tool, s1).Result),
			strings.Replace(begun, `"x":0,"y":0,"z":0,"zone_id":"zone_0_0_0"`, `"x":120,"y":-80,"z":0,`+
				`"zone_id":"zone_120_-80_0"`, 1))
	})
	t.Run("get_player_state-07", func(t *testing.T) {
		b := w3(t, &world.Actor{ID: "player_001", Role: "pc", Name: "Player", Place: "zone_0_0_0", State: world.Dead})
		rulestest.Same(t, string(b.ok(tool, s1).Result), strings.Replace(begun, `"}}}`, `"},"character_state":"dead"}}`, 1))
	})
	t.Run("get_player_state-08", func(t *testing.T) {
		o := w3(t).no(rules.InvalidArgs, tool, `{"session_id":"s1","verbose":true}`, "verbose")
		rulestest.Same(t, o.ErrorCode(), "INVALID_ARGS")
		rulestest.Same(t, string(o.Result), `{"ok":false,"error_code":"INVALID_ARGS",`+
			`"message":"get_player_state has no argument \"verbose\"."}`)
	})
	t.Run("get_player_state-10", func(t *testing.T) {
		b := w3(t, &world.Actor{
			ID: "player_001", Role: "pc", Name: "Player", Place: "cellar", Pos: &world.Point{X: 1500, Z: -3000},
			HP:    world.Known(7),
			HPMax: world.Known(12), State: world.Alive, Attrs: map[string]string{"health": "well", "b": "c"},
		}, &world.Place{ID: "house", Type: "sub_zone", Parent: "zone_0_0_0"}, &world.Place{ID: "cellar", Type: "sub_zone",
			Parent: "house"},
			&world.Thing{ID: "obj_coin", Order: 1, Parent: "player_001", Qty: 3}, &world.Thing{ID: "obj_map", Order: 2,
				Parent: "player_001"},
			&world.Thing{ID: "obj_trap", Order: 3, Parent: "player_001", Hidden: true})
		rulestest.Same(t, string(b.ok(tool, s1).Result), `{"ok":true,"player_static_data":{"player_id":"player_001","name":"Player",`+
			`"move_speed_mph":4500,`+
			`"attributes":{"b":"c","health":"well"},"hp_max":12},"player_runtime_data":{"session_id":"s1","current_position":`+
			`{"x":1.5,"y":0,"z":-3,"zone_id":"zone_0_0_0","sub_zone_id":"cellar"},"hp":7,"character_state":"alive",`+
			`"inventory":{"obj_coin":3,"obj_map":1}}}`)
	})
	t.Run("get_player_state-11", func(t *testing.T) {
		secret := &world.Actor{
			ID: "player_001", Role: "pc", Name: "Player", Place: "zone_0_0_0", Speed: world.Known(4500), Pos: &world.Point{},
			Owner:  "hidden",
			Secret: "hidden", Wants: "hidden", Extra: `{"api_key":"hidden"}`,
		}
		rulestest.Same(t, string(w3(t, secret).ok(tool, s1).Result), begun)
	})
	t.Run("get_player_state-13", func(t *testing.T) {
		b := w3(t, &world.Self{Lang: "en", Session: "s1", Allow: []string{"move_to_zone"}})
		rulestest.Same(t, b.no(rules.ToolNotAllowed, tool, s1).ErrorCode(), "TOOL_NOT_ALLOWED")
	})
}

// Anybody's state can be asked for, and nobody's place may be known.
func TestGetPlayerStateOfOthers(t *testing.T) {
	b := w3(t, &world.Actor{ID: "npc_001", Name: "Osric", Role: "npc", Place: "zone_120_-80_0"}, &world.Actor{ID: "npc_002",
		Pos: &world.Point{X: 2500}},
		&world.Place{ID: "loop", Type: "sub_zone", Parent: "loop"}, &world.Actor{ID: "npc_003", Place: "loop"})
	for id, want := range map[string]string{
		"npc_001": `{"x":120,"y":-80,"z":0,"zone_id":"zone_120_-80_0"}`,
		"npc_002": `{"x":2.5,"y":0,"z":0,"zone_id":"zone_2_0_0"}`,
		"npc_003": `{"x":0,"y":0,"z":0,"zone_id":"loop","sub_zone_id":"loop"}`,
	} {
		o := b.ok("get_player_state", `{"session_id":"s1","actor_id":"`+id+`"}`)
		if !strings.Contains(string(o.Result), `"current_position":`+want) {
			t.Errorf("%s: %s", id, o.Result)
		}
	}
	rulestest.Same(t, b.no(rules.EntityNotFound, "get_player_state", `{"session_id":"s1","actor_id":"npc_9"}`, "npc_9").ErrorCode(),
		"INVALID_ARGS")
}
