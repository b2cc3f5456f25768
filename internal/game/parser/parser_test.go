package parser_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/game/parser"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// said returns the sentences of a language's table.
func said(t testing.TB, lang string) (list []string) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + lang + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if words, _, ok := strings.Cut(line, " → "); ok {
			list = append(list, words)
		}
	}
	return list
}

// drop takes records out of a world.
func drop(t testing.TB, w *world.World, records ...world.Record) {
	t.Helper()
	for _, r := range records {
		if err := w.Apply(world.Event{Old: r}); err != nil {
			t.Fatal(err)
		}
	}
}

// What is hidden comes to the same as what is not there at all, whatever is said.
func TestHidden(t *testing.T) {
	b := book(t)
	for _, lang := range rules.Langs() {
		n := names(lang)
		sentences := said(t, lang)
		for _, name := range []string{n["ring"], n["gem"], n["vault"], "ring", "vault", "crypt", "area_9"} {
			for _, form := range []string{
				"take %s", "look at %s", "open %s", "go to %s", "go %s", "open the door to %s", "put rope in %s", "ask Osric about %s",
				"take all from %s", "use key on %s", "взять %s", "идти в %s", "осмотреть %s", "拿%s", "去%s", "打开%s", "%s", "take %s and rope",
				"search %s", "look under %s", "look for %s", "search %s for gold", "examine %s closely", "обыскать %s", "заглянуть под %s", "найти %s", "搜查%s", "找%s",
			} {
				sentences = append(sentences, fmt.Sprintf(form, name))
			}
		}
		for i := range 10 {
			sentences = append(sentences, []string{"e", "go east", "восток", "东", "take all", "drop all", "out", "open door", "взять её", "拿它"}[i])
		}
		with, without := house(t, lang), house(t, lang)
		put(t, with, &world.Place{ID: "area_9", Order: 9, Name: "crypt", Secret: true}, &world.Link{From: "hall", To: "area_9", Dir: "s"},
			&world.Link{From: "area_9", To: "hall", Dir: "n"}, &world.Thing{ID: "pin", Name: "pin", Parent: "pc", Hidden: true},
			&world.Link{From: "hall", To: "attic", Dir: "u", Door: "closed", DoorID: "panel"}, &world.Thing{ID: "panel", Name: "panel", Hidden: true})
		drop(t, without, without.Link("hall", "vault"), without.Link("vault", "hall"), without.Place("vault"), without.Thing("ring"),
			without.Thing("gem"))
		for _, words := range append(sentences, "open panel", "go through panel", "open attic door", "lock attic door", "close the door to the attic", "go south", "drop pin", "take pin", "n") {
			for _, ear := range []parser.Options{{}, {NoModel: true}} {
				m, ok := ear.Read(with, b, lang, with.Actor("pc"), words)
				other, otherOK := ear.Read(without, b, lang, without.Actor("pc"), words)
				if diff := cmp.Diff(other, m); diff != "" || ok != otherOK {
					t.Errorf("%s: %q: %v, %v\n%s", lang, words, otherOK, ok, diff)
				}
			}
		}
		if hint := parser.Hint(with, b, lang, with.Actor("pc")); hint != parser.Hint(without, b, lang, without.Actor("pc")) {
			t.Errorf("the hint tells: %s", hint)
		}
	}
}

// Nobody can be shown something and pick, and nothing else.
func TestNobody(t *testing.T) {
	b := book(t)
	for _, lang := range rules.Langs() {
		w := house(t, lang)
		for _, words := range said(t, lang) {
			m, ok := parser.Read(w, b, lang, nil, words)
			if len(m.Calls)+len(m.Options) > 0 || m.Problem != "" {
				t.Errorf("%q: %+v", words, m)
			}
			for _, start := range []string{"show ", "pick "} {
				mine, mineOK := parser.Read(w, b, lang, w.Actor("pc"), words)
				if strings.HasPrefix(comes(mine, mineOK), start) && mine.Show != parser.ShowLook && comes(m, ok) != comes(mine, mineOK) {
					t.Errorf("%q: %+v, %v", words, m, ok)
				}
			}
		}
	}
}

