package tales_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game"
	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/tales"
	"hob/internal/game/world"
)

// everywhere runs a test for each tale in each language.
func everywhere(t *testing.T, test func(t *testing.T, tale tales.Tale, lang string)) {
	t.Helper()
	for _, tale := range tales.All() {
		for _, lang := range rules.Langs() {
			t.Run(tale.ID+" "+lang, func(t *testing.T) { test(t, tale, lang) })
		}
	}
}

// What a player is offered before a story begins, and the world that it begins in.
func TestBegin(t *testing.T) {
	everywhere(t, func(t *testing.T, tale tales.Tale, lang string) {
		w, counts := begun(t, tale, tales.Start{Session: "s1", Lang: lang})
		again, others := begun(t, tale, tales.Start{Session: "s1", Lang: lang})
		if w.Hash() != again.Hash() || !cmp.Equal(counts, others) {
			t.Error("the same beginning is another world")
		}
		self, hero := w.Self(), w.Actor("pc_001")
		if breaches := w.Validate(); len(breaches) > 0 || hero == nil || !w.Place(hero.Place).Visited {
			t.Fatalf("%q, %+v", breaches, hero)
		}
		if self.Session != "s1" || self.Title != tale.Title(lang) || self.Lang != lang || self.Active != "pc_001" || !self.ClockSet ||
			self.GoalText == "" || self.MilestoneSummary == "" || self.Genre != tale.ID || len(self.Lines)+len(self.Veils) > 0 {
			t.Errorf("%+v", self)
		}
		if n := utf8.RuneCountInString(tale.Pitch(lang)); n == 0 || n > 120 {
			t.Errorf("a pitch of %d characters", n)
		}
		for seed := range 20 { // which have all variants
			if n := sentences(tale.Opening(lang, game.SeedOf(strconv.Itoa(seed)))); n < 3 || n > 7 {
				t.Errorf("an opening of %d sentences", n)
			}
		}
		if n := len(w.Places()); n < 8 || n > 14 {
			t.Errorf("%d places", n)
		}
		people := slices.DeleteFunc(w.Actors(), func(a *world.Actor) bool { return a.Role != "npc" })
		if len(people) < 4 || len(people) > 7 {
			t.Errorf("%d people", len(people))
		}
		for _, a := range people {
			if topics := topics(a); a.Wants == "" || a.Secret == "" || len(a.Talk[0].Keys) > 0 || topics < 2 {
				t.Errorf("%s: wants %q, %d topics", a.ID, a.Wants, topics)
			}
		}
		if len(w.LoreList()) < 4 || !slices.ContainsFunc(w.Clocks(), func(c *world.Clock) bool { return c.Fails != "" && c.Visible }) {
			t.Error("there is no lore, or nothing to lose")
		}
	})
}

// sentences counts sentences; what follows the end of one is a space, or in Chinese nothing.
func sentences(text string) (n int) {
	for i, r := range text {
		rest := text[i+utf8.RuneLen(r):]
		if r == '。' || strings.ContainsRune(".!?", r) && (rest == "" || rest[0] == ' ') {
			n++
		}
	}
	return n
}

func topics(a *world.Actor) int {
	names := map[string]bool{}
	for _, t := range a.Talk {
		if t.Topic != "" {
			names[t.Topic] = true
		}
	}
	return len(names)
}

// Every language has the words of the others, none is left over, and each is in its own script.
func TestWords(t *testing.T) {
	everywhere(t, func(t *testing.T, tale tales.Tale, lang string) {
		words := wordsOf(t, tale.ID, lang)
		if diff := cmp.Diff(keys(wordsOf(t, tale.ID, "en")), keys(words)); diff != "" {
			t.Fatal(diff)
		}
		var used strings.Builder
		for _, trade := range tale.Trades(lang) {
			w, _ := begun(t, tale, tales.Start{Lang: lang, Trade: trade.ID})
			used.Write(w.AppendState(nil))
			used.Write(world.AppendString(nil, trade.Name))
		}
		used.Write(world.AppendString(nil, tale.Pitch(lang)))
		over, _ := begun(t, tale, tales.Start{Lang: lang})
		self := *over.Self()
		self.Ended, self.EndedReason = true, "goal"
		if err := over.Apply(world.Event{Old: over.Self(), New: &self}); err != nil {
			t.Fatal(err)
		}
		used.Write(world.AppendString(nil, tales.Ending(over, lang)))
		for seed := range 20 { // which have all variants of what is told once
			used.Write(world.AppendString(nil, tale.Opening(lang, game.SeedOf(strconv.Itoa(seed)))))
			w, _ := begun(t, tale, tales.Start{Lang: lang, Seed: game.SeedOf(strconv.Itoa(seed))})
			used.Write(w.AppendState(nil))
		}
		for key, text := range words {
			parts := []string{text}
			if strings.HasSuffix(key, ".keys") {
				parts = strings.Split(text, ",")
			}
			for _, part := range parts {
				if quoted := string(world.AppendString(nil, strings.TrimSpace(part))); !strings.Contains(used.String(), quoted) {
					t.Errorf("%s is used nowhere: %s", key, part)
				}
			}
			if !written(text, lang) {
				t.Errorf("%s is in another script: %s", key, text)
			}
		}
	})
}

func keys(words map[string]string) (list []string) {
	for key := range words {
		list = append(list, key)
	}
	slices.Sort(list)
	return list
}

