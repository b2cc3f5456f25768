package people_test

import (
	"slices"
	"testing"

	"hob/internal/game/rules"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/world"
)

// monk is somebody with a lot to say; more are records in place of those there are.
func monk(t rulestest.T, lang string, face int64, more ...world.Record) *table {
	t.Helper()
	b := village(t, lang, append([]world.Record{
		&world.Actor{ID: "npc_001", Order: 5, Role: "npc", Name: "Osric", Place: "inn", Talk: []world.Talk{
			{Text: "Well met."},
			{Topic: "the bell", Keys: []string{"bell", "колокол", "钟"}, Text: "It hums near water.", Reveals: "hum"},
			{Topic: "the crypt", Keys: []string{"crypt", "склеп"}, Text: "Take this key.", Gives: "key", When: "knows hum"},
			{Topic: "his past", Keys: []string{"past"}, Text: "I was a thief.", Skill: "charm", DC: 15, Reveals: "thief"},
			{Keys: []string{"password"}, Text: "Hush."},
		}},
		&world.Actor{ID: "pc_003", Role: "pc", Name: "Kim", Place: "inn"},
		&world.Thing{ID: "box", Parent: "npc_001", Closed: true, Container: true}, &world.Thing{ID: "key", Name: "bone key",
			Parent: "box", Hidden: true},
		&world.Fact{ID: "hum", Text: "The bell hums near water.", Secret: true}, &world.Fact{ID: "thief",
			Text: "Osric was a thief."},
		&world.Clock{ID: "night", Name: "Night", Segments: 4, Visible: true, OnFail: true, OnFull: "It is dark."},
		&world.Self{Lang: lang, AllowAll: true, Party: []string{"pc_001", "pc_002", "pc_003"}, Active: "pc_001"},
	}, more...)...)
	b.Turn.Services.Throw = func(expr string, _ int64) (rules.Roll, error) {
		return rules.Roll{Expr: expr, Total: face, Dice: []rules.Die{{Size: 20, Value: face, Kept: true}}}, nil
	}
	return b
}

func TestTalk(t *testing.T) {
	b := monk(t, "en", 15)
	o := b.ok("talk", `{"npc_id":"npc_001"}`)
	rulestest.Same(t, b.Text(o), "Osric: “Well met.”\nAsk about: the bell, his past.")
	rulestest.Same(t, string(o.Result), `{"npc_id":"npc_001","topic":"","text":"Well met.","topics":["the bell","his past"]}`)
	rulestest.Same(t, b.World.Actor("npc_001").Talk[0].Said, true)
	rulestest.Same(t, b.Call("talk", `{"npc_id":"npc_001"}`).Changed, false)

	o = b.ok("talk", `{"npc_id":"npc_001","topic":"what of those BELLS?"}`)
	rulestest.Same(t, b.Text(o), "Osric: “It hums near water.”")
	rulestest.Same(t, string(o.Result),
		`{"npc_id":"npc_001","topic":"the bell","text":"It hums near water.","topics":["the bell","the crypt","his past"],"revealed":"hum"}`)
	rulestest.Same(t, b.World.Fact("hum"), &world.Fact{ID: "hum", Text: "The bell hums near water.", Witnesses: []string{"pc_003", "pc_001"}})

	o = b.ok("talk", `{"npc_id":"npc_001","topic":"the crypt","actor_id":"pc_003"}`)
	rulestest.Same(t, b.Text(o), "Osric: “Take this key.” Osric gives Kim “bone key”.")
	rulestest.Same(t, string(o.Result),
		`{"npc_id":"npc_001","topic":"the crypt","text":"Take this key.","topics":["the bell","the crypt","his past"],"given":"key"}`)
	rulestest.Same(t, b.World.Thing("key"), &world.Thing{ID: "key", Name: "bone key", Parent: "pc_003"})
	o = b.ok("talk", `{"npc_id":"npc_001","topic":"the crypt"}`)
	rulestest.Same(t, b.Text(o), "Osric: “Take this key.”") // once
	rulestest.Same(t, b.World.Thing("key").Parent, "pc_003")

	b = monk(t, "en", 15, &world.Thing{ID: "key", Name: "bone key", Parent: "mill"}, &world.Fact{ID: "hum",
		Witnesses: []string{"pc_002"}})
	o = b.ok("talk", `{"npc_id":"npc_001","topic":"the crypt"}`)
	rulestest.Same(t, b.Text(o), "Osric: “Take this key.”") // nobody gives what they do not have
	rulestest.Same(t, b.World.Thing("key").Parent, "mill")

	o = b.ok("talk", `{"npc_id":"npc_001","topic":"your past"}`)
	rulestest.Same(t, string(o.Result),
		`{"npc_id":"npc_001","topic":"his past","check":{"skill":"charm","roll":15,"total":15,"dc":15,"outcome":"success","roll_no":0},`+
			`"text":"I was a thief.","topics":["the bell","the crypt","his past"],"revealed":"thief"}`)
	rulestest.Same(t, len(b.Turn.Rolls), 1)
	b.ok("talk", `{"npc_id":"npc_001","topic":"your past"}`)
	rulestest.Same(t, len(b.Turn.Rolls), 1) // what was said is said again without a check
	rulestest.Same(t, b.ok("talk", `{"npc_id":"npc_001","topic":"the password"}`).Code, rules.Code(""))
}

