package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"hob/internal/llm/ollama/ollamafake"
)

// rows002 are those of the campaign tools.
func rows002() []seedRow { return slices.Concat(rowsOfCalls(), rowsOfMaps(), rowsOfCampaigns()) }

// allowlist is that of the fixture, as it stands there.
const allowlist = `"allowlist": [
  "move",
  "hp_delta",
  "map_generate"
 ],`

func rowsOfCalls() []seedRow {
	return []seedRow{
		{72, "the form of a call: id, tool, args, reason", plays("w2", "en", `
			{"id":"call_001","tool":"move","args":{"actor_id":"pc_001","from_area_id":"area_001","to_area_id":"area_002"},"reason":"Move to the next room"} => "id":"call_001" & applied`), ""},
		{73, "the default allowlist is move, hp_delta, map_generate; others are rejected", plays("w2", "en", `
			move {"to_area_id":"area_002"} => applied
			hp_delta {"target_character_id":"pc_001","delta":-1,"cause":"x"} => applied
			map_generate {"parent_area_id":null,"theme":"X"} => applied
			look {} => rejected & "reason":"tool_not_allowed" & same
			create_object {"name":"Lamp","connection_id":"pc_001"} => rejected & "reason":"tool_not_allowed" & same`, allowlist, ""), ""},
		{74, "the allowlist is kept in campaign.json", func(w *seedWorld) {
			chat := w.story("w2", "en")
			w.says(chat, "/allow +look")
			w.has(strings.ReplaceAll(oneLine(w.run("game", "export", "-c", string(chat), "--as", "002")), " ", ""),
				`"allowlist":["hp_delta","look","map_generate","move"]`)
		}, ""},
		{75, "move: actor_id, from_area_id, to_area_id", plays("w2", "en", `
			move {"actor_id":"pc_001","from_area_id":"area_001","to_area_id":"area_002"} => applied
			{"state":"002"} => "pc_001":{"position":"area_002"`), ""},
		{76, "move: actor_id and from_area_id are required", plays("w2", "en", `
			move {"to_area_id":"area_002"} => applied & "actor_id":"pc_001","from_area_id":"area_001"
			move {"from_area_id":"area_001","to_area_id":"area_002"} => error & "reason":"invalid_args" & same
			move {} => error & "reason":"invalid_args" & to_area_id & same`),
			"**`move`** fills in what is left out"},
		{77, "move: actor_id is the active actor", plays("w2", "en", `
			move {"actor_id":"pc_002","from_area_id":"area_001","to_area_id":"area_002"} => rejected & "reason":"actor_context_mismatch" & same`),
			"`rejected/actor_context_mismatch`"},
		{78, "move: an unknown area, no link, the same area", plays("w2", "en", `
			move {"to_area_id":"area_009"} => error & "reason":"invalid_args" & @entity_not_found & same
			move {"to_area_id":"area_001"} => error & "reason":"invalid_args" & @same_place & same
			move {"to_area_id":"area_002"} => applied
			move {"to_area_id":"area_001"} => error & "reason":"invalid_args" & @not_reachable & same`), ""},
		{79, "hp_delta: target_character_id, delta, cause are required", plays("w2", "en", `
			hp_delta {"delta":-1,"cause":"x"} => error & "reason":"invalid_args" & target_character_id & same
			hp_delta {"target_character_id":"pc_001","cause":"x"} => error & "reason":"invalid_args" & delta & same
			hp_delta {"target_character_id":"pc_001","delta":-1} => error & "reason":"invalid_args" & cause & same`), ""},
		{80, "hp_delta: result and bounds", plays("w2", "en", `
			hp_delta {"target_character_id":"pc_001","delta":true,"cause":"x"} => error & delta & same
			hp_delta {"target_character_id":"pc_001","delta":"5","cause":"x"} => error & delta & same
			hp_delta {"target_character_id":"pc_001","delta":1.5,"cause":"x"} => error & delta & same
			hp_delta {"target_character_id":"pc_001","delta":-3,"cause":""} => applied & "result":{"new_hp":7}
			hp_delta {"target_character_id":"pc_001","delta":-30,"cause":"x"} => applied & "new_hp":0,"state":"dying"`), ""},
	}
}

