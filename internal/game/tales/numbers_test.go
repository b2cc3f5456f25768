package tales_test

import (
	"strings"
	"testing"
	"time"

	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/tales"
	"hob/internal/game/world"
)

// byNumbers plays a tale by what is offered alone, always the first of it, and returns the labels that were picked and the world at the end.
func byNumbers(t *testing.T, tale tales.Tale, lang, seed string, most int) (picked []string, ended *world.World) {
	t.Helper()
	b := book(t)
	w, counts := begun(t, tale, tales.Start{Session: "s1", Lang: lang})
	s, err := eventlog.Create(t.Context(), eventlog.NewMemoryStorage(), eventlog.Beginning{ID: "c", Seed: game.SeedOf(seed), World: w, Counts: counts},
		game.Options(b, func() time.Time { return time.Unix(0, 0) }))
	if err != nil {
		t.Fatal(err)
	}
	for range most {
		list := story.Choices(s.World(), b, lang, s.World().Actor("pc_001"))
		if len(list) == 0 {
			break
		}
		picked = append(picked, list[0].Label)
		if _, err := s.Play(t.Context(), eventlog.Request{Calls: []rules.Call{{Tool: list[0].Tool, Args: list[0].Args.Bytes()}}, Counts: true}); err != nil {
			t.Fatal(err)
		}
	}
	return picked, s.World()
}

// Whoever only ever picks the first of what is offered comes to the good end of a tale, and is told how it ends.
func TestByNumbers(t *testing.T) {
	for _, tale := range tales.All() {
		endings := map[string]bool{}
		for _, lang := range rules.Langs() {
			picked, w := byNumbers(t, tale, lang, "a", 120)
			if self := w.Self(); self.EndedReason != "goal" || len(picked) < 30 {
				t.Errorf("%s.%s: %q after %d turns, of which the last were\n%s", tale.ID, lang, self.EndedReason, len(picked),
					strings.Join(picked[max(0, len(picked)-12):], "\n"))
			}
			ending := tales.Ending(w, lang)
			if n := len([]rune(ending)); n < 60 || n > 500 || endings[ending] {
				t.Errorf("%s.%s ends with %q", tale.ID, lang, ending)
			}
			endings[ending] = true
			first, _ := begun(t, tale, tales.Start{Lang: lang})
			if early := tales.Ending(first, lang); early != "" {
				t.Errorf("%s.%s ends before it has begun: %q", tale.ID, lang, early)
			}
		}
	}
}