// What may not be said yet is answered as what nobody knows of.
func TestTalk_NothingLeaks(t *testing.T) {
	b := monk(t, "en", 1)
	nothing := func(topic string) string {
		o := b.Call("talk", `{"npc_id":"npc_001","topic":"`+topic+`"}`)
		rulestest.Same(t, []any{o.OK(), o.Detail(), o.Changed, len(b.Turn.Rolls)}, []any{true, "no_topic", false, 0})
		rulestest.Same(t, string(o.Result),
			`{"npc_id":"npc_001","topic":"`+topic+`","text":"Osric has nothing to say about that.","topics":["the bell","his past"]}`)
		return b.Text(o)
	}
	rulestest.Same(t, nothing("the crypt"), nothing("the weather"))
	nothing("pastry")
	nothing("bel")

	o := b.ok("talk", `{"npc_id":"npc_001","topic":"his past"}`)
	rulestest.Same(t, b.Text(o), `Jack cannot get it out of Osric (charm 1 against 15). “Night” comes nearer: 1 of 4.`)
	rulestest.Same(t, string(o.Result),
		`{"npc_id":"npc_001","topic":"his past","text":"Jack cannot get it out of Osric (charm 1 against 15).",`+
			`"topics":["the bell","his past"],"check":{"skill":"charm","roll":1,"total":1,"dc":15,"outcome":"fumble","roll_no":0,"ticked_clocks":["night"]}}`)
	rulestest.Same(t, b.World.Actor("npc_001").Talk[3].Said, false)
	rulestest.Same(t, b.World.Fact("thief").Witnesses, []string(nil))

	b = monk(t, "en", 12)
	rulestest.Same(t, b.ok("talk", `{"npc_id":"npc_001","topic":"past"}`).Changed, true) // at a cost that only clocks could say
	b.Turn.Services.Throw = nil
	b = monk(t, "en", 12)
	b.Turn.Services.Throw = nil
	b.no(rules.Internal, "talk", `{"npc_id":"npc_001","topic":"past"}`, "dice")
}

