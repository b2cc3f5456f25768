package parser_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hob/internal/game/parser"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// inn is the house with people who have something to say: the guard is the only one here who does, and has greeted; a cook who was
// met is in the garden. The letter is for the miller, and the key fits.
func inn(t testing.TB, lang string) *world.World {
	t.Helper()
	w := house(t, lang)
	s := map[string][]string{
		"en": {"the old mill", "mill, wheel", "the rope", "A soldier in grey, whistling.", "Berta the Cook", "A long table stands under a broken window. A clock ticks."},
		"ru": {"старая мельница", "мельница, колесо", "верёвка", "Солдат в сером, насвистывает.", "Повариха Берта", "Длинный стол под разбитым окном. Тикают часы."},
		"zh": {"老磨坊", "磨坊, 水轮", "绳子的事", "穿灰衣的士兵，吹着口哨。", "厨娘贝尔塔", "破窗子底下一张长桌。时钟滴答作响。"},
	}[lang]
	guard, hall, garden := *w.Actor("guard"), *w.Place("hall"), *w.Place("garden")
	guard.Desc, hall.Desc = s[3], s[5]
	garden.Desc = map[string]string{"en": "An orchard gone wild, all nettles.", "ru": "Заросший огород, одна крапива.", "zh": "荒了的菜圃，尽是荨麻。"}[lang]
	guard.Talk = []world.Talk{
		{Text: "Hm.", Said: true}, {Topic: s[0], Keys: strings.Split(s[1], ", "), Text: "Burnt."}, {Topic: s[2], Keys: []string{s[2]}, Skill: "charm", DC: 12, Text: "No."},
	}
	put(t, w, &guard, &hall, &garden,
		&world.Actor{ID: "cook", Role: "npc", Name: s[4], Place: "garden", State: world.Alive, Talk: []world.Talk{{Text: "Yes?", Said: true}}},
		&world.Quest{ID: "q", State: world.Active, Objectives: []string{"o"}, When: map[string]string{"o": "in letter miller"}},
	)
	drop(t, w, w.Actor("miller"))
	put(t, w, &world.Actor{ID: "miller", Role: "npc", Name: names(lang)["miller"], Place: "kitchen", HP: world.Known(4), State: world.Alive})
	return w
}

