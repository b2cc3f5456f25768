package narration_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/account"
	"hob/internal/game/account/turntest"
	"hob/internal/game/narration"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

func kinds(flags []narration.Flag) (list []string) {
	for _, f := range flags {
		if !slices.Contains(list, f.Kind) {
			list = append(list, f.Kind)
		}
		if f.Problem == "" {
			list = append(list, "no problem")
		}
	}
	return list
}

func TestCheck(t *testing.T) {
	for _, test := range []struct{ name, lang, scene, draft, want string }{
		{"a take that was", "en", "take", "You take the bone key.", ""},
		{"a take that was not", "en", "nothing", "You take the bone key.", "item"},
		{"a gift of somebody unknown", "en", "nothing", "A stranger gives you a golden ring.", "item"},
		{"denied", "en", "nothing", "You do not take the bone key. You never picked up the rope.", ""},
		{"tried", "en", "nothing", "You try to take the rope, and want to grab the bone key.", ""},
		{"asked", "en", "nothing", "Do you take the bone key?", ""},
		{"possible", "en", "nothing", "If you take the bone key, the door opens. You could enter the Flooded Crypt.", ""},
		{"said", "en", "nothing", `Osric says, "You took the bone key and killed the rat."`, ""},
		{"the past", "en", "nothing", "The rope you took glints in the light.", ""},
		{"a mark", "en", "take", "You take [object:obj_001:the bone key].", ""},
		{"a mark of nothing", "en", "take", "You take [object:obj_777:the bone key].", "item"},
		{"a quotation that does not end", "en", "nothing", `"You take the rope. The rat dies.`, "item,death"},
		{"denied", "ru", "nothing", "Вы не берёте костяной ключ. Взять верёвку не удаётся.", ""},
		{"asked", "ru", "nothing", "Вы берёте костяной ключ?", ""},
		{"possible", "ru", "nothing", "Если вы возьмёте верёвку, Осрик уйдёт. Вы могли бы войти в Затопленный склеп.", ""},
		{"dialogue by a dash", "ru", "nothing", "— Вы убили крысу, — говорит Осрик.", ""},
		{"order of words", "ru", "nothing", "Костяной ключ вы берёте без колебаний.", "item"},
		{"a case", "ru", "move", "Вы оказываетесь в Затопленном склепе.", ""},
		{"denied", "zh", "nothing", "你没有拿起骨钥匙，也没能进入淹水墓室。", ""},
		{"an idiom is no denial", "zh", "nothing", "你毫不犹豫地拿起绳子。", "item"},
		{"possible", "zh", "nothing", "如果你拿起绳子，老鼠就会跑。你想走进淹水墓室。", ""},
		{"which one", "zh", "nothing", "死去的老汤姆躺在地上。", ""},
		{"the dead speak", "en", "nothing", `"Go," says Old Tom.`, "person"},
		{"the dead act", "en", "nothing", "Old Tom nods at you.", "person"},
		{"the dead lie", "en", "nothing", "Old Tom lies on the floor.", ""},
		{"the absent act", "ru", "nothing", "Мельничиха Лена улыбается вам.", "person"},
		{"a dead thing", "en", "nothing", "A dead rope hangs from the beam.", ""},
		{"a body and a damage", "en", "nothing", "A splinter opens your palm, and something in your shoulder pops. Blood wells up.", "hp"},
		{"a body that something is near", "en", "nothing", "A beam snaps an inch from your knee.", ""},
		{"a pocket by any verb", "en", "nothing", "Osric tucks a warm roll into your pocket.", "item"},
		{"a pocket of the hero's own", "ru", "nothing", "Вы суёте руки в карманы.", ""},
		{"off by any verb", "en", "nothing", "Osric hobbles off.", "move"},
		{"who lies there", "zh", "nothing", "奥斯里克躺在地上。", "death"},
		{"somebody who speaks", "en", "nothing", "“Mind the step,” says the old gardener.", "person"},
		{"somebody who comes in", "ru", "nothing", "На лавке у окна дует на блюдце почтальон.", "person"},
		{"reported", "en", "nothing", "The rat, he says, is dead.", ""},
		{"a lid", "en", "nothing", "The lid of the chest flips up and stands ajar.", "state"},
		{"steps", "en", "nothing", "Footsteps fade overhead.", "move"},
		{"JSON", "en", "nothing", `{"tool": "look"}`, "meta"},
		{"a fence", "en", "nothing", "```\nYou wait.\n```", "meta"},
		{"a tool", "en", "nothing", "You wait, and move_object is called.", "meta"},
		{"nothing", "en", "nothing", " \n… ", "empty"},
		{"another language", "zh", "nothing", "You wait here for a while.", "language"},
		{"a line in speech", "en", "nothing", `"Spiders!" cries Osric.`, "line"},
		{"a line in another case", "ru", "nothing", "На стене вы видите паука.", "line"},
		{"a hidden thing", "en", "nothing", "There is a ruby amulet in the dust.", "secret"},
		{"a secret place", "en", "move", "Behind the water lies the Drowned Shrine.", "secret"},
		{"a pair of hit points", "en", "hurt", "You are at 8/12 HP.", ""},
		{"another pair", "en", "hurt", "You are at 7/12 HP.", "hp"},
		{"a number as a word", "en", "hurt", "You lose five hit points.", "hp"},
		{"some of all, in words", "en", "hurt", "Seven of twelve remain.", "hp"},
		{"what was lost of all, in words", "en", "hurt", "Four of twelve are gone.", ""},
		{"the right ones of all, in words", "en", "hurt", "Eight of twelve remain.", ""},
		{"what a thing leaves", "en", "take", "You pick up the bone key, and it leaves a dark ring where it lay.", ""},
		{"a part of a thing", "en", "take", "You take the bone key, its ring cold in your hand.", ""},
		{"the right word", "en", "hurt", "You lose four hit points.", ""},
	} {
		t.Run(test.lang+" "+test.name, func(t *testing.T) {
			flags := narration.Check(turntest.Scene(t, test.lang, test.scene), test.draft)
			if got := strings.Join(kinds(flags), ","); got != test.want {
				t.Errorf("%q: %q, want %q: %v", test.draft, got, test.want, flags)
			}
		})
	}
}

