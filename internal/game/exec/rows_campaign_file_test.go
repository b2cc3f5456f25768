package exec_test

import (
	"slices"
	"strings"
)

// areaIs sets where somebody is in a world in the shape of a campaign.json.
func areaIs(who, area string) func(doc, answer) {
	return func(d doc, _ answer) { at(d, "actors", who)["position"] = area }
}

// stateIs sets somebody's state and hit points.
func stateIs(who, state, hp string) func(doc) {
	return func(d doc) { at(d, "actors", who)["character_state"], at(d, "actors", who)["hp"] = state, number(hp) }
}

func moveRows() []row {
	const there = `{"actor_id":"pc_001","from_area_id":"area_001","to_area_id":"area_002"}`
	moved := areaIs("pc_001", "area_002")
	list := []row{
		{id: "move-01", world: "w2", args: there, want: applied(), text: []string{"Court"}, after: moved,
			result: `{"to_area_id":"area_002","from_area_id":"area_001"}`},
		{id: "move-02", world: "w2", args: `{"to_area_id":"area_002"}`, want: applied(), after: moved, look: func(t *tale, a answer) {
			want := doc{"actor_id": "pc_001", "from_area_id": "area_001", "to_area_id": "area_002"}
			same(t, want, a.Args)
		}},
		{id: "move-04", world: "w2", args: `{"actor_id":"pc_001","from_area_id":"area_002","to_area_id":"area_002"}`, want: wrong()},
		{id: "move-05", world: "w2", args: `{"actor_id":"pc_002","from_area_id":"area_001","to_area_id":"area_002"}`,
			want: rejected("actor_context_mismatch", "ACTOR_MISMATCH"), text: []string{"pc_002", "pc_001"}},
		{id: "move-07", world: "w2", args: `{"actor_id":" pc_001 ","from_area_id":"area_001","to_area_id":"area_002"}`, want: applied(),
			after: moved, look: func(t *tale, a answer) {
				if a.Args.(doc)["actor_id"] != "pc_001" {
					t.Errorf("args: %v", a.Args)
				}
			}},
		{id: "move-08", world: "w2", line: `{"id":"c","tool":"move","actor_id":"zz","args":{"actor_id":"zz","to_area_id":"area_002"}}`,
			want: missing(), text: []string{"zz"}},
		{id: "move-10", world: "w2", args: `{"actor_id":"pc_001","from_area_id":"area_001","to_area_id":"area_009"}`, want: missing(),
			text: []string{"area_009"}},
		{id: "move-11", world: "w2", args: `{"actor_id":"pc_001","from_area_id":"area_001","to_area_id":"area_001"}`,
			want: failed("same_place")},
		{id: "move-14", world: "w2", edit: stateIs("pc_001", "dead", "0"), args: `{}`, want: restricted(), text: []string{"pc_001"}},
		{id: "move-16", world: "w2", edit: allow("hp_delta"), args: there, want: notAllowed()},
		{id: "move-16/before who and state", world: "w2", edit: func(d doc) {
			allow("hp_delta")(d)
			stateIs("pc_001", "dead", "0")(d)
		}, args: `{"actor_id":"pc_002"}`, want: notAllowed()},
		{id: "move-17", world: "w2",
			line: `{"id":"c","tool":"move","execution":{"actor_id":"pc_002"},"args":{"actor_id":"pc_002","to_area_id":"area_002"}}`,
			want: applied(), after: areaIs("pc_002", "area_002"), look: func(t *tale, a answer) {
				if a.Actor != "pc_002" {
					t.Errorf("effective actor %q", a.Actor)
				}
			}},
		{id: "move-19", world: "w2", first: []string{`{"batch":[` + call("move", `{"to_area_id":"area_002"}`) + `,` + call("move",
			`{"to_area_id":"area_001"}`) + `,` +
			call("hp_delta", `{"target_character_id":"pc_001","delta":-1,"cause":"x"}`) + `]}`},
			args: `{"from_area_id":"area_002","to_area_id":"area_001"}`, want: failed("not_reachable"), look: func(t *tale, _ answer) {
				if got := at(t.state("002"), "actors", "pc_001"); got["position"] != "area_002" || got["hp"] != number("9") {
					t.Errorf("after the batch: %v", got)
				}
			}},
	}
	for _, state := range []string{"dying", "unconscious", "restrained_permanent", "dead"} {
		hp := map[bool]string{true: "0", false: "5"}[strings.HasPrefix(state, "d")]
		list = append(list, row{id: "move-13/" + state, world: "w2", edit: stateIs("pc_001", state, hp), args: there,
			want: restricted()})
	}
	return list
}

