package game_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// A new campaign is complete without a model: a map of the size that was asked for, whose locks can be opened, a character who
// stands at its entry, and a clock. The same seed begins the same world.
func TestBegin(t *testing.T) {
	book := book(t)
	heroes := map[string]string{"en": "Hero", "ru": "Герой", "zh": "主角"}
	for size := 1; size <= 30; size++ {
		for _, lang := range rules.Langs()[size%3 : size%3+1] {
			start := game.Start{Session: "s", Title: "T", Lang: lang, Theme: " Crypt ", Size: size, Seed: game.SeedOf(fmt.Sprint(size))}
			w, counts, err := game.Begin(t.Context(), book, start)
			if err != nil {
				t.Fatal(err)
			}
			hero, self := w.Actor("pc_001"), w.Self()
			if breaches := w.Validate(); len(breaches) > 0 || len(w.Places()) != size || hero == nil || hero.Name != heroes[lang] ||
				hero.Place != w.Inner("")[0].ID || !w.Place(hero.Place).Visited {
				t.Fatalf("%d %s: %q, %+v in %d places", size, lang, breaches, hero, len(w.Places()))
			}
			if self.Session != "s" || self.Title != "T" || self.Active != "pc_001" || !self.ClockSet || !rules.Allowed(self, "look") {
				t.Errorf("%d %s: %+v", size, lang, self)
			}
			c := chart{entry: hero.Place, rooms: map[string]*world.Place{}, ways: map[string][]*world.Link{}, keys: map[string]string{}}
			for _, p := range w.Places() {
				c.rooms[p.ID], c.ways[p.ID] = p, w.Outs(p.ID)
			}
			for _, key := range w.Things() {
				c.keys[key.ID] = key.Parent
			}
			if err := c.check(size); err != nil {
				t.Errorf("%d %s: %v", size, lang, err)
			}
			again, others, err := game.Begin(t.Context(), book, start)
			if err != nil || again.Hash() != w.Hash() || !cmp.Equal(counts, others) {
				t.Errorf("%d %s: another world, %v", size, lang, err)
			}
		}
	}
	if _, _, err := game.Begin(t.Context(), book, game.Start{Size: 31}); err == nil || !strings.Contains(err.Error(), "30") {
		t.Errorf("31 places: %v", err)
	}
	if w, _, err := game.Begin(t.Context(), book, game.Start{Hero: " Ann "}); err != nil || len(w.Places()) != 8 ||
		w.Actor("pc_001").Name != "Ann" {
		t.Errorf("the usual size: %v", err)
	}
}

// What a campaign is called, and its dice, follow from the save where nobody says otherwise.
func TestRead(t *testing.T) {
	book := book(t)
	save := []byte(`{"session_id":"s1","player_static_data":{"player_id":"p"}}`)
	read := func(data []byte, im game.Import) *eventlog.Log {
		t.Helper()
		im.Opt = game.Options(book, noon)
		s, _, err := game.Read(t.Context(), data, eventlog.NewMemoryStorage(), im)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := read(save, game.Import{})
	if s.ID() != "s1" || read(save, game.Import{}).Reveal() != s.Reveal() || read(append(save, ' '),
		game.Import{}).Reveal() == s.Reveal() {
		t.Errorf("campaign %q with the seed %s", s.ID(), s.Reveal())
	}
	other := read(save, game.Import{ID: "mine", Seed: "word", Lang: "zh"})
	if other.ID() != "mine" || other.Reveal() != fmt.Sprintf("%x", game.SeedOf("word")) || other.World().Self().Lang != "zh" {
		t.Errorf("campaign %q with the seed %s", other.ID(), other.Reveal())
	}
	state, err := game.State(t.Context(), other, "hob")
	if err != nil {
		t.Fatal(err)
	}
	if again := read(state, game.Import{}); again.Reveal() != other.Reveal() || again.StateHash() != other.StateHash() {
		t.Error("a state is another campaign when it is read again")
	}
	if _, err := game.State(t.Context(), s, "004"); err == nil {
		t.Error("a shape that there is not")
	}
	for _, bad := range []string{"", "{}", "[]", "{", `{"log":1}`, `{"format":"hob-state","version":9,"state":{}}`} {
		log := eventlog.NewMemoryStorage()
		if _, _, err := game.Read(t.Context(), []byte(bad), log, game.Import{Opt: game.Options(book, noon)}); err == nil {
			t.Errorf("%q was read", bad)
		}
		if _, err := eventlog.Load(t.Context(), log, game.Options(book, noon)); err == nil {
			t.Errorf("%q left something behind", bad)
		}
	}
}
