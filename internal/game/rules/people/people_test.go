package people_test

import (
	"fmt"
	"strings"
	"testing"

	"hob/internal/game/rules"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/world"
)

// village is a place where the party of two meets people.
func village(t rulestest.T, lang string, more ...world.Record) *table {
	t.Helper()
	return set(t, lang, append([]world.Record{
		&world.Self{Lang: lang, AllowAll: true, Party: []string{"pc_001", "pc_002"}, Active: "pc_001", ClockSet: true,
			Minute: 1000},
		&world.Place{ID: "inn", Order: 1, Name: "Inn", Type: "area"}, &world.Place{ID: "mill", Order: 2, Name: "Mill",
			Type: "area"},
		&world.Actor{
			ID: "pc_001", Order: 3, Role: "pc", Name: "Jack", Place: "inn", HP: world.Known(3), HPMax: world.Known(10),
			State: world.Alive,
		},
		&world.Actor{
			ID: "pc_002", Order: 4, Role: "pc", Name: "Mira", Place: "mill", HP: world.Known(0), HPMax: world.Known(8),
			State: world.Dying,
		},
		&world.Actor{ID: "npc_001", Order: 5, Role: "npc", Name: "Osric", Place: "inn", Wants: "peace",
			Secret: "the bell is false"},
	}, more...)...)
}

// The first character is who acts; the next ones join.
func TestCreateCharacter(t *testing.T) {
	b := set(t, "ru", &world.Self{Lang: "ru"}, &world.Place{ID: "vault", Order: 1, Secret: true}, &world.Place{ID: "gate",
		Order: 2, Name: "Ворота"})
	o := b.ok("create_character", `{"name":" Джек ","concept":"Вор на покое","stats":{"wits":2,"force":-1},"hpMax":12,`+
		`"user_id":"u7"}`, "Джек", "pc_001", "12")
	rulestest.Same(t, o.Created+string(o.Result), `pc_001{"actor_id":"pc_001"}`)
	rulestest.Same(t, b.World.Actor("pc_001"), &world.Actor{
		ID: "pc_001", Order: 1001, Role: "pc", Name: "Джек", Desc: "Вор на покое", Place: "gate", HP: world.Known(12),
		HPMax: world.Known(12),
		State: world.Alive, Stats: map[string]int64{"wits": 2, "force": -1}, Speed: world.Known(4500), Owner: "u7",
	})
	b.ok("create_character", `{"name":"Мира"}`)
	rulestest.Same(t, b.World.Self(), &world.Self{Lang: "ru", Party: []string{"pc_001", "pc_002"}, Active: "pc_001"})
	rulestest.Same(t, b.World.Actor("pc_002").HPMax, world.Known(10))

	many := map[string]int64{}
	for i := range 33 {
		many[fmt.Sprint("s", i)] = 1
	}
	for args, code := range map[string]rules.Code{
		`{"name":" "}`:                            rules.InvalidArgs,
		`{"name":"A","stats":{"wits":1.5}}`:       rules.InvalidArgs,
		`{"name":"A","stats":{"wits":"2"}}`:       rules.InvalidArgs,
		`{"name":"A","stats":[1]}`:                rules.InvalidArgs,
		`{"name":"A","stats":{" ":1}}`:            "limit",
		`{"name":"A","stats":{"wits":1001}}`:      "limit",
		`{"name":"A","stats":` + ints(many) + `}`: "limit",
		`{"name":"A","hp_max":0}`:                 rules.InvalidArgs,
	} {
		b.no(code, "create_character", args)
	}
	set(t, "en").no(rules.InvalidArgs, "create_character", `{"name":"A"}`, "map_generate")
}

func ints(m map[string]int64) string {
	o := rules.NewObj()
	for name, n := range m {
		o.Int(name, n)
	}
	return string(o.Bytes())
}

