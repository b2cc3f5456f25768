package show_test

import (
	"strings"
	"testing"

	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/show"
	"hob/internal/game/world"
)

// turns are the lines of some turns.
func turns(t tester, lang string, plain bool) string {
	w, n := mill(t, lang), names(lang)
	later := func(change ...world.Record) *world.World { return set(t, append(records(w), change...)...) }
	actor := func(id string, change func(*world.Actor)) *world.Actor {
		a := *w.Actor(id)
		change(&a)
		return &a
	}
	self := func(minute int64) *world.Self {
		s := *w.Self()
		s.Minute = minute
		return &s
	}
	tide := func(filled int64) *world.Clock {
		c := *w.Clock("clock_001")
		c.Filled = filled
		return &c
	}
	flood := *w.Quest("quest_001")
	flood.Met = flood.Objectives
	won := flood
	won.State = world.Done
	check := func(total, dc, outcome string) rules.Outcome {
		return done("skill_check", `{"actor_id":"pc_001","skill":"finesse"}`,
			`{"roll":13,"total":`+total+`,"dc":`+dc+`,"outcome":"`+outcome+`","skill":"finesse","roll_no":0}`)
	}
	attack := func(result string) rules.Outcome {
		return done("attack", `{"attacker_id":"pc_001","target_id":"npc_001"}`, result)
	}
	lines := make([]string, 0, 16)
	for _, e := range []show.EngineTurn{
		{After: later(actor("pc_001", func(a *world.Actor) { a.HP = world.Known(4) }), tide(3), self(1310)),
			Outcomes: []rules.Outcome{check("15", "12", "success")}},
		{After: w, Outcomes: []rules.Outcome{check("9", "12", "partial"), check("3", "12", "fail")}},
		{After: w, Outcomes: []rules.Outcome{check("31", "12", "crit"), check("2", "12", "fumble")}},
		{After: later(actor("pc_002", func(a *world.Actor) { a.HP, a.State = world.Known(1), world.Alive }), &won)},
		{After: later(actor("pc_001", func(a *world.Actor) {
			a.Rounds, a.Conditions = nil, map[string]int64{n["wet"]: 0,
				n["bees"]: 9}
		})),
			Outcomes: []rules.Outcome{attack(`{"to_hit":17,"roll":15,"defence":12,"hit":true,"damage":5,"new_hp":3,"state":"alive"}`)}},
		{After: later(&flood), Outcomes: []rules.Outcome{attack(`{"to_hit":6,"roll":5,"defence":12,"hit":false,"damage":0}`)}},
		{After: w, Outcomes: []rules.Outcome{attack(`{"to_hit":20,"roll":20,"defence":22,"hit":true,"damage":9}`)}},
		{After: w, Outcomes: []rules.Outcome{done("opposed_check", `{}`,
			`{"actor":{"id":"pc_001","roll":9,"total":11},"target":{"id":"npc_001","roll":9,"total":11},"winner":"npc_001"}`)}},
		{After: w, Outcomes: []rules.Outcome{done("oracle", `{}`, `{"answer":"yes_but","roll":48,"chance":50}`)}},
		{After: w, Outcomes: []rules.Outcome{done("roll_dice", `{"expr":"2d6+1"}`,
			`{"total":9,"detail":"x","dice":[],"roll_no":0}`)}},
		{After: w, Rolls: []rules.Roll{{Expr: "1d20", Total: 7}, {Expr: "1d20", Total: 8}, {Expr: "1d20", Total: 9}},
			Outcomes: []rules.Outcome{done("encounter_start", `{}`, `{"order":["pc_001"]}`)}},
		{After: later(tide(4), self(1450))}, {After: w},
		{After: w, Outcomes: []rules.Outcome{done("skill_check", `{"actor_id":"pc_001","skill":"wits","find":"area_001"}`,
			`{"roll":9,"total":11,"skill":"wits","outcome":"fail","roll_no":0,"find":"area_001","found":[],"minutes":10}`)}},
		{After: w, Outcomes: []rules.Outcome{done("skill_check", `{"actor_id":"pc_001","skill":"wits","find":"area_001"}`,
			`{"roll":9,"total":11,"skill":"wits","outcome":"partial","roll_no":0,"find":"area_001","found":["a","b"],"minutes":20}`)}},
		{After: w, Outcomes: []rules.Outcome{outcome("skill_check", `{}`, `{"dc":1,"outcome":"fail"}`, rules.Failed, "x",
			rules.Sentence{})}},
	} {
		e.Before, e.Lang, e.Plain = w, lang, plain
		lines = append(lines, show.EngineLine(e))
	}
	return strings.Join(lines, "\n")
}

// records returns all records of a world.
func records(w *world.World) (list []world.Record) {
	for _, e := range w.Events() {
		list = append(list, e.New)
	}
	return list
}