func TestWhatIsKnownMayBeNamed(t *testing.T) {
	turn := turntest.Scene(t, "en", "nothing")
	const draft = "A faint light comes from the Drowned Shrine."
	if got := kinds(narration.Check(turn, draft)); !cmp.Equal(got, []string{"secret"}) {
		t.Errorf("%v", got)
	}
	turn.Recent = []string{"They say that there is a drowned shrine below."}
	if got := narration.Check(turn, draft); got != nil {
		t.Errorf("%v", got)
	}
}

// A name that is known to be of something else names nobody.
func TestNamesWithinTitles(t *testing.T) {
	turn := turntest.Scene(t, "en", "nothing")
	const draft = "The Rain Lena is on everybody's lips."
	if got := kinds(narration.Check(turn, draft)); !cmp.Equal(got, []string{"person"}) {
		t.Errorf("%v", got)
	}
	turn.Recent = []string{"They sing of the Rain Lena, the flood of old."}
	if got := narration.Check(turn, draft); got != nil {
		t.Errorf("%v", got)
	}
}

// What stands behind 着 does nothing itself: it is the hero who misses here, and the hound that hits.
func TestBehindZhe(t *testing.T) {
	turn := secondTurn(t, secondScripts(t, "fresh_turns.txt")["f_bitten"], "zh")
	drafts(t, turn, "|你的锤子贴着苍白猎犬的耳朵擦过。\noutcome|苍白猎犬的牙齿擦过你的手臂，没有咬到。")
}

