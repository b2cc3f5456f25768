package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"hob/internal/event"
	"hob/internal/llm/ollama/ollamafake"
)

// rows003 are those of the tool protocol.
func rows003() []seedRow {
	return slices.Concat(rowsOfProtocol(), rowsOfZones(), rowsOfTrips(), rowsOfErrors(), rowsOfRisks(), rowsOfFrontEnds())
}

// zoneJSON is what a model writes that is asked for a zone: its name and where it is, and more of it.
func zoneJSON(name string, x, y int, more string) string {
	return fmt.Sprintf(`{"zones":[{"name":%q,"x":%d,"y":%d,"description":"A bare hill.","tags":["hill"],"size":"small"%s}]}`, name, x, y, more)
}

// makesZone is the answer to a message for which the model makes a zone, and writes it so.
func (w *seedWorld) makesZone(args, written string) (chat, answer string) {
	w.Helper()
	c := w.story("w3", "en")
	return string(c), w.says(c, "I look out over the land and dream", calls("generate_zone", args), ollamafake.Say(written), ollamafake.Say("So."), ollamafake.Say("You look far out."))
}

func rowsOfProtocol() []seedRow {
	return []seedRow{
		{102, "POST /api/v1/chat {session_id, messages}", func(w *seedWorld) {
			w.has(w.says("api", "good evening"), `"session_id":"api"`, `"reply":"So it is."`)
			tested("cmd/hob TestServe_OverTCP")(w)
		}, ""},
		{103, "the answer: reply, tool_events, state_patch", func(w *seedWorld) {
			chat := w.story("w3", "en")
			w.has(w.says(chat, "go to East Post"), `"reply":"`, `"tool_events":[{"tool_name":"move_to_zone","ok":true`, `"state_patch":[{"op":"`)
			w.has(w.says(chat, "look"), `"reply":"`, `! "state_patch":[{`)
		}, ""},
		{104, "the tools are sent, a call is checked and done, its result goes back as a tool's message, and the last words follow", func(w *seedWorld) {
			answer := w.says(w.story("w3", "en"), "I feel like seeing the sunrise from the post in the east",
				calls("move_to_zone", `{"to_zone_id":"zone_600_0_0"}`), ollamafake.Say("So."), ollamafake.Say("You are at East Post."))
			w.has(answer, "You are at East Post.")
			all := w.requests()
			if len(all) != 3 || !strings.Contains(string(all[0].Body), `"name":"move_to_zone"`) {
				w.Fatalf("%d requests: %s", len(all), answer)
			}
			last := all[1].Messages[len(all[1].Messages)-1]
			if last.Role != "tool" || last.ToolName != "move_to_zone" || !strings.Contains(last.Content, "East Post") {
				w.Errorf("what goes back is %+v", last)
			}
		}, ""},
		{105, "a model cannot call the API itself", func(w *seedWorld) {
			answer := w.says("chores", "what does the API say?", calls("fetch", `{"url":"http://127.0.0.1:8787/api/v1/skills"}`), ollamafake.Say("Nothing."))
			w.has(answer, `"tool_name":"fetch","ok":false`, "8787")
			tested("internal/tools/shell TestRunCommand_Network")(w)
		}, ""},
		{106, "arguments are checked by JSON Schema, and the model is asked to try again", func(w *seedWorld) {
			w.says(w.story("w1", "en"), "hum a tune of your own making", calls("hp_delta", `{"target_character_id":"char_ann","cause":"x"}`), ollamafake.Say("So."))
			all := w.requests()
			w.has(all[1].Messages[len(all[1].Messages)-1].Content, "error", `"delta"`)
			w.says("chores", "what is in that file?", calls("read_file", `{}`), ollamafake.Say("Nothing."))
			all = w.requests()
			w.has(all[1].Messages[len(all[1].Messages)-1].Content, "path", "attempt 1 of 3")
		}, ""},
		{107, "every argument that is missing is named", plays("w3", "en", `
			hp_delta {} => error & target_character_id & delta & cause
			move_object {} => error & object_id & target_id
			generate_zone {} => error & session_id & world_prompt
			set_attribute {} => error & entity_type & entity_id & attribute_name & value`), ""},
		{108, "writing tools need a session_id that is the session's", plays("w3", "en", `
			generate_zone {"world_prompt":"x"} => error & "error_code":"INVALID_ARGS" & session_id & same
			move_to_zone {"to_zone_id":"zone_600_0_0"} => error & "error_code":"INVALID_ARGS" & session_id & same
			get_player_state {} => error & "error_code":"INVALID_ARGS" & session_id & same
			move_to_zone {"session_id":"s2","to_zone_id":"zone_600_0_0"} => error & "error_code":"SESSION_MISMATCH" & same
			hp_delta {"session_id":"s2","target_character_id":"player_001","delta":-1,"cause":"x"} => error & "error_code":"SESSION_MISMATCH" & same
			advance_time {"minutes":1} => applied`), "the chat is bound to the session, and hob fills it in"},
		{109, "a log of calls: time, arguments, result, error, tokens", func(w *seedWorld) {
			chat := w.story("w3", "en")
			w.says(chat, "I feel like seeing the sunrise", calls("move_to_zone", `{"to_zone_id":"zone_600_0_0"}`), calls("move_to_zone", `{"to_zone_id":"zone_9_9_9"}`), ollamafake.Say("So."))
			w.has(w.run("log", string(chat), "--json"), `"time":"`, `"to_zone_id":"zone_600_0_0"`, `"returned"`, "East Post", `"to_zone_id":"zone_9_9_9"`, `"error"`, `"duration_ms"`)
			w.has(w.run("audit", "--chat", string(chat), "--json"), `"args_hash"`, `"duration_ms"`, `tokens"`)
		}, ""},
	}
}

