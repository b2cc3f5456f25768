package parser_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/parser"
	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/world"
)

// turn plays calls on a world with the real rules.
func turn(t testing.TB, w *world.World, b *rules.Book, calls []rules.Call) *rules.Turn {
	t.Helper()
	seed, counts := game.SeedOf("turn"), rules.Counts{"order": 1000}
	played := &rules.Turn{Unbound: true, Book: b, World: w, Number: 1, Services: rules.Services{
		Counts:  &counts,
		Letters: func(n int, words ...string) string { return eventlog.Letters(seed, n, words...) },
		Throw:   func(expr string, no int64) (rules.Roll, error) { return game.Throw(seed, 1, no, expr) },
	}}
	played.Batch(t.Context(), calls)
	return played
}

// Whatever sentence of the tables comes to calls, the rules do all of them.
func TestSentencesCanBeDone(t *testing.T) {
	b := book(t)
	done := 0
	for _, lang := range rules.Langs() {
		data, err := os.ReadFile("testdata/" + lang + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			words, _, ok := strings.Cut(line, " → ")
			w := house(t, lang)
			m, _ := read(t, w, b, lang, parser.Options{}, words)
			if !ok || len(m.Calls) == 0 {
				continue
			}
			for _, o := range turn(t, w, b, m.Calls).Outcomes {
				if done++; !o.OK() {
					t.Errorf("%s: %q: %s %s: %s", lang, words, o.Call.Tool, o.Call.Args, b.Text("en", o.Say))
				}
			}
		}
	}
	if done < 250 {
		t.Errorf("only %d calls were made", done)
	}
}

// Where several things may be meant, each option is a call that can be done.
func TestOptions(t *testing.T) {
	b := book(t)
	for _, words := range []string{"take lamp", "open door", "out", "go through the door"} {
		w := house(t, "en")
		m, ok := parser.Read(w, b, "en", w.Actor("pc"), words)
		if !ok || m.Problem == "" || len(m.Options) < 2 {
			t.Errorf("%q: %+v", words, m)
		}
		for _, o := range m.Options {
			w := house(t, "en")
			for _, outcome := range turn(t, w, b, o.Calls).Outcomes {
				if !outcome.OK() || !strings.Contains(m.Problem, o.Label) {
					t.Errorf("%q, %s: %s; %s", words, o.Label, b.Text("en", outcome.Say), m.Problem)
				}
			}
		}
	}
}

// effect is what calls make of a world, which is as it was afterwards.
func effect(t testing.TB, w *world.World, b *rules.Book, calls []rules.Call) string {
	t.Helper()
	played := turn(t, w, b, calls)
	for _, o := range played.Outcomes {
		if !o.OK() {
			return "refused: " + b.Text("en", o.Say)
		}
	}
	hash := w.Hash() + fmt.Sprint(played.Rolls)
	if err := w.Revert(played.Events); err != nil {
		t.Fatal(err)
	}
	return hash
}

// natural returns what players say for a choice, from what it is called and from the call.
func natural(lang string, c story.Choice) []string {
	said := []string{c.Label, strings.ToUpper(c.Label) + "!", "  " + c.Label + " . "}
	polite := map[string]string{"en": "I %s, please", "ru": "пожалуйста, %s", "zh": "请%s"}
	said = append(said, fmt.Sprintf(polite[lang], c.Label))
	prefixes := map[string][2][]string{
		"en": {{"Take ", "Go to ", "Open the door to ", "Look at "}, {"pick up the ", "go ", "open door to the ", "examine the "}},
		"ru": {{"Взять: ", "Идти: ", "Открыть дверь: ", "Осмотреть: "}, {"подобрать ", "пойти в ", "открой дверь в ", "посмотреть на "}},
		"zh": {{"拿起", "前往", "打开通往", "查看"}, {"捡起", "去", "开通往", "看看"}},
	}
	for i, prefix := range prefixes[lang][0] {
		if name, ok := strings.CutPrefix(c.Label, prefix); ok {
			said = append(said, prefixes[lang][1][i]+name)
		}
	}
	return said
}