func TestTalk_InEveryLanguage(t *testing.T) {
	for lang, want := range map[string][3]string{
		"en": {"Osric: “It hums near water.”", "Osric has nothing to say about that.", "Osric gives Jack “bone key”"},
		"ru": {"Osric: «It hums near water.»", "Osric: об этом сказать нечего.", "Передано: «bone key» (Osric → Jack)."},
		"zh": {"Osric：“It hums near water.”", "关于这个，Osric没什么可说的。", "Osric把“bone key”交给了Jack"},
	} {
		b := monk(t, lang, 15)
		topic := map[string]string{"en": "bell", "ru": "про Колоколе", "zh": "那口钟的事"}[lang]
		b.ok("talk", `{"npc_id":"npc_001","topic":"`+topic+`"}`, want[0])
		rulestest.Same(t, b.Text(b.Call("talk", `{"npc_id":"npc_001","topic":"?"}`)), want[1])
		b.ok("talk", `{"npc_id":"npc_001","topic":"the crypt"}`, want[2])
	}
}

func TestTalk_Refused(t *testing.T) {
	down := func(id, place, state string) *world.Actor {
		return &world.Actor{ID: id, Name: id, Place: place, State: state, Talk: []world.Talk{{Text: "No."}}}
	}
	for _, lang := range rules.Langs() {
		b := monk(t, lang, 15, down("dead", "inn", world.Dead), down("down", "inn", world.Unconscious), down("dying", "inn",
			world.Dying),
			down("bound", "inn", world.Restrained), down("far", "mill", ""), down("nowhere", "", ""), &world.Actor{ID: "dumb",
				Name: "dumb", Place: "inn"})
		b.no("target_dead", "talk", `{"npc_id":"dead"}`, "dead")
		b.no("target_down", "talk", `{"npc_id":"down"}`, "down")
		b.no("target_down", "talk", `{"npc_id":"dying","topic":"x"}`, "dying")
		b.no("not_here", "talk", `{"npc_id":"far"}`, "far")
		b.no("not_here", "talk", `{"npc_id":"nowhere"}`, "nowhere")
		b.no(rules.EntityNotFound, "talk", `{"npc_id":"nobody"}`, "nobody")
		b.no(rules.EntityNotFound, "talk", `{"npc_id":"npc_001","actor_id":"nobody"}`, "nobody")
		b.no(rules.SelfTarget, "talk", `{"npc_id":"pc_001"}`, "Jack")
		b.no(rules.ActorRestricted, "talk", `{"npc_id":"npc_001","actor_id":"dead"}`, "dead")
		b.no(rules.InvalidArgs, "talk", `{"topic":"x"}`)
		b.ok("talk", `{"npc_id":"bound"}`, "No.")
		o := b.Call("talk", `{"npc_id":"dumb"}`)
		rulestest.Same(t, []string{o.Detail(), string(o.Status)}, []string{"no_topic", "applied"})
		b.Says(o, "dumb")
	}
}

func TestAsked(t *testing.T) {
	talk := []world.Talk{{Text: "Hello."}, {Topic: "Сигнальный огонь", Keys: []string{"огонь", "маяк"}}, {Topic: "река",
		Keys: []string{"вода"}}, {Topic: "the old mill", Keys: []string{"mill wheel"}},
		{Topic: "钟楼"}, {Topic: "mill"}, {Topic: "лес"}, {Topic: "tax", Keys: []string{"  "}}}
	all := []int{0, 1, 2, 3, 4, 5, 6, 7}
	for words, want := range map[string]int{
		"": -1, "   ": -1, "mill": 5, " MILL ": 5, "the wheel of the mills": 3, "old mill, the": 3, "маяка": 1,
		"а что с маяком": 1, "о воде": 2, "воду": 2, "реки": 2, "водопад": -1,
		"钟楼在哪里": 4, "钟": -1, "лесу": 6, "лестница": -1, "о водке": -1, "millet": -1, "hello": -1, "taxes": 7, "t": -1,
	} {
		if got := rules.FindTopic(talk, all, words); got != want {
			t.Errorf("%q asks for %d, want %d", words, got, want)
		}
	}
	if got := rules.FindTopic(talk, slices.Delete(slices.Clone(all), 5, 6), "mill"); got != -1 {
		t.Errorf("what may not be said is found: %d", got)
	}
}
