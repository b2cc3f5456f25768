package exec_test

// attrs returns the attributes of a record of a world in the shape of a GameState.
func attrs(d doc, list, id string) doc { return in(d[list], id)["attributes"].(doc) }

// sets sets an attribute.
func sets(list, id, name, value string) func(doc, answer) {
	return func(d doc, _ answer) {
		if in(d[list], id)["attributes"] == nil {
			in(d[list], id)["attributes"] = doc{}
		}
		attrs(d, list, id)[name] = value
	}
}

// bare takes the attributes of Ann away.
func bare(d doc) { delete(in(d["players"], "char_ann"), "attributes") }

func attribute(kind, id, name, value string) string {
	return `{"entityType":"` + kind + `","entityId":"` + id + `","attributeName":"` + name + `","value":` + value + `}`
}

func setAttributeRows() []row {
	ann := func(name, value string) string { return attribute("player", "char_ann", name, value) }
	created := []string{"создана"}
	kinds := []string{"должен быть"}
	list := []row{
		{id: "set_attribute-01", world: "w1", args: ann("magic", `"v"`), want: applied(), text: []string{"magic"}, ru: created,
			after: sets("players", "char_ann", "magic", "v")},
		{id: "set_attribute-02", world: "w1", args: ann("health", `"hurt"`), want: applied(), text: []string{"health", "well", "hurt"},
			ru: []string{"изменена"}, after: sets("players", "char_ann", "health", "hurt"), result: `{"old":"well","new":"hurt"}`},
		{id: "set_attribute-04", world: "w1", args: attribute("location", "loc_hall", "safety", `"v"`), want: applied(),
			text: []string{"safety"}, ru: created, after: sets("locations", "loc_hall", "safety", "v")},
		{id: "set_attribute-05", world: "w1", edit: bare, args: ann("stamina", `"v"`), want: applied(), ru: created,
			after: sets("players", "char_ann", "stamina", "v")},
		{id: "set_attribute-07", world: "w1", args: ann("magic", "null"), want: wrong(), ru: []string{"обязательны"}},
		{id: "set_attribute-07/absent", world: "w1", args: `{"entityType":"player","entityId":"char_ann","attributeName":"magic"}`,
			want: wrong(), ru: []string{"обязательны"}},
		{id: "set_attribute-08", world: "w1", args: attribute("invalid", "char_ann", "magic", `"v"`), want: wrong(), ru: kinds},
		{id: "set_attribute-08/case", world: "w1", args: attribute("Player", "char_ann", "magic", `"v"`), want: wrong(), ru: kinds},
		{id: "set_attribute-10", world: "w1", args: attribute("object", "char_ann", "magic", `"v"`), want: missing(),
			text: []string{"char_ann"}, ru: []string{"не найден"}},
		{id: "set_attribute-11", world: "w1", args: ann("locationId", `"loc_yard"`), want: failed("reserved_attribute"),
			text: []string{"locationId", "move_player"}},
		{id: "set_attribute-11/nobody", world: "w1", args: attribute("player", "char_999", "locationId", `"loc_yard"`), want: missing(),
			text: []string{"char_999"}},
		{id: "set_attribute-14", world: "w1", args: ann("magic", "0"), want: applied(),
			after: sets("players", "char_ann", "magic", "0")},
		{id: "set_attribute-14/flag", world: "w1", args: ann("magic", "false"), want: applied(),
			after: sets("players", "char_ann", "magic", "false")},
		{id: "set_attribute-14/twelve", world: "w1", args: ann("magic", "12"), want: applied(),
			after: sets("players", "char_ann", "magic", "12")},
		{id: "set_attribute-16", world: "w1", args: ann("__proto__", `"v"`), want: applied(), ru: created,
			after: sets("players", "char_ann", "__proto__", "v")},
		{id: "set_attribute-16/toString", world: "w1", args: ann("toString", `"v"`), want: applied(), ru: created,
			after: sets("players", "char_ann", "toString", "v")},
		{id: "set_attribute-17", world: "w1", first: []string{call("set_attribute", ann("one", `"1"`)),
			call("set_attribute", ann("two", `"2"`))},
			args: ann("three", `"3"`), want: applied(), after: sets("players", "char_ann", "three", "3"), look: func(t *tale, _ answer) {
				if got := attrs(t.state("000"), "players", "char_ann"); len(got) != 4 {
					t.Errorf("attributes: %v", got)
				}
			}},
	}
	for name, tool := range map[string]string{"hp": "hp_delta", "position": "move", "character_state": "hp_delta",
		"inventory": "move_object"} {
		list = append(list, row{id: "set_attribute-13/" + name, world: "w1", args: ann(name, `"3"`), want: failed("reserved_attribute"),
			text: []string{name, tool}})
	}
	return list
}

