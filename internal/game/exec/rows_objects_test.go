package exec_test

import "strings"

// holder sets who holds an object of a world in the shape of a GameState.
func holder(object, parent string) func(doc, answer) {
	return func(d doc, _ answer) { in(d["objects"], object)["connectionId"] = parent }
}

// holds is holder for the world before.
func holds(object, parent string) func(doc) {
	return func(d doc) { holder(object, parent)(d, answer{}) }
}

// object adds an object to a world in the shape of a GameState.
func object(d doc, id, name, parent string, attributes doc) {
	d["objects"] = append(d["objects"].([]any), doc{"id": id, "name": name, "connectionId": parent, "attributes": attributes})
}

func knot(d doc) {
	object(d, "obj_p", "P", "obj_q", doc{})
	object(d, "obj_q", "Q", "obj_p", doc{})
}

func allow(tools ...string) func(doc) {
	return func(d doc) {
		list := make([]any, len(tools))
		for i, name := range tools {
			list[i] = name
		}
		d["allowlist"] = list
	}
}

func moveObjectRows() []row {
	empty := []string{"не могут быть пустыми"}
	return []row{
		{id: "move_object-01", world: "w1", args: `{"objectId":"obj_knife","targetId":"loc_hall"}`, want: applied(),
			text: []string{"Knife", "Hall"}, ru: []string{"перемещён в локацию"}, after: holder("obj_knife", "loc_hall"),
			result: `{"from":"char_ann","to":"loc_hall"}`},
		{id: "move_object-02", world: "w1", args: `{"objectId":"obj_map","targetId":"char_ann"}`, want: applied(),
			text: []string{"Map", "Ann"}, ru: []string{"передан игроку"}, after: holder("obj_map", "char_ann")},
		{id: "move_object-04", world: "w1", args: `{"objectId":"obj_key","targetId":"char_ann"}`, want: applied(),
			text: []string{"Key", "Ann"}, after: holder("obj_key", "char_ann")},
		{id: "move_object-05", world: "w1", args: `{"objectId":"obj_map","targetId":"loc_yard"}`, want: applied(),
			text: []string{"Map", "Yard"}},
		{id: "move_object-07", world: "w1", args: `{"objectId":"","targetId":"loc_hall"}`, want: wrong(), ru: empty},
		{id: "move_object-07/null", world: "w1", args: `{"objectId":null,"targetId":"loc_hall"}`, want: wrong(), ru: empty},
		{id: "move_object-07/absent", world: "w1", args: `{"targetId":"loc_hall"}`, want: wrong(), text: []string{"object_id"},
			ru: empty},
		{id: "move_object-08", world: "w1", args: `{"objectId":"obj_map","targetId":""}`, want: wrong(), ru: empty},
		{id: "move_object-08/null", world: "w1", args: `{"objectId":"obj_map","targetId":null}`, want: wrong(), ru: empty},
		{id: "move_object-08/absent", world: "w1", args: `{"objectId":"obj_map"}`, want: wrong(), text: []string{"target_id"},
			ru: empty},
		{id: "move_object-10", world: "w1", args: `{"objectId":"obj_map","targetId":"ghost_999"}`, want: missing(),
			text: []string{"ghost_999"}, ru: []string{"не найдена"}},
		{id: "move_object-11", world: "w1", args: `{"objectId":"obj_box","targetId":"obj_box"}`, want: failed("self_target"),
			text: []string{"Box"}, ru: []string{"в себя"}},
		{id: "move_object-11/in a circle", world: "w1", edit: knot, args: `{"objectId":"obj_p","targetId":"obj_p"}`,
			want: failed("self_target"), ru: []string{"в себя"}},
		{id: "move_object-13", world: "w1", args: `{"objectId":"obj_box","targetId":"obj_tag"}`, want: failed("cycle"),
			text: []string{"Box", "Tag"}, ru: []string{"циклическую зависимость"}},
		{id: "move_object-14", world: "w1", edit: knot, args: `{"objectId":"obj_p","targetId":"obj_q"}`, want: failed("cycle"),
			ru: []string{"циклическую зависимость"}},
		{id: "move_object-16", world: "w1", edit: holds("obj_box", "ghost"), args: `{"objectId":"obj_map","targetId":"obj_box"}`,
			want: applied(), ru: []string{"помещён внутрь объекта"}, after: holder("obj_map", "obj_box")},
		{id: "move_object-17", world: "w1", edit: twins("locations", "objects"), args: `{"objectId":"obj_map","targetId":"dup"}`,
			want: applied(), text: []string{"locations"}, ru: []string{"перемещён в локацию"}, after: holder("obj_map", "dup")},
		{id: "move_object-17/actor", world: "w1", edit: twins("locations", "objects", "players"),
			args: `{"objectId":"obj_map","targetId":"dup"}`, want: applied(), text: []string{"players"},
			ru: []string{"передан игроку"}, after: holder("obj_map", "dup")},
		{id: "move_object-19", world: "w1", first: []string{call("set_attribute",
			`{"entityType":"object","entityId":"obj_map","attributeName":"a","value":"b"}`)},
			line: `{"id":"c","tool":"move_object","args":{"objectId":"$1.createdId","targetId":"char_ann"}}`, want: missing(),
			text: []string{"$1.createdId"}, ru: []string{"не найден"}},
		{id: "move_object-20", world: "w1", edit: allow("move_player"), args: `{"objectId":"obj_knife","targetId":"loc_hall"}`,
			want: notAllowed(), text: []string{"move_object"}, ru: []string{"не найден или отключен"}},
	}
}