func rowsOfMaps() []seedRow {
	return []seedRow{
		{81, "map_generate: parent_area_id is required, and may be null", plays("w2b", "en", `
			map_generate {"theme":"x"} => error & "reason":"invalid_args" & parent_area_id & same
			map_generate {"parent_area_id":null,"theme":"x"} => applied & "root_parent_area_id":null`), ""},
		{82, "map_generate: theme or constraints", plays("w2b", "en", `
			map_generate {"parent_area_id":null} => applied & "warnings":["seed_defaulted"]
			map_generate {"parent_area_id":null,"theme":" "} => applied & "warnings":["theme_defaulted","seed_defaulted"]
			map_generate {"parent_area_id":null,"constraints":{"seed":"alpha"}} => applied & "warnings":[]
			map_generate {"parent_area_id":null,"theme":"Cave","constraints":{"size":2,"seed":"alpha"}} => applied & "warnings":[] & Cave`), ""},
		{83, "map_generate: size is 6 by default, and from 1 to 30", func(w *seedWorld) {
			script := ""
			for _, size := range []string{"0", "-1", "31", `"6"`, "6.5", "true", "null"} {
				script += fmt.Sprintf("map_generate {\"parent_area_id\":null,\"constraints\":{\"size\":%s}} => error & size & same\n", size)
			}
			plays("w2b", "en", script+`
				map_generate {"parent_area_id":null,"constraints":{"size":1}} => applied & "created_area_ids":["area_002"]
				map_generate {"parent_area_id":null,"constraints":{"size":30}} => applied & "area_032"]
				map_generate {"parent_area_id":null} => applied & "created_area_ids":["area_033","area_034","area_035","area_036","area_037","area_038"]`)(w)
		}, ""},
		{84, "map_generate: the seed is a word, and decides", func(w *seedWorld) {
			plays("w2b", "en", `map_generate {"parent_area_id":null,"constraints":{"seed":5}} => error & seed & same`)(w)
			draw := func(seed string) string {
				out, _ := w.ends(`{"tool":"map_generate","args":{"parent_area_id":null,"theme":"X","constraints":{"size":12,"seed":"`+seed+`"}}}`+"\n"+`{"state":"002"}`,
					"game", "exec", "--world", fixture("w2b"))
				return regexp.MustCompile(`"map":\{.*\},"actors"`).FindString(out)
			}
			if a, b, c := draw("alpha"), draw("alpha"), draw("beta"); a == "" || a != b || a == c {
				w.Errorf("the maps of one seed, again, and of another:\n%s\n%s\n%s", a, b, c)
			}
		}, ""},
		{85, "map_generate: map.connections are rebuilt from reachable_area_ids", plays("w2", "en", `
			{"state":"002"} => "connections":[{"from_area_id":"area_001","to_area_id":"area_002"}]
			map_generate {"parent_area_id":"area_001","theme":"Cave","constraints":{"size":1,"seed":"alpha"}} => applied
			{"state":"002"} => "reachable_area_ids":["area_002","area_003"] & "connections":[{"from_area_id":"area_001","to_area_id":"area_002"},{"from_area_id":"area_001","to_area_id":"area_003"},{"from_area_id":"area_003","to_area_id":"area_001"}]`,
			`"from_area_id": "area_001"`, `"from_area_id": "area_002"`), ""},
		{86, "map_generate: the payload of the result", plays("w2", "en", `
			map_generate {"parent_area_id":"area_001","theme":"Cave","constraints":{"size":2,"seed":"alpha"}} => applied & "created_area_ids":["area_003","area_004"],"created_connections": & "root_parent_area_id":"area_001","warnings":[]`), ""},
		{87, "map_generate: the topology, and 3 connections for two areas", plays("w2", "en", `
			map_generate {"parent_area_id":"area_001","theme":"Cave","constraints":{"size":2,"seed":"alpha"}} => applied & "created_connections":4`),
			"the topology is hob's: rooms on a grid"},
	}
}

