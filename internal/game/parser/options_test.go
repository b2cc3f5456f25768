package parser_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/parser"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// Whoever listens alone, or knows what was named before, understands more; nobody else does. Names are those of descriptions, too.
func TestEar(t *testing.T) {
	b := book(t)
	alone, here := parser.Options{NoModel: true}, `skill_check {"actor_id":"pc","skill":"wits","find":"hall"}`
	for lang, tests := range map[string][]struct {
		ear         parser.Options
		words, want string
	}{
		"en": {
			{alone, "yard", `move_player {"player_id":"pc","target_location_id":"yard"}`},
			{parser.Options{}, "yard", "-"},
			{alone, "cellar", `move_player {"player_id":"pc","target_location_id":"cellar"}`},
			{parser.Options{NoModel: true, From: "yard"}, "back", `move_player {"player_id":"pc","target_location_id":"yard"}`},
			{parser.Options{Named: []string{"guard"}}, "ask him about the key", `talk {"npc_id":"guard","topic":"key"}`},
			{parser.Options{}, "ask him about the key", "-"},
			{parser.Options{Named: []string{"miller", "letter"}}, "give it to him", `move_object {"object_id":"letter","target_id":"miller"}`},
			{parser.Options{NoModel: true, Missed: "oar"}, "give it to Osric", "! You do not have “oar”. Say “inventory” to see what you have."},
			{parser.Options{NoModel: true, Missed: "oar"}, "take it", "! There is no “oar” here. Say “look” to see what there is."},
			{parser.Options{NoModel: true, Missed: "rope"}, "take it", `move_object {"object_id":"rope","target_id":"pc"}`},
			{alone, "search the chest", "! “oak chest” is closed. Say “open oak chest” first."},
			{alone, "search", here}, {parser.Options{}, "look for hidden doors", here}, {alone, "look under the clock", here},
			{parser.Options{}, "look under the clock", "-"}, {alone, "search behind the table for a key", `skill_check {"actor_id":"pc","skill":"wits","find":"table"}`},
			{alone, "look for the rope", `look {"target_id":"rope"}`}, {alone, "look for my uncle", "! You do not know where “my uncle” is. You can search here for whatever there is: 1. search Hall."}, {alone, "find a secret passage", here},
			{alone, "search the leg of the table", `skill_check {"actor_id":"pc","skill":"wits","find":"table"}`},
			{alone, "search the lid of the chest", "! “oak chest” is closed. Say “open oak chest” first."},
			{alone, "look under the bed", "! There is no “bed” here. Say “look” to see what there is."},
			{alone, "search Osric", "! Osric would not let you. Ask instead: “talk to Osric”."}, {parser.Options{}, "search Osric", "-"},
			{parser.Options{}, "search the Hall", here}, {parser.Options{}, "rummage through the basket", `skill_check {"actor_id":"pc","skill":"wits","find":"basket"}`},
			{alone, "search the kitchen", here},
			{alone, "examine the table closely", `look {"target_id":"table"} + skill_check {"actor_id":"pc","skill":"wits","find":"table"}`},
			{alone, "examine Osric carefully", `look {"target_id":"guard"}`},
			{alone, "ask Osric", `talk {"npc_id":"guard"}`},
			{parser.Options{}, "talk to the baker", `talk {"npc_id":"miller"}`},
			{parser.Options{}, "ask the man in grey about the key", `talk {"npc_id":"guard","topic":"key"}`},
			{parser.Options{}, "say wren to the miller", `talk {"npc_id":"miller","topic":"wren"}`},
			{parser.Options{}, "say wren", `talk {"npc_id":"miller","topic":"wren"}`},
			{parser.Options{}, "say wren to Osric", "-"},
			{alone, "wren", `talk {"npc_id":"miller","topic":"wren"}`},
			{alone, "say nonsense", "-"},
			{parser.Options{}, "light the table", `move_object {"object_id":"letter","target_id":"table"}`},
			{alone, "light the basket", "! You have nothing with you to light it with."},
			{parser.Options{}, "light the basket", "-"},
			{parser.Options{}, "put the apple in the basket", "! “apple” is in “basket” already."},
		},
		"ru": {
			{alone, "обыскать комнату", here}, {alone, "поискать тайник", here}, {alone, "искать", here}, {alone, "пошарить за часами", here},
			{alone, "осмотреть стол внимательно", `look {"target_id":"table"} + skill_check {"actor_id":"pc","skill":"wits","find":"table"}`},
			{alone, "заглянуть под стол", `skill_check {"actor_id":"pc","skill":"wits","find":"table"}`},
			{parser.Options{}, "обыскать корзину", `skill_check {"actor_id":"pc","skill":"wits","find":"basket"}`},
			{alone, "посмотреть под кроватью", "! «кроватью»: такого здесь не видно. Скажите «осмотреться», чтобы увидеть, что здесь есть."},
			{alone, "двор", `move_player {"player_id":"pc","target_location_id":"yard"}`},
			{parser.Options{}, "скажи мельнику рен", `talk {"npc_id":"miller","topic":"рен"}`},
			{parser.Options{}, "зажечь стол", `move_object {"object_id":"letter","target_id":"table"}`},
		},
		"zh": {
			{alone, "搜查房间", here}, {alone, "找暗门", here}, {alone, "到处找找", here}, {alone, "翻找时钟后面", here},
			{alone, "看看橡木箱底下", "! “橡木箱”关着。先说“打开橡木箱”。"}, {alone, "翻找木箱后面", "! “橡木箱”关着。先说“打开橡木箱”。"}, {alone, "仔细看看四周", here},
			{alone, "翻找桌子", `skill_check {"actor_id":"pc","skill":"wits","find":"table"}`},
			{alone, "看看桌子下面", `skill_check {"actor_id":"pc","skill":"wits","find":"table"}`},
			{parser.Options{}, "搜查篮子", `skill_check {"actor_id":"pc","skill":"wits","find":"basket"}`},
			{alone, "院子", `move_player {"player_id":"pc","target_location_id":"yard"}`},
			{parser.Options{}, "对老磨坊主说雷恩", `talk {"npc_id":"miller","topic":"雷恩"}`},
			{parser.Options{}, "点燃桌子", `move_object {"object_id":"letter","target_id":"table"}`},
		},
	} {
		w := house(t, lang)
		guard, miller := *w.Actor("guard"), *w.Actor("miller")
		guard.Desc, miller.Desc = "A tired man in dove grey, whistling.", "The baker: broad, floury."
		miller.Talk = []world.Talk{{Text: "Hm."}, {Keys: []string{"wren", "рен", "雷恩"}, Text: "Who told you that?"}}
		put(t, w, &guard, &miller, &world.Quest{ID: "q", State: world.Active, Objectives: []string{"o"}, When: map[string]string{"o": "in letter table"}})
		for _, test := range tests {
			if diff := cmp.Diff(test.want, comes(test.ear.Read(w, b, lang, w.Actor("pc"), test.words))); diff != "" {
				t.Errorf("%s: %q: %s", lang, test.words, diff)
			}
		}
	}
	if len(rules.Langs()) != 3 {
		t.Error("a language is not tried")
	}
}