func rowsOfZones() []seedRow {
	ask := func(more string) string {
		return `generate_zone {"session_id":"s1","world_prompt":"剑与魔法世界"` + more + `}`
	}
	return []seedRow{
		{110, "generate_zone: the arguments and their defaults", func(w *seedWorld) {
			for args, near := range map[string]bool{"": true, `,"count":1,"near_player":true`: true, `,"near_player":false`: false} {
				plays("w3", "en", ask(args)+` => applied & "generated":1`)(w)
				out, _ := w.ends(`{"tool":"generate_zone","args":{"session_id":"s1","world_prompt":"x"`+args+`}}`, "game", "exec", "--world", fixture("w3"))
				var made struct {
					Result struct{ Zones []struct{ X, Y float64 } }
				}
				if err := json.Unmarshal([]byte(out), &made); err != nil || len(made.Result.Zones) != 1 {
					w.Fatal(err, out)
				}
				if far := math.Hypot(made.Result.Zones[0].X, made.Result.Zones[0].Y); (far <= 80) != near {
					w.Errorf("with %q it is %v m away", args, far)
				}
			}
		}, ""},
		{111, "generate_zone: session_id and world_prompt are required", plays("w3", "en", `
			generate_zone {"world_prompt":"x"} => error & "error_code":"INVALID_ARGS" & session_id & same
			generate_zone {"session_id":"s1"} => error & "error_code":"INVALID_ARGS" & world_prompt & same
			generate_zone {"session_id":"s1","world_prompt":"  "} => error & "error_code":"INVALID_ARGS" & world_prompt & same`), ""},
		{112, "generate_zone: count is from 1 to 3", plays("w3", "en", ask(`,"count":0`)+` => applied & "generated":1
			`+ask(`,"count":99`)+` => applied & "generated":3
			`+ask(`,"count":"2"`)+` => error & "error_code":"INVALID_ARGS" & same
			`+ask(`,"count":1.5`)+` => error & "error_code":"INVALID_ARGS" & same`), ""},
		{113, "generate_zone: the result", func(w *seedWorld) {
			out, _ := w.ends(`{"tool":"generate_zone","args":{"session_id":"s1","world_prompt":"x"}}`, "game", "exec", "--world", fixture("w3"))
			like := `"result":\{"ok":true,"generated":1,"zones":\[\{"zone_id":"zone_-?\d+_-?\d+_0","name":"[^"]+","x":-?\d+,"y":-?\d+,"z":0,"description":"[^"]+","tags":\["generated"[^\]]*\]\}\]\}`
			if !regexp.MustCompile(like).MatchString(out) {
				w.Error(out)
			}
			_, answer := w.makesZone(`{"world_prompt":"a hill"}`, zoneJSON("Ash Hill", 26, 74, ""))
			w.has(answer, `"zone_id":"zone_26_74_0"`, `"ai","generated"]`)
		}, ""},
		{114, "generate_zone: the model writes it", func(w *seedWorld) {
			for _, written := range []string{
				zoneJSON("Ash Hill", 26, 74, ""), "```json\n" + zoneJSON("Ash Hill", 26, 74, "") + "\n```",
				strings.TrimSuffix(strings.TrimPrefix(zoneJSON("Ash Hill", 26, 74, ""), `{"zones":`), "}"),
			} {
				_, answer := w.makesZone(`{"world_prompt":"a hill"}`, written)
				w.has(answer, `"tool_name":"generate_zone","ok":true`, "Ash Hill", `"generated":1`)
				if asked := w.requests(); len(asked) < 2 || !strings.Contains(string(asked[1].Body), "a hill") {
					w.Errorf("the model was asked %d times", len(asked))
				}
			}
		}, ""},
		{115, "generate_zone: how it fails", func(w *seedWorld) {
			for _, written := range []string{
				"sorry", `{"zones":[{"name":"Ash Hill","x":"far","y":2,"description":"bare"}]}`, `{"zones":[{"x":1,"y":2,"description":"bare"}]}`,
				`{"zones":[{"name":"Ash Hill","x":1,"y":2}]}`, zoneJSON("Ash Hill", 90_000, 0, ""),
			} {
				chat, answer := w.makesZone(`{"world_prompt":"a hill"}`, written)
				w.has(answer, `"tool_name":"generate_zone","ok":false`, `"payload":{"error_code":"INVALID_AI_JSON","message":"`, `"ok":false`, `! "state_patch":[{`)
				w.has(w.run("game", "export", "-c", chat, "--as", "003"), "! Ash Hill")
			}
		}, ""},
		{116, "generate_zone: a kind and a size that there are not, and names that are numbers", func(w *seedWorld) {
			chat, answer := w.makesZone(`{"world_prompt":"a hill"}`, zoneJSON("Ash Hill", 26, 74, `,"zone_type":"moonbase","size":"huge"`))
			w.has(answer, `"tool_name":"generate_zone","ok":true`)
			w.has(oneLine(w.run("game", "export", "-c", chat, "--as", "003")), "Ash Hill", `"moonbase"`, `! "zone_type": "moonbase"`, `! "zone_type":"moonbase"`, "! huge")
			for _, name := range []string{"Zone 1", "区块1"} {
				_, answer := w.makesZone(`{"world_prompt":"a hill"}`, zoneJSON(name, 26, 74, ""))
				w.has(answer, `"ok":false`, "INVALID_AI_JSON")
			}
		}, ""},
		{117, "generate_zone: a zone that is on the map already", func(w *seedWorld) {
			chat, answer := w.makesZone(`{"world_prompt":"a post"}`, zoneJSON("East Post", 600, 0, ""))
			w.has(answer, `"ok":false`, "INVALID_AI_JSON")
			if all := w.run("game", "export", "-c", chat, "--as", "003"); strings.Count(all, `"East Post"`) != 1 {
				w.Error(all)
			}
		}, ""},
	}
}

