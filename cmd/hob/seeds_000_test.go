package main

import (
	"encoding/json"
	"slices"
	"strings"

	"hob/internal/llm/ollama/ollamafake"
)

// rows000 are those of the narrative state tools.
func rows000() []seedRow {
	return slices.Concat(rowsOfMoves(), rowsOfThings(), rowsOfApply(), rowsOfTurns())
}

func rowsOfMoves() []seedRow {
	return []seedRow{
		{1, "move_object(objectId,targetId): to a player", plays("w1", "ru", `
			move_object {"objectId":"obj_map","targetId":"char_ann"} => applied & Объект «Map» передан игроку «Ann» & "result":{"from":"loc_yard","to":"char_ann"}
			{"state":"000"} => "id":"obj_map","name":"Map","connectionId":"char_ann"`), ""},
		{2, "move_object: to a location", plays("w1", "ru", `
			move_object {"objectId":"obj_knife","targetId":"loc_hall"} => applied & перемещён в локацию «Hall»
			{"state":"000"} => "id":"obj_knife","name":"Knife","connectionId":"loc_hall"`), ""},
		{3, "move_object: into another object", plays("w1", "ru", `
			move_object {"objectId":"obj_map","targetId":"obj_box"} => applied & помещён внутрь объекта «Box»
			{"state":"000"} => "id":"obj_map","name":"Map","connectionId":"obj_box"`), ""},
		{4, "move_object: both arguments are required", plays("w1", "ru", `
			move_object {"objectId":"","targetId":"loc_hall"} => error & @invalid_args & не могут быть пустыми & same
			move_object {"objectId":null,"targetId":"loc_hall"} => error & @invalid_args & не могут быть пустыми & same
			move_object {"targetId":"loc_hall"} => error & @invalid_args & не могут быть пустыми & same
			move_object {"objectId":"obj_map","targetId":""} => error & @invalid_args & не могут быть пустыми & same
			move_object {"objectId":"obj_map"} => error & @invalid_args & не могут быть пустыми & same`), ""},
		{5, "move_object: the object exists", plays("w1", "ru", `
			move_object {"objectId":"obj_999","targetId":"loc_hall"} => error & @entity_not_found & obj_999 & не найден & same`), ""},
		{6, "move_object: the target exists", plays("w1", "ru", `
			move_object {"objectId":"obj_map","targetId":"ghost"} => error & @entity_not_found & ghost & не найдена & same`), ""},
		{7, "move_object: not into itself", plays("w1", "ru", `
			move_object {"objectId":"obj_box","targetId":"obj_box"} => error & @self_target & в себя & same`), ""},
		{8, "move_object: no cycles", func(w *seedWorld) {
			plays("w1", "ru", `
				move_object {"objectId":"obj_box","targetId":"obj_key"} => error & @cycle & циклическую зависимость & same
				move_object {"objectId":"obj_box","targetId":"obj_tag"} => error & @cycle & циклическую зависимость & same`)(w)
			plays("w1", "ru", `
				move_object {"objectId":"obj_box","targetId":"loc_yard"} => applied
				{"state":"000"} => "id":"obj_box","name":"Box","connectionId":"loc_yard"`, // that a save has a cycle does not keep it so
				`"connectionId": "loc_hall"`, `"connectionId": "obj_key"`)(w)
		}, ""},
		{9, "move_player(playerId,targetLocationId) along out", plays("w1", "ru", `
			move_player {"playerId":"char_ann","targetLocationId":"loc_yard"} => applied & "from":"loc_hall","to":"loc_yard","minutes":1 & перемещён
			{"state":"000"} => "name":"Ann","description":"","locationId":"loc_yard"`), ""},
		{10, "move_player along bidirectional, from either side, and in on the target", plays("w1", "ru", `
			move_player {"playerId":"char_ann","targetLocationId":"loc_attic"} => applied
			move_player {"playerId":"char_ann","targetLocationId":"loc_hall"} => applied
			move_player {"playerId":"char_ann","targetLocationId":"loc_vault"} => applied`), ""},
		{11, "move_player: player and location exist", plays("w1", "ru", `
			move_player {"playerId":"char_zz","targetLocationId":"loc_yard"} => error & @entity_not_found & char_zz & не найден & same
			move_player {"playerId":"char_ann","targetLocationId":"loc_zz"} => error & @entity_not_found & loc_zz & не найдена & same`), ""},
		{12, "move_player: there must be a link, and out is one way", plays("w1", "ru", `
			move_player {"playerId":"char_ann","targetLocationId":"loc_isle"} => error & @not_reachable & нет подходящей связи & same
			move_player {"playerId":"char_bo","targetLocationId":"loc_hall"} => error & @not_reachable & нет подходящей связи & same`), ""},
		{13, "move_player: not into the same location", plays("w1", "ru", `
			move_player {"playerId":"char_ann","targetLocationId":"loc_hall"} => applied & @same_place & уже находится & same`), ""},
		{14, "what a player carries comes along", plays("w1", "ru", `
			move_player {"playerId":"char_ann","targetLocationId":"loc_yard"} => applied
			{"state":"000"} => "id":"obj_knife","name":"Knife","connectionId":"char_ann"`), ""},
	}
}

