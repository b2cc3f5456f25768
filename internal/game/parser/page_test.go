package parser_test

import (
	"testing"

	"hob/internal/game/parser"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// A choice of a page is made by its own words, or by some of them; nothing else comes of any words there.
func TestPage(t *testing.T) {
	b := book(t)
	for lang, c := range map[string]struct {
		choices []string
		said    [][2]string
	}{
		"en": {[]string{"Light the lamp", "Drink a cup of tea", "Go to bed", "Open the door", "Open the door with the key", "“Who's there?” you whisper", "Look at the map"}, [][2]string{
			{"Light the lamp", "1"}, {"light lamp.", "1"}, {"lamp", "1"}, {"I light the lamp, please", "1"}, {"choose light the lamp", "1"}, {"light a lamp!", "1"},
			{"drink a cup of tea", "2"}, {"drink tea", "2"}, {"I'd like to drink some tea", "2"}, {"go to bed", "3"}, {"bed", "3"}, {"go", "3"},
			{"open the door", "4"}, {"open the door with the key", "5"}, {"key", "5"}, {"open with key", "5"},
			{"who's there?", "6"}, {"“Who's there?” you whisper", "6"}, {"look at the map", "7"}, {"map", "show map"}, {"look", "show look"}, {"recap", "show recap"},
			{"open", "which"}, {"door", "which"}, {"the", "-"}, {"to", "-"},
			{"sleep", "-"}, {"rest", "-"}, {"wait", "-"}, {"wait an hour", "-"}, {"don't light the lamp", "-"}, {"put out the lamp", "-"}, {"take the tea", "-"},
			{"light the lamp and go to bed", "-"}, {"search", "-"}, {"north", "-"}, {"back", "-"}, {"hello", "-"}, {"lamp tea", "-"}, {"light the stove", "-"},
		}},
		"ru": {[]string{"Зажечь лампу", "Выпить чашку чая", "Лечь спать", "Открыть дверь", "Открыть дверь ключом"}, [][2]string{
			{"зажечь лампу", "1"}, {"лампу", "1"}, {"лампа", "1"}, {"я хочу зажечь лампу", "1"}, {"выпить чашку", "2"}, {"выпить чая, пожалуйста", "2"}, {"спать", "3"},
			{"лечь спать", "3"}, {"открыть дверь", "4"}, {"ключом", "5"}, {"дверь", "which"}, {"карта", "show map"},
			{"не зажигать лампу", "-"}, {"ждать", "-"}, {"отдыхать", "-"}, {"на север", "-"}, {"погасить лампу", "-"},
		}},
		"zh": {[]string{"点亮油灯", "喝一杯茶", "上床睡觉", "打开门", "用钥匙打开门"}, [][2]string{
			{"点亮油灯", "1"}, {"点灯", "1"}, {"油灯", "1"}, {"我要点亮油灯", "1"}, {"选择点亮油灯", "1"}, {"喝茶", "2"}, {"喝杯茶", "2"}, {"睡觉", "3"}, {"上床", "3"},
			{"打开门", "4"}, {"用钥匙", "5"}, {"开门", "which"}, {"地图", "show map"},
			{"别点灯", "-"}, {"等一会儿", "-"}, {"休息", "-"}, {"往北走", "-"}, {"搜索", "-"},
		}},
	} {
		w := set(t, &world.Self{Lang: lang, AllowAll: true, Active: "pc", Party: []string{"pc"}, ClockSet: true, Session: "s1"},
			&world.Place{ID: "page_0", Type: world.Page, Name: "Begin", Desc: "A dark kitchen.", Visited: true},
			&world.Actor{ID: "pc", Role: "pc", Name: "Bo", Place: "page_0", HP: world.Known(9), State: world.Alive})
		for i, choice := range c.choices {
			id := "page_" + string(rune('1'+i))
			put(t, w, &world.Place{ID: id, Order: int64(i + 1), Type: world.Page, Name: choice, Desc: "So it is."},
				&world.Link{From: "page_0", To: id, Order: int64(i), Minutes: 1}, &world.Link{From: id, To: "page_0", Minutes: 1})
		}
		for _, said := range c.said {
			for _, alone := range []bool{true, false} {
				m, ok := read(t, w, b, lang, parser.Options{NoModel: alone, From: "page_1"}, said[0])
				got, want := comes(m, ok), said[1]
				switch {
				case len(m.Options) > 1:
					got = "which"
				case ok && alone && m.Problem != "":
					got = "-"
				}
				if len(want) == 1 && want != "-" {
					want = "move_player " + string(rules.NewObj().Text("player_id", "pc").Text("target_location_id", "page_"+want).Bytes())
				}
				if got != want {
					t.Errorf("%s: %q comes to %s, not to %s (alone: %v)", lang, said[0], comes(m, ok), want, alone)
				}
			}
		}
	}
}

// A word that is a command by itself, such as back, makes the choice that alone has it.
func TestPageBack(t *testing.T) {
	b := book(t)
	for lang, said := range map[string]map[string]string{
		"en": {"Go back": "back", "Go out": "out"},
		"ru": {"Пойти назад": "назад", "Выйти наружу": "наружу"},
	} {
		w := set(t, &world.Self{Lang: lang, AllowAll: true, Active: "pc", Party: []string{"pc"}, ClockSet: true, Session: "s1"},
			&world.Place{ID: "page_0", Type: world.Page, Name: "Begin", Desc: "A dark kitchen.", Visited: true},
			&world.Actor{ID: "pc", Role: "pc", Name: "Bo", Place: "page_0", HP: world.Known(9), State: world.Alive})
		for choice := range said {
			put(t, w, &world.Place{ID: choice, Type: world.Page, Name: choice, Desc: "So it is."}, &world.Link{From: "page_0", To: choice, Minutes: 1})
		}
		for choice, words := range said {
			for _, alone := range []bool{true, false} {
				m, ok := read(t, w, b, lang, parser.Options{NoModel: alone}, words)
				want := "move_player " + string(rules.NewObj().Text("player_id", "pc").Text("target_location_id", choice).Bytes())
				if got := comes(m, ok); got != want {
					t.Errorf("%s: %q comes to %s, not to %s (alone: %v)", lang, words, got, want, alone)
				}
			}
		}
	}
}
