package game_test

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"testing"

	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// walker goes up and down the tree of a campaign, and remembers the state after each turn as it was when it was played.
type walker struct {
	*generator
	s      *eventlog.Log
	log    *eventlog.MemoryStorage
	states []string // by turn
}

// step does one thing: a turn, a move, or a name.
func (w *walker) step(t *testing.T) {
	t.Helper()
	var err error
	switch n := w.IntN(20); {
	case n < 8:
		var p eventlog.PlayResult
		if p, err = w.s.Play(t.Context(), w.request()); err == nil && !p.Ended {
			w.states = append(w.states, w.s.StateHash())
		}
	case n < 13:
		_, err = w.s.Undo(t.Context(), w.IntN(4), eventlog.Origin{})
	case n < 17:
		_, err = w.s.Redo(t.Context(), w.IntN(4), eventlog.Origin{})
	case n < 19:
		_, err = w.s.Switch(t.Context(), strconv.Itoa(w.IntN(len(w.states))), eventlog.Origin{})
	default:
		err = w.s.Branch(t.Context(), fmt.Sprintf("b%d", len(w.s.Branches())), eventlog.Origin{})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// However one goes about in the tree of a campaign, the world at a turn is the one that was there when it was played, which is
// also what a fold of the log from its beginning comes to.
func TestWalk(t *testing.T) {
	book := book(t)
	steps := 250
	if full() {
		steps = 2_500
	}
	for i, what := range kinds() {
		log := eventlog.NewMemoryStorage()
		s := begin(t, book, log, what, int64(i))
		w := &walker{generator: newGenerator(book, s, int64(i)), s: s, log: log, states: []string{s.StateHash()}}
		for n := range steps {
			w.step(t)
			if head := s.Head(); s.StateHash() != w.states[head] || s.World().Hash() != w.states[head] {
				t.Fatalf("%s: step %d: the state at turn %d is not the one that was played", what, n, head)
			}
			if n%50 == 49 {
				w.refold(t, book)
			}
		}
		for turn, state := range w.states {
			if at, err := s.At(t.Context(), int64(turn)); err != nil || at.Hash() != state {
				t.Fatalf("%s: turn %d: %v", what, turn, err)
			}
		}
		if len(w.states) < steps/5 || len(s.Tips()) < 5 {
			t.Errorf("%s: %d turns with %d ends: not much of a walk", what, len(w.states), len(s.Tips()))
		}
	}
}

// refold loads the log from its lines alone.
func (w *walker) refold(t *testing.T, book *rules.Book) {
	t.Helper()
	fresh, err := eventlog.Load(t.Context(), lines(t, w.log), w.opt(book))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(fresh.World().AppendState(nil)), string(w.s.World().AppendState(nil)); got != want ||
		fresh.Head() != w.s.Head() {
		t.Fatalf("turn %d: another state by folding anew, at turn %d:\n%s\n%s", w.s.Head(), fresh.Head(), want, got)
	}
	if r, err := fresh.Verify(t.Context(), nil); err != nil || len(r.Problems) > 0 {
		t.Fatalf("verify: %v %v", r.Problems, err)
	}
}

// What was rolled is what the seed says: Verify throws all dice again. With the policy "locked" the same act after undo has the
// same dice, with "burn" it has others.
func TestDice(t *testing.T) {
	book := book(t)
	for _, policy := range []string{"locked", "burn"} {
		first := begin(t, book, eventlog.NewMemoryStorage(), "new", 1)
		state, err := game.State(t.Context(), first, "hob")
		if err != nil {
			t.Fatal(err)
		}
		state = bytes.Replace(state, []byte(`"world":{`), []byte(`"world":{"dice_policy":"`+policy+`",`), 1)
		s, _, err := game.Read(t.Context(), state, eventlog.NewMemoryStorage(), game.Import{Opt: game.Options(book, noon)})
		if err != nil {
			t.Fatal(err)
		}
		play(t, s, "npc_create", `{"name":"Rat","desc":"big","wants":"cheese"}`)
		play(t, s, "npc_create", `{"name":"Cat","desc":"small","wants":"rat"}`)
		people := s.World().Actors()
		args := world.AppendStrings([]byte(`{"participants":`), []string{people[0].ID, people[1].ID, people[2].ID})
		rolls := map[string]bool{}
		for range 6 {
			p := play(t, s, "encounter_start", string(args)+"}")
			rolls[fmt.Sprint(p.Rolls)] = true
			if _, err := s.Undo(t.Context(), 1, eventlog.Origin{}); err != nil {
				t.Fatal(err)
			}
		}
		if same := len(rolls) == 1; same != (policy == "locked") {
			t.Errorf("%s: undo six times and %d throws", policy, len(rolls))
		}
		for range 30 {
			play(t, s, "roll_dice", `{"expr":"4d6kh3+d%"}`)
		}
		if r, err := s.Verify(t.Context(), nil); err != nil || len(r.Problems) > 0 || r.Rolls != 6*3+30 {
			t.Errorf("%s: verify: %+v, %v", policy, r, err)
		}
	}
}

// play plays one call, which must be applied.
func play(t testing.TB, s *eventlog.Log, tool, args string) eventlog.PlayResult {
	t.Helper()
	p, err := s.Play(t.Context(), eventlog.Request{Calls: []rules.Call{{Tool: tool, Args: []byte(args)}}})
	if err == nil && !p.Outcomes[0].OK() {
		err = errors.New(string(p.Outcomes[0].Code) + " " + string(p.Outcomes[0].Result))
	}
	if err != nil {
		t.Fatalf("%s %s: %v", tool, args, err)
	}
	return p
}
