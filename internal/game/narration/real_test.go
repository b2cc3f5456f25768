package narration_test

import (
	"slices"
	"strings"
	"testing"

	"hob/internal/game/account"
	"hob/internal/game/account/turntest"
	"hob/internal/game/narration"
	"hob/internal/game/world"
)

// village is the mill's world with a green where it was, as a hero stands there of whom nothing has happened.
func village(t testing.TB, lang string) account.Turn {
	t.Helper()
	turn := turntest.Scene(t, lang, "nothing")
	place := *turn.After.Place("area_001")
	place.Name = turntest.In(lang, "The Green", "Зелёная площадь", "绿广场")
	place.Desc = turntest.In(lang, "A square of grass. The baker's oven smokes across it.", "Квадрат травы. Дымит печь пекаря.", "一片草地，对面面包师的炉子在冒烟。")
	people := []world.Record{
		&place,
		&world.Actor{ID: "npc_101", Order: 101, Role: "npc", Name: turntest.In(lang, "Mr. Voss", "господин Восс", "沃斯先生"), Place: "area_001"},
		&world.Thing{ID: "obj_101", Order: 102, Name: turntest.In(lang, "long table", "длинный стол", "长桌"), Parent: "area_001"},
		&world.Thing{ID: "obj_102", Order: 103, Name: turntest.In(lang, "iron oven", "железная печь", "铁炉"), Parent: "area_001"},
	}
	for _, r := range people {
		if err := turn.After.Apply(world.Event{Old: turn.After.Record(r.Kind(), r.Key()), New: r}); err != nil {
			t.Fatal(err)
		}
	}
	turn.Before = turn.After.Clone()
	return turn
}

// drafts has a turn's checker read drafts, each a line: what is wrong, a bar, the words.
func drafts(t *testing.T, turn account.Turn, list string) {
	t.Helper()
	for line := range strings.Lines(list) {
		want, draft, ok := strings.Cut(strings.TrimSpace(line), "|")
		if !ok {
			continue
		}
		flags := narration.Check(turn, draft)
		if got := strings.Join(kinds(flags), ","); got != want {
			t.Errorf("%q: %q, want %q: %v", draft, got, want, flags)
		}
	}
}

// A way to a place is a way, whatever the place is called; a step to a table is none.
func TestGoingInWordsOnly(t *testing.T) {
	for lang, list := range map[string]string{"en": `
move|You hurry back to the bakery.
move|You stroll to the market square.
move|You cross the grass and enter the tavern.
move|You step outside.
move|You go home and sleep.
move|You leave the bakery.
move|You slip out of the common room.
move|You return to the village.
move|Turning away, you walk out into the street.
move|You find yourself in the market square, where stalls are closing.
move|You follow the path and go down to the river and into the Whispering Wood.
|You pace back and forth, and the boards creak.
|You go through the drawers of the house.
|You enter into the spirit of the thing and hum.
|You step around the chairs to the shelves by the kitchen wall.
|You walk to the square of light on the floor.
|You step closer.
|You step back.
|You walk over to the table.
|You step up to Mr. Voss.
|You walk to Mr. Voss and bow.
|You go to the oven.
|You lean into the wind.
|You walk across the green, kicking at the grass.
|You walk to the middle of the green.
|You step into the shade of the lime trees.
|You step into the light.
|You move to the edge of the square.
|You stand outside, on the green.
|You hurry to keep up, and then stop.
|You walk in circles for a while.
|You could go home, or walk to the mill.
|You follow Osric with your eyes.
|You run your hand along the oven.
|You push the long table into the sun.
|You fall to your knees.
|You come to a decision.
|You want to walk to the bakery.
|"You walk to the bakery," says Osric.
|You return the look.
|You climb onto the table.
|You step to the window.
|You go to look at the hall clock.
`, "ru": `
move|Вы возвращаетесь в пекарню.
move|Вы выходите на тихую улицу.
move|Вы выходите наружу.
move|Вы идёте домой.
move|Вы выходите из дома.
|Вы подходите к столу.
|Вы делаете шаг назад.
|Вы идёте к печи.
|Вы шагаете к господину Воссу.
|Вы проходите в середину площади.
|Вы идёте по площади, глядя под ноги.
|Вы стоите на площади.
|Вы шагаете на Зелёной площади взад и вперёд.
|Вы опускаетесь на колени.
|Вы поднимаетесь на ноги.
|Вы могли бы пойти домой.
|Вы хотите выйти на улицу.
|Вы идёте на свет.
|Вы шагаете на другой край площади.
`, "zh": `
move|你走进大厅。
move|你走进面包房。
move|你回到村子的广场。
move|你离开酒馆。
move|你走出屋外，风很冷。
move|你来到外面。
move|你走回家里的厨房。
|你走到长桌旁。
|你走近一步。
|你退后一步。
|你走到沃斯先生面前。
|你走到绿广场中央。
|你走到炉子前。
|你想走进大厅。
|你站在绿广场上。
|你可以去面包房。
|你走到窗边。
|你走到菜根地窖的活板门前。
|离开的那座房子还在他梦里。
`} {
		drafts(t, village(t, lang), list)
	}
}