// Whoever is healed may be in pain.
func TestPainOfTheHealed(t *testing.T) {
	turn := secondTurn(t, secondScripts(t, labelledTurns, "fresh_turns.txt", "blind_turns.txt", "ninth_turns.txt", "tenth_turns.txt", "eleventh_turns.txt")["p_heal"], "zh")
	drafts(t, turn, "|你替杰克包好腿，他疼得直吸气。\nhp|你替杰克包好腿，自己却疼得直吸气。")
}

func TestAnEmptyTurn(t *testing.T) {
	var turn account.Turn
	if turn.Tell() == "" || narration.Check(turn, "You wait.") != nil || len(turn.Facts()) > 0 || turn.Ask() == "" {
		t.Errorf("%q %v %v", turn.Tell(), narration.Check(turn, "You wait."), turn.Facts())
	}
}

// big is a world of about a thousand entities.
func big(t testing.TB, lang string) account.Turn {
	turn := turntest.Scene(t, lang, "take")
	for i := range 1000 {
		name := turntest.In(lang, "Carved Idol ", "Резной Идол ", "雕像") + string(rune('A'+i%26)) + string(rune('a'+i/26%26))
		r := &world.Thing{ID: "obj_x" + name, Order: int64(i + 500), Name: name, Parent: []string{"area_001", "area_004"}[i%2]}
		if turn.After.Apply(world.Event{New: r}) != nil {
			r.ID += string(rune('0' + i%10))
			_ = turn.After.Apply(world.Event{New: r})
		}
	}
	return turn
}

func BenchmarkCheck(b *testing.B) {
	for _, lang := range []string{"en", "ru", "zh"} {
		b.Run(lang, func(b *testing.B) {
			turn := big(b, lang)
			draft := strings.Repeat(turntest.In(lang, "You stoop and take the bone key while Brother Osric watches, and the rat hisses. ",
				"Вы берёте костяной ключ, Осрик следит за вами, а крыса шипит. ", "你拿起骨钥匙，奥斯里克看着你，洞鼠嘶嘶叫。"), 8)
			for b.Loop() {
				narration.Check(turn, draft)
			}
		})
	}
}

func FuzzCheck(f *testing.F) {
	for _, s := range []string{"", "\xff\xfe", "You take the bone key (15 against 12).", "[object:obj_001:", "— Да, — \n—", "“”«»「", "7/12 →", "点", "你把",
		strings.Repeat("You take it and ", 3000), strings.Repeat("—\n", 20000)} {
		f.Add(s)
	}
	turns := map[string]account.Turn{}
	for _, lang := range []string{"en", "ru", "zh"} {
		turns[lang] = turntest.Scene(f, lang, "hit")
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, lang := range []string{"en", "ru", "zh"} {
			flags := narration.Check(turns[lang], s)
			if len(flags) > 12 {
				t.Fatalf("%d flags", len(flags))
			}
			for _, flag := range flags {
				if flag.Kind == "" || flag.Problem == "" {
					t.Fatalf("%+v", flag)
				}
			}
		}
	})
}

// A draft that is much too long, or that is nothing but names and verbs, is read all the same.
func TestLongDrafts(t *testing.T) {
	for _, lang := range []string{"en", "ru", "zh"} {
		turn := big(t, lang)
		for _, s := range []string{turntest.In(lang, "take key idol ", "берёте ключ идол ", "拿起钥匙雕像你"), "\xff\x00", "“", "7/12 ", "点", "—\n"} {
			flags := narration.Check(turn, strings.Repeat(s, 100_000/len(s)))
			if !slices.Contains(append(kinds(flags), "empty"), "meta") && !cmp.Equal(kinds(flags), []string{"empty"}) {
				t.Errorf("%s %q: %v", lang, s, flags)
			}
		}
	}
}

// Rare Chinese characters have four bytes. A text of them is read to its end, as any other is.
func TestRareCharacters(t *testing.T) {
	for _, lang := range rules.Langs() {
		narration.Check(turntest.Scene(t, lang, "take"), "𠮷𠮷 takes 𠮷. 𠮷野家")
	}
}