func hpRows() []row {
	hit := func(who, delta string) string {
		return `{"target_character_id":"` + who + `","delta":` + delta + `,"cause":"x"}`
	}
	is := func(who, state, hp string) func(doc, answer) {
		return func(d doc, _ answer) { stateIs(who, state, hp)(d) }
	}
	dying, twice := stateIs("pc_001", "dying", "0"), func(d doc) {
		stateIs("pc_001", "dying", "0")(d)
		stateIs("pc_002", "dead", "0")(d)
		d["lifecycle"] = doc{"ended": true, "reason": "party_dead", "ended_at": "2026-01-14T16:05:31Z"}
	}
	healthy := func(d doc) { at(d, "actors", "pc_001", "meta")["health"] = "well" }
	list := []row{
		{id: "hp_delta-01", world: "w2", args: hit("pc_001", "-3"), want: applied(), result: `{"new_hp":7}`,
			text: []string{"7"}, after: is("pc_001", "alive", "7")},
		{id: "hp_delta-02", world: "w2", args: hit("pc_001", "-10"), want: applied(), result: `{"new_hp":0,"state":"dying"}`,
			after: is("pc_001", "dying", "0")},
		{id: "hp_delta-04", world: "w2", edit: dying, args: hit("pc_001", "5"), want: applied(), result: `{"new_hp":5,"state":"alive"}`,
			after: is("pc_001", "alive", "5")},
		{id: "hp_delta-05", world: "w2", edit: dying, args: hit("pc_001", "0"), want: restricted()},
		{id: "hp_delta-05/less", world: "w2", edit: dying, args: hit("pc_001", "-1"), want: restricted()},
		{id: "hp_delta-08", world: "w2", edit: stateIs("pc_001", "weird", "5"), args: hit("pc_001", "5"),
			want: rejected("invalid_actor_state", "ACTOR_STATE_RESTRICTED")},
		{id: "hp_delta-10/absent", world: "w2", args: `{"target_character_id":"pc_001","cause":"x"}`, want: wrong(),
			text: []string{"delta"}},
		{id: "hp_delta-11", world: "w2", args: hit("pc_001", "true"), want: wrong(), text: []string{"delta"}},
		{id: "hp_delta-13", world: "w2", args: `{"target_character_id":"pc_001","delta":-1,"cause":""}`, want: applied(),
			after: is("pc_001", "alive", "9")},
		{id: "hp_delta-14", world: "w2", args: hit("pc_001", "0"), want: applied(), result: `{"new_hp":10}`},
		{id: "hp_delta-16", world: "w2", edit: stateIs("pc_002", "dead", "0"), args: hit("pc_002", "-1"), want: applied(),
			result: `{"new_hp":0}`},
		{id: "hp_delta-17", world: "w2", edit: stateIs("pc_002", "dead", "0"), args: hit("pc_002", "5"), want: failed("target_dead")},
		{id: "hp_delta-17/resurrection", world: "w2", edit: func(d doc) {
			stateIs("pc_002", "dead", "0")(d)
			at(d, "settings_snapshot", "rules")["allow_resurrection"] = true
		}, args: hit("pc_002", "5"), want: applied(), result: `{"new_hp":5,"state":"alive"}`, after: is("pc_002", "alive", "5")},
		{id: "hp_delta-19", world: "w2", edit: stateIs("pc_002", "dead", "0"), args: hit("pc_001", "-10"), want: applied(),
			after: func(d doc, _ answer) { twice(d) }, look: func(t *tale, _ answer) {
				hash := t.hash()
				a := t.one(call("hp_delta", hit("pc_001", "5")))
				if a.Status != "error" || a.Detail != "campaign_ended" || a.Hash != hash || t.g.Log.Turns() != 1 {
					t.Errorf("the next turn: %s", a.line)
				}
			}},
		{id: "hp_delta-20", world: "w2", edit: healthy, args: hit("pc_001", "-3"), want: applied(), after: is("pc_001", "alive", "7")},
	}
	for _, state := range []string{"dead", "unconscious", "restrained_permanent"} {
		hp := map[bool]string{true: "0", false: "5"}[state == "dead"]
		list = append(list, row{id: "hp_delta-07/" + state, world: "w2", edit: stateIs("pc_001", state, hp), args: hit("pc_001", "5"),
			want: restricted()})
	}
	for _, delta := range []string{`"5"`, "1.5", "5.0"} {
		list = append(list, row{id: "hp_delta-10/" + delta, world: "w2", args: hit("pc_001", delta), want: wrong(),
			text: []string{"delta"}})
	}
	return list
}