func rowsOfTrips() []seedRow {
	const at, null = `_position": {
   "x": 0,
   "y": 0,
   "z": 0,
   "zone_id": "zone_0_0_0"
  }`, `_position": null`
	nowhere := []string{`"player` + at, `"player` + null, `"current` + at, `"current` + null, `"current_zone_id": "zone_0_0_0"`, `"current_zone_id": null`}
	return []seedRow{
		{118, "move_to_zone: the player moves, time passes, it is logged", plays("w3", "en", `
			move_to_zone {"session_id":"s1","to_zone_id":"zone_600_0_0"} => applied & "duration_min":8
			{"state":"003"} => "hour":9,"minute":38 & "kind":"move" & "map_snapshot":{"player_position":{"x":600,"y":0,"z":0,"zone_id":"zone_600_0_0"} & "current_zone_id":"zone_600_0_0" & "current_position":{"x":600,"y":0,"z":0,"zone_id":"zone_600_0_0"}`), ""},
		{119, "move_to_zone: the result", plays("w3", "en", `
			move_to_zone {"session_id":"s1","to_zone_id":"zone_120_-80_0"} => applied & "result":{"ok":true,"new_position":{"x":120,"y":-80,"z":0,"zone_id":"zone_120_-80_0"},"duration_min":2,"movement_log_id":"log_1"}`),
			"144 m at 4500 m/h are 2 minutes, not the 12 of 003's example"},
		{120, "move_to_zone: an unknown zone", plays("w3", "en", `
			move_to_zone {"session_id":"s1","to_zone_id":"zone_9_9_9"} => error & "error_code":"ZONE_NOT_FOUND" & same`), ""},
		{121, "get_player_state", plays("w3", "en", `
			get_player_state {"session_id":"s1"} => applied & "result":{"ok":true,"player_static_data":{"player_id":"player_001","name":"Player","move_speed_mph":4500},"player_runtime_data":{"session_id":"s1","current_position":{"x":0,"y":0,"z":0,"zone_id":"zone_0_0_0"}}}`), ""},
		{122, "get_player_state: a position of null in the save", func(w *seedWorld) {
			plays("w3", "en", `get_player_state {"session_id":"s1"} => applied & "zone_id":"zone_0_0_0"`, nowhere...)(w)
			out, _ := w.ends("", "game", "exec", "--world", w.edited("w3", nowhere...))
			w.has(out, "The save does not say where the player is")
		}, ""},
	}
}

