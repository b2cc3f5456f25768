package tales_test

import (
	"strings"
	"testing"

	"hob/internal/game/rules"
	"hob/internal/game/tales"
	"hob/internal/game/world"
)

// What somebody can be asked about in Russian is understood in the case in which it is asked for, also where no three letters of the
// word stay as they are: Ода, об Оде.
func TestAskedInCases(t *testing.T) {
	for _, test := range [][4]string{
		{"cosy", "npc_marta", "оде", "Ода"}, {"cosy", "npc_marta", "оду", "Ода"}, {"cosy", "npc_pike", "расскажите об оде", "Ильза и Ода"},
		{"cosy", "npc_ilse", "оде", "Ода"}, {"cosy", "npc_voss", "огоньке", "огонёк на реке"}, {"cosy", "npc_ilse", "уголька", "огонь для печи"},
		{"cosy", "npc_marta", "угле", "печь"}, {"dungeon", "npc_moth", "псе", "пёс"}, {"dungeon", "npc_moth", "дождевом камне", "Дождевой камень"},
		{"dungeon", "npc_moth", "камне", "Дождевой камень"}, {"dungeon", "npc_mouth", "имени", "королева"}, {"mystery", "npc_finn", "льде", "ледник"},
	} {
		tale, _ := tales.ByID(test[0])
		w, _ := begun(t, tale, tales.Start{Lang: "ru"})
		a := w.Actor(test[1])
		if at := rules.FindTopic(a.Talk, w.OpenTalk(a), test[2]); at < 0 || a.Talk[at].Topic != test[3] {
			t.Errorf("%s is not asked about %s by %q", test[1], test[3], test[2])
		}
	}
}

// What is described in the open has no title of a quest in it that nobody has heard of yet: it would be blotted out where it is told.
func TestNoTitleInDescriptions(t *testing.T) {
	everywhere(t, func(t *testing.T, tale tales.Tale, lang string) {
		w, _ := begun(t, tale, tales.Start{Lang: lang})
		for _, q := range w.Quests() {
			for _, p := range w.Places() {
				if q.State == world.Offered && strings.Contains(strings.ToLower(p.Desc), strings.ToLower(q.Title)) {
					t.Errorf("%s has %q in it: %s", p.ID, q.Title, p.Desc)
				}
			}
		}
	})
}
