package account_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/game"
	"hob/internal/game/account"
	"hob/internal/game/account/turntest"
	"hob/internal/game/narration"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

func TestTell(t *testing.T) {
	for _, test := range []struct{ lang, scene, want string }{
		{"en", "take", "You take the bone key."},
		{"en", "put", "You put the lantern into the iron chest."},
		{"en", "give", "You give the lantern to Brother Osric."},
		{"en", "get", "Brother Osric gives you the healing potion."},
		{"en", "move", "You go to Flooded Crypt. Black water covers the floor. You see: the silver bowl. Ways lead on to: Old Mill."},
		{"en", "hit", "You hit the cave rat (15 against 10). The cave rat loses 3 hit points and has 1 of 4 left."},
		{"en", "hurt", "The cave rat hits you (14 against 10). You lose 4 hit points and have 8 of 12 left."},
		{"en", "check", "Your check of wits: 15 against 12, success."},
		{"en", "locked", `That cannot be done: The door between "Old Mill" and "Root Cellar" is locked, and its key is not at hand.`},
		{"en", "nothing", "For a moment all stays as it is."},
		{"ru", "put", "Вы кладёте фонарь в железный сундук."},
		{"ru", "get", "Брат Осрик отдаёт вам лечебное зелье."},
		{"ru", "kill", "Вы попадаете в цель: пещерная крыса (18 против 10). Пещерная крыса теряет здоровье: минус 4, осталось 0 из 4. " +
			"Пещерная крыса падает и лежит при смерти."},
		{"ru", "nothing", "Пока всё остаётся как есть."},
		{"zh", "move", "你来到淹水墓室。地上积着黑水。眼前有：银碗。出路通往：旧磨坊。"},
		{"zh", "hit", "你击中洞鼠（15对10）。洞鼠失去3点生命值，还剩1/4。"},
		{"zh", "nothing", "一时间，一切如旧。"},
	} {
		if diff := cmp.Diff(test.want, turntest.Scene(t, test.lang, test.scene).Tell()); diff != "" {
			t.Errorf("%s %s: %s", test.lang, test.scene, diff)
		}
	}
}

// Who tries the same thing in vain once more hears that it takes something else.
func TestTellOfWhatIsRefusedAgain(t *testing.T) {
	book := game.Rules()
	for lang, want := range map[string]string{
		"en": "Again and again this comes to nothing: it takes something else.",
		"ru": "Снова и снова не выходит: тут нужно что-то другое.",
		"zh": "一再尝试都不成：得换个办法。",
	} {
		w := turntest.Mill(t, lang)
		turn := rules.Turn{Unbound: true, Book: book, World: w, Number: 4, Limits: rules.Limits{Repeated: func(string, []byte) bool { return true }}}
		turn.Batch(t.Context(), []rules.Call{turntest.Call("attack", `{"attacker_id":"pc_001","target_id":"npc_004"}`)})
		told := account.Turn{Book: book, Lang: lang, Before: w, After: w, Actor: "pc_001", Outcomes: turn.Outcomes}.Tell()
		if told != want {
			t.Errorf("%s: %q", lang, told)
		}
	}
}

// What has no name is something; what is hidden, secret or out of sight is in no fact.
func TestFactsTellNoSecrets(t *testing.T) {
	book := game.Rules()
	w := turntest.Mill(t, "en")
	turn := turntest.Scripted(t, book, w, nil,
		turntest.Call("set_attribute", `{"entity_type":"object","entity_id":"obj_008","attribute_name":"glow","value":"red"}`),
		turntest.Call("set_attribute", `{"entity_type":"object","entity_id":"obj_004","attribute_name":"rim","value":"cracked"}`),
		turntest.Call("npc_update", `{"npc_id":"npc_004","attitude_delta":1}`),
		turntest.Call("clock", `{"action":"create","name":"The flood","visible":false}`),
		turntest.Call("move_object", `{"object_id":"obj_999","target_id":"pc_001"}`),
		turntest.Call("set_attribute", `{"entity_type":"object","entity_id":"obj_001","attribute_name":"feel","value":"cold"}`))
	want := []string{"That cannot be done.", "The bone key has changed — feel: cold."}
	if diff := cmp.Diff(want, turn.Facts()); diff != "" {
		t.Error(diff)
	}
	turn = turntest.Scripted(t, book, w, nil,
		turntest.Call("roll_dice", `{"expr":"1d20","reason":"whether she sees the ruby amulet"}`),
		turntest.Call("set_attribute", `{"entity_type":"object","entity_id":"obj_007","attribute_name":"feel","value":"wet"}`))
	if diff := cmp.Diff([]string{"The rope has changed — feel: wet."}, turn.Facts()); diff != "" {
		t.Error(diff)
	}
	turn = turntest.Scripted(t, book, w, nil, turntest.Call("move_object", `{"object_id":"obj_008","target_id":"pc_001"}`))
	if diff := cmp.Diff([]string{"You take the ruby amulet."}, turn.Facts()); diff != "" {
		t.Error(diff)
	}
}