// TestEngineLineOfOne has no names where there is one hero, and none of a world without a time before.
func TestEngineLineOfOne(t *testing.T) {
	before := set(t, &world.Self{Party: []string{"a"}, Active: "a"}, &world.Actor{ID: "a", Name: "Ann", HP: world.Known(9)},
		&world.Actor{ID: "b", Name: "Bob", HP: world.Known(9)})
	after := set(t, &world.Self{Party: []string{"a"}, Active: "a", ClockSet: true, Minute: 61}, &world.Actor{ID: "a", Name: "Ann",
		HP: world.Known(12), HPMax: world.Known(12)}, &world.Actor{ID: "b", Name: "Bob", HP: world.Known(2)},
		&world.Clock{ID: "c", Name: "Al·arm", Segments: 4, Visible: true}, &world.Clock{ID: "d", Name: "Secret", Segments: 4,
			Filled: 1},
		&world.Quest{ID: "q", Title: "Find it", State: world.Active})
	same(t, show.EngineLine(show.EngineTurn{Before: before, After: after, Outcomes: []rules.Outcome{
		done("skill_check", `{"actor_id":"a"}`, `{"total":15,"dc":12,"outcome":"success","skill":"finesse"}`),
		done("talk", `{}`, `{"check":{"total":5,"dc":12,"outcome":"odd","skill":"bees"}}`),
		done("odd", `{}`, `{"roll":"x"}`), done("odd", `{}`, `[]`), done("odd", ``, ``),
	}}), "🎲 finesse 15 ≥ 12 success · bees 5 < 12 odd · HP 12/12 (+3) · Al-arm 0/4 · … · 01:01, 1 January 1")
}

// The check for an act against somebody is shown like any other.
func TestEngineLineOfAnAct(t *testing.T) {
	w := set(t, &world.Self{Party: []string{"a"}, Active: "a"}, &world.Actor{ID: "a", Name: "Ann"})
	same(t, show.EngineLine(show.EngineTurn{Before: w, After: w, Plain: true, Outcomes: []rules.Outcome{
		done("skill_check", `{"actor_id":"a","act":"move_object","target":"obj_001"}`,
			`{"roll":7,"total":8,"dc":14,"outcome":"fail","skill":"finesse","act":"move_object","target":"obj_001"}`),
	}}), "finesse 8 < 14 failure")
}

// TestEngineLineIsShort cuts what does not fit.
func TestEngineLineIsShort(t *testing.T) {
	long := strings.Repeat("длинно ", 40)
	w := set(t, &world.Self{Party: []string{"a"}, Active: "a"}, &world.Actor{ID: "a", Name: long})
	var rec []world.Record
	for _, id := range []string{"c1", "c2", "c3", "c4", "c5"} {
		rec = append(rec, &world.Clock{ID: id, Name: long, Segments: 4, Visible: true, Filled: 1})
	}
	got := show.EngineLine(show.EngineTurn{Before: w, After: set(t, append(records(w), rec...)...)})
	same(t, got, "длинно длинно длинно длинно… 1/4 · длинно длинно длинно длинно… 1/4 · …")
	rec = append(rec[:2], &world.Quest{ID: "q", Title: "Go", State: world.Active}, &world.Self{Party: []string{"a"}, Active: "a",
		ClockSet: true, Minute: 61})
	got = show.EngineLine(show.EngineTurn{Before: w, After: set(t, append(records(w), rec...)...)})
	same(t, got, "длинно длинно длинно длинно… 1/4 · длинно длинно длинно длинно… 1/4 · “Go” · 01:01, 1 January 1")
}

// parts are a turn with a roll, refusals and secrets.
func parts() []eventlog.Part {
	refused := func(tool, args string, code rules.Code, key string, words ...string) rules.Outcome {
		return outcome(tool, args, `null`, rules.Failed, code, rules.Sentence{Key: key, Args: words})
	}
	return []eventlog.Part{{
		Turn: 12, State: "aaaaaaaaaaaaaaaa", User: "u", Input: "I do it",
		Outcomes: []rules.Outcome{
			done("move_object", `{"object_id":"obj_001","target_id":"pc_002","qty":1}`, `{}`),
			done("skill_check", `{"actorId":"pc_001","skill":"finesse","dc":12}`, `{}`),
			refused("move_player", `{"player_id":"pc_001","target_location_id":"area_004"}`, "not_reachable", "look.unseen",
				"area_004"),
		},
		Spans: []eventlog.Span{{}, {Rolls: 1}, {}},
		Rolls: []rules.Roll{{Expr: "1d20+2", Total: 15, Detail: "1d20+2: [13] + 2 = 15", Why: "finesse"}, {Expr: "1d4",
			Total: 3}},
	}, {
		Turn: 12, More: true, State: "0123456789abcdef",
		Outcomes: []rules.Outcome{
			outcome("lore_add", `{"keys":["bell"],"text":"Secret lore","secret":true}`, `{}`, rules.Applied, "",
				rules.Sentence{Key: "story.quiet"}),
			done("npc_create", `{"name":"Osric","secret":"Secret sin","wants":"Secret hope","stats":{"wits":1}}`, `{}`),
			done("clock", `{"action":"create","name":"Secret doom","visible":false,"on_full":"Secret end"}`, `{}`),
			refused("clock", `{"action":"tick","id":"clock_002"}`, "clock_full", "clock.already", "Secret plot"),
			refused("move_object", `{"object_id":"Secret key","target_id":"pc_001"}`, rules.EntityNotFound, "look.unseen",
				"Secret key"),
			refused("move_object", `{"object_id":"ax","target_id":"relax"}`, rules.EntityNotFound, "look.unseen", "ax"),
			refused("lore_add", `{"keys":["Secret"],"text":"Secret new","secret":true}`, rules.InvalidArgs, "look.unseen",
				"Secret new"),
			outcome("quest",
				`{"action":"add","title":"A rather long title, which is cut as no line should be long","objectives":["a","b"]}`,
				`{}`, rules.Applied, "same_place", rules.Sentence{Key: "look.text"}),
			done("odd\ntool", `{"a":null,"b":[1,2],"c":"","d":true,"e":"\u202ex\ny"}`, ``), done("bare", ``, ``),
			done("broken", `{"a":`, ``),
		},
	}}
}