// Whoever went may be told to have gone.
func TestGoingThatWas(t *testing.T) {
	drafts(t, turntest.Scene(t, "en", "move"), "|You step outside and walk down to the old bakery.\n|You walk out of the house and into the street.")
	drafts(t, turntest.Scene(t, "ru", "move"), "|Вы выходите на улицу.")
	drafts(t, turntest.Scene(t, "zh", "move"), "|你走到外面的街上。")
}

// Somebody with a name is somebody whom the story has.
func TestPeopleWhoAreNot(t *testing.T) {
	for lang, list := range map[string]string{"en": `
person|Captain Morrow greets you from the far side.
person|Mr. Hale looks up.
person|At the table, Mrs. Dunmore looks up.
person|For a moment nothing stirs, and Elias Thorne nods.
person|Elias Thorne nods at you.
person|Old Bramwell nods from his chair.
person|The wind drops as Morrow smiles.
person|"Come closer," whispers Elias.
person|Sister Agnes hums a tune.
|Mr. Voss looks up.
|Voss nods, and Mr. Voss smiles.
|Brother Osric greets you. Osric nods.
|Captain Jack grins.
|Dust dances in the light. Silence answers you.
|Somebody nods. Everyone smiles.
|Thunder mutters, and Candlelight.
|"Captain Morrow greets you," says Osric.
|The Captain nods to no one.
|A statue of Lord Varrick stands by the wall.
|You think of the Crown, and smile.
|If Captain Morrow were here, you could ask.
|The Mill creaks. Old Mill wheels turn.
|On Monday the market opens, and nobody looks up.
|Mother, father and sister smile from the old picture.
`, "ru": `
person|Капитан Морроу кивает вам.
person|Вас встречает капитан Морроу.
person|У стены стоит госпожа Эльвира.
person|Ветер стихает, и Морроу улыбается.
person|«Подойдите», — шепчет Элиас.
|Господин Восс поднимает голову.
|Восс кивает. Вы киваете господину Воссу.
|Брат Осрик кивает. Осрику тоже холодно, и Осрик улыбается.
|Пыль улыбается свету.
|«Капитан Морроу ждёт», — говорит Осрик.
|Капитан кивает.
|Статуя Льва смотрит на вас.
`, "zh": `
person|莫罗队长向你打招呼。
|沃斯先生抬起头来。
|奥斯里克修士向你点头。
|一位先生的帽子挂在墙上。
|卫兵队长不在这里。
|各位女士先生都走了。
|那位可怜太太的披肩还在。
|“莫罗队长在等你。”奥斯里克说。
|这位夫人没有名字。
`} {
		turn := village(t, lang)
		for _, id := range []string{"npc_001", "pc_002"} {
			if turn.After.Actor(id) == nil {
				t.Fatal(id)
			}
		}
		drafts(t, turn, list)
	}
}

// Who was named before, by the story or by a player, may be named again.
func TestPeopleWhoWereNamed(t *testing.T) {
	for lang, list := range map[string][2]string{
		"en": {"They say that Captain Morrow sails at dawn.", "Captain Morrow greets you."},
		"ru": {"Говорят, на рассвете отплывает капитан Морроу.", "Капитан Морроу кивает вам."},
		"zh": {"听说莫罗队长黎明出发。", "莫罗队长向你打招呼。"},
	} {
		turn := village(t, lang)
		turn.Recent = []string{list[0]}
		if got := narration.Check(turn, list[1]); got != nil {
			t.Errorf("%s: %v", lang, got)
		}
		turn.Recent, turn.Says = nil, []account.Line{{Actor: "pc_001", Text: list[0]}}
		if got := narration.Check(turn, list[1]); got != nil {
			t.Errorf("%s: %v", lang, got)
		}
	}
}

// The same words are not told of another turn, unless they are the rules' own.
func TestToldBefore(t *testing.T) {
	for _, lang := range []string{"en", "ru", "zh"} {
		turn := turntest.Scene(t, lang, "take")
		draft := turntest.In(lang, "Dust drifts through the light.", "В луче света плывёт пыль.", "灰尘在一缕光里浮动。")
		turn.Recent = []string{"x", "  *" + strings.ToUpper(draft)}
		flags := narration.Check(turn, draft)
		if len(flags) != 1 || flags[0].Kind != narration.Meta || !strings.Contains(flags[0].Problem, "told before: tell what happened now") {
			t.Errorf("%s: %v", lang, flags)
		}
		idle := turntest.Scene(t, lang, "nothing")
		idle.Recent = turn.Recent
		if got := narration.Check(idle, draft); got != nil {
			t.Errorf("%s: nothing happened: %v", lang, got)
		}
		turn.Recent = []string{turn.Tell()}
		if told := turn.Tell(); slices.Contains(kinds(narration.Check(turn, told)), narration.Meta) || told != turn.Recent[0] {
			t.Errorf("%s: %q %v", lang, told, narration.Check(turn, told))
		}
	}
}