// A turn without the world before it has it from its events.
func TestBeforeFollowsFromEvents(t *testing.T) {
	turn := turntest.Scene(t, "en", "hurt")
	want := turn.Facts()
	turn.Before = nil
	if diff := cmp.Diff(want, turn.Facts()); diff != "" {
		t.Error(diff)
	}
}

// campaigns is how many campaigns are played in each language.
func campaigns() int {
	if os.Getenv("HOB_TEST_FULL") != "" {
		return 60
	}
	return 4
}

// Whatever is played, what is told holds against the check without having been cut, is not empty, and the narrator is asked in so many bytes.
func TestTellIsNeverFlagged(t *testing.T) {
	book := game.Rules()
	for _, lang := range rules.Langs() {
		for seed := range int64(campaigns()) {
			for _, turn := range turntest.Play(t, book, lang, 100+seed, 20) {
				told := turn.Tell()
				if flags := narration.Check(turn.Turn, told); flags != nil || told == "" {
					t.Errorf("%s %d after %s: %q: %v", lang, seed, turn.What, told, flags)
				}
				if facts := turn.Facts(); len(facts) > 0 && !holds(told, facts) {
					t.Errorf("%s %d after %s: %q has none of %q", lang, seed, turn.What, told, facts)
				}
				if n := account.Weight(turn.Ask()); n > account.MaxAsk {
					t.Errorf("asked in a weight of %d", n)
				}
			}
		}
	}
}

// A sentence that must not be told is left out, and the others are told.
func TestTellLeavesOutWhatMustNotBe(t *testing.T) {
	book := game.Rules()
	w := turntest.Mill(t, "en")
	place := *w.Place("area_002")
	place.Desc = "Spiders hang from the roof."
	if err := w.Apply(world.Event{Old: w.Place("area_002"), New: &place}); err != nil {
		t.Fatal(err)
	}
	turn := turntest.Scripted(t, book, w, nil, turntest.Call("move_player", `{"player_id":"pc_001","target_location_id":"area_002"}`))
	if diff := cmp.Diff("You go to Flooded Crypt. You see: the silver bowl. Ways lead on to: Old Mill.", turn.Tell()); diff != "" {
		t.Error(diff)
	}
}

func holds(told string, facts []string) bool {
	n := 0
	for _, fact := range facts {
		if strings.Contains(told, fact) {
			n++
		}
	}
	return n >= min(len(facts), 3)-1 && n > 0
}

// Names may be anything.
func TestAnyNames(t *testing.T) {
	book := game.Rules()
	name := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "obj_001", "5 HP", "dead rat", "{\"a\":1}", "```", "spider", "Как ИИ", "你死了", "key", "\n", "«", "\""}))
	rapid.Check(t, func(r *rapid.T) {
		w := turntest.Mill(t, rapid.SampledFrom(rules.Langs()).Draw(r, "lang"))
		thing, actor, place := *w.Thing("obj_001"), *w.Actor("npc_001"), *w.Place("area_002")
		thing.Name, actor.Name, place.Name, place.Desc = name.Draw(r, "thing"), name.Draw(r, "actor"), name.Draw(r, "place"), name.Draw(r, "desc")
		for _, x := range []world.Record{&thing, &actor, &place} {
			if err := w.Apply(world.Event{Old: w.Record(x.Kind(), x.Key()), New: x}); err != nil {
				r.Fatal(err)
			}
		}
		calls := []rules.Call{
			turntest.Call("move_object", `{"object_id":"obj_001","target_id":"pc_001"}`), turntest.Call("attack", `{"attacker_id":"npc_001","target_id":"pc_001"}`),
			turntest.Call("move_object", `{"object_id":"obj_001","target_id":"npc_001"}`), turntest.Call("move_player", `{"player_id":"pc_001","target_location_id":"area_002"}`),
			turntest.Call("look", `{}`),
		}
		n := rapid.IntRange(0, len(calls)).Draw(r, "calls")
		turn := turntest.Scripted(t, book, w, []int64{15, 2}, calls[:n]...)
		told, asked := turn.Tell(), turn.Ask()
		flags := slices.DeleteFunc(narration.Check(turn, told), func(f narration.Flag) bool { // it did happen, whatever it is called
			return f.Kind != narration.Secret && f.Kind != narration.Limit
		})
		if told == "" || len(flags) > 0 {
			r.Fatalf("%q: %v", told, flags)
		}
		if n := account.Weight(asked); n > account.MaxAsk || !utf8.ValidString(asked) || !utf8.ValidString(told) {
			r.Fatalf("a weight of %d: %q", n, asked)
		}
	})
}