func deleteAttributeRows() []row {
	remove := func(kind, id, name string) string {
		return `{"entityType":"` + kind + `","entityId":"` + id + `","attributeName":"` + name + `"}`
	}
	gone := func(list, id, name string) func(doc, answer) {
		return func(d doc, _ answer) { delete(attrs(d, list, id), name) }
	}
	needed := []string{"обязательны"}
	return []row{
		{id: "delete_attribute-01", world: "w1", args: remove("player", "char_ann", "health"), want: applied(),
			text: []string{"health", "well"},
			ru:   []string{"удалена", "было:"}, after: gone("players", "char_ann", "health"), result: `{"old":"well"}`},
		{id: "delete_attribute-02", world: "w1", args: remove("object", "obj_box", "condition"), want: applied(),
			after: gone("objects", "obj_box", "condition")},
		{id: "delete_attribute-04", world: "w1", args: remove("", "char_ann", "health"), want: wrong(), ru: needed},
		{id: "delete_attribute-04/id", world: "w1", args: remove("player", "", "health"), want: wrong(), ru: needed},
		{id: "delete_attribute-04/name", world: "w1", args: remove("player", "char_ann", ""), want: wrong(), ru: needed},
		{id: "delete_attribute-05", world: "w1", args: remove("invalid", "char_ann", "health"), want: wrong(),
			ru: []string{"должен быть"}},
		{id: "delete_attribute-07", world: "w1", args: remove("object", "obj_999", "condition"), want: missing(),
			text: []string{"obj_999"}},
		{id: "delete_attribute-08", world: "w1", args: remove("location", "loc_999", "state"), want: missing(),
			text: []string{"loc_999"}},
		{id: "delete_attribute-10", world: "w1", edit: bare, args: remove("player", "char_ann", "health"),
			want: failed("attribute_not_found"),
			text: []string{"health"}},
		{id: "delete_attribute-11", world: "w1", args: remove("player", "char_ann", "toString"), want: failed("attribute_not_found"),
			text: []string{"toString"}},
		{id: "delete_attribute-13", world: "w1", first: []string{call("delete_attribute", remove("player", "char_ann", "health"))},
			line: call("set_attribute", attribute("player", "char_ann", "health", `"well again"`)), want: applied(),
			ru:    []string{"создана"},
			after: sets("players", "char_ann", "health", "well again")},
		{id: "delete_attribute-14", world: "w1", edit: func(d doc) { attrs(d, "players", "char_ann")["blank"] = "" },
			args: remove("player", "char_ann", "blank"), want: applied(), after: gone("players", "char_ann", "blank")},
	}
}