func mapRows() []row {
	const cave = `{"parent_area_id":"area_001","theme":"Cave","constraints":{"size":3,"seed":"beta"}}`
	made := func(parent string, n int, warnings ...string) func(*tale, answer) {
		return func(t *tale, a answer) { graph(t, a, parent, n, warnings) }
	}
	list := []row{
		{id: "map_generate-01", world: "w2b", args: `{"parent_area_id":null,"theme":"Forest","constraints":{"size":4,"seed":"alpha"}}`,
			want: applied(), look: made("", 4)},
		{id: "map_generate-04", world: "w2b", args: cave, want: applied(), look: func(t *tale, a answer) {
			made("area_001", 3)(t, a)
			for _, id := range a.Result.(doc)["created_area_ids"].([]any) {
				if name := at(t.state("002"), "map", "areas", id.(string))["name"].(string); !strings.Contains(name, "Cave") {
					t.Errorf("an area is called %q", name)
				}
			}
		}},
		{id: "map_generate-05", world: "w2b", args: `{"parent_area_id":null,"theme":"X","constraints":{"size":12,"seed":"alpha"}}`,
			want: applied(), look: func(t *tale, _ answer) {
				draw := func(seed string) doc {
					g := openBy(t, t.g.Book, fixture(t, "w2b"), t.g.Lang)
					g.one(call("map_generate", `{"parent_area_id":null,"theme":"X","constraints":{"size":12,"seed":"`+seed+`"}}`))
					return at(g.state("002"), "map")
				}
				same(t, at(t.state("002"), "map"), draw("alpha"))
				if slices.Equal(ways(draw("alpha")), ways(draw("beta"))) {
					t.Error("two seeds, one map")
				}
			}},
		{id: "map_generate-07", world: "w2b", args: `{"parent_area_id":null,"theme":""}`, want: applied(),
			look: made("", 6, "theme_defaulted", "seed_defaulted")},
		{id: "map_generate-07/blank", world: "w2b", args: `{"parent_area_id":null,"theme":"   "}`, want: applied(),
			look: made("", 6, "theme_defaulted", "seed_defaulted")},
		{id: "map_generate-08", world: "w2b", args: `{"parent_area_id":null,"theme":null}`, want: applied(),
			look: made("", 6, "seed_defaulted")},
		{id: "map_generate-14/null", world: "w2b", args: `{"parent_area_id":null,"theme":"X","constraints":{"seed":null}}`,
			want: applied(),
			look: made("", 6, "seed_defaulted")},
		{id: "map_generate-16", world: "w2b", args: `{"parent_area_id":null,"size":3,"theme":"X","constraints":{}}`, want: applied(),
			look: made("", 6, "seed_defaulted")},
		{id: "map_generate-17", world: "w2b", edit: deserted,
			args: `{"parent_area_id":null,"theme":"X","constraints":{"size":3,"seed":"s"}}`,
			want: applied(), look: func(t *tale, a answer) {
				made("", 3)(t, a)
				same(t, []any{"area_001", "area_002", "area_003"}, a.Result.(doc)["created_area_ids"])
			}},
		{id: "map_generate-19", world: "w2b", edit: foo,
			args: `{"parent_area_id":"foo","theme":"X","constraints":{"size":2,"seed":"s"}}`,
			want: applied(), look: func(t *tale, a answer) {
				made("foo", 2)(t, a)
				same(t, []any{"area_001", "area_002"}, a.Result.(doc)["created_area_ids"])
			}},
	}
	for i := range list {
		list[i].free = true
	}
	return append(list, mapRefusals()...)
}

// mapRefusals are the cases of map_generate that make no map.
func mapRefusals() []row {
	list := []row{
		{id: "map_generate-10", world: "w2b", args: `{"parent_area_id":"missing"}`, want: missing(), text: []string{"missing"}},
		{id: "map_generate-10/blank", world: "w2b", args: `{"parent_area_id":""}`, want: wrong()},
		{id: "map_generate-10/number", world: "w2b", args: `{"parent_area_id":5}`, want: wrong()},
		{id: "map_generate-13", world: "w2b", args: `{"parent_area_id":null,"constraints":[]}`, want: wrong()},
		{id: "map_generate-14", world: "w2b", args: `{"parent_area_id":null,"constraints":{"seed":5}}`, want: wrong()},
		{id: "map_generate-22", world: "w2b", edit: allow("move"), args: `{"parent_area_id":null}`, want: notAllowed()},
		{id: "map_generate-23", world: "w2b", edit: stateIs("pc_001", "dead", "0"), args: `{"parent_area_id":null}`,
			want: restricted()},
	}
	for _, size := range []string{"0", "-1", "31", `"6"`, "6.5", "true"} {
		list = append(list, row{id: "map_generate-11/" + size, world: "w2b", args: `{"parent_area_id":null,"constraints":{"size":` +
			size + `}}`,
			want: wrong(), text: []string{"size"}})
	}
	return list
}

// deserted takes all areas away: who is there is nowhere.
func deserted(d doc) {
	d["map"] = doc{"areas": doc{}, "connections": []any{}}
	at(d, "actors", "pc_001")["position"] = nil
}

// foo leaves one area, which is called foo.
func foo(d doc) {
	d["map"] = doc{"areas": doc{"foo": doc{"id": "foo", "name": "Foo", "description": "", "parent_area_id": nil,
		"reachable_area_ids": []any{}}},
		"connections": []any{}}
	at(d, "actors", "pc_001")["position"] = "foo"
}