func TestHint(t *testing.T) {
	b := book(t)
	for lang, want := range map[string]string{
		"en": "Say, for example: “look”, “go to Kitchen”, “take brass lamp”, “talk to Osric”, “inventory”, “map”, “choices”, “help”.",
		"ru": "Можно сказать, например: «осмотреться», «идти: Кухня», «взять: латунная лампа», «поговорить: Осрик», «инвентарь», «карта», «что делать», «помощь».",
		"zh": "可以这样说：“看”、“去厨房”、“拿铜灯”、“和奥斯里克说话”、“物品”、“地图”、“选项”、“帮助”。",
	} {
		w := house(t, lang)
		drop(t, w, w.Actor("anna"))
		got := parser.Hint(w, b, lang, w.Actor("pc"))
		if got != want {
			t.Errorf("%s: %s", lang, got)
		}
		for _, example := range strings.FieldsFunc(got, func(r rune) bool { return strings.ContainsRune("“”«»", r) })[1:] {
			if len(strings.Trim(example, " ,.、。")) > 0 {
				if _, ok := parser.Read(w, b, lang, w.Actor("pc"), example); !ok {
					t.Errorf("%s: %q is not understood", lang, example)
				}
			}
		}
	}
	w := house(t, "en")
	if got, want := parser.Hint(w, b, "en", nil), "Say, for example: “look”, “inventory”, “map”, “choices”, “help”."; got != want {
		t.Error(got)
	}
}