// twins adds a record with the id dup to each of the lists.
func twins(lists ...string) func(doc) {
	return func(d doc) {
		for _, list := range lists {
			twin := doc{"id": "dup", "name": list, "description": "", "attributes": doc{}}
			switch list {
			case "locations":
				twin["currentSituation"], twin["connections"] = "", []any{}
			case "players":
				twin["locationId"] = "loc_hall"
			case "objects":
				delete(twin, "description")
				twin["connectionId"] = "loc_yard"
			}
			d[list] = append(d[list].([]any), twin)
		}
	}
}

func createObjectRows() []row {
	made := func(name, parent string, attributes func(lang string) doc) func(doc, answer) {
		return func(d doc, a answer) {
			d["objects"] = append(d["objects"].([]any),
				doc{"id": a.Created, "name": name, "connectionId": parent, "attributes": attributes("")})
		}
	}
	fixed := func(attributes doc) func(string) doc { return func(string) doc { return attributes } }
	rum := doc{"condition": "full", "content": "rum"}
	long := strings.Repeat("ten signs ", 13)[:129] + "!"
	create := func(id, args string, attributes doc) row {
		return row{id: "create_object-" + id, world: "w1", args: `{"name":"Rum","connectionId":"char_ann","attributes":` + args + `}`,
			want: applied(), text: []string{"Rum"}, ru: []string{"Создан новый объект", "у игрока"},
			after: made("Rum", "char_ann", fixed(attributes))}
	}
	first := create("01", `"{\"condition\":\"full\",\"content\":\"rum\"}"`, rum)
	first.text = []string{"Rum", "Ann", "full", "rum", "condition", "content"}
	first.look = func(t *tale, a answer) {
		if !objectID(a.Created) || !strings.Contains(a.Text, a.Created) {
			t.Errorf("id %q in %q", a.Created, a.Text)
		}
	}
	first.after = func(d doc, a answer) { made("Rum", "char_ann", fixed(rum))(d, a) }
	return []row{
		first,
		{id: "create_object-02", world: "w1", args: `{"name":"Rum","connectionId":"loc_hall"}`, want: applied(),
			ru: []string{"Создан новый объект", "в локации", "в хорошем состоянии"}, text: []string{"Hall"},
			after: func(d doc, a answer) {
				condition := "in good condition"
				for _, other := range []string{"в хорошем состоянии", "完好"} {
					if strings.Contains(a.Text, other) {
						condition = other
					}
				}
				made("Rum", "loc_hall", fixed(doc{"condition": condition}))(d, a)
			}},
		create("04", `{"condition":"full","content":"rum"}`, rum),
		create("05", `"heavy and smooth"`, doc{"condition": "heavy and smooth"}),
		{id: "create_object-07", world: "w1",
			args: `{"name":"  Rum  ","connectionId":"char_ann","attributes":"{\"condition\":\"  x  \"}"}`,
			want: applied(), after: made("Rum", "char_ann", fixed(doc{"condition": "x"}))},
		create("08", `"\"a\":\"1\"}"`, doc{"a": "1"}),
		create("10", `"x \"k\": \"v\" y"`, doc{"k": "v"}),
		create("11", `"[1,2]"`, doc{"condition": "[1,2]"}),
		create("11/number", `"5"`, doc{"condition": "5"}),
		create("11/string", `"\"str\""`, doc{"condition": `"str"`}),
		create("13", `{"a":1,"b":null,"c":"","d":"  x ","h":true,"i":0}`, doc{"a": "1", "d": "x", "h": "true", "i": "0"}),
		create("14", `{"e":{"f":1},"g":[1,2]}`, doc{"e": `{"f":1}`, "g": "[1,2]"}),
		{id: "create_object-16", world: "w1", args: `{"name":"   ","connectionId":"char_ann"}`, want: wrong(),
			ru: []string{"обязательны"}},
		{id: "create_object-17", world: "w1", args: `{"name":"Rum","connectionId":"nonexistent_999"}`, want: missing(),
			text: []string{"nonexistent_999"}, ru: []string{"не найдена"}},
		{id: "create_object-19", world: "w1", args: `{"name":"` + long + `","connectionId":"obj_box","attributes":{"a":"b"}}`,
			want: applied(), ru: []string{"внутри объекта"}, after: made(long, "obj_box", fixed(doc{"a": "b"}))},
		create("20", `{"locationId":"loc_hall"}`, doc{"locationId": "loc_hall"}),
	}
}