func rowsOfThings() []seedRow {
	const owner = `"id": "char_ann"`
	return []seedRow{
		{15, "set_attribute for player, object and location, create and change", plays("w1", "ru", `
			set_attribute {"entityType":"player","entityId":"char_001","attributeName":"health","value":"ранен в плечо, но может продолжать"} => applied & изменена & "old":"well","new":"ранен в плечо, но может продолжать"
			set_attribute {"entityType":"object","entityId":"obj_bottle","attributeName":"condition","value":"пустая"} => applied & изменена & "old":"good","new":"пустая"
			set_attribute {"entityType":"location","entityId":"loc_hall","attributeName":"safety","value":"тихо"} => applied & создана
			{"state":"000"} => "health":"ранен в плечо, но может продолжать" & "condition":"пустая" & "safety":"тихо"`,
			owner, `"id": "char_001"`, `"id": "obj_box"`, `"id": "obj_bottle"`), ""},
		{16, "set_attribute: entityType is one of three", plays("w1", "ru", `
			set_attribute {"entityType":"door","entityId":"char_ann","attributeName":"a","value":"b"} => error & @invalid_args & player, object, location & same`), ""},
		{17, "set_attribute: all four are required", plays("w1", "ru", `
			set_attribute {"entityId":"char_ann","attributeName":"a","value":"b"} => error & @invalid_args & entity_type & same
			set_attribute {"entityType":"player","attributeName":"a","value":"b"} => error & @invalid_args & entity_id & same
			set_attribute {"entityType":"player","entityId":"char_ann","value":"b"} => error & @invalid_args & attribute_name & same
			set_attribute {"entityType":"player","entityId":"char_ann","attributeName":"a"} => error & @invalid_args & обязательны & value & same`), ""},
		{18, "set_attribute: any name of an attribute", plays("w1", "ru", `
			set_attribute {"entityType":"player","entityId":"char_ann","attributeName":"любое имя","value":"b"} => applied
			set_attribute {"entityType":"player","entityId":"char_ann","attributeName":"toString","value":"b"} => applied
			set_attribute {"entityType":"player","entityId":"char_ann","attributeName":"locationId","value":"loc_yard"} => error & @reserved_attribute & move_player & same
			set_attribute {"entityType":"player","entityId":"char_ann","attributeName":"hp","value":"3"} => error & @reserved_attribute & hp_delta & same`),
			"`locationId`, `position`, `hp`, `character_state` and `inventory` are reserved"},
		{19, "set_attribute: a value of blanks", plays("w1", "ru", `
			set_attribute {"entityType":"player","entityId":"char_ann","attributeName":"a","value":"   "} => error & @invalid_args & value & same
			set_attribute {"entityType":"player","entityId":"char_ann","attributeName":"  ","value":"b"} => error & @invalid_args & attribute_name & same`), ""},
		{20, "delete_attribute", plays("w1", "ru", `
			delete_attribute {"entityType":"player","entityId":"char_ann","attributeName":"health"} => applied & удалена & было: & "result":{"old":"well"}
			delete_attribute {"entityType":"player","entityId":"char_ann","attributeName":"health"} => error & @attribute_not_found & не найдена & same
			delete_attribute {"entityType":"object","entityId":"obj_999","attributeName":"health"} => error & @entity_not_found & obj_999 & same
			delete_attribute {"entityType":"door","entityId":"char_ann","attributeName":"health"} => error & @invalid_args & same`), ""},
		{21, "create_object(name,connectionId,attributes?), held by a player, a location, an object", plays("w1", "ru", `
			create_object {"name":"Бутылка рома","connectionId":"char_001","attributes":"{\"condition\": \"полная\", \"content\": \"качественный ром\", \"material\": \"стекло\"}"} => applied & Бутылка рома & у игрока
			create_object {"name":"Lamp","connectionId":"loc_hall"} => applied & в локации «Hall»
			create_object {"name":"Coin","connectionId":"obj_box"} => applied & внутри объекта «Box»
			{"state":"000"} => "name":"Бутылка рома","connectionId":"char_001","attributes":{"condition":"полная","content":"качественный ром","material":"стекло"}`,
			owner, `"id": "char_001"`), ""},
		{22, "create_object: attributes as JSON in a string, or as an object", plays("w1", "ru", `
			create_object {"name":"One","connectionId":"loc_hall","attributes":{"a":"b"}} => applied & a: b
			create_object {"name":"Two","connectionId":"loc_hall","attributes":"{\"a\":\"b\"}"} => applied & a: b
			create_object {"name":"Three","connectionId":"loc_hall","attributes":"\"a\":\"b\""} => applied & a: b
			create_object {"name":"Four","connectionId":"loc_hall","attributes":"{\"a\":\"b\",}"} => applied & a: b
			create_object {"name":"Five","connectionId":"loc_hall","attributes":"with a crack"} => applied & condition: with a crack`), ""},
		{23, "create_object: the default condition", func(w *seedWorld) {
			for lang, condition := range map[string]string{"ru": "в хорошем состоянии", "en": "in good condition", "zh": "完好"} {
				plays("w1", lang, `
					create_object {"name":"Lamp","connectionId":"loc_hall"} => applied
					{"state":"000"} => "attributes":{"condition":"`+condition+`"}`)(w)
			}
		}, ""},
		{24, "create_object: the id is obj_{timestamp}_{random}", plays("w1", "ru", `
			create_object {"name":"Lamp","connectionId":"loc_hall"} => "created_id":"obj_1_
			{"undo":1} => "undone":1
			create_object {"name":"Lamp","connectionId":"loc_hall"} => "created_id":"obj_2_`), "**Ids are counted, not timed**"},
		{25, "create_object: name and connectionId are required, and the holder exists", plays("w1", "ru", `
			create_object {"connectionId":"loc_hall"} => error & @invalid_args & обязательны & name & same
			create_object {"name":"Lamp"} => error & @invalid_args & обязательны & connection_id & same
			create_object {"name":"Lamp","connectionId":"ghost"} => error & @entity_not_found & ghost & не найден & same`), ""},
		{26, "delete_object(objectId)", plays("w1", "ru", `
			delete_object {"objectId":"obj_knife"} => applied & удалён
			{"state":"000"} => ! obj_knife
			delete_object {"objectId":"obj_999"} => error & @entity_not_found & obj_999
			delete_object {} => error & @invalid_args & обязателен & same`), ""},
		{27, "delete_object: what lies in it goes to the parent, and is reported", plays("w1", "ru", `
			delete_object {"objectId":"obj_key"} => applied & Tag & Box & "moved_children":["obj_tag"],"to":"obj_box"
			delete_object {"objectId":"obj_box"} => applied & Вложенные объекты (1): «Tag» — теперь в локации «Hall»
			create_object {"name":"purse","connectionId":"obj_knife"} => applied
			delete_object {"objectId":"obj_knife"} => applied & purse & "to":"char_ann"
			{"state":"000"} => "id":"obj_tag","name":"Tag","connectionId":"loc_hall" & "name":"purse","connectionId":"char_ann"`), ""},
	}
}