// One sentence and what it comes to in a world that differs a little.
func TestWorlds(t *testing.T) {
	b := book(t)
	key := func(id, name string) *world.Thing { return &world.Thing{ID: id, Name: name, Parent: "pc"} }
	link := func(to, door, lock string) *world.Link {
		return &world.Link{From: "hall", To: to, Dir: "d", Door: door, Lock: lock}
	}
	fight := &world.Encounter{Round: 1, Actors: []string{"pc", "guard"}}
	for _, test := range []struct {
		words, want string
		records     []world.Record
	}{
		{"go down", "! The door to Dark Cellar is locked, and you do not have the key to it.", []world.Record{link("cellar", "locked", "ghost")}},
		{"go down", "! The door to Dark Cellar is locked, and you do not have the key to it.", []world.Record{link("cellar", "locked", "")}},
		{"unlock cellar door", "! The door to Dark Cellar is locked, and you do not have the key to it.",
			[]world.Record{link("cellar", "locked", "spear")}},
		{"lock cellar door", `set_link {"from":"hall","to":"cellar","state":"locked"}`, []world.Record{link("cellar", "closed", "key")}},
		{"open iron gate", `set_link {"from":"hall","to":"cellar","state":"open"}`, []world.Record{
			&world.Link{From: "hall", To: "cellar", Dir: "d", Door: "closed", DoorID: "gate"}, &world.Thing{ID: "gate", Name: "iron gate", Fixed: true}}},
		{"go through the iron gate", `move_player {"player_id":"pc","target_location_id":"cellar"}`, []world.Record{
			&world.Link{From: "hall", To: "cellar", Dir: "d", Door: "open", DoorID: "gate"}, &world.Thing{ID: "gate", Name: "iron gate", Parent: "hall"}}},
		{"open chest", "! “oak chest” is locked, and you do not have the key to it.", []world.Record{
			&world.Thing{ID: "chest", Name: "oak chest", Parent: "hall", Locked: true, Lock: "ghost"}}},
		{"unlock chest with iron key", `set_container {"object_id":"chest","state":"open","actor_id":"pc"}`, []world.Record{
			&world.Thing{ID: "chest", Name: "oak chest", Parent: "hall", Locked: true, Lock: "key"}}},
		{"lock chest with iron key", `set_container {"object_id":"chest","state":"locked","actor_id":"pc"}`, []world.Record{
			&world.Thing{ID: "chest", Name: "oak chest", Parent: "hall", Container: true, Lock: "key"}}},
		{"use key on chest", "! “iron key” does not fit “oak chest”.", []world.Record{
			&world.Thing{ID: "chest", Name: "oak chest", Parent: "hall", Locked: true, Lock: "ghost"}}},
		{"open chest with the old key", "! “old key” does not fit “oak chest”.", []world.Record{key("k2", "old key"),
			&world.Thing{ID: "chest", Name: "oak chest", Parent: "hall", Locked: true, Lock: "key"}}},
		{"take gem from chest", `move_object {"object_id":"gem","target_id":"pc"}`, []world.Record{
			&world.Thing{ID: "chest", Name: "oak chest", Parent: "hall", Container: true}}},
		{"take spear from Osric", `move_object {"object_id":"spear","target_id":"pc"}`, []world.Record{
			&world.Actor{ID: "guard", Name: "Osric", Place: "hall", State: world.Dead}}},
		{"take spear", `move_object {"object_id":"spear","target_id":"pc"}`, []world.Record{
			&world.Actor{ID: "guard", Name: "Osric", Place: "hall", State: world.Unconscious}}},
		{"take rope", "! Mara cannot do anything now. Somebody else has to help.", []world.Record{
			&world.Actor{ID: "pc", Name: "Mara", Place: "hall", State: world.Dying}}},
		{"look at rope", `look {"target_id":"rope"}`, []world.Record{&world.Actor{ID: "pc", Name: "Mara", Place: "hall", State: world.Dying}}},
		{"take pebble", `move_object {"object_id":"p1","target_id":"pc"}`, []world.Record{
			&world.Thing{ID: "p1", Name: "pebble", Parent: "hall"}, &world.Thing{ID: "p2", Name: "pebble", Parent: "hall"}}},
		{"take pebble", "! Which do you mean: 1. pebble p1, 2. pebble p2? Say the number or the whole name.", []world.Record{
			&world.Thing{ID: "p1", Name: "pebble", Parent: "hall"}, &world.Thing{ID: "p2", Name: "pebble", Parent: "basket"}}},
		{"take p2", `move_object {"object_id":"p2","target_id":"pc"}`, []world.Record{
			&world.Thing{ID: "p1", Name: "pebble", Parent: "hall"}, &world.Thing{ID: "p2", Name: "pebble", Parent: "basket"}}},
		{"take statue", `move_object {"object_id":"s2","target_id":"pc"}`, []world.Record{
			&world.Thing{ID: "s1", Name: "big statue", Parent: "hall", Fixed: true}, &world.Thing{ID: "s2", Name: "small statue", Parent: "hall"}}},
		{"take 2 pebbles", "! Which do you mean: 1. pebble p1, 2. pebble p2? Say the number or the whole name.", []world.Record{
			&world.Thing{ID: "p1", Name: "pebble", Parent: "hall", Qty: 3}, &world.Thing{ID: "p2", Name: "pebble", Parent: "basket", Qty: 3}}},
		{"go to the garden", "! No way leads there from here. Ways lead to: up — Attic, down — Dark Cellar, west — Kitchen, north — Yard.",
			[]world.Record{&world.Link{From: "kitchen", To: "garden", Hidden: true}}},
		{"go to the garden", "! No way leads there from here. Ways lead to: up — Attic, down — Dark Cellar, west — Kitchen, north — Yard.",
			[]world.Record{&world.Place{ID: "kitchen", Name: "Kitchen"}}},
		{"open the chest and take the gem", `set_container {"object_id":"chest","state":"open","actor_id":"pc"} + move_object {"object_id":"gem","target_id":"pc"}`, nil},
		{"open the basket and take the rope", "! “basket” is open already.", nil},
		{"take rope and take gem", "-", nil},
		{"осмотреть замка", `look {"target_id":"padlock"}`, []world.Record{&world.Thing{ID: "padlock", Name: "замок", Parent: "hall"}}},
		{"look" + strings.Repeat("!", 396), "show look", nil},
		{"look" + strings.Repeat("!", 397), "-", nil},
		{"wait", "next_turn {}", []world.Record{fight}},
		{"pass", "next_turn {}", []world.Record{fight}},
		{"wait 10 minutes", "-", []world.Record{fight}},
		{"end the fight", "encounter_end {}", []world.Record{fight}},
		{"attack Osric", `attack {"attacker_id":"pc","target_id":"guard","weapon_id":"axe"}`, []world.Record{
			&world.Thing{ID: "axe", Order: 99, Name: "axe", Parent: "pc", Stats: map[string]int64{"damage": 8}}}},
		{"ask Osric about keys", `talk {"npc_id":"guard","topic":"Key"}`, []world.Record{
			&world.Actor{ID: "guard", Name: "Osric", Place: "hall", Talk: []world.Talk{{Text: "Hm."}, {Topic: "Lock", Keys: []string{"Key"}, Text: "?"}}}}},
		{"look at banana stand", "-", []world.Record{&world.Place{ID: "hall", Name: "Hall", Desc: "A stand of bananas."}}},
		{"roll wits", "! That is switched off in this story.", []world.Record{&world.Self{Allow: []string{"look"}}}},
	} {
		w := house(t, "en")
		put(t, w, test.records...)
		m, ok := read(t, w, b, "en", parser.Options{}, test.words)
		for _, o := range m.Options {
			if strings.HasPrefix(test.words, "take 2 ") != strings.Contains(string(o.Calls[0].Args), `"qty":2`) {
				t.Errorf("%q: option %s is %s", test.words, o.Label, o.Calls[0].Args)
			}
		}
		if got := comes(m, ok); got != test.want {
			t.Errorf("%q comes to\n%s, not to\n%s", test.words, got, test.want)
		}
	}
	w := set(t, &world.Self{AllowAll: true}, &world.Actor{ID: "a", Place: "nowhere"})
	for words, want := range map[string]string{
		"go north": "! No way leads anywhere from here.", "take": "! There is nothing here that could be taken.", "take all": "! There is nothing here that could be taken.",
		"drop all": "-", "open": "! Say what or whom, too. There is nothing in sight here, though: say “look”.", "open door": "! There is no door there.",
		"drop": "! You have nothing that you could put down.",
	} {
		if got := comes(parser.Read(w, b, "en", w.Actor("a"), words)); got != want {
			t.Errorf("nowhere: %q: %s", words, got)
		}
	}
}