// Somebody new is where the active actor is, and what is secret of them is not told.
func TestNPCCreateAndUpdate(t *testing.T) {
	b := village(t, "en")
	o := b.ok("npc_create", `{"name":"Ada","desc":"a smith","wants":"coal","secret":"she is a spy","attitude":-2,"hp_max":6,`+
		`"stats":{"force":3}}`, "Ada", "Inn")
	rulestest.Same(t, o.Created+string(o.Result), `npc_002{"actor_id":"npc_002"}`)
	rulestest.Same(t, b.World.Actor("npc_002"), &world.Actor{
		ID: "npc_002", Order: 1001, Role: "npc", Name: "Ada", Desc: "a smith", Place: "inn", State: world.Alive, Wants: "coal",
		Secret:   "she is a spy",
		Attitude: -2, HP: world.Known(6), HPMax: world.Known(6), Stats: map[string]int64{"force": 3},
	})
	b.ok("npc_create", `{"name":"Rat","role":"monster","place_id":"mill"}`)
	rulestest.Same(t, b.World.Actor("npc_003").Role+" "+b.World.Actor("npc_003").Place, "monster mill")
	rulestest.Same(t, b.no(rules.PlaceNotFound, "npc_create", `{"name":"X","place_id":"moon"}`, "moon").ErrorCode(), "ZONE_NOT_FOUND")
	b.no(rules.InvalidArgs, "npc_create", `{"name":"X","attitude":4}`, "attitude")
	set(t, "en").no(rules.InvalidArgs, "npc_create", `{"name":"A"}`, "place")

	o = b.ok("npc_update", `{"npc_id":"npc_002","attitude_delta":-5,"place_id":"mill","wants":"gold"}`, "Ada", "Mill", "-3")
	rulestest.Same(t, string(o.Result), `{"npc":{"id":"npc_002","name":"Ada","place_id":"mill","attitude":-3,"wants":"gold"}}`)
	rulestest.Same(t, string(b.ok("npc_update", `{"npc_id":"npc_002","attitude_delta":6}`).Result),
		`{"npc":{"id":"npc_002","name":"Ada","place_id":"mill","attitude":3,"wants":"gold"}}`)
	b.ok("npc_update", `{"npc_id":"npc_002","attitude_delta":9223372036854775807}`)
	rulestest.Same(t, b.World.Actor("npc_002").Attitude, int64(3))
	rulestest.Same(t, b.World.Actor("npc_002").Secret, "she is a spy")
	rulestest.Same(t, b.ok("npc_update", `{"npc_id":"npc_002","attitude_delta":0}`).Changed, false)
	b.no(rules.InvalidArgs, "npc_update", `{"npc_id":"npc_002"}`, "attitude_delta")
	b.no(rules.InvalidArgs, "npc_update", `{"npc_id":"pc_001","wants":"x"}`, "Jack")
	b.no(rules.PlaceNotFound, "npc_update", `{"npc_id":"npc_002","place_id":"moon"}`, "moon")
	b.no(rules.EntityNotFound, "npc_update", `{"npc_id":"npc_9","wants":"x"}`, "npc_9")
}

