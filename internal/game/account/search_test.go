package account_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game"
	"hob/internal/game/account"
	"hob/internal/game/account/turntest"
	"hob/internal/game/narration"
	"hob/internal/game/world"
)

// searched is a turn in which a place is searched, in which an amulet and a way are hidden, with a total.
func searched(t *testing.T, lang, actor, find string, total int64) account.Turn {
	t.Helper()
	book := game.Rules()
	w := turntest.Mill(t, lang)
	way := *w.Link("area_002", "area_005")
	way.From = "area_001"
	back := way
	back.From, back.To = way.To, way.From
	for _, l := range []*world.Link{&way, &back} {
		if err := w.Apply(world.Event{New: l}); err != nil {
			t.Fatal(err)
		}
	}
	return turntest.Scripted(t, book, w, []int64{total, total}, turntest.Call("skill_check", `{"actor_id":"`+actor+`","skill":"wits","find":"`+find+`"}`))
}

func TestTellOfASearch(t *testing.T) {
	for _, test := range []struct {
		lang, actor, find string
		total             int64
		want              string
	}{
		{"en", "pc_001", "area_001", 6, "You search for 10 minutes (wits 6). You find nothing."},
		{"en", "pc_001", "obj_003", 19, "You search the iron chest for 5 minutes (wits 19). You find nothing."},
		{"en", "pc_001", "area_001", 16, "You search for 10 minutes (wits 16). You find the ruby amulet. You find a way to Drowned Shrine."},
		{"en", "pc_001", "area_001", 13, "You search for 20 minutes (wits 13). You find the ruby amulet. You find a way to Drowned Shrine."},
		{"en", "pc_002", "area_001", 6, "Jack searches for 10 minutes (wits 6). Jack finds nothing."},
		{"ru", "pc_001", "area_001", 6, "Вы ищете 10 минут (смекалка 6). Вы ничего не находите."},
		{"ru", "pc_001", "obj_003", 6, "Вы обыскиваете: железный сундук. Проходит 5 минут (смекалка 6). Вы ничего не находите."},
		{"ru", "pc_001", "area_001", 16, "Вы ищете 10 минут (смекалка 16). Вы находите: рубиновый амулет. Вы находите, как пройти дальше: Утонувшее святилище."},
		{"zh", "pc_001", "area_001", 6, "你搜查了10分钟（机智 6）。你什么也没找到。"},
		{"zh", "pc_001", "obj_003", 6, "你把铁箱搜查了5分钟（机智 6）。你什么也没找到。"},
		{"zh", "pc_001", "area_001", 16, "你搜查了10分钟（机智 16）。你找到了红宝石护符。你找到了通往沉没神龛的路。"},
	} {
		turn := searched(t, test.lang, test.actor, test.find, test.total)
		told := turn.Tell()
		if diff := cmp.Diff(test.want, told); diff != "" {
			t.Errorf("%s %s: %s", test.lang, test.find, diff)
		}
		if flags := narration.Check(turn, told); flags != nil {
			t.Errorf("%q: %v", told, flags)
		}
	}
}

// A second try says that it is harder, whether there is anything or not.
func TestTellOfASecondSearch(t *testing.T) {
	book := game.Rules()
	for lang, want := range map[string]string{
		"en": "You search for 10 minutes (wits 6). You find nothing. It has been searched before, and each time it gets harder.",
		"ru": "Вы ищете 10 минут (смекалка 6). Вы ничего не находите. Здесь уже искали, и с каждым разом это труднее.",
		"zh": "你搜查了10分钟（机智 6）。你什么也没找到。这里已经搜过，一次比一次难。",
	} {
		w := turntest.Mill(t, lang)
		self := *w.Self()
		self.Searched = map[string]int64{"area_001": 1}
		if err := w.Apply(world.Event{Old: w.Self(), New: &self}); err != nil {
			t.Fatal(err)
		}
		turn := turntest.Scripted(t, book, w, []int64{6}, turntest.Call("skill_check", `{"actor_id":"pc_001","skill":"wits","find":"area_001"}`))
		if diff := cmp.Diff(want, turn.Tell()); diff != "" {
			t.Errorf("%s: %s", lang, diff)
		}
	}
}