func rowsOfErrors() []seedRow {
	fails := func(code, call string) seedRow {
		return seedRow{item: "error " + code, show: func(w *seedWorld) {
			plays("w3", "en", call+` => error & "error_code":"`+code+`" & "result":{"ok":false,"error_code":"`+code+`","message":"`)(w)
			tool, args, _ := strings.Cut(call, " ")
			w.has(w.says(w.story("w3", "en"), "I look out over the land and dream", calls(tool, args), ollamafake.Say("So.")), `"error_code":"`+code+`"`, `"ok":false`)
		}}
	}
	rows := []seedRow{
		fails("INVALID_ARGS", `move_to_zone {"session_id":"s1"}`),
		fails("SESSION_MISMATCH", `get_player_state {"session_id":"zzz"}`),
		fails("ZONE_NOT_FOUND", `move_to_zone {"session_id":"s1","to_zone_id":"zone_9_9_9"}`),
		{item: "error AI_TIMEOUT", show: tested("internal/skills/gamemaster TestGenerateZoneRows", "internal/game/rules/land TestGenerateZoneTimeouts")},
		{item: "error INVALID_AI_JSON", show: func(w *seedWorld) {
			_, answer := w.makesZone(`{"world_prompt":"a hill"}`, "{not json")
			w.has(answer, `"error_code":"INVALID_AI_JSON"`)
		}},
		{item: "error INTERNAL_ERROR", show: func(w *seedWorld) {
			answer := w.says(w.story("w3", "en"), "I look out over the land and dream", calls("generate_zone", `{"world_prompt":"a hill"}`),
				ollamafake.Error(http.StatusNotFound, "model 'tiny:1b' not found"), ollamafake.Say("So."))
			w.has(answer, `"error_code":"INTERNAL_ERROR"`)
		}},
	}
	for i := range rows {
		rows[i].n = 123 + i
	}
	return append(rows, seedRow{129, "a failed call of these tools has ok:false", plays("w3", "en", `
		move_to_zone {"session_id":"s1","to_zone_id":"zone_9_9_9"} => "result":{"ok":false
		generate_zone {} => "result":{"ok":false
		get_player_state {"session_id":"s2"} => "result":{"ok":false
		{"tool":"move_to_zone","args":{"session_id":"s1","to_zone_id":"zone_600_0_0"},"request_id":"r"} => "result":{"ok":true
		{"tool":"move_to_zone","args":{"session_id":"s1","to_zone_id":"zone_0_0_0"},"request_id":"r"} => @request_conflict & "result":{"ok":false`), ""})
}