func rowsOfCampaigns() []seedRow {
	return []seedRow{
		{88, "an applied action: tool, args, result, timestamp", func(w *seedWorld) {
			w.has(w.says(w.story("w2", "en"), "I feel like seeing what lies behind that arch",
				calls("move", `{"actor_id":"pc_001","from_area_id":"area_001","to_area_id":"area_002"}`), ollamafake.Say("So."), ollamafake.Say("You are in the Court.")),
				`"applied_actions":[{"tool":"move","args":{"actor_id":"pc_001","from_area_id":"area_001","to_area_id":"area_002"},"result":{`, `"timestamp":"20`)
		}, ""},
		{89, "the result of move is to_area_id", plays("w2", "en", `
			move {"to_area_id":"area_002"} => "result":{"to_area_id":"area_002","from_area_id":"area_001"}`), "`from_area_id` of `move`"},
		{90, "a timestamp is RFC 3339, with its offset", func(w *seedWorld) {
			out, _ := w.ends(`{"tool":"move","args":{"to_area_id":"area_002"}}`, "game", "exec", "--world", fixture("w2"))
			if !regexp.MustCompile(`"timestamp":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)"`).MatchString(out) {
				w.Error(out)
			}
		}, ""},
		{91, "failed_calls: id, tool, status, reason", func(w *seedWorld) {
			answer := w.says(w.story("w2", "en"), "hum a tune of your own making",
				calls("hp_delta", `{"target_character_id":"pc_009","delta":-1,"cause":"x"}`), ollamafake.Say("So."), ollamafake.Say("Nothing comes of it."))
			if !regexp.MustCompile(`"failed_calls":\[\{"id":"[^"]+","tool":"hp_delta","status":"error","reason":"invalid_args"`).MatchString(answer) {
				w.Error(answer)
			}
		}, ""},
		{92, "status: rejected by the allowlist or the state, error for arguments", plays("w2", "en", `
			look {} => rejected
			move {"actor_id":"pc_002","to_area_id":"area_002"} => rejected
			move {"to_area_id":5} => error
			hp_delta {} => error`), ""},
		{93, "reason tool_not_allowed", func(w *seedWorld) {
			plays("w2", "en", `look {} => rejected & "reason":"tool_not_allowed"`)(w)
			w.has(w.says(w.story("w2", "en"), "hum a tune of your own making", calls("call_tool", `{"name":"move_player","args":{}}`), ollamafake.Say("So.")),
				`"tool":"move_player","status":"rejected","reason":"tool_not_allowed"`)
		}, ""},
		{94, "reason invalid_args", plays("w2", "en", `
			move {"to_area_id":"area_002","speed":3} => error & "reason":"invalid_args" & speed
			hp_delta {"target_character_id":"pc_001","delta":"x","cause":""} => error & "reason":"invalid_args"
			map_generate {"parent_area_id":5} => error & "reason":"invalid_args"`), ""},
		{95, "reason actor_state_restricted", func(w *seedWorld) {
			for state, hp := range map[string]string{"dying": "0", "unconscious": "5", "restrained_permanent": "5", "dead": "0"} {
				heals := `rejected & "reason":"actor_state_restricted" & same`
				if state == "dying" {
					heals = "applied"
				}
				plays("w2", "en", `
					move {"to_area_id":"area_002"} => rejected & "reason":"actor_state_restricted" & same
					map_generate {"parent_area_id":null} => rejected & "reason":"actor_state_restricted" & same
					hp_delta {"target_character_id":"pc_001","delta":-1,"cause":"x"} => rejected & "reason":"actor_state_restricted" & same
					hp_delta {"target_character_id":"pc_001","delta":2,"cause":"x"} => `+heals,
					"\"hp\": 10,\n   \"character_state\": \"alive\"", fmt.Sprintf("\"hp\": %s,\n   \"character_state\": %q", hp, state))(w)
			}
		}, ""},
		{96, "reason invalid_actor_state", plays("w2", "en", `
			move {"to_area_id":"area_002"} => rejected & "reason":"invalid_actor_state" & same
			hp_delta {"target_character_id":"pc_001","delta":2,"cause":"x"} => rejected & "reason":"invalid_actor_state" & same`,
			`"character_state": "alive"`, `"character_state": "weird"`), ""},
		{97, "a failure does not stop the batch", func(w *seedWorld) {
			out, _ := w.ends(`{"batch":[{"tool":"move","args":{"to_area_id":"area_009"}},{"tool":"hp_delta","args":{"target_character_id":"pc_001","delta":-1,"cause":"x"}}]}`,
				"game", "exec", "--world", fixture("w2"))
			lines := strings.Split(strings.TrimSpace(out), "\n")
			if len(lines) != 2 {
				w.Fatal(out)
			}
			w.has(lines[0], `"status":"error"`)
			w.has(lines[1], `"status":"applied"`, `"new_hp":9`)
		}, ""},
		{98, "the guard against repeats, and a campaign that has ended", func(w *seedWorld) {
			chat := w.story("w2", "en")
			for n := 1; n <= 4; n++ {
				answer := w.says(chat, "hum a tune of your own making", calls("hp_delta", `{"target_character_id":"pc_009","delta":-1,"cause":"x"}`), ollamafake.Say("So."))
				if want := `"reason":"repeat_illegal_request"`; strings.Contains(answer, want) != (n == 4) {
					w.Errorf("turn %d: %s", n, answer)
				}
			}
			plays("w2b", "en", `
				hp_delta {"target_character_id":"pc_001","delta":1,"cause":"x"} => error & @campaign_ended & same`,
				`"ended": false,
  "reason": null`, `"ended": true,
  "reason": "party_dead"`)(w)
		}, ""},
		{99, "a model plays a campaign by natural language", func(w *seedWorld) {
			chat := w.story("w2", "en")
			answer := w.says(chat, "I feel like seeing what lies behind that arch", calls("move", `{"to_area_id":"area_002"}`), ollamafake.Say("So."), ollamafake.Say("You are in the Court."))
			w.has(answer, `"tool_name":"move","ok":true`, "Court")
			for _, tool := range []string{"move", "hp_delta", "map_generate"} {
				if !slices.Contains(w.told(), tool) {
					w.Errorf("the model is told of %q", w.told())
				}
			}
			w.has(w.says(chat, "what would it be like to dig a cellar here", calls("map_generate", `{"parent_area_id":"area_002","theme":"Cellar","constraints":{"size":2,"seed":"a"}}`), ollamafake.Say("So.")),
				`"tool_name":"map_generate","ok":true`)
		}, ""},
		{100, "choices in a campaign", func(w *seedWorld) {
			chat := w.story("w2", "en")
			w.has(w.says(chat, "look"), "Court")
			w.has(w.says(chat, "/choices"), "Court", "! Nothing is left")
			w.has(w.run("game", "do", "-c", string(chat), "choices"), "Court")
		}, ""},
		{101, "import and export of a campaign", func(w *seedWorld) {
			out := strings.ReplaceAll(oneLine(w.run("game", "export", "-c", string(w.story("w2", "en")), "--as", "002")), " ", "")
			w.has(out, `"id":"camp_0001"`, `"selected":{`, `"party_character_ids":["pc_001","pc_002"]`, `"settings_snapshot"`, `"settings_revision":1`, `"allowlist"`,
				`"goal"`, `"turn_trigger_interval":6`, `"pressure_threshold":2`, `"lifecycle":{"ended":false,"reason":null,"ended_at":null}`, `"created_at":"2026-01-14T16:00:00+00:00"`)
		}, ""},
	}
}