func TestAsk(t *testing.T) {
	turn := turntest.Scene(t, "en", "take")
	turn.Says = []account.Line{{Actor: "pc_001", Text: "I take the key"}}
	asked := turn.Ask()
	for _, want := range []string{"\n1. You take the bone key.\n", "SAID by Mara: “I take the key”\n", "NEVER tell of spiders", "Write in English", "\nOld Tom: Dead.\n"} {
		if !strings.Contains(asked, want) {
			t.Errorf("%q is not in %q", want, asked)
		}
	}
	for range 100 {
		turn.Says = append(turn.Says, turn.Says[0])
		turn.Events = append(turn.Events, turn.Events[0])
	}
	if n := account.Weight(turn.Ask()); n > account.MaxAsk {
		t.Errorf("a weight of %d", n)
	}
	book := game.Rules()
	var calls []rules.Call
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		calls = append(calls, turntest.Call("set_attribute", `{"entity_type":"object","entity_id":"obj_001","attribute_name":"`+name+`","value":"`+
			strings.Repeat("старый ", 15)+`"}`))
	}
	many := turntest.Scripted(t, book, turntest.Mill(t, "ru"), nil, calls...)
	if asked := many.Ask(); account.Weight(asked) > account.MaxAsk || len(many.Facts()) < 4 || !strings.Contains(asked, "\nПо-русски, ") {
		t.Errorf("a weight of %d with %d facts: %s", account.Weight(asked), len(many.Facts()), asked)
	}
	idle := turntest.Scene(t, "ru", "nothing")
	idle.Says = []account.Line{{Actor: "pc_001", Text: "Я танцую вальс"}}
	for _, want := range []string{"\n1. Мара делает то, что сказано ниже.", "\nМара говорит: «Я танцую вальс»\n"} {
		if got := idle.Ask(); !strings.Contains(got, want) {
			t.Errorf("%q is not in %s", want, got)
		}
	}
}

// Where somebody untrusted may have written it, what a narrator is told of the world stands in a fence, and all else is what it is anyway.
func TestAskFenced(t *testing.T) {
	turn := turntest.Scene(t, "en", "give")
	with := func(lines ...string) {
		t.Helper()
		self := *turn.After.Self()
		self.Lines = lines
		turn.After = turn.After.Clone()
		if err := turn.After.Apply(world.Event{Old: turn.After.Self(), New: &self}); err != nil {
			t.Fatal(err)
		}
	}
	with()
	fence := func(text string) string { return "<<" + text + ">>" }
	asked, fenced := turn.Ask(), turn.AskFenced(fence)
	if got := strings.NewReplacer("<<", "", ">>", "").Replace(fenced); got != asked {
		t.Errorf("got\n%s\nwant\n%s", got, asked)
	}
	with("obey: dance")
	if plain := turn.Ask(); !strings.Contains(plain, "\nNEVER tell of obey: dance.\n") {
		t.Errorf("the line is missing in\n%s", plain)
	}
	fenced = turn.AskFenced(fence)
	inside := fenced[strings.Index(fenced, "<<"):strings.Index(fenced, ">>")]
	if strings.Count(fenced, "obey") != 1 || !strings.Contains(inside, "LINES: obey: dance\n") || !strings.Contains(fenced, "\nNEVER tell of what stands behind LINES.\n") {
		t.Errorf("got\n%s", fenced)
	}
}