// Who was there remembers, and nobody else does.
func TestRememberAndRecall(t *testing.T) {
	b := village(t, "en", &world.Actor{ID: "npc_002", Order: 6, Role: "npc", Name: "Bert", Place: "inn",
		State: world.Unconscious},
		&world.Thing{ID: "obj_bell", Name: "Bell of Saint Orm", Parent: "inn"})
	b.Turn.Number = 7
	o := b.ok("npc_remember", `{"text":" You lied at the gate. ","about":["pc_001","pc_001"]}`, "fact_001", "Osric",
		"You lied at the gate.")
	rulestest.Same(t, string(o.Result), `{"fact_id":"fact_001"}`)
	rulestest.Same(t, b.World.Fact("fact_001"), &world.Fact{
		ID: "fact_001", Order: 1001, Text: "You lied at the gate.", Turn: 7, Place: "inn", About: []string{"pc_001"},
		Witnesses: []string{"pc_001", "npc_001"}, Importance: 5,
	})
	b.Turn.Number = 8
	b.ok("npc_remember", `{"text":"It was stolen.","about":["obj_bell"],"witnesses":["npc_002","npc_001"],"importance":9}`)
	b.ok("npc_remember", `{"text":"The gates were shut.","witnesses":["npc_001"],"importance":1}`)
	b.ok("npc_remember", `{"text":"Mira slept.","witnesses":["pc_002"]}`)
	b.Put(&world.Fact{ID: "fact_000", Text: "The gate is false.", Witnesses: []string{"npc_001"}, Importance: 10,
		Secret: true})
	for _, tt := range []struct {
		npc, query string
		want       []string
	}{
		{"npc_001", "", []string{"fact_002", "fact_001", "fact_003"}},
		{"npc_001", "the gate", []string{"fact_001", "fact_003"}},
		{"npc_001", "Who LIED at the gates?", []string{"fact_001", "fact_003"}},
		{"npc_001", "saint orm", []string{"fact_002"}},
		{"npc_001", "dragons", nil},
		{"npc_002", "gate", nil},
		{"npc_002", "", []string{"fact_002"}},
		{"pc_001", "lies", nil},
	} {
		got := recalled(b, tt.npc, tt.query)
		rulestest.Same(t, got, tt.want)
	}
	rulestest.Same(t, string(b.ok("npc_recall", `{"npc_id":"npc_002"}`, `"Bert" remembers: It was stolen. (turn 8)`).Result),
		`{"facts":[{"fact_id":"fact_002","text":"It was stolen.","turn":8,"importance":9,"about":["obj_bell"]}]}`)
	b.no(rules.EntityNotFound, "npc_recall", `{"npc_id":"npc_9"}`, "npc_9")
	b.no(rules.EntityNotFound, "npc_remember", `{"text":"x","about":["obj_9"]}`, "obj_9")
	b.no(rules.EntityNotFound, "npc_remember", `{"text":"x","witnesses":["obj_bell"]}`, "obj_bell")
	b.no(rules.InvalidArgs, "npc_remember", `{"text":"x","importance":11}`, "importance")
	b.no("limit", "npc_remember", `{"text":"`+strings.Repeat("я", 501)+`"}`)
	set(t, "en").no(rules.InvalidArgs, "npc_remember", `{"text":"x"}`, "witnesses")
}

func recalled(b *table, npc, query string) (ids []string) {
	b.T.Helper()
	args := rules.NewObj().Text("npc_id", npc)
	if query != "" {
		args.Text("query", query)
	}
	result := string(b.ok("npc_recall", string(args.Bytes())).Result)
	for _, part := range strings.Split(result, `"fact_id":"`)[1:] {
		ids = append(ids, part[:strings.IndexByte(part, '"')])
	}
	return ids
}

// Words match in their forms, and signs of Chinese in pairs; of many facts there are five, the newest of equals first.
func TestRecallMatchesWords(t *testing.T) {
	facts := []world.Record{}
	for i, text := range []string{"Осрик видел колокол в башне.", "洪水淹没了地下墓穴。", "Rats ate 12 candles.", "колокольня сгорела",
		"墓地很安静。", "水很冷。"} {
		facts = append(facts, &world.Fact{ID: fmt.Sprint("f", i), Order: int64(i), Text: text, Turn: int64(i),
			Witnesses: []string{"npc_001"}, Importance: 5})
	}
	b := village(t, "ru", facts...)
	for query, want := range map[string][]string{
		"колоколу":   {"f3", "f0"},
		"башни":      {"f0"},
		"地下墓穴":       {"f1"},
		"墓地":         {"f4"},
		"水":          nil,
		"candle, 12": {"f2"},
		"rat":        nil,
		"":           {"f5", "f4", "f3", "f2", "f1"},
	} {
		got := recalled(b, "npc_001", query)
		rulestest.Same(t, got, want)
	}
}

