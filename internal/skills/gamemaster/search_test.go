package gamemaster_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hob/internal/game/rules"
	"hob/internal/game/world"
	"hob/internal/skills"
)

// unfound returns what of a tale lies hidden somewhere, by the names and the looks of it.
func unfound(w *world.World) (list []string) {
	for _, t := range w.Things() {
		if t.Hidden {
			list = append(list, t.Name, t.Desc)
		}
	}
	return list
}

// TestASearchWithoutAModel searches in plain words until something is found: each try is a turn that takes its time, says what was
// thrown, and tells of nothing before it is found.
func TestASearchWithoutAModel(t *testing.T) {
	for lang, words := range map[string][3]string{
		"en": {"Search the green", "→ nothing", "used blotter"},
		"ru": {"обыскать всё вокруг", "→ ничего", "промокашка"},
		"zh": {"搜查这里", "→ 一无所获", "用过的吸墨纸"},
	} {
		t.Run(lang, func(t *testing.T) {
			h := newHouse(t, plan{noModel: true})
			h.began("cosy " + lang)
			h.say(map[string]string{"en": "green", "ru": "лужайка", "zh": "村中草坪"}[lang])
			w := func() *world.World { return h.log("cosy").World() }
			tries, failed := 0, 0
			for w().Thing("obj_blotter").Hidden && tries < 20 {
				before := w()
				got := h.say(words[0])
				tries++
				seen := got.reply.Text + got.reply.Receipt + fmt.Sprint(got.choices) + h.say("/why").reply.Text + h.say("/recap").reply.Text
				for _, text := range unfound(w()) {
					if strings.Contains(seen, text) {
						t.Fatalf("%q is told of before it is found: %s", text, seen)
					}
				}
				want := words[2]
				if w().Thing("obj_blotter").Hidden {
					want = words[1]
					failed++
				}
				if !strings.Contains(got.reply.Text+got.reply.Receipt, want) {
					t.Errorf("try %d: %s", tries, got.reply.Text)
				}
				if passed := w().Self().Minute - before.Self().Minute; passed != 10 && passed != 20 {
					t.Errorf("try %d takes %d minutes", tries, passed)
				}
				if why := h.say("/why").reply.Text; !strings.Contains(why, "1d20") || !strings.Contains(got.reply.Receipt, "→") {
					t.Errorf("try %d: the throw is not told of: %s\n%s", tries, got.reply.Receipt, why)
				}
			}
			if tries == 20 || failed == 0 || w().Self().Searched["area_green"] != int64(tries) {
				t.Fatalf("%d tries, %d in vain: %v", tries, failed, w().Self().Searched)
			}
			h.say("undo")
			if !w().Thing("obj_blotter").Hidden {
				t.Error("what was found is not taken back")
			}
		})
	}
	if len(rules.Langs()) != 3 {
		t.Error("a language is not tried")
	}
}

// A query in the language of the story finds the tool.
func TestFindTool_InTheirLanguage(t *testing.T) {
	h := newHouse(t, plan{})
	all := h.master.Skill().Tools
	for query, want := range map[string]string{
		"удалить объект": "delete_object", "удалить атрибут игрока": "delete_attribute", "создать объект": "create_object",
		"переместить предмет": "move_object", "сгенерировать зону": "generate_zone", "бросить кубики": "roll_dice", "инвентарь": "inventory",
		"начать бой": "attack", "создать новую локацию": "create_area", "карта": "map_render", "отдых": "rest", "квест": "quest",
		"生成新区块": "generate_zone", "删除物品": "delete_object", "掷骰子": "roll_dice", "休息": "rest", "查看背包": "inventory", "前往区块": "move_to_zone",
		"任务": "quest",
	} {
		found := skills.Rank(all, skills.AddEnglish(query))
		var first []string
		for _, r := range found[:min(len(found), 3)] {
			first = append(first, r.Tool.Name())
		}
		if !slices.Contains(first, want) {
			t.Errorf("%s finds %v first, and not %s", query, first, want)
		}
	}
}