func rowsOfRisks() []seedRow {
	return []seedRow{
		{130, "a whitelist: only what is registered", func(w *seedWorld) {
			plays("w3", "en", `rm_rf {} => rejected & "reason":"tool_not_allowed" & same`)(w)
			w.has(w.says(w.story("w3", "en"), "hum a tune of your own making", calls("rm_rf", `{}`), ollamafake.Say("So.")), `"tool_name":"rm_rf","ok":false`, "tool_not_found")
		}, ""},
		{131, "limits: count, length of texts, calls in a time", func(w *seedWorld) {
			plays("w3", "en", `generate_zone {"session_id":"s1","world_prompt":"`+strings.Repeat("x", 2001)+`"} => error & "error_code":"INVALID_ARGS" & same`)(w)
			tested("internal/surface/http TestTooMany", "internal/session TestPeopleAreBounded")(w)
		}, ""},
		{132, "the same request_id is done once", func(w *seedWorld) {
			const trip = `{"tool":"move_to_zone","args":{"session_id":"s1","to_zone_id":"zone_600_0_0"},"request_id":"r"}`
			plays("w3", "en", trip+` => applied & "movement_log_id":"log_1"
				`+trip+` => applied & "movement_log_id":"log_1" & same
				{"state":"003"} => "id":"log_1" & ! log_2`)(w)
			body := map[string]any{"session_id": "once", "request_id": "r1", "messages": []any{map[string]any{"role": "user", "content": "good evening"}}}
			_, first := w.post("/api/v1/chat", body)
			status, again := w.post("/api/v1/chat", body)
			if status != http.StatusOK || again != first || len(w.requests()) > 0 {
				w.Errorf("the second time: %d %s after %d requests", status, again, len(w.requests()))
			}
			body["messages"] = []any{map[string]any{"role": "user", "content": "good morning"}}
			if status, answer := w.post("/api/v1/chat", body); status != http.StatusConflict {
				w.Errorf("another body: %d %s", status, answer)
			}
			for range 2 {
				w.has(w.run("tool", "write_file", "path=once.txt", "content=one", "--request-id", "r2"), "once.txt")
			}
		}, ""},
		{133, "audit: session_id, tool_name, args_hash, duration_ms, status", func(w *seedWorld) {
			chat := w.story("w3", "en")
			w.says(chat, "I feel like seeing the sunrise", calls("move_to_zone", `{"to_zone_id":"zone_600_0_0"}`), ollamafake.Say("So."))
			w.has(w.run("audit", "--chat", string(chat), "--json"), `"session_id":"`+string(chat), `"tool_name":"move_to_zone"`, `"args_hash":"`, `"duration_ms":`, `"status":"ok"`)
		}, ""},
		{134, "the audit is whole", func(w *seedWorld) {
			w.says(w.story("w3", "en"), "go to East Post")
			w.run("audit", "verify")
		}, ""},
		{135, "what was done can be taken back", func(w *seedWorld) {
			plays("w3", "en", `
				generate_zone {"session_id":"s1","world_prompt":"x"} => applied
				{"undo":1} => "undone":1
				{"state":"003"} => zone_600_0_0 & ! "kind":"area_generate"`)(w)
			chat := w.story("w3", "en")
			w.says(chat, "go to East Post")
			w.says(chat, "undo")
			w.has(oneLine(w.run("game", "export", "-c", string(chat), "--as", "003")), `! "kind":"move"`, `! "kind": "move"`)
		}, ""},
	}
}