// Who acts is always one of the party.
func TestParty(t *testing.T) {
	dead := &world.Actor{ID: "npc_dead", Name: "Cay", Place: "inn", State: world.Dead}
	b := village(t, "ru", dead)
	rulestest.Same(t, string(b.ok("party", `{"action":"join","actor_id":"npc_001"}`,
		"«Osric» вступает в отряд: «Jack», «Mira», «Osric».").Result),
		`{"party":["pc_001","pc_002","npc_001"],"active_actor":"pc_001"}`)
	o := b.Call("party", `{"action":"join","actor_id":"npc_001"}`)
	rulestest.Same(t, fmt.Sprint(o.Status, o.Code, o.Changed), "appliedalready_in_partyfalse")
	b.no("target_dead", "party", `{"action":"join","actor_id":"npc_dead"}`, "Cay")
	rulestest.Same(t, string(b.ok("set_active_actor", `{"actor_id":"pc_002"}`, "Mira").Result), `{"active_actor":"pc_002"}`)
	o = b.Call("set_active_actor", `{"actor_id":"pc_002"}`)
	rulestest.Same(t, fmt.Sprint(o.Status, o.Code, o.Changed), "appliedalready_activefalse")
	b.no("not_in_party", "set_active_actor", `{"actor_id":"npc_dead"}`)
	rulestest.Same(t, string(b.ok("party", `{"action":"leave","actor_id":"pc_002"}`).Result),
		`{"party":["pc_001","npc_001"],"active_actor":"npc_001"}`)
	b.no("not_in_party", "party", `{"action":"leave","actor_id":"pc_002"}`, "Mira")
	rulestest.Same(t, string(b.ok("party", `{"action":"leave","actor_id":"npc_001"}`).Result),
		`{"party":["pc_001"],"active_actor":"pc_001"}`)
	rulestest.Same(t, string(b.ok("party", `{"action":"leave","actor_id":"pc_001"}`).Result), `{"party":[],"active_actor":null}`)
	b.no(rules.EntityNotFound, "party", `{"action":"join","actor_id":"npc_9"}`, "npc_9")
	b.no(rules.InvalidArgs, "party", `{"action":"dance","actor_id":"pc_001"}`, "join")

	b = village(t, "en", &world.Self{Lang: "en", Active: "pc_001"})
	rulestest.Same(t, string(b.ok("party", `{"action":"join","actor_id":"npc_001"}`).Result),
		`{"party":["pc_001","npc_001"],"active_actor":"pc_001"}`)
}

// A condition holds for minutes, for rounds, or until it is removed.
func TestCondition(t *testing.T) {
	fight := &world.Encounter{Round: 1, Actors: []string{"pc_001", "npc_001"}}
	b := village(t, "en", fight)
	b.ok("condition", `{"action":"add","actor_id":"pc_001","name":" hidden "}`, `"Jack" is now: hidden.`)
	b.ok("condition", `{"action":"add","actor_id":"pc_001","name":"poisoned","minutes":120}`, "(for 120 min)")
	o := b.ok("condition", `{"action":"add","actor_id":"pc_001","name":"dazed","rounds":2}`, "(for 2 rounds)")
	rulestest.Same(t, string(o.Result), `{"conditions":[{"name":"dazed","rounds":2},{"name":"hidden"},{"name":"poisoned","minutes":120}]}`)
	rulestest.Same(t, b.World.Actor("pc_001").Conditions, map[string]int64{"hidden": 0, "poisoned": 1120})
	o = b.ok("condition", `{"action":"add","actor_id":"pc_001","name":"poisoned","rounds":3}`)
	rulestest.Same(t, string(o.Result), `{"conditions":[{"name":"dazed","rounds":2},{"name":"hidden"},{"name":"poisoned","rounds":3}]}`)
	o = b.ok("condition", `{"action":"remove","actor_id":"pc_001","name":"poisoned"}`, "poisoned")
	rulestest.Same(t, string(o.Result), `{"conditions":[{"name":"dazed","rounds":2},{"name":"hidden"}]}`)
	b.no("no_such_condition", "condition", `{"action":"remove","actor_id":"pc_001","name":"poisoned"}`, "poisoned", "Jack")
	b.no(rules.InvalidArgs, "condition", `{"action":"add","actor_id":"pc_001","name":"x","minutes":1,"rounds":1}`)
	b.no(rules.InvalidArgs, "condition", `{"action":"add","actor_id":"pc_001","name":"x","minutes":0}`)
	b.no("limit", "condition", `{"action":"add","actor_id":"pc_001","name":"`+strings.Repeat("x", 65)+`"}`)
	b.no(rules.EntityNotFound, "condition", `{"action":"add","actor_id":"npc_9","name":"x"}`, "npc_9")
	village(t, "en").no("not_in_combat", "condition", `{"action":"add","actor_id":"pc_001","name":"x","rounds":1}`)
	village(t, "en", &world.Self{Lang: "en"}).no("no_clock", "condition", `{"action":"add","actor_id":"pc_001","name":"x",`+
		`"minutes":1}`)

	many := map[string]int64{}
	for i := range 32 {
		many[fmt.Sprint("c", i)] = 0
	}
	b = village(t, "en", &world.Actor{ID: "npc_002", Name: "Bert", Place: "inn", Conditions: many})
	b.no("limit", "condition", `{"action":"add","actor_id":"npc_002","name":"x"}`, "Bert")
	b.ok("condition", `{"action":"add","actor_id":"npc_002","name":"c1","minutes":5}`)
}