func deleteObjectRows() []row {
	gone := func(id string, moved ...string) func(doc, answer) {
		return func(d doc, _ answer) {
			d["objects"] = without(d["objects"], id)
			for i := 0; i < len(moved); i += 2 {
				in(d["objects"], moved[i])["connectionId"] = moved[i+1]
			}
		}
	}
	needed := []string{"обязателен"}
	second := func(d doc) { object(d, "obj_coin", "Coin", "obj_box", doc{}) }
	alone := func(d doc) { d["objects"] = d["objects"].([]any)[3:4] }
	return []row{
		{id: "delete_object-01", world: "w1", args: `{"objectId":"obj_knife"}`, want: applied(), text: []string{"Knife"},
			ru: []string{"удалён"}, not: []string{"ложенн", "nested", "inside"}, after: gone("obj_knife")},
		{id: "delete_object-02", world: "w1", args: `{"objectId":"obj_map"}`, want: applied(), text: []string{"Map"},
			after: gone("obj_map")},
		{id: "delete_object-04", world: "w1", args: `{"objectId":"obj_box"}`, want: applied(),
			text: []string{"Box", "Key", "1", "Hall"}, ru: []string{"(1)"},
			not: []string{"Tag"}, after: gone("obj_box", "obj_key", "loc_hall"), result: `{"moved_children":["obj_key"],"to":"loc_hall"}`},
		{id: "delete_object-05", world: "w1", edit: second, args: `{"objectId":"obj_box"}`, want: applied(),
			text: []string{"2", "Key", "Coin", "Hall"}, ru: []string{"(2)"}, after: gone("obj_box", "obj_key", "loc_hall", "obj_coin",
				"loc_hall")},
		{id: "delete_object-07", world: "w1", args: `{"objectId":"obj_key"}`, want: applied(), text: []string{"Tag", "Box"},
			after: gone("obj_key", "obj_tag", "obj_box")},
		{id: "delete_object-08", world: "w1", args: `{"objectId":""}`, want: wrong(), ru: needed},
		{id: "delete_object-08/null", world: "w1", args: `{"objectId":null}`, want: wrong(), ru: needed},
		{id: "delete_object-08/absent", world: "w1", args: `{}`, want: wrong(), ru: needed},
		{id: "delete_object-10", world: "w1", edit: holds("obj_box", ""), args: `{"objectId":"obj_box"}`, want: applied(),
			after: gone("obj_box", "obj_key", "")},
		{id: "delete_object-11", world: "w1", edit: holds("obj_box", "ghost"), args: `{"objectId":"obj_box"}`, want: applied(),
			after: gone("obj_box", "obj_key", "")},
		{id: "delete_object-13", world: "w1", edit: alone, args: `{"objectId":"obj_knife"}`, want: applied(),
			after: func(d doc, _ answer) { d["objects"] = []any{} }},
		{id: "delete_object-14", world: "w1", args: `{"objectId":"obj_tag"}`, want: applied(), after: gone("obj_tag")},
	}
}

// objectID reports whether s is obj_, a number, _ and small letters or digits.
func objectID(s string) bool {
	part := 0
	for i, r := range s {
		switch {
		case i < 4:
			if s[i] != "obj_"[i] {
				return false
			}
		case part == 0 && r >= '0' && r <= '9', part > 0 && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9'):
			if part > 0 {
				part = 2
			}
		case part == 0 && r == '_' && i > 4:
			part = 1
		default:
			return false
		}
	}
	return part == 2
}