// Without a tool to talk with, talking is for a model.
func TestNoTalk(t *testing.T) {
	w := house(t, "en")
	b, err := rules.New()
	if err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]string{"talk to Osric": "-", "take rope": "-", "go north": "-", "look": "show look"} {
		if got := comes(parser.Read(w, b, "en", w.Actor("pc"), words)); got != want {
			t.Errorf("%q: %s", words, got)
		}
	}
}

// Words that are added to a command never make half of it a command: either all of it is understood, or nothing is.
func TestNoHalves(t *testing.T) {
	b := book(t)
	more := []string{"for my mother", "because I like it", "and whistle", "unless it rains", "so that nobody sees me", "с грустью в сердце", "和悲伤的心情"}
	for _, lang := range rules.Langs() {
		w := house(t, lang)
		for _, words := range said(t, lang) {
			m, ok := parser.Read(w, b, lang, w.Actor("pc"), words)
			if !ok || len(m.Calls) == 0 {
				continue
			}
			for _, tail := range more {
				if m, ok := parser.Read(w, b, lang, w.Actor("pc"), words+" "+tail); ok && len(m.Calls) > 0 && !strings.Contains(comes(m, ok), `"topic"`) {
					t.Errorf("%q comes to %s", words+" "+tail, comes(m, ok))
				}
			}
		}
	}
}

// Whatever is put together from the words of commands and names is read without a fault, and comes to calls that name what can be seen.
func TestWordSalad(t *testing.T) {
	b := book(t)
	words := strings.Fields("take the brass lamp oil rope and then go to door cellar north put in on give Osric it all open with key , . ? ask about " +
		"взять лампу и дверь в погреб ключом Осрику её на с 拿 灯 门 把 给 从 里 的 去 它 3 coins 2d6 check wits // (( look i")
	w := house(t, "en")
	rapid.Check(t, func(t *rapid.T) {
		said := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 12).Draw(t, "words"), " ")
		m, ok := parser.Read(w, b, "en", w.Actor("pc"), said)
		sound(t, m, ok)
		for _, c := range m.Calls {
			for _, hidden := range []string{`"ring"`, `"gem"`, `"vault"`} {
				if strings.Contains(string(c.Args), hidden) {
					t.Fatalf("%q names %s", said, hidden)
				}
			}
		}
	})
}