// Whatever is offered in a new campaign can be said in words, by its label and in others, and has the same effect.
func TestChoicesCanBeSaid(t *testing.T) {
	b := book(t)
	campaigns, steps := 9, 25
	if full() {
		campaigns, steps = 60, 80
	}
	tools := map[string]int{}
	for n := range campaigns {
		start := game.Start{
			Seed: game.SeedOf(fmt.Sprint(n)), Size: 4 + n%9, Lang: rules.Langs()[n%3], Theme: []string{"", "crypt", "ship", "лес", "town"}[n%5],
		}
		w, counts, err := game.Begin(t.Context(), b, start)
		if err != nil {
			t.Fatal(err)
		}
		s, err := eventlog.Create(t.Context(), eventlog.NewMemoryStorage(), eventlog.Beginning{ID: "c", Seed: start.Seed, World: w, Counts: counts},
			game.Options(b, func() time.Time { return time.Unix(0, 0) }))
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(uint64(n), 9))
		for range steps {
			w := s.World()
			list := story.Choices(w, b, start.Lang, w.Actor("pc_001"))
			for _, c := range list {
				want := effect(t, w, b, []rules.Call{{Tool: c.Tool, Args: c.Args.Bytes()}})
				tools[c.Tool]++
				for _, words := range natural(start.Lang, c) {
					m, ok := parser.Read(w, b, start.Lang, w.Actor("pc_001"), words)
					if !ok || len(m.Calls) == 0 {
						t.Fatalf("campaign %d: %q is not understood: %v %+v", n, words, ok, m)
					}
					if got := effect(t, w, b, m.Calls); got != want {
						t.Fatalf("campaign %d: %q comes to %s, not to %s %s: %s", n, words, comes(m, ok), c.Tool, c.Args.Bytes(), got)
					}
				}
			}
			words := list[random.IntN(len(list))].Label
			m, _ := parser.Read(w, b, start.Lang, w.Actor("pc_001"), words)
			if _, err := s.Play(t.Context(), eventlog.Request{Calls: m.Calls}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if tools["move_player"] == 0 || tools["move_object"] == 0 || tools["set_link"] == 0 {
		t.Errorf("what was offered: %v", tools)
	}
}

// fixture returns a world from a save of the seeds.
func fixture(t testing.TB, b *rules.Book, name string) *world.World {
	t.Helper()
	data, err := os.ReadFile("../testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := game.Read(t.Context(), data, eventlog.NewMemoryStorage(), game.Import{Seed: "w", Opt: game.Options(b, time.Now)})
	if err != nil {
		t.Fatal(err)
	}
	return s.World()
}

// In the worlds of the seeds players go and take with what these worlds allow.
func TestSeeds(t *testing.T) {
	b := book(t)
	for _, test := range []struct{ world, actor, words, want string }{
		{"w1", "char_ann", "go to the attic", `move_player {"player_id":"char_ann","target_location_id":"loc_attic"}`},
		{"w1", "char_ann", "take key", `move_object {"object_id":"obj_key","target_id":"char_ann"}`},
		{"w1", "char_ann", "взять key", `move_object {"object_id":"obj_key","target_id":"char_ann"}`},
		{"w1", "char_ann", "drop the knife", `move_object {"object_id":"obj_knife","target_id":"loc_hall"}`},
		{"w1", "char_ann", "take map", "! There is no “map” here. Say “look” to see what there is."},
		{"w1", "char_ann", "put the knife in the box", `move_object {"object_id":"obj_knife","target_id":"obj_box","relation":"in"}`},
		{"w1", "char_ann", "go to the isle", "! No way leads there from here. Ways lead to: Yard, Attic, Vault."},
		{"w2", "pc_001", "go to the court", `move {"actor_id":"pc_001","to_area_id":"area_002"}`},
		{"w2", "pc_001", "court", "-"},
		{"w2", "pc_001", "roll 2d6", "! That is switched off in this story."},
		{"w2", "pc_001", "look", "show look"},
	} {
		w := fixture(t, b, test.world)
		m, ok := parser.Read(w, b, "en", w.Actor(test.actor), test.words)
		if got := comes(m, ok); got != test.want {
			t.Errorf("%s: %q comes to %s, not to %s", test.world, test.words, got, test.want)
		}
		for _, o := range turn(t, w, b, m.Calls).Outcomes {
			if !o.OK() {
				t.Errorf("%s: %q: %s", test.world, test.words, b.Text("en", o.Say))
			}
		}
	}
	w := fixture(t, b, "w3")
	for _, actor := range w.Actors() {
		m, ok := parser.Read(w, b, "en", actor, "travel to the East Post")
		if got := comes(m, ok); got != `move_to_zone {"session_id":"s1","to_zone_id":"zone_600_0_0"}` {
			t.Errorf("w3: %s", got)
		}
		if o := turn(t, w, b, m.Calls).Outcomes; len(o) != 1 || !o[0].OK() {
			t.Errorf("w3: %+v", o)
		}
	}
}