// written reports whether a text is in the script of a language, initials of names aside.
func written(text, lang string) bool {
	foreign := map[string]*unicode.RangeTable{"en": unicode.Cyrillic, "ru": unicode.Han, "zh": unicode.Cyrillic}
	own := map[string]*unicode.RangeTable{"en": unicode.Latin, "ru": unicode.Cyrillic, "zh": unicode.Han}
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(foreign[lang], r) }) {
		return false
	}
	latin := strings.IndexFunc(text, func(r rune) bool { return unicode.Is(unicode.Latin, r) && unicode.IsLower(r) })
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(own[lang], r) }) && (lang == "en" || latin < 0)
}

// Directions are true on the grid, every way there is leads back, no two places share a cell, and ways join neighbours only, so
// that no line crosses another.
func TestMap(t *testing.T) {
	for _, tale := range tales.All() {
		w, _ := begun(t, tale, tales.Start{Lang: "en"})
		steps := map[string]world.Cell{"n": {Y: -1}, "s": {Y: 1}, "e": {X: 1}, "w": {X: -1}}
		back := map[string]string{"n": "s", "s": "n", "e": "w", "w": "e", "u": "d", "d": "u"}
		cells := map[world.Cell]string{}
		for _, p := range w.Places() {
			if other := cells[*p.Grid]; other != "" {
				t.Errorf("%s: %s lies upon %s", tale.ID, p.ID, other)
			}
			cells[*p.Grid] = p.ID
			if len(p.Desc) > 300 && w.Self().Lang == "en" {
				t.Errorf("%s: %s is described in %d bytes", tale.ID, p.ID, len(p.Desc))
			}
		}
		for _, l := range w.Links() {
			from, to := w.Place(l.From).Grid, w.Place(l.To).Grid
			d := world.Cell{X: to.X - from.X, Y: to.Y - from.Y}
			if step, flat := steps[l.Dir]; flat && d != step || d.X*d.X+d.Y*d.Y != 1 || back[l.Dir] == "" {
				t.Errorf("%s: %s does not lie %q of %s", tale.ID, l.To, l.Dir, l.From)
			}
			r := w.Link(l.To, l.From)
			if r == nil || r.Dir != back[l.Dir] || r.Door != l.Door || r.Lock != l.Lock || r.Minutes != l.Minutes {
				t.Errorf("%s: the way from %s to %s is another one back: %+v", tale.ID, l.From, l.To, r)
			}
		}
	}
}

// Wherever the party is, the whole of the place is in its scene: what it is like, the ways and the things, and nothing that is
// secret.
func TestScenes(t *testing.T) {
	everywhere(t, func(t *testing.T, tale tales.Tale, lang string) {
		w, _ := begun(t, tale, tales.Start{Lang: lang})
		for _, p := range w.Places() {
			moved := *w.Actor("pc_001")
			moved.Place = p.ID
			if err := w.Apply(world.Event{Old: w.Actor("pc_001"), New: &moved}); err != nil {
				t.Fatal(err)
			}
			block := story.Scene(w, story.SceneInput{Turn: 1})
			want := []string{p.Name, p.Desc}
			sight := story.SightFrom(w, p, "pc_001")
			for _, l := range sight.Exits {
				want = append(want, w.Place(l.To).Name)
			}
			for _, thing := range sight.Things {
				want = append(want, thing.Name)
			}
			for _, text := range want {
				if !strings.Contains(block, text) {
					t.Errorf("%s: no %q in the scene:\n%s", p.ID, text, block)
				}
			}
			for _, secret := range secrets(w) {
				if len(block) > story.MaxScene || strings.Contains(strings.ToLower(block), strings.ToLower(secret)) {
					t.Errorf("%s: %q in a scene of %d bytes:\n%s", p.ID, secret, len(block), block)
				}
			}
		}
	})
}

// A title and a hero of the player's own are taken; a tale, a hero and a book that there are not are refused in one sentence.
func TestBegin_Otherwise(t *testing.T) {
	tale, ok := tales.ByID("mystery")
	if _, other := tales.ByID("romance"); !ok || other {
		t.Fatal("which tales there are")
	}
	w, _ := begun(t, tale, tales.Start{Lang: "fr", Hero: " Ann ", Trade: "mummer", Title: " Fog "})
	hero := w.Actor("pc_001")
	if hero.Name != "Ann" || hero.Stats["charm"] != 4 || w.Thing("obj_mirror_001") == nil {
		t.Errorf("%+v", hero)
	}
	if self := w.Self(); self.Title != "Fog" || self.Lang != "en" {
		t.Errorf("%+v", self)
	}
	empty, err := rules.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		tale  tales.Tale
		book  *rules.Book
		trade string
		want  string
	}{
		{tales.Tale{ID: "romance"}, book(t), "", `there is no tale "romance": use cosy, mystery or dungeon`},
		{tale, book(t), "sapper", `begin the tale "mystery": there is no hero "sapper": choose mummer, physician, postrider`},
		{tale, empty, "", `begin the tale "mystery": it cannot be played without the tool look`},
	} {
		if _, _, err := test.tale.Begin(test.book, tales.Start{Lang: "en", Trade: test.trade}); err == nil || err.Error() != test.want {
			t.Errorf("%v: %v", test.tale, err)
		}
	}
}