func rowsOfFrontEnds() []seedRow {
	return []seedRow{
		{136, "a front end shows which tools were called", func(w *seedWorld) {
			chat := w.story("w3", "en")
			w.has(w.says(chat, "go to East Post"), `"tool_events":[{"tool_name":"move_to_zone","ok":true,"summary":"`)
			w.has(w.says(chat, "/why"), `move\\_to\\_zone`)
			w.has(w.streamed(string(chat), "move_to_zone"), `"type":"called"`)
		}, ""},
		{137, "a front end renews the map where it has changed", tested("internal/surface/telegram TestPicturesInPlace"), ""},
		{138, "a front end has the state that state_patch is for, and a map in two dimensions", func(w *seedWorld) {
			chat := string(w.story("w3", "en"))
			state := func() (all any) {
				w.Helper()
				status, text := w.ask(http.MethodGet, "/api/v1/story?chat="+chat, nil)
				if err := json.Unmarshal([]byte(text), &all); err != nil || status != http.StatusOK {
					w.Fatalf("%d %s, %v", status, text, err)
				}
				return all
			}
			before := state()
			var answer struct {
				Patch []struct {
					Op, Path string
					Value    any
				} `json:"state_patch"`
			}
			if err := json.Unmarshal([]byte(w.says(event.Chat(chat), "go to East Post")), &answer); err != nil || len(answer.Patch) == 0 {
				w.Fatal(answer, err)
			}
			after := state()
			for _, op := range answer.Patch {
				was, there := lookUp(before, op.Path)
				is, _ := lookUp(after, op.Path)
				if there != (op.Op == "replace") || !reflect.DeepEqual(is, op.Value) || reflect.DeepEqual(was, is) {
					w.Errorf("%+v does not lead from %v to %v", op, was, is)
				}
			}
			for format, like := range map[string]string{"json": "East Post", "svg": "<svg", "png": "\x89PNG"} {
				if status, text := w.ask(http.MethodGet, "/api/v1/map?chat="+chat+"&format="+format, nil); status != http.StatusOK || !strings.Contains(text, like) {
					w.Errorf("%s: %d %.300q", format, status, text)
				}
			}
		}, ""},
		{139, "of a tool that failed the chat has a line, and the session goes on", func(w *seedWorld) {
			for lang, want := range map[string]string{"en": "That did not work: ", "ru": "Не вышло: ", "zh": "没有成功："} {
				chat := w.story("w3", lang)
				w.has(w.says(chat, "I look out over the land and dream", calls("move_to_zone", `{"to_zone_id":"zone_9_9_9"}`), ollamafake.Say("So."), ollamafake.Say("Okay.")), want)
				w.has(w.says(chat, "go to East Post"), `"ok":true`)
			}
		}, ""},
		{140, "a model uses the three tools by natural language", func(w *seedWorld) {
			chat := w.story("w3", "zh")
			w.has(w.says(chat, "看看"), "East Post")
			w.has(w.says(chat, "/choices"), "Rubble")
			w.has(w.says(chat, "我想去东边的驿站看日出", calls("move_to_zone", `{"to_zone_id":"zone_600_0_0"}`), ollamafake.Say("好。"), ollamafake.Say("你到了 East Post。")),
				`"tool_name":"move_to_zone","ok":true`)
			if three := strings.Join(w.told()[:3], " "); three != "generate_zone move_to_zone get_player_state" {
				w.Errorf("the model is told first of %s", three)
			}
			scene := w.requests()[0].Messages
			w.has(scene[len(scene)-1].Content, "ZONES ", "zone_600_0_0 East Post")
			w.says(w.story("w1", "zh"), "我想看看更远的地方", calls("find_tool", `{"query":"移动玩家到区块"}`), ollamafake.Say("好。"))
			found := w.requests()[1].Messages
			w.has(found[len(found)-1].Content, `"name":"move_to_zone"`)
		}, ""},
		{141, "streaming", func(w *seedWorld) {
			w.says("stream", "good evening")
			w.has(w.streamed("stream", "So it is."), "data: {", "id: ")
		}, ""},
		{142, "import and export of a session", func(w *seedWorld) {
			out := strings.ReplaceAll(oneLine(w.run("game", "export", "-c", string(w.story("w3", "en")), "--as", "003")), " ", "")
			w.has(out, `"session_id":"s1"`, `"map_snapshot":{"player_position":{"x":0,"y":0,"z":0,"zone_id":"zone_0_0_0"}`, `"name":"RubbleStage"`, `"tags":["ai","generated"]`,
				`"clock":{"calendar":"common","year":1024,"month":3,"day":14,"hour":9,"minute":30}`, `"ai_fetch_limit":10`, `"move_speed_mph":4500`, `"role_pool":[]`)
		}, ""},
	}
}

// lookUp is what a pointer of RFC 6901 points at, as far as members of objects go, and whether it is there.
func lookUp(value any, pointer string) (any, bool) {
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		object, _ := value.(map[string]any)
		next, ok := object[strings.NewReplacer("~1", "/", "~0", "~").Replace(part)]
		if !ok {
			return nil, false
		}
		value = next
	}
	return value, true
}

// streamed are the events of a chat, from its beginning to one that has some words.
func (w *seedWorld) streamed(chat, to string) (events string) {
	w.Helper()
	resp, err := w.client().Get("http://hob/api/v1/events?after=0&chat=" + chat)
	if err != nil {
		w.Fatal(err)
	}
	defer resp.Body.Close()
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		if events += lines.Text() + "\n"; strings.Contains(lines.Text(), to) {
			break
		}
	}
	return events
}