// sound reports what cannot be right in a meaning, whatever was said.
func sound(t interface{ Fatalf(string, ...any) }, m parser.Meaning, ok bool) {
	kinds := 0
	for _, is := range []bool{len(m.Calls) > 0, m.Show != "", m.Pick != 0, m.Problem != ""} {
		if is {
			kinds++
		}
	}
	if ok && kinds != 1 || !ok && kinds != 0 || len(m.Calls) > parser.MostCalls || m.Pick < 0 || m.Pick > 9 || !utf8.ValidString(m.Problem) ||
		len(m.Options) > 9 || len(m.Options) > 0 && m.Problem == "" {
		t.Fatalf("%v: %+v", ok, m)
	}
	for _, c := range m.Calls {
		if c.Actor != "pc" || c.Tool == "" || !strings.HasPrefix(string(c.Args), "{") {
			t.Fatalf("%+v", c)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, lang := range rules.Langs() {
		for i, words := range said(f, lang) {
			if i%5 == 0 {
				f.Add(lang, words)
			}
		}
	}
	for _, words := range []string{
		"", " ", "/", "//", "((", "(())", "\xff\xfe", "take \xff lamp", "take\x00lamp", strings.Repeat("take lamp and ", 9000), strings.Repeat("拿", 400),
		strings.Repeat("а", 400), strings.Repeat("и ", 200), strings.Repeat("the ", 99), "take -", "'", "--", "!?!?", "\u0306и\u0306", "take 99999999999999 coins",
		"no, wait", "don't", "the 's", "“ ” i ask", "别", strings.Repeat("给", 60), strings.Repeat("положи в на ", 10), "put " + strings.Repeat("a in ", 12) + "b", "1️⃣", "①", "\u202etake lamp",
	} {
		f.Add("en", words)
	}
	b := book(f)
	w := house(f, "en")
	f.Fuzz(func(t *testing.T, lang, words string) {
		m, ok := parser.Options{NoModel: true}.Read(w, b, lang, w.Actor("pc"), words)
		sound(t, m, ok)
		m, ok = parser.Read(w, b, lang, w.Actor("pc"), words)
		sound(t, m, ok)
		if aside, is := parser.Aside(words); is && ok || !utf8.ValidString(aside) {
			t.Fatalf("%q is out of character (%v: %q), and a command (%v)", words, is, aside, ok)
		}
	})
}

// crowded is a place with twenty objects, as many more in hand and in a box, and a few people.
func crowded(b *testing.B, lang string) *world.World {
	w := house(b, lang)
	for i := range 14 {
		put(b, w, &world.Thing{ID: fmt.Sprintf("obj_%d", i), Order: int64(100 + i), Name: fmt.Sprintf("painted wooden toy %d", i), Parent: "hall"})
	}
	return w
}

func BenchmarkRead(b *testing.B) {
	book := book(b)
	for _, c := range [][2]string{
		{"en", "look"}, {"en", "take the brass lamp"}, {"en", "unlock the cellar door with the iron key"}, {"en", "take rope and go north"},
		{"ru", "взять латунную лампу"}, {"ru", "go north"}, {"zh", "拿起铜灯"}, {"zh", "把信放进篮子里"},
		{"en", "I wonder whether the old Miller would lend me his boat tomorrow"}, {"en", strings.Repeat("put it in ", 15)},
		{"zh", strings.Repeat("把给", 30)},
	} {
		w := crowded(b, c[0])
		b.Run(c[0]+" "+c[1][:min(len(c[1]), 30)], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				parser.Read(w, book, c[0], w.Actor("pc"), c[1])
			}
		})
	}
}