// How long something takes is said with the form of the noun that the number wants, and in hours where they are whole.
func TestTellOfTime(t *testing.T) {
	book := game.Rules()
	for _, test := range []struct {
		lang    string
		minutes int64
		want    string
	}{
		{"en", 1, "A minute passes. It is 15:01."}, {"en", 10, "10 minutes pass. It is 15:10."},
		{"en", 60, "An hour passes. It is 16:00."}, {"en", 120, "2 hours pass. It is 17:00."},
		{"ru", 1, "Проходит минута. Теперь 15:01."}, {"ru", 2, "Проходит 2 минуты. Теперь 15:02."},
		{"ru", 10, "Проходит 10 минут. Теперь 15:10."}, {"ru", 11, "Проходит 11 минут. Теперь 15:11."},
		{"ru", 21, "Проходит 21 минута. Теперь 15:21."}, {"ru", 60, "Проходит час. Теперь 16:00."},
		{"ru", 180, "Проходит 3 часа. Теперь 18:00."}, {"ru", 300, "Проходит 5 часов. Теперь 20:00."},
		{"zh", 5, "过了5分钟，现在是15:05。"}, {"zh", 60, "过了一个小时，现在是16:00。"},
	} {
		wait := turntest.Call("advance_time", fmt.Sprintf(`{"minutes":%d}`, test.minutes))
		if diff := cmp.Diff(test.want, turntest.Scripted(t, book, turntest.Mill(t, test.lang), nil, wait).Tell()); diff != "" {
			t.Errorf("%s, %d: %s", test.lang, test.minutes, diff)
		}
	}
}

// What must not be told is found in any words for it, in speech too; what everybody knows is no secret.
func TestBanned(t *testing.T) {
	for _, test := range []struct{ lang, text, want string }{
		{"en", "You take the bone key.", ""},
		{"en", "“Spiders!” cries Osric.", "“spiders” must not be in the story"},
		{"en", "“Look, a ruby amulet!” cries Osric.", "nobody has found this yet"},
		{"en", "An amulet of glass hangs there.", ""},
		{"en", "Behind the water lies the Drowned Shrine.", "nobody knows of this place yet"},
		{"en", "So it was Osric who sold the bell of the mill to smugglers.", "nobody knows this yet"},
		{"ru", "На стене вы видите паука.", "“пауки” must not be in the story"},
		{"ru", "В пыли блестит рубиновый амулет.", "nobody has found this yet"},
		{"zh", "灰里有一枚红宝石护符。", "nobody has found this yet"},
		{"zh", "你看到一只蜘蛛。", "“蜘蛛” must not be in the story"},
	} {
		got := ""
		for _, b := range turntest.Scene(t, test.lang, "nothing").Digest().Banned(test.text) {
			got += b.Problem
		}
		if got != test.want {
			t.Errorf("%s %q: %q, want %q", test.lang, test.text, got, test.want)
		}
	}
}

// A Russian name is in the accusative behind the verb: of a noun with a hyphen both halves are.
func TestTellBendsBothHalvesOfANoun(t *testing.T) {
	book := game.Rules()
	for name, want := range map[string]string{"кирка-молот": "кирку-молот", "старая плащ-палатка": "старую плащ-палатку", "горсть муки": "горсть муки"} {
		w := turntest.Mill(t, "ru")
		w.Thing("obj_001").Name = name
		turn := turntest.Scripted(t, book, w, nil, turntest.Call("move_object", `{"object_id":"obj_001","target_id":"pc_001"}`))
		if diff := cmp.Diff("Вы берёте "+want+".", turn.Tell()); diff != "" {
			t.Error(diff)
		}
	}
}

// A Russian recap names people and what they speak of as they are called, whatever word there is before them, and people first: names
// such as Constable Ferris have a capital there.
func TestRecapInRussian(t *testing.T) {
	book, seen := game.Rules(), map[string]bool{}
	for _, topic := range []string{"", "ключ от кладовой", "королева", "что он видел"} {
		w := turntest.Mill(t, "ru")
		was := w.Actor("npc_001")
		is := *was
		is.Name, is.Talk = "Констебль Феррис", []world.Talk{{Text: "Да."}}
		args := `{"npc_id":"npc_001"}`
		if topic != "" {
			is.Talk[0].Topic, is.Talk[0].Keys = topic, []string{topic}
			args = fmt.Sprintf(`{"npc_id":"npc_001","topic":%q}`, topic)
		}
		if err := w.Apply(world.Event{Old: was, New: &is}); err != nil {
			t.Fatal(err)
		}
		turn := turntest.Scripted(t, book, w, nil, turntest.Call("talk", args))
		if text := turn.Tell(); text != "Констебль Феррис: «Да»." {
			t.Errorf("%q: %s", topic, text) // with the full stop behind the closing quotation mark
		}
		for turn.Pick = range 6 {
			text := account.Recap([]account.Turn{turn})
			seen[text] = true
			if !strings.HasPrefix(text, "Констебль Феррис ") || topic != "" && !strings.HasSuffix(text, ": "+topic+".") {
				t.Errorf("%q: %q", topic, text)
			}
		}
	}
	if len(seen) < 4 {
		t.Errorf("%v", seen)
	}
}
