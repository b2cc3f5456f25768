package tales_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/rules"
	"hob/internal/game/tales"
	"hob/internal/game/world"
)

// Each tale has three heroes, of no skill better than five or worse than minus one, each with something in hand.
func TestTrades(t *testing.T) {
	everywhere(t, func(t *testing.T, tale tales.Tale, lang string) {
		list := tale.Trades(lang)
		if len(list) != 3 {
			t.Fatalf("%d trades", len(list))
		}
		sums := map[int64]bool{}
		for _, trade := range list {
			sum := int64(0)
			for _, skill := range []string{"force", "finesse", "wits", "charm", "lore"} {
				n, ok := trade.Stats[skill]
				if !ok || n < -1 || n > 5 {
					t.Errorf("%s: %s %d", trade.ID, skill, n)
				}
				sum += n
			}
			sums[sum] = true
			if trade.Name == "" || trade.Line == "" || trade.Has == "" || trade.HP < 8 {
				t.Errorf("%+v", trade)
			}
			w, _ := begun(t, tale, tales.Start{Lang: lang, Trade: trade.ID})
			hero := w.Actor("pc_001")
			if !cmp.Equal(hero.Stats, trade.Stats) || hero.HP != world.Known(trade.HP) || w.Contents("pc_001")[0].Name != trade.Has {
				t.Errorf("%s became %+v", trade.ID, hero)
			}
		}
		if len(sums) > 1 {
			t.Errorf("some heroes are better than others: %v", sums)
		}
	})
}

// Further players join where the party is, with ids of their own for themselves and what they carry; what they are added to
// stays as it is.
func TestHero(t *testing.T) {
	everywhere(t, func(t *testing.T, tale tales.Tale, lang string) {
		w, counts := begun(t, tale, tales.Start{Lang: lang})
		moved := *w.Actor("pc_001")
		moved.Place = w.Outs(moved.Place)[0].To
		if err := w.Apply(world.Event{Old: w.Actor("pc_001"), New: &moved}); err != nil {
			t.Fatal(err)
		}
		before, was := w.Hash(), counts["order"]
		trades := tale.Trades(lang)
		for i, name := range []string{" Bo ", ""} {
			events, next, err := tales.Hero(w, counts, lang, trades[0].ID, name, "user-7")
			if err != nil || w.Hash() != before || counts["order"] != was {
				t.Fatalf("%v; or the world changed", err)
			}
			for _, e := range events {
				if err := w.Apply(e); err != nil {
					t.Fatal(err)
				}
			}
			before, was, counts = w.Hash(), next["order"], next
			id := []string{"pc_002", "pc_003"}[i]
			a := w.Actor(id)
			want := []string{"Bo", trades[0].Name}[i]
			if a == nil || a.Name != want || a.Owner != "user-7" || a.Place != moved.Place || !slices.Contains(w.Self().Party, id) ||
				w.Self().Active != "pc_001" || len(w.Contents(id)) != len(w.Contents("pc_001")) || len(w.Validate()) > 0 {
				t.Errorf("%s: %+v, %q", id, a, w.Validate())
			}
		}
		if _, _, err := tales.Hero(w, counts, lang, "wizard", "", ""); err == nil {
			t.Error("a wizard joined")
		}
	})
	other := world.Empty()
	if _, _, err := tales.Hero(other, rules.Counts{}, "en", "", "", ""); err == nil {
		t.Error("somebody joined a campaign that is no tale")
	}
}