func movePlayerRows() []row {
	walk := func(who, where string) string { return `{"playerId":"` + who + `","targetLocationId":"` + where + `"}` }
	goes := func(who, where string) func(doc, answer) {
		return func(d doc, _ answer) { in(d["players"], who)["locationId"] = where }
	}
	empty := []string{"не могут быть пустыми"}
	ghostly := func(d doc) { in(d["players"], "char_ann")["locationId"] = "loc_gone" }
	return []row{
		{id: "move_player-01", world: "w1", args: walk("char_ann", "loc_yard"), want: applied(), text: []string{"Ann", "Hall", "Yard"},
			ru: []string{"перемещён"}, after: goes("char_ann", "loc_yard"), result: `{"from":"loc_hall","to":"loc_yard","minutes":1}`},
		{id: "move_player-02", world: "w1", args: walk("char_ann", "loc_attic"), want: applied(), after: goes("char_ann", "loc_attic")},
		{id: "move_player-02/back", world: "w1", first: []string{call("move_player", walk("char_ann", "loc_attic"))},
			args: walk("char_ann", "loc_hall"), want: applied(), after: goes("char_ann", "loc_hall")},
		{id: "move_player-04", world: "w1", args: walk("char_bo", "loc_hall"), want: failed("not_reachable"),
			text: []string{"Yard", "Hall"},
			ru:   []string{"нет подходящей связи"}},
		{id: "move_player-05", world: "w1", args: walk("char_ann", "loc_isle"), want: failed("not_reachable"),
			text: []string{"Hall", "Isle"}},
		{id: "move_player-07", world: "w1", first: []string{call("move_player", walk("char_ann", "loc_yard")),
			call("move_player", walk("char_ann", "loc_road"))}, args: walk("char_ann", "loc_yard"), want: applied(),
			after: goes("char_ann", "loc_yard")},
		{id: "move_player-08", world: "w1", args: walk("", "loc_yard"), want: wrong(), ru: empty},
		{id: "move_player-08/null", world: "w1", args: `{"playerId":null,"targetLocationId":"loc_yard"}`, want: wrong(), ru: empty},
		{id: "move_player-08/absent", world: "w1", args: `{"targetLocationId":"loc_yard"}`, want: wrong(), text: []string{"player_id"},
			ru: empty},
		{id: "move_player-10", world: "w1", args: walk("char_999", "loc_yard"), want: missing(), text: []string{"char_999"},
			ru: []string{"не найден"}},
		{id: "move_player-11", world: "w1", args: walk("char_ann", "loc_999"), want: missing(), text: []string{"loc_999"},
			ru: []string{"не найдена"}},
		{id: "move_player-13", world: "w1", edit: ghostly, args: walk("char_ann", "loc_nope"), want: missing(),
			text: []string{"loc_gone"},
			not:  []string{"loc_nope"}},
		{id: "move_player-14", world: "w1", args: walk("char_ann", "loc_hall"), want: noted("same_place"),
			text: []string{"Ann", "Hall"},
			ru:   []string{"уже находится"}},
		{id: "move_player-16", world: "w1", args: walk("char_ann", "loc_attic"), want: applied(), after: goes("char_ann", "loc_attic"),
			look: func(t *tale, _ answer) {
				if knife := in(t.state("000")["objects"], "obj_knife"); knife["connectionId"] != "char_ann" {
					t.Errorf("the knife is %v", knife)
				}
			}},
		{id: "move_player-17", world: "w3", args: walk("player_001", "zone_600_0_0"), first: joined(), want: applied(),
			text: []string{"Origin", "East Post"}, after: stepped},
		{id: "move_player-17/no clock", world: "w3", edit: func(d doc) { delete(d["area_snapshot"].(doc), "clock") },
			first: joined(), args: walk("player_001", "zone_600_0_0"), want: applied(), look: func(t *tale, _ answer) {
				if d := t.state("003"); d["area_snapshot"].(doc)["clock"] != nil {
					t.Errorf("clock: %v", d["area_snapshot"])
				}
			}, after: stepped},
	}
}

// stepped is the player in the second zone, eight minutes later.
func stepped(d doc, a answer) {
	arrives(d, "600", "0", "zone_600_0_0", 38)
	d["game_logs"] = []any{journey("log_1", a, "zone_0_0_0", "zone_600_0_0", "600", "8")}
}

// joined links two zones of the world in the shape of a session, which has no ways of its own.
func joined() []string {
	return []string{call("set_link", `{"from":"zone_0_0_0","to":"zone_600_0_0"}`)}
}