// What is said in the inn where no model listens, and what it comes to: testdata/alone.*.txt.
func TestAlone(t *testing.T) {
	b := book(t)
	for _, lang := range rules.Langs() {
		t.Run(lang, func(t *testing.T) {
			file := "testdata/alone." + lang + ".txt"
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			lines := 0
			for line := range strings.Lines(string(data)) {
				line = strings.TrimSuffix(line, "\n")
				if line == "" || line[0] == '#' {
					fmt.Fprintln(&out, line)
					continue
				}
				words, want, _ := strings.Cut(line, " → ")
				w := inn(t, lang)
				got := comes(read(t, w, b, lang, parser.Options{NoModel: true, From: "kitchen"}, words))
				if fmt.Fprintf(&out, "%s → %s\n", words, got); got != want && !*update {
					t.Errorf("%q comes to\n%s, not to\n%s", words, got, want)
				}
				lines++
			}
			if lines < 50 {
				t.Errorf("only %d lines", lines)
			}
			if *update {
				if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// Where no model listens what is hidden comes to the same as what is not there, too.
func TestAloneHidden(t *testing.T) {
	b, alone := book(t), parser.Options{NoModel: true}
	for _, lang := range rules.Langs() {
		with, without := inn(t, lang), inn(t, lang)
		drop(t, without, without.Link("hall", "vault"), without.Link("vault", "hall"), without.Place("vault"), without.Thing("ring"), without.Thing("gem"))
		for _, name := range []string{names(lang)["ring"], names(lang)["gem"], names(lang)["vault"], "ring", "gem", "vault"} {
			for _, form := range []string{"%s", "take %s", "where is %s?", "push %s", "go to %s", "give %s to Osric", "%s!", "где %s", "толкнуть %s", "%s在哪里", "推%s", "去%s"} {
				words := fmt.Sprintf(form, name)
				m, ok := alone.Read(with, b, lang, with.Actor("pc"), words)
				if other, same := alone.Read(without, b, lang, without.Actor("pc"), words); comes(m, ok) != comes(other, same) {
					t.Errorf("%s: %q: %s, not %s", lang, words, comes(m, ok), comes(other, same))
				}
			}
		}
	}
}

// Who is dead is attacked no more, and that takes no turn.
func TestAloneTheDead(t *testing.T) {
	b := book(t)
	for lang, c := range map[string][2]string{
		"en": {"attack Osric", "! Osric is dead already. Say “look at Osric” to see what is left."},
		"ru": {"ударить Осрика", "! Осрик уже среди мёртвых. Скажите «осмотреть: Осрик», чтобы увидеть, что осталось."},
		"zh": {"攻击奥斯里克", "! 奥斯里克已经死了。说“查看奥斯里克”，看看还剩下什么。"},
	} {
		w := inn(t, lang)
		guard := w.Actor("guard")
		put(t, w, &world.Actor{ID: guard.ID, Name: guard.Name, Place: guard.Place, HPMax: guard.HPMax, State: world.Dead})
		if got := comes(parser.Options{NoModel: true}.Read(w, b, lang, w.Actor("pc"), c[0])); got != c[1] {
			t.Errorf("%s: %s", lang, got)
		}
	}
}

// Who only attacks, where the one enemy is dead, reads that there is nobody left to fight.
func TestAloneNobodyToFight(t *testing.T) {
	b := book(t)
	for lang, c := range map[string][2]string{
		"en": {"attack", "! There is nobody left here to fight."}, "ru": {"атаковать", "! Драться здесь больше не с кем."}, "zh": {"攻击", "! 这里没有谁要打了。"},
	} {
		w := inn(t, lang)
		put(t, w, &world.Actor{ID: "wolf", Name: "X", Role: "monster", Place: "hall", HPMax: world.Known(4), State: world.Dead})
		if got := comes(parser.Options{NoModel: true}.Read(w, b, lang, w.Actor("pc"), c[0])); got != c[1] {
			t.Errorf("%s: %s", lang, got)
		}
	}
}

// Who is asked whom they mean has named nobody yet: the next "you" means none of them.
func TestAskedWhomNamesNobody(t *testing.T) {
	b, w := book(t), inn(t, "en")
	put(t, w, &world.Actor{ID: "cook", Role: "npc", Name: "Berta the Cook", Place: "hall", State: world.Alive, Talk: []world.Talk{{Text: "Yes?"}}})
	for _, words := range []string{"greet you", "talk to you"} {
		m, ok := parser.Options{NoModel: true}.Read(w, b, "en", w.Actor("pc"), words)
		if !ok || len(m.Options) != 2 || m.Whom != "" {
			t.Errorf("%q: %+v", words, m)
		}
	}
}

// Again is asked for in a few words, and in no others.
func TestAgain(t *testing.T) {
	for words, want := range map[string]bool{
		"again": true, "g": true, "G!": true, "do it again, please": true, "ещё раз": true, "再来一次": true, "go again": false, "": false, "/again": true, "take it again": false,
	} {
		if got := parser.Again(words); got != want {
			t.Errorf("%q: %v", words, got)
		}
	}
}

// Whatever is said where no model listens is read without a fault.
func TestAloneSalad(t *testing.T) {
	b, w := book(t), inn(t, "en")
	words := strings.Fields("take the brass lamp to go back Osric , please it her somebody where is what show give letter me open door and then again third push Mill wheel ? " +
		"взять лампу , пожалуйста где Осрик третий ему покажи письмо толкни 拿 灯 把 给 看 奥 斯 里 克 在 哪 里 推 ， 。 ! '")
	rapid.Check(t, func(t *rapid.T) {
		said := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 12).Draw(t, "words"), " ")
		m, ok := parser.Options{NoModel: true, Named: []string{"guard"}}.Read(w, b, "en", w.Actor("pc"), said)
		sound(t, m, ok)
	})
}

// Who was read of in one place has been heard of in the next.
func TestHeardOfElsewhere(t *testing.T) {
	b := book(t)
	for lang, c := range map[string][4]string{
		"en": {"Wilma", "Wilma has the ladder.", "where is Wilma?", "! You have heard of Wilma, but you do not know where to look. There are ways that you have not gone yet."},
		"ru": {"Вильма", "Лестница у Вильмы.", "где Вильма?", "! Вильма — пока только имя: где искать, вы ещё не знаете. Не все дороги пройдены."},
		"zh": {"威尔玛", "梯子在威尔玛那里。", "威尔玛在哪里？", "! 威尔玛这个名字你听过，人在哪里还不知道。还有路没走过呢。"},
	} {
		w := inn(t, lang)
		kitchen := *w.Place("kitchen")
		kitchen.Visited = true
		put(t, w, &kitchen, &world.Thing{ID: "slip", Name: "slip", Parent: "kitchen", Desc: c[1]})
		for _, at := range []string{"garden", "attic", "cellar"} {
			if !w.Place(at).Visited {
				put(t, w, &world.Actor{ID: "wilma", Role: "npc", Name: c[0], Place: at, State: world.Alive})
				break
			}
		}
		if got := comes(read(t, w, b, lang, parser.Options{NoModel: true}, c[2])); got != c[3] {
			t.Errorf("%s: %s", lang, got)
		}
	}
}

// It can be a beast, where a command can only be about somebody.
func TestItIsABeast(t *testing.T) {
	b := book(t)
	for lang, words := range map[string]string{"en": "attack it", "ru": "ударь его", "zh": "攻击它"} {
		w := inn(t, lang)
		put(t, w, &world.Actor{ID: "wolf", Role: "monster", Name: "Wolf", Place: "hall", HP: world.Known(4), HPMax: world.Known(4), State: world.Alive})
		options := parser.Options{NoModel: true, Named: []string{"wolf"}}
		if got := comes(read(t, w, b, lang, options, words)); !strings.HasPrefix(got, `attack {"attacker_id":"pc","target_id":"wolf"`) {
			t.Errorf("%s: %s", lang, got)
		}
	}
}

// The other one is what is called like what was named last: of lamps the other lamp.
func TestAloneTheOtherOne(t *testing.T) {
	b := book(t)
	for lang, words := range map[string][2]string{
		"en": {"examine the other one", "use the other one"}, "ru": {"осмотреть другой", "осмотреть другую"}, "zh": {"查看另一把", "查看另外那个"},
	} {
		w := inn(t, lang)
		for _, c := range [][2]string{{"brass", "lamp2"}, {"lamp2", "brass"}} {
			options := parser.Options{NoModel: true, Named: []string{c[0]}}
			if got := comes(options.Read(w, b, lang, w.Actor("pc"), words[0])); got != `look {"target_id":"`+c[1]+`"}` {
				t.Errorf("%s: %q after %s comes to %s", lang, words[0], c[0], got)
			}
		}
		options := parser.Options{NoModel: true, Named: []string{"apple"}}
		if got := comes(options.Read(w, b, lang, w.Actor("pc"), words[1])); !strings.HasPrefix(got, "! ") {
			t.Errorf("%s: %q of many things comes to %s", lang, words[1], got)
		}
	}
}

// She is nobody whose name or looks speak of a man, whoever was named last; where nobody else is here the wrong pronoun will do.
func TestPronounGender(t *testing.T) {
	b := book(t)
	for lang, s := range map[string][4]string{
		"en": {"Mrs. Reed", "A widow in black.", "ask him about the mill", "ask her about the mill"},
		"ru": {"Госпожа Рид", "Вдова в чёрном.", "спроси его про мельницу", "спроси её про мельницу"},
		"zh": {"里德夫人", "一身黑的寡妇。", "问他磨坊的事", "问她磨坊的事"},
	} {
		w := inn(t, lang)
		guard := *w.Actor("guard")
		widow := guard
		widow.ID, widow.Name, widow.Desc = "widow", s[0], s[1]
		guard.Desc = map[string]string{"en": "A whistling soldier. His hat is new.", "ru": "Это мужчина молодой.", "zh": "他还年轻。"}[lang]
		put(t, w, &guard, &widow)
		for i, whom := range []string{"guard", "widow"} {
			for _, last := range []string{"guard", "widow"} {
				got := comes(read(t, w, b, lang, parser.Options{NoModel: true, Named: []string{last}}, s[2+i]))
				if !strings.Contains(got, `talk {"npc_id":"`+whom+`"`) {
					t.Errorf("%s: %q behind %s comes to %s", lang, s[2+i], last, got)
				}
			}
		}
		if got := comes(read(t, w, b, lang, parser.Options{NoModel: true}, "talk to the whistling man")); lang == "en" && !strings.Contains(got, `"guard"`) {
			t.Errorf("the whistling man is nobody: %s", got)
		}
		drop(t, w, w.Actor("widow"))
		if got := comes(read(t, w, b, lang, parser.Options{NoModel: true}, s[3])); !strings.Contains(got, `"guard"`) {
			t.Errorf("%s: %q with the guard alone comes to %s", lang, s[3], got)
		}
		give := map[string]string{"en": "give her the rope", "ru": "отдать ей верёвку", "zh": "把绳子给她"}[lang]
		drop(t, w, w.Actor("anna"))
		if got := comes(read(t, w, b, lang, parser.Options{NoModel: true}, give)); !strings.HasPrefix(got, "! ") {
			t.Errorf("%s: %q with the guard alone comes to %s", lang, give, got)
		}
	}
}

// What is written on something is no part of it that is seen there, and no sentence ends behind Mrs.
func TestWritten(t *testing.T) {
	b := book(t)
	for lang, c := range map[string]struct{ desc, part, written, line string }{
		"en": {`Grey paper, and a seal of Mrs. Reed with a swan. "Bring the ladder."`, "x swan", "x ladder", "Grey paper, and a seal of Mrs. Reed with a swan."},
		"ru": {"Серая бумага, на ней лебедь. «Несите лестницу».", "осмотреть лебедя", "осмотреть лестницу", "Серая бумага, на ней лебедь."},
		"zh": {"灰色的纸，印着天鹅。“把梯子带来。”", "", "看梯子", ""},
	} {
		w := inn(t, lang)
		put(t, w, &world.Thing{ID: "bill", Name: "Q", Parent: "hall", Desc: c.desc})
		if got := comes(parser.Options{NoModel: true}.Read(w, b, lang, w.Actor("pc"), c.part)); c.part != "" && got != "! "+c.line {
			t.Errorf("%s: %q comes to %s", lang, c.part, got)
		}
		if got := comes(parser.Options{NoModel: true}.Read(w, b, lang, w.Actor("pc"), c.written)); !strings.HasPrefix(got, "! ") || strings.ContainsAny(got, "BН把") {
			t.Errorf("%s: %q comes to %s", lang, c.written, got)
		}
	}
}

// Down leads through the only door where the text of the place tells of an opening in its floor, and up leads back; where
// no text does, neither leads anywhere.
func TestOpeningInTheFloor(t *testing.T) {
	b := book(t)
	for lang, c := range map[string]struct{ text, down, under, up string }{
		"en": {"A rusted grating in the floor breathes out cold.", "go down", "climb down the grating", "climb up"},
		"ru": {"Ржавая решётка в полу дышит холодом.", "вниз", "спуститься в решётку", "подняться"},
		"zh": {"地上一道锈死的铁栅，往外吐着寒气。", "下去", "钻进铁栅", "爬上去"},
	} {
		w := inn(t, lang)
		kitchen := *w.Place("kitchen")
		kitchen.Desc = c.text
		closed := func(from, to, dir string) *world.Link {
			return &world.Link{From: from, To: to, Dir: dir, Door: world.ClosedDoor}
		}
		player := *w.Actor("pc")
		player.Place = "kitchen"
		put(t, w, &kitchen, &player, closed("kitchen", "garden", "w"), closed("garden", "kitchen", "e"))
		through := `set_link {"from":"kitchen","to":"garden","state":"open"} + move_player {"player_id":"pc","target_location_id":"garden"}`
		for _, words := range []string{c.down, c.under} {
			if got := comes(read(t, w, b, lang, parser.Options{NoModel: true}, words)); got != through {
				t.Errorf("%s: %q: %s", lang, words, got)
			}
		}
		player.Place = "garden"
		put(t, w, &player)
		back := `set_link {"from":"garden","to":"kitchen","state":"open"} + move_player {"player_id":"pc","target_location_id":"kitchen"}`
		if got := comes(read(t, w, b, lang, parser.Options{NoModel: true}, c.up)); got != back {
			t.Errorf("%s: %q: %s", lang, c.up, got)
		}
		if got := comes(read(t, w, b, lang, parser.Options{NoModel: true}, c.down)); !strings.HasPrefix(got, "! ") {
			t.Errorf("%s: %q: %s", lang, c.down, got)
		}
		if got := comes(read(t, w, b, lang, parser.Options{}, c.up)); !strings.HasPrefix(got, "! ") {
			t.Errorf("%s, with a model: %q: %s", lang, c.up, got)
		}
	}
}

// An opening that is not in the floor leads nowhere, and neither does one in the floor of a place that nobody has seen.
func TestNoOpeningInTheFloor(t *testing.T) {
	b := book(t)
	for _, c := range [...][3]string{
		{"en", "A hole in the roof lets in the rain.", "go down"}, {"en", "A mouse hole by the wall.", "go down"}, {"en", "A swept floor. A hole in the roof.", "go down"},
		{"ru", "В крыше дыра.", "вниз"}, {"zh", "一扇猫也钻不过的铁栅窗。", "下去"},
		{"en", "", "go up"}, {"ru", "", "вверх"}, {"zh", "", "上去"},
	} {
		w := inn(t, c[0])
		kitchen, garden, player := *w.Place("kitchen"), *w.Place("garden"), *w.Actor("pc")
		player.Place = "kitchen"
		if kitchen.Desc = c[1]; c[1] == "" {
			garden.Visited = false
			garden.Desc = map[string]string{"en": "A grating in the floor.", "ru": "Решётка в полу.", "zh": "地上一道铁栅。"}[c[0]]
		}
		put(t, w, &kitchen, &garden, &player, &world.Link{From: "kitchen", To: "garden", Dir: "w", Door: world.ClosedDoor})
		if got := comes(read(t, w, b, c[0], parser.Options{NoModel: true}, c[2])); !strings.HasPrefix(got, "! ") {
			t.Errorf("%s: %q: %s", c[1], c[2], got)
		}
	}
}

// What is put where it does not go is refused only in a game without a model.
func TestPutsWhereItDoesNotGo(t *testing.T) {
	b := book(t)
	for lang, words := range map[string][]string{
		"en": {"put the letter in the hat"}, "ru": {"положить письмо в шляпу", "зажечь масляную лампу"}, "zh": {"把信放进帽子里"},
	} {
		for _, line := range words {
			if got := comes(read(t, inn(t, lang), b, lang, parser.Options{}, line)); got != "-" {
				t.Errorf("%s: %s", line, got)
			}
		}
	}
}

// Whom somebody works for, or what they are made master of, is no part of their looks; what they wear is.
func TestLooksOfAPerson(t *testing.T) {
	b := book(t)
	for lang, c := range map[string]struct{ desc, origin, worn, head string }{
		"en": {"A thin agent of the wool house in a good coat, with a brass tape in his hand.", "look at houses", "look at coat", "look at the agent"},
		"ru": {"Худой агент Шерстяного дома в хорошем пальто, в руке медная рулетка.", "осмотреть дома", "осмотреть пальто", "осмотреть агента"},
		"zh": {"羊毛行的瘦代理人，穿着好大衣，手里一把铜卷尺。", "看房子", "看大衣", "看代理人"},
	} {
		w := inn(t, lang)
		guard := *w.Actor("guard")
		guard.Desc = c.desc
		put(t, w, &guard)
		absent := map[string]string{"en": "! There is no “", "ru": "! «дома»: такого здесь", "zh": "! 这里没有"}[lang]
		if got := comes(read(t, w, b, lang, parser.Options{NoModel: true}, c.origin)); !strings.HasPrefix(got, absent) {
			t.Errorf("%s: %q: %s", lang, c.origin, got)
		}
		if got := comes(read(t, w, b, lang, parser.Options{NoModel: true}, c.worn)); got == "-" || strings.HasPrefix(got, absent) {
			t.Errorf("%s: %q: %s", lang, c.worn, got)
		}
		if got := comes(read(t, w, b, lang, parser.Options{NoModel: true}, c.head)); got != `look {"target_id":"guard"}` {
			t.Errorf("%s: %q: %s", lang, c.head, got)
		}
	}
}

// A pronoun that means nobody here is whoever was named before and was met elsewhere, for who goes to them; them are
// things that were named last, and what is asked of a listener's own things is not asked of one's own.
func TestNamedBefore(t *testing.T) {
	b := book(t)
	toGarden := `move_player {"player_id":"pc","target_location_id":"kitchen"} + move_player {"player_id":"pc","target_location_id":"garden"}`
	for lang, c := range map[string]struct{ back, wipe, your string }{
		"en": {"go back to her", "polish them", "is this your lamp?"},
		"ru": {"вернуться к ней", "протри их", "это твоя лампа?"},
		"zh": {"回到她那里", "擦擦它们", "这是你的灯吗？"},
	} {
		w := inn(t, lang)
		drop(t, w, w.Actor("anna"))
		cook := *w.Actor("cook")
		cook.Desc = map[string]string{"en": "A woman with a ladle.", "ru": "Женщина с половником.", "zh": "她拿着勺子。"}[lang]
		guard := *w.Actor("guard")
		guard.Desc = map[string]string{"en": "A man in grey.", "ru": "Мужчина в сером.", "zh": "他穿灰衣。"}[lang]
		put(t, w, &cook, &guard)
		say := func(words string, named ...string) string {
			return comes(read(t, w, b, lang, parser.Options{NoModel: true, Named: named}, words))
		}
		if got := say(c.back, "guard", "cook"); got != toGarden {
			t.Errorf("%s: %q: %s", lang, c.back, got)
		}
		if got := say(c.wipe, "letter", "guard"); !strings.HasPrefix(got, "! ") || !strings.Contains(got, names(lang)["letter"]) {
			t.Errorf("%s: %q: %s", lang, c.wipe, got)
		}
		drop(t, w, &guard)
		if got := say(c.your, "letter"); strings.HasPrefix(got, "look") {
			t.Errorf("%s: %q: %s", lang, c.your, got)
		}
	}
}

// A name may be written as one word where it has two.
func TestNamesInOneWord(t *testing.T) {
	b, w := book(t), inn(t, "en")
	yard := *w.Place("yard")
	yard.Name = "The Ice House"
	put(t, w, &yard)
	for words, want := range map[string]string{
		"go to the icehouse": `move_player {"player_id":"pc","target_location_id":"yard"}`,
		"take brasslamp":     `move_object {"object_id":"brass","target_id":"pc"}`,
	} {
		if got := comes(read(t, w, b, "en", parser.Options{NoModel: true}, words)); got != want {
			t.Errorf("%q: %s", words, got)
		}
	}
}

// What is only given to somebody is what was named last; and a place goes by its whole name before one that has that name
// in its own.
func TestGivesWhatWasNamed(t *testing.T) {
	b := book(t)
	for lang, c := range map[string]struct{ give, both, mill, millLane, goThere string }{
		"en": {"give to Osric", "take the rope, give to Osric", "The Mill", "Mill Lane", "go to the mill"},
		"ru": {"отдать Осрику", "взять верёвку, отдать Осрику", "Мельница", "Тропа, мельница", "идти на мельницу"},
		"zh": {"给奥斯里克", "拿绳子，给奥斯里克", "磨坊", "磨坊小路", "去磨坊"},
	} {
		w := inn(t, lang)
		given := `move_object {"object_id":"rope","target_id":"guard"}`
		if got := comes(read(t, w, b, lang, parser.Options{NoModel: true}, c.both)); !strings.HasSuffix(got, given) {
			t.Errorf("%s: %q: %s", lang, c.both, got)
		}
		if got := comes(read(t, w, b, lang, parser.Options{NoModel: true, Named: []string{"cloak"}}, c.give)); got != strings.ReplaceAll(given, "rope", "cloak") {
			t.Errorf("%s: %q: %s", lang, c.give, got)
		}
		yard, garden := *w.Place("yard"), *w.Place("garden")
		yard.Name, garden.Name = c.millLane, c.mill
		put(t, w, &yard, &garden)
		if got := comes(read(t, w, b, lang, parser.Options{NoModel: true}, c.goThere)); !strings.HasSuffix(got, `"garden"}`) {
			t.Errorf("%s: %q: %s", lang, c.goThere, got)
		}
	}
}