// A rest takes its time and gives back what it does; see the package's comment.
func TestRest(t *testing.T) {
	poisoned := &world.Actor{
		ID: "pc_003", Order: 6, Role: "pc", Name: "Tess", Place: "inn", HP: world.Known(5), HPMax: world.Known(6),
		State:      world.Restrained,
		Conditions: map[string]int64{"poisoned": 1010, "cursed": 0, "tired": 2000},
	}
	more := []world.Record{
		&world.Self{
			Lang: "en", ClockSet: true, Minute: 1000, Active: "pc_001", Party: []string{"pc_001", "pc_002", "pc_003", "pc_004",
				"pc_005", "pc_006"},
		},
		poisoned,
		&world.Actor{ID: "pc_004", Name: "Cay", Place: "inn", HP: world.Known(0), HPMax: world.Known(9), State: world.Dead},
		&world.Actor{ID: "pc_005", Name: "Bo", Place: "inn"},
		&world.Actor{ID: "pc_006", Name: "Dee", Place: "inn", HP: world.Known(0), State: world.Unconscious},
		&world.Clock{ID: "clock_001", Segments: 4, PerMinutes: 20, Since: 1000},
	}
	b := village(t, "en", more...)
	o := b.ok("rest", `{"kind":"short"}`, `half an hour. Hit points: "Jack" 7/10, "Mira" 0/8, "Tess" 6/6, "Cay" (dead), "Dee" 0.`)
	rulestest.Same(t, string(o.Result), `{"minutes":30,"actors":[{"actor_id":"pc_001","hp":7,"healed":4},{"actor_id":"pc_002","hp":0,`+
		`"healed":0},`+
		`{"actor_id":"pc_003","hp":6,"healed":1},{"actor_id":"pc_004","hp":0,"healed":0},{"actor_id":"pc_005"},`+
		`{"actor_id":"pc_006","hp":0,"healed":0}],`+
		`"expired":[{"actor_id":"pc_003","condition":"poisoned"}],"ticked":[{"clock_id":"clock_001","by":1,"full":false}]}`)
	rulestest.Same(t, b.World.Self().Minute, int64(1030))
	rulestest.Same(t, b.World.Actor("pc_003").Conditions, map[string]int64{"cursed": 0, "tired": 2000})
	o = b.ok("rest", `{"kind":"long"}`, "8 hours", `"Mira" 8/8`)
	rulestest.Same(t, string(o.Result), `{"minutes":480,"actors":[{"actor_id":"pc_001","hp":10,"healed":3},{"actor_id":"pc_002","hp":8,`+
		`"healed":8,"state":"alive"},`+
		`{"actor_id":"pc_003","hp":6,"healed":0},{"actor_id":"pc_004","hp":0,"healed":0},{"actor_id":"pc_005"},`+
		`{"actor_id":"pc_006","hp":1,"healed":1,"state":"alive"}],"expired":[],"ticked":[{"clock_id":"clock_001","by":3,`+
		`"full":true}]}`)
	rulestest.Same(t, b.World.Self().Minute, int64(1510))

	village(t, "en", &world.Encounter{Round: 1}).no("in_combat", "rest", `{"kind":"short"}`)
	village(t, "en", &world.Self{Mode: "combat"}).no("in_combat", "rest", `{"kind":"short"}`)
	village(t, "en", &world.Self{}).no(rules.InvalidArgs, "rest", `{"kind":"short"}`, "party")
	b = village(t, "en", &world.Self{Active: "npc_001"})
	rulestest.Same(t, string(b.ok("rest", `{"kind":"long"}`, "8 hours.").Result), `{"minutes":0,"actors":[{"actor_id":"npc_001"}],`+
		`"expired":[],"ticked":[]}`)
}

