// Package turntest plays turns of stories for tests: scenes in an old mill, and campaigns at random.
package turntest

import (
	"encoding/json"
	"testing"

	"hob/internal/game"
	"hob/internal/game/account"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// In returns the text of a language.
func In(lang, en, ru, zh string) string {
	switch lang {
	case "ru":
		return ru
	case "zh":
		return zh
	}
	return en
}

// Mill is a world that is alike in every language: an old mill with a crypt below it, people, a dead man, things, secrets.
func Mill(t testing.TB, lang string) *world.World {
	t.Helper()
	s := func(en, ru, zh string) string { return In(lang, en, ru, zh) }
	w := world.Empty()
	for _, r := range []world.Record{
		&world.Place{ID: "area_001", Order: 1, Type: "area", Visited: true, Name: s("Old Mill", "Старая мельница", "旧磨坊"),
			Desc: s("A great wheel stands still.", "Огромное колесо замерло.", "巨大的水轮静止不动。")},
		&world.Place{ID: "area_002", Order: 2, Type: "area", Name: s("Flooded Crypt", "Затопленный склеп", "淹水墓室"),
			Desc: s("Black water covers the floor.", "Пол залит чёрной водой.", "地上积着黑水。")},
		&world.Place{ID: "area_003", Order: 3, Type: "area", Name: s("Root Cellar", "Погреб с кореньями", "菜根地窖")},
		&world.Place{ID: "area_004", Order: 4, Type: "area", Name: s("Dusty Attic", "Пыльный чердак", "积灰阁楼")},
		&world.Place{ID: "area_005", Order: 5, Type: "area", Secret: true, Name: s("Drowned Shrine", "Утонувшее святилище", "沉没神龛")},
		&world.Actor{ID: "pc_001", Order: 6, Role: "pc", Name: s("Mara", "Мара", "玛拉"), Place: "area_001", HP: world.Known(12), HPMax: world.Known(12),
			Stats: map[string]int64{"wits": 2, "force": 1}},
		&world.Actor{ID: "pc_002", Order: 7, Role: "pc", Name: s("Jack", "Джек", "杰克"), Place: "area_001", HP: world.Known(10), HPMax: world.Known(10)},
		&world.Actor{ID: "npc_001", Order: 8, Role: "npc", Name: s("Brother Osric", "Брат Осрик", "奥斯里克修士"), Place: "area_001",
			HP: world.Known(6), HPMax: world.Known(6), Secret: s("Osric sold the mill bell to the river smugglers.",
				"Осрик продал колокол мельницы речным контрабандистам.", "奥斯里克把磨坊的钟卖给了河上的走私贩。")},
		&world.Actor{ID: "npc_002", Order: 9, Role: "monster", Name: s("cave rat", "пещерная крыса", "洞鼠"), Place: "area_001",
			HP: world.Known(4), HPMax: world.Known(4)},
		&world.Actor{ID: "npc_003", Order: 10, Role: "npc", Name: s("Old Tom", "Старый Том", "老汤姆"), Place: "area_001", State: world.Dead, HP: world.Known(0)},
		&world.Actor{ID: "npc_004", Order: 11, Role: "npc", Name: s("Lena the Miller", "Мельничиха Лена", "磨坊女莱娜"), Place: "area_004"},
		&world.Thing{ID: "obj_001", Order: 12, Name: s("bone key", "костяной ключ", "骨钥匙"), Parent: "area_001"},
		&world.Thing{ID: "obj_002", Order: 13, Name: s("lantern", "фонарь", "提灯"), Parent: "pc_001"},
		&world.Thing{ID: "obj_003", Order: 14, Name: s("iron chest", "железный сундук", "铁箱"), Parent: "area_001", Container: true},
		&world.Thing{ID: "obj_004", Order: 15, Name: s("silver bowl", "серебряная чаша", "银碗"), Parent: "area_002"},
		&world.Thing{ID: "obj_005", Order: 16, Name: s("rusty knife", "ржавый нож", "生锈的小刀"), Parent: "pc_002"},
		&world.Thing{ID: "obj_006", Order: 17, Name: s("gold coins", "золотые монеты", "金币"), Qty: 20, Parent: "pc_001"},
		&world.Thing{ID: "obj_007", Order: 18, Name: s("rope", "верёвка", "绳子"), Parent: "area_001"},
		&world.Thing{ID: "obj_008", Order: 19, Name: s("ruby amulet", "рубиновый амулет", "红宝石护符"), Parent: "area_001", Hidden: true},
		&world.Thing{ID: "obj_009", Order: 20, Name: s("healing potion", "лечебное зелье", "治疗药水"), Parent: "npc_001"},
		&world.Link{From: "area_001", To: "area_002", Dir: "n"}, &world.Link{From: "area_002", To: "area_001", Dir: "s"},
		&world.Link{From: "area_001", To: "area_003", Dir: "e", Door: world.LockedDoor, Lock: "obj_001"},
		&world.Link{From: "area_003", To: "area_001", Dir: "w", Door: world.LockedDoor, Lock: "obj_001"},
		&world.Link{From: "area_003", To: "area_004", Dir: "u"}, &world.Link{From: "area_004", To: "area_003", Dir: "d"},
		&world.Link{From: "area_002", To: "area_005", Hidden: true}, &world.Link{From: "area_005", To: "area_002"},
		&world.Self{Title: "Test", Lang: lang, AllowAll: true, Party: []string{"pc_001", "pc_002"}, Active: "pc_001", ClockSet: true, Minute: 900,
			Lines: []string{s("spiders", "пауки", "蜘蛛")}, Rules: map[string]int64{"hp_zero_ends_game": 1}},
	} {
		if err := w.Apply(world.Event{Old: w.Record(r.Kind(), r.Key()), New: r}); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// Scripted plays calls on a world with dice that fall as they are told to, each face the total of a throw.
func Scripted(t testing.TB, book *rules.Book, w *world.World, totals []int64, calls ...rules.Call) account.Turn {
	t.Helper()
	before := w.Clone()
	turn := rules.Turn{Unbound: true, Book: book, World: w, Number: 1, Services: rules.Services{Counts: &rules.Counts{}, Throw: func(expr string, no int64) (rules.Roll, error) {
		total := int64(10)
		if len(totals) > 0 {
			total, totals = totals[0], totals[1:]
		}
		return rules.Roll{Expr: expr, No: no, Total: total, Dice: []rules.Die{{Size: 20, Value: max(2, min(19, total-1)), Kept: true}}}, nil
	}}}
	turn.Batch(t.Context(), calls)
	if err := turn.Finish(false); err != nil {
		t.Fatal(err)
	}
	return account.Turn{Book: book, Lang: w.Self().Lang, Before: before, After: w, Actor: w.Self().Active, Outcomes: turn.Outcomes, Rolls: turn.Rolls,
		Events: turn.Events}
}

// Call is a call of a tool with arguments.
func Call(tool, args string) rules.Call { return rules.Call{Tool: tool, Args: json.RawMessage(args)} }

// Scene plays one of the scenes of the held-out narrations.
func Scene(t testing.TB, lang, name string) account.Turn {
	t.Helper()
	book, w := game.Rules(), Mill(t, lang)
	scenes := map[string]struct {
		calls  []rules.Call
		totals []int64
	}{
		"nothing": {},
		"take":    {[]rules.Call{Call("move_object", `{"object_id":"obj_001","target_id":"pc_001"}`)}, nil},
		"put":     {[]rules.Call{Call("move_object", `{"object_id":"obj_002","target_id":"obj_003"}`)}, nil},
		"drop":    {[]rules.Call{Call("move_object", `{"object_id":"obj_002","target_id":"area_001"}`)}, nil},
		"give":    {[]rules.Call{Call("move_object", `{"object_id":"obj_002","target_id":"npc_001"}`)}, nil},
		"get":     {[]rules.Call{Call("move_object", `{"object_id":"obj_009","target_id":"pc_001"}`)}, nil},
		"move":    {[]rules.Call{Call("move_player", `{"player_id":"pc_001","target_location_id":"area_002"}`)}, nil},
		"hit":     {[]rules.Call{Call("attack", `{"attacker_id":"pc_001","target_id":"npc_002"}`)}, []int64{15, 3}},
		"kill":    {[]rules.Call{Call("attack", `{"attacker_id":"pc_001","target_id":"npc_002"}`)}, []int64{18, 5}},
		"miss":    {[]rules.Call{Call("attack", `{"attacker_id":"pc_001","target_id":"npc_002"}`)}, []int64{7}},
		"hurt":    {[]rules.Call{Call("attack", `{"attacker_id":"npc_002","target_id":"pc_001"}`)}, []int64{14, 4}},
		"check":   {[]rules.Call{Call("skill_check", `{"actor_id":"pc_001","skill":"wits","dc":12}`)}, []int64{15}},
		"fail":    {[]rules.Call{Call("skill_check", `{"actor_id":"pc_001","skill":"force","dc":15}`)}, []int64{6}},
		"locked":  {[]rules.Call{Call("move_player", `{"player_id":"pc_001","target_location_id":"area_003"}`)}, nil},
		"heal":    {[]rules.Call{Call("hp_delta", `{"target_character_id":"pc_001","delta":3,"cause":"prayer"}`)}, nil},
	}
	scene, ok := scenes[name]
	if !ok {
		t.Fatalf("there is no scene %q", name)
	}
	if name == "heal" { // somebody has to be hurt first
		Scripted(t, book, w, nil, Call("hp_delta", `{"target_character_id":"pc_001","delta":-4,"cause":"rat"}`))
	}
	return Scripted(t, book, w, scene.totals, scene.calls...)
}