func rowsOfApply() []seedRow {
	return []seedRow{
		{28, "definition: name, description, parameters, for the model", func(w *seedWorld) {
			w.says(w.story("w1", "ru"), "Энн напевает что-то своё")
			for _, tool := range w.requests()[0].Tools {
				if tool.Name == "move_object" {
					w.has(string(tool.Parameters), `"type":"object"`, `"object_id"`, `"target_id"`, `"required":["object_id","target_id"]`)
					w.has(tool.Description, "object")
					return
				}
			}
			w.Error("no move_object is told of")
		}, ""},
		{29, "apply: (state, args) gives a new state and a text", plays("w1", "ru", `
			set_attribute {"entityType":"player","entityId":"char_ann","attributeName":"mood","value":"glad"} => applied & "text":" & "result":{ & "state_hash":" & ! same`), ""},
		{30, "apply, rule 1: what does not validate leaves the original state", func(w *seedWorld) {
			out, _ := w.ends(`{"state":"hob"}`+"\n"+`{"tool":"move_object","args":{}}`+"\n"+`{"tool":"delete_object","args":{"objectId":""}}`+"\n"+`{"state":"hob"}`,
				"game", "exec", "--world", fixture("w1"))
			if lines := strings.Split(out, "\n"); len(lines) < 4 || lines[0] != lines[3] {
				w.Errorf("the state is another one:\n%s", out)
			}
		}, ""},
		{31, "apply, rule 2: what is named must exist", plays("w1", "ru", `
			move_object {"objectId":"obj_999","targetId":"loc_hall"} => error & @entity_not_found & не найден & same
			set_attribute {"entityType":"location","entityId":"loc_999","attributeName":"a","value":"b"} => error & @entity_not_found & не найден & same
			delete_object {"objectId":"obj_999"} => error & @entity_not_found & не найден & same`), ""},
		{32, "apply, rule 3: the state before is not touched", plays("w1", "ru", `
			{"preview":[{"tool":"move_player","args":{"playerId":"char_ann","targetLocationId":"loc_yard"}}]} => applied & "old":"loc_hall","new":"loc_yard"
			{"state":"000"} => "name":"Ann","description":"","locationId":"loc_hall"
			{"preview":[{"tool":"move_player","args":{"playerId":"char_ann","targetLocationId":"loc_yard"}}]} => applied
			{"commit":true} => "committed":true
			{"state":"000"} => "name":"Ann","description":"","locationId":"loc_yard"
			{"undo":1} => "undone":1
			{"state":"000"} => "name":"Ann","description":"","locationId":"loc_hall"`), ""},
		{33, "apply, rule 4: the result says what was done, in Russian", plays("w1", "ru", `
			move_object {"objectId":"obj_map","targetId":"char_ann"} => Объект «Map» передан игроку «Ann»
			move_player {"playerId":"char_ann","targetLocationId":"loc_yard"} => Игрок «Ann» перемещён из локации «Hall» в локацию «Yard»
			set_attribute {"entityType":"player","entityId":"char_ann","attributeName":"health","value":"плохо"} => изменена
			delete_attribute {"entityType":"player","entityId":"char_ann","attributeName":"health"} => удалена
			create_object {"name":"Ключ","connectionId":"char_ann"} => Создан новый объект «Ключ»
			delete_object {"objectId":"obj_map"} => Объект «Map» удалён`), ""},
	}
}