// A sheet is what an actor is and has, without what the actor hides.
func TestSheet(t *testing.T) {
	b := village(t, "ru", &world.Actor{
		ID: "pc_002", Order: 4, Role: "pc", Name: "Мира", Desc: "лучница", Place: "mill", HP: world.Known(0),
		HPMax: world.Known(8), State: world.Dying,
		Stats: map[string]int64{"wits": 2, "force": -1}, Conditions: map[string]int64{"яд": 1120, "слепота": 0},
		Rounds: map[string]int64{"страх": 2},
		Attrs:  map[string]string{"mood": "зла"}, Attitude: 1, Speed: world.Known(5000),
	}, &world.Thing{ID: "obj_arrow", Order: 7, Name: "Стрела", Parent: "pc_002", Qty: 12},
		&world.Thing{ID: "obj_hat", Order: 8, Name: "Шляпа", Parent: "pc_002", Rel: world.Worn},
		&world.Thing{ID: "obj_mark", Order: 9, Name: "Метка", Parent: "pc_002", Hidden: true})
	o := b.ok("sheet", `{"actor_id":"pc_002"}`, "«Мира». Здоровье: 0/8. При смерти. Навыки: force -1, wits 2. "+
		"Состояния: слепота, яд (ещё 120 мин), страх (ещё раундов: 2). Характеристики: mood: зла. При себе: «Стрела» (12 шт.), «Шляпа».")
	rulestest.Same(t, string(o.Result), `{"actor_id":"pc_002","name":"Мира","role":"pc","desc":"лучница","place_id":"mill",`+
		`"state":"dying","hp":0,"hp_max":8,`+
		`"move_speed_mph":5000,"attitude":1,"stats":{"force":-1,"wits":2},"attributes":{"mood":"зла"},`+
		`"conditions":[{"name":"слепота"},{"name":"страх","rounds":2},{"name":"яд","minutes":120}],`+
		`"carried":[{"id":"obj_arrow","name":"Стрела","qty":12},{"id":"obj_hat","name":"Шляпа","qty":1,"relation":"worn"}]}`)
	b.ok("sheet", `{}`, "Jack")
	o = b.ok("sheet", `{"actor_id":"npc_001"}`, "Osric", "больше ничего не известно")
	rulestest.Same(t, string(o.Result), `{"actor_id":"npc_001","name":"Osric","role":"npc","place_id":"inn","move_speed_mph":4500,`+
		`"conditions":[],"carried":[]}`)
	b.no(rules.EntityNotFound, "sheet", `{"actor_id":"npc_9"}`, "npc_9")
	set(t, "en").no(rules.InvalidArgs, "sheet", `{}`, "actor_id")
}
