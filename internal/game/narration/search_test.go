package narration_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game"
	"hob/internal/game/narration"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// searched is a turn in which a place is searched, in which an amulet and a way are hidden, with a total.
func searched(t *testing.T, lang, actor, find string, total int64) narration.Turn {
	t.Helper()
	book, err := game.Rules()
	if err != nil {
		t.Fatal(err)
	}
	w := mill(t, lang)
	way := *w.Link("area_002", "area_005")
	way.From = "area_001"
	back := way
	back.From, back.To = way.To, way.From
	for _, l := range []*world.Link{&way, &back} {
		if err := w.Apply(world.Event{New: l}); err != nil {
			t.Fatal(err)
		}
	}
	return scripted(t, book, w, []int64{total, total}, call("skill_check", `{"actor_id":"`+actor+`","skill":"wits","find":"`+find+`"}`))
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
		if flags := turn.Check(told); flags != nil {
			t.Errorf("%q: %v", told, flags)
		}
	}
}

// A second try says that it is harder, whether there is anything or not.
func TestTellOfASecondSearch(t *testing.T) {
	book, err := game.Rules()
	if err != nil {
		t.Fatal(err)
	}
	for lang, want := range map[string]string{
		"en": "You search for 10 minutes (wits 6). You find nothing. It has been searched before, and each time it gets harder.",
		"ru": "Вы ищете 10 минут (смекалка 6). Вы ничего не находите. Здесь уже искали, и с каждым разом это труднее.",
		"zh": "你搜查了10分钟（机智 6）。你什么也没找到。这里已经搜过，一次比一次难。",
	} {
		w := mill(t, lang)
		self := *w.Self()
		self.Searched = map[string]int64{"area_001": 1}
		if err := w.Apply(world.Event{Old: w.Self(), New: &self}); err != nil {
			t.Fatal(err)
		}
		turn := scripted(t, book, w, []int64{6}, call("skill_check", `{"actor_id":"pc_001","skill":"wits","find":"area_001"}`))
		if diff := cmp.Diff(want, turn.Tell()); diff != "" {
			t.Errorf("%s: %s", lang, diff)
		}
	}
}

// What a model tells of a search is held against what was found: neither may it find what is not found, nor leave out that
// something was.
func TestCheckOfASearch(t *testing.T) {
	for lang, tests := range map[string][]struct {
		total int64
		text  string
		holds bool
	}{
		"en": {
			{6, "You turn the mill over, stone by stone. There is dust and old rope, and you find nothing.", true},
			{6, "You run your fingers along the beams. Nothing gives.", true},
			{6, "You find a hidden passage behind the wheel.", false},
			{6, "You discover a secret door in the east wall.", false},
			{6, "Under a loose board you find the ruby amulet.", false},
			{6, "You find a sword under the sacks.", false},
			{16, "Under a loose board you find the ruby amulet, and behind it a way to the Drowned Shrine.", true},
			{16, "You find nothing.", false},
			{16, "You search high and low and come up empty-handed.", false},
		},
		"ru": {
			{6, "Вы перебираете камень за камнем и ничего не находите.", true},
			{6, "Вы находите тайный проход за колесом.", false},
			{6, "Вы находите рубиновый амулет.", false},
			{16, "Под половицей вы находите рубиновый амулет.", true},
			{16, "Вы ничего не находите.", false},
		},
		"zh": {
			{6, "你一块石头一块石头地摸过去，什么也没找到。", true},
			{6, "你在水轮后面发现了一条密道。", false},
			{6, "你找到了红宝石护符。", false},
			{16, "你在松动的木板下找到了红宝石护符。", true},
			{16, "你什么也没找到。", false},
		},
	} {
		for _, test := range tests {
			turn := searched(t, lang, "pc_001", "area_001", test.total)
			if flags := turn.Check(test.text); (flags == nil) != test.holds {
				t.Errorf("%s %d: %q: %v", lang, test.total, test.text, flags)
			}
		}
	}
	if len(rules.Langs()) != 3 {
		t.Error("a language is not tried")
	}
}
