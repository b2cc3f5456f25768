package show_test

import (
	"strings"
	"testing"

	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/show"
	"hob/internal/game/world"
	"hob/internal/golden"
)

// TestTexts shows all texts of one world, in each language.
func TestTexts(t *testing.T) {
	b := book(t)
	for _, lang := range rules.Langs() {
		t.Run(lang, func(t *testing.T) {
			w := mill(t, lang)
			fight := mill(t, lang, &world.Encounter{Round: 2, Turn: 1, Actors: []string{"pc_001", "npc_001", "pc_002"}},
				&world.Actor{ID: "npc_001", Order: 3, Name: names(lang)["anna"], Place: "area_001", HP: world.Known(3),
					HPMax: world.Known(8)})
			self := *w.Self()
			self.Integrity = world.Free
			free := mill(t, lang, &self)
			golden.Check(t, *update, "testdata/"+lang+".txt", strings.Join([]string{
				show.Look(w, b, lang, ""), show.Look(w, b, lang, "pc_002"), show.Look(fight, b, lang, "pc_001"),
				show.Sheet(w, lang, "pc_001"), show.Sheet(w, lang, "npc_001"),
				show.Inventory(w, lang, ""), show.Inventory(w, lang, "npc_001"), show.Inventory(w, lang, "pc_002"),
				show.Party(w, lang), show.Party(fight, lang), show.Quests(w, lang), show.Map(w, lang, "", 80), show.Map(w,
					lang, "", 30),
				show.Recap(lang, names(lang)["flood"]), turns(t, lang, false), turns(t, lang, true),
				show.Why(w, b, lang, parts()), show.Why(free, b, lang, parts()), show.Help(lang, true), show.Help(lang, false),
			}, "\n\n----\n\n")+"\n")
		})
	}
}

// TestNothing shows worlds that have nothing to show.
func TestNothing(t *testing.T) {
	b := book(t)
	w := world.Empty()
	for _, c := range [][2]string{
		{show.Look(w, b, "en", ""), "There is nobody in this story yet."}, {show.Sheet(w, "en", "x"),
			"There is nobody in this story yet."},
		{show.Inventory(w, "en", ""), "There is nobody in this story yet."}, {show.Party(w, "en"), "Nobody is in the party yet."},
		{show.Quests(w, "en"), "No quest yet."}, {show.Map(w, "en", "", 80), "There is nothing to draw yet."},
		{show.Recap("en", ""), "Nothing has happened yet."}, {show.Why(world.Empty(), b, "en", nil), "There was no turn yet."},
		{show.EngineLine(show.EngineTurn{Before: w, After: w}), ""},
		{show.Why(world.Empty(), b, "xx", []eventlog.Part{{Turn: 4, State: "0123456789"}}),
			"Turn 4\nNothing was called: words only."},
		{show.Look(set(t, &world.Actor{ID: "a"}), b, "en", "a"), "a is nowhere yet."},
		{show.Sheet(set(t, &world.Actor{ID: "a"}), "en", "a"), "a"},
		{show.Look(set(t, &world.Actor{ID: "a", Place: "p"}, &world.Place{ID: "p"}), b, "en", "a"),
			"p\nNo way leads on from here."},
	} {
		same(t, c[0], c[1])
	}
}

// TestHelp looks that each command stands in each help.
func TestHelp(t *testing.T) {
	commands := "look go " +
		"take inv sheet map quest recap roll check undo redo retry branch save load export join leave mode do say x lines " +
		"fair why rules pause"
	for _, lang := range rules.Langs() {
		text := show.Help(lang, true)
		words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \n·：", r) })
		for _, c := range append(strings.Fields(commands), "/") {
			if !strings.Contains(" "+strings.Join(words, " ")+" ", " /"+c) {
				t.Errorf("%s: /%s is missing", lang, c)
			}
		}
		if !strings.Contains(text, "((") || strings.Count(text, "\n") > 14 || !strings.HasPrefix(show.Help(lang, false),
			text+"\n\n") {
			t.Errorf("%s: %s", lang, text)
		}
	}
	same(t, show.Help("de", false), show.Help("en", false))
}

func TestSkill(t *testing.T) {
	same(t, []string{show.Skill("en", "wits"), show.Skill("ru", "wits"), show.Skill("zh", "wits"), show.Skill("ru", "bees\n"),
		show.Skill("fr", "lore")}, []string{"wits", "смекалка", "机智", "bees", "lore"})
}

func TestMarkup(t *testing.T) {
	w := mill(t, "en")
	for text, want := range map[string]string{
		"You lift the [object:obj_001:old lantern].":        "You lift the old lantern.",
		"[player:pc_001:Mara] meets [npc:npc_001:the Anna]": "Mara meets the Anna",
		"[actor:pc_002:Tom], [location:area_001:here]":      "Tom, here",
		"[place:area_002:Yard: north]":                      "Yard: north", // a name may have a colon
		"[Object: obj_001 : lantern ]":                      "lantern",
		"[object:obj_001:] and [player:pc_001: ]":           "lantern and Mara",
		"[location:area_001:]":                              "Old Mill",
		"[object:obj_999:a sword] [object:obj_999:]":        "a sword ",
		"[object:obj_009:a key] [object:obj_009:]":          "a key ",
		"[place:area_005:]|[place:area_005:a vault]":        "|a vault",
		"[weapon:obj_001:axe] [object:obj_001]":             "[weapon:obj_001:axe] [object:obj_001]",
		"[object::x] [::] [] [object] ]:[":                  "[object::x] [::] [] [object] ]:[",
		"[a [object:obj_001:lantern] b]":                    "[a lantern b]",
		"[[object:obj_001:lantern]]":                        "[lantern]",
		"[object:obj_001:la[player:pc_001:Mara]":            "[object:obj_001:laMara",
		"[object:obj_001:lan\ntern]":                        "[object:obj_001:lan\ntern]",
		"[object:obj_001:\u202eevil\u0000]":                 "evil",
		"[object:obj_001:lantern":                           "[object:obj_001:lantern",
		"no marks":                                          "no marks",
		"":                                                  "",
	} {
		if got := show.Markup(w, text); got != want {
			t.Errorf("%q is rendered as %q, not %q", text, got, want)
		}
	}
}
