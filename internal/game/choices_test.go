package game_test

import (
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
)

// Whoever only ever does what is offered is never refused, opens doors, and gets to most of the map.
func TestChoicesCanBeTaken(t *testing.T) {
	book := game.Rules()
	opened, visited, places := 0, 0, 0
	for n := range 12 {
		start := game.Start{Seed: game.SeedOf(strconv.Itoa(n)), Size: 8, Lang: rules.Langs()[n%3]}
		w, counts, err := game.Begin(t.Context(), book, start)
		if err != nil {
			t.Fatal(err)
		}
		b := eventlog.Beginning{ID: "c", Seed: start.Seed, World: w, Counts: counts}
		s, err := eventlog.Create(t.Context(), eventlog.NewMemoryStorage(), b, game.Options(book, time.Now))
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(uint64(n), 1))
		for range 60 {
			list := story.Choices(s.World(), book, start.Lang, s.World().Actor("pc_001"))
			if len(list) == 0 {
				t.Fatalf("campaign %d: nothing can be done", n)
			}
			c := list[random.IntN(len(list))]
			p, err := s.Play(t.Context(), eventlog.Request{Calls: []rules.Call{{Tool: c.Tool, Args: c.Args.Bytes()}}})
			if err != nil {
				t.Fatal(err)
			}
			if o := p.Outcomes[0]; !o.OK() {
				t.Errorf("campaign %d offers %q, and then: %s", n, c.Label, book.Text("en", o.Say))
			} else if c.Tool == "set_link" {
				opened++
			}
		}
		for _, place := range s.World().Places() {
			if places++; place.Visited {
				visited++
			}
		}
	}
	if opened == 0 || visited*10 < places*7 {
		t.Errorf("%d doors were opened, %d of %d places were seen", opened, visited, places)
	}
}

// Whatever has happened before, what is offered can be done.
func TestEveryChoiceCanBeTaken(t *testing.T) {
	book := book(t)
	turns := 120
	if full() {
		turns = 1_500
	}
	tools := map[string]int{}
	for seed := range int64(15) {
		what := kinds()[seed%5]
		s := begin(t, book, eventlog.NewMemoryStorage(), what, seed)
		g := newGenerator(book, s, seed)
		for range turns {
			p, err := s.Play(t.Context(), g.request())
			if err != nil {
				t.Fatal(err)
			}
			if p.Ended || s.World().Self().Ended {
				break
			}
			self := s.World().Self()
			list := story.Choices(s.World(), book, "en", s.World().Actor(self.Active))
			if len(list) > 4 {
				t.Fatalf("%d choices", len(list))
			}
			for _, c := range list {
				tools[c.Tool]++
				p, err := s.Preview(t.Context(), eventlog.Request{Calls: []rules.Call{{Tool: c.Tool, Args: c.Args.Bytes()}}})
				if err != nil {
					t.Fatal(err)
				}
				if o := p.Outcomes[0]; !o.OK() {
					t.Fatalf("%s %d: turn %d offers %q, and then: %s", what, seed, s.Head(), c.Label, book.Text("en", o.Say))
				}
			}
		}
	}
	for _, tool := range []string{"attack", "move_object", "move_player", "set_container", "set_link", "talk", "look"} {
		if tools[tool] == 0 {
			t.Errorf("%s was never offered: %v", tool, tools)
		}
	}
}