func rowsOfTurns() []seedRow {
	return []seedRow{
		{34, "several calls in one turn: create, move, set, narrative", func(w *seedWorld) {
			answer := w.says(w.story("w1", "ru"), "Энн находит ключ и открывает им сундук",
				calls("create_object", `{"name":"Старый ключ","connection_id":"loc_hall"}`),
				calls("move_object", `{"object_id":"obj_knife","target_id":"loc_hall"}`),
				calls("set_attribute", `{"entity_type":"object","entity_id":"obj_box","attribute_name":"condition","value":"открыт"}`),
				ollamafake.Say("Готово."), ollamafake.Say("Сундук открыт."))
			w.has(answer, `"tool_name":"create_object","ok":true`, `"tool_name":"move_object","ok":true`, `"tool_name":"set_attribute","ok":true`, "Сундук открыт.")
		}, ""},
		{35, "$N.createdId in one reply", func(w *seedWorld) {
			plays("w1", "en", `
				{"batch":[{"tool":"create_object","args":{"name":"Lamp","connectionId":"loc_hall"}}]} => applied
				{"state":"000"} => "name":"Lamp","connectionId":"loc_hall"`)(w)
			lamp := ollamafake.CallOf("create_object", json.RawMessage(`{"name":"Lamp","connection_id":"loc_hall"}`))
			hand := ollamafake.CallOf("move_object", json.RawMessage(`{"object_id":"$0.createdId","target_id":"char_ann"}`))
			answer := w.says(w.story("w1", "en"), "Ann finds a lamp in the dark corner and keeps it",
				ollamafake.CallTool(lamp.Name, lamp.Args, hand), ollamafake.Say("So."), ollamafake.Say("Ann has the lamp now."))
			w.has(answer, `"tool_name":"move_object","ok":true`, `"to":"char_ann"`)
		}, ""},
		{36, "at most five iterations", func(w *seedWorld) {
			var steps []ollamafake.Step
			for _, value := range strings.Fields("one two three four five six seven eight nine") {
				steps = append(steps, calls("set_attribute", `{"entity_type":"player","entity_id":"char_ann","attribute_name":"mood","value":"`+value+`"}`))
			}
			answer := w.says(w.story("w1", "en"), "Ann hums a long tune of her own making", steps...)
			if n, asked := strings.Count(answer, `"tool_name":"set_attribute","ok":true`), len(w.requests()); n != 5 || asked < 6 || asked > 7 {
				w.Errorf("%d calls were done in %d requests: %s", n, asked, answer)
			}
		}, ""},
		{37, "a new tool: definition and logic in one file, and one line", tested("internal/skills TestDocs"), ""},
		{38, "tests of each tool", tested("internal/game/exec TestConformance", "internal/game/exec TestConformanceIsComplete"), ""},
		{39, "a list of all tools, with ENABLED or DISABLED, and a button that switches", func(w *seedWorld) {
			for _, tool := range []string{"note_add", "set_link", "fetch"} {
				w.has(w.run("tool", "disable", tool), tool+": DISABLED")
				defer w.run("tool", "enable", tool)
			}
			for line := range strings.Lines(w.run("tool")) {
				isHead := strings.HasSuffix(line, ":\n") || line == "\n" || strings.HasPrefix(line, "Those of stories")
				if line[0] != ' ' && !isHead {
					w.has(line, "ABLED")
				}
			}
			if n := strings.Count(w.run("tool"), "DISABLED"); n != 2 {
				w.Errorf("%d tools are off:\n%s", n, w.run("tool"))
			}
			w.has(w.run("tool", "--json"), `"state":"ENABLED"`, `"state":"DISABLED"`)
			w.has(w.run("game", "tools"), "ENABLED", "DISABLED")
			_, answer := w.post("/api/v1/command", map[string]any{"name": "tools"})
			w.has(answer, "note_add: DISABLED", "fetch: DISABLED", "read_file: ENABLED", `"switches":[`)
			tested("cmd/hob TestSwitch_ToolsOfStories", "internal/commands TestTools_Pages")(w)
		}, ""},
		{40, "a tool that is off is not sent to the model: hob tool disable", func(w *seedWorld) {
			chat := w.story("w1", "en")
			w.run("tool", "disable", "set_link")
			defer w.run("tool", "enable", "set_link")
			answer := w.says(chat, "Ann hums a tune of her own making", calls("set_link", `{"from":"loc_hall","to":"loc_isle"}`), ollamafake.Say("So."))
			if slices.Contains(w.told(), "set_link") || !slices.Contains(w.told(), "move_object") {
				w.Errorf("the model is told of %q", w.told())
			}
			w.has(answer, "tool_disabled")
		}, ""},
		{41, "a tool that is off is not sent to the model: the campaign's own list", func(w *seedWorld) {
			chat := w.story("w1", "en")
			w.says(chat, "Ann hums a tune of her own making")
			if !slices.Contains(w.told(), "attack") {
				w.Errorf("before, the model is told of %q", w.told())
			}
			w.says(chat, "/allow -attack")
			w.says(chat, "Ann hums another tune, a slow one")
			if slices.Contains(w.told(), "attack") {
				w.Errorf("the model is told of %q", w.told())
			}
			w.has(w.says(w.story("w2", "en"), "hum a tune of your own making"), `"tool_events"`)
			if list := strings.Join(w.told(), " "); list != "hp_delta map_generate move call_tool find_tool" {
				w.Errorf("of system 002 the model is told of %s", list)
			}
		}, ""},
		{42, "the six tools are what the model is given", func(w *seedWorld) {
			w.says(w.story("w1", "en"), "Ann hums a tune of her own making")
			if six := strings.Join(w.told()[:6], " "); six != "move_object move_player set_attribute delete_attribute create_object delete_object" {
				w.Errorf("the model is told first of %s", six)
			}
		}, ""},
		{43, "find_tool by the words of the authors' languages", func(w *seedWorld) {
			for _, c := range [][3]string{{"w3", "удалить объект", "delete_object"}, {"w3", "удалить атрибут игрока", "delete_attribute"}, {"w1", "生成新区块", "generate_zone"}} {
				w.says(w.story(c[0], "en"), "Ann hums a tune of her own making", calls("find_tool", `{"query":"`+c[1]+`"}`), ollamafake.Say("So."))
				messages := w.requests()[1].Messages
				w.has(messages[len(messages)-1].Content, `"name":"`+c[2]+`"`)
			}
		}, ""},
		{44, "a save plays as it is: its players can be played", func(w *seedWorld) {
			chat := w.story("w1", "en")
			w.has(w.says(chat, "look"), "Hall", "! nobody")
			w.has(w.says(chat, "/join Ann"), "You are Ann")
			w.has(w.says(chat, "go to Yard"), `"tool_name":"move_player","ok":true`, `/actors/char_ann/place"`)
			w.says(chat, "hum a tune of your own making")
			scene := w.requests()[0].Messages
			w.has(scene[len(scene)-1].Content, "Yard", "char_ann", "! AT nowhere")
			w.has(w.run("game", "export", "-c", string(chat), "--as", "000"), "char_bo", "! pc_001")
		}, ""},
		{45, "export as a save, there and back", func(w *seedWorld) {
			plays("w1", "en", `{"state":"000"} => "worldDescription":"a quiet house by a road" & "id":"char_bo","name":"Bo" & "id":"obj_tag","name":"Tag","connectionId":"obj_key","attributes":{"text":"cellar"}`)(w)
			chat := w.story("w1", "en")
			out := w.run("game", "export", "-c", string(chat), "--as", "000")
			w.has(oneLine(out), `"gameGenre"`, "obj_tag", "char_bo", "loc_vault")
		}, ""},
	}
}
