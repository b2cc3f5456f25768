package game_test

import (
	"slices"
	"testing"

	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/world"
)

// kinds are what campaigns begin with.
func kinds() []string { return []string{"new", "w1", "w2", "w3", "tale"} }

// tally is what came of many calls.
type tally struct {
	calls, applied, refused int
	tools                   map[string]int // how often each was applied
}

// Whatever is called, nothing breaks: what must hold of a world holds after each call, a call that is refused changes nothing,
// and undo and redo of a turn give the very states before and after it.
func TestRandomCalls(t *testing.T) {
	book := book(t)
	each := 1_000
	if full() {
		each = 10_000
	}
	sum := tally{tools: map[string]int{}}
	for seed := range int64(10) {
		for n, part := 0, int64(0); n < each; part++ {
			n += storm(t, book, kinds()[(seed+part)%5], 100*seed+part, min(250, each-n), &sum)
		}
	}
	t.Logf("%d calls, %d applied, %d refused", sum.calls, sum.applied, sum.refused)
	if sum.applied < sum.calls/4 || sum.refused < sum.calls/4 {
		t.Error("the calls are not mixed well")
	}
	for _, name := range book.Names() {
		if sum.tools[name] == 0 {
			t.Errorf("%s was never applied", name)
		}
	}
}

// storm plays random calls, at most so many; less where the campaign ends. It returns how many it played.
func storm(t *testing.T, book *rules.Book, what string, seed int64, most int, sum *tally) int {
	s := begin(t, book, eventlog.NewMemoryStorage(), what, seed)
	g := newGenerator(book, s, seed)
	known := s.World().Validate()
	for n := 1; ; n++ {
		r := g.request()
		before := s.StateHash()
		p, err := s.Play(t.Context(), r)
		if err != nil {
			t.Fatalf("%s %d: %s: %v", what, seed, r.Calls, err)
		}
		changed := false
		for _, o := range p.Outcomes {
			sum.calls++
			changed = changed || o.Changed
			if o.OK() {
				sum.applied++
				sum.tools[o.Call.Tool]++
				continue
			}
			sum.refused++
			if o.Changed || o.Reason() == "" || o.Code == rules.Internal {
				t.Fatalf("%s %d: %s %s: %+v: %s", what, seed, o.Call.Tool, o.Call.Args, o, book.Text("en", o.Say))
			}
		}
		hold(t, s, known, what, seed, p)
		if !changed && s.StateHash() != before {
			t.Fatalf("%s %d: nothing was done, and the state is another: %s", what, seed, r.Calls)
		}
		if changed {
			back(t, s, before)
		}
		if p.Ended || s.World().Self().Ended || n >= most {
			return n
		}
	}
}

// hold looks that what must hold of the world does, apart from what did not at its beginning, and that its hash is that of its
// records.
func hold(t *testing.T, s *eventlog.Log, known []string, what string, seed int64, p eventlog.PlayResult) {
	t.Helper()
	for _, breach := range s.World().Validate() {
		if !slices.Contains(known, breach) {
			t.Fatalf("%s %d: after %+v: %s", what, seed, p.Outcomes, breach)
		}
	}
	if p.Turn%50 != 0 {
		return
	}
	if fresh := again(t, s.World()); fresh.Hash() != s.StateHash() {
		t.Fatalf("%s %d: turn %d: the hash is not that of the records", what, seed, p.Turn)
	}
	if block := story.Scene(s.World(), story.SceneInput{Turn: p.Turn}); len(block) > story.MaxScene || block == "" {
		t.Fatalf("%s %d: a scene of %d bytes:\n%s", what, seed, len(block), block)
	}
}

// again returns a world made of nothing but its state.
func again(t *testing.T, w *world.World) *world.World {
	t.Helper()
	fresh, err := world.Scan(w.AppendState(nil)).State()
	if err != nil {
		t.Fatal(err)
	}
	return fresh
}

// back undoes the turn and does it again.
func back(t *testing.T, s *eventlog.Log, before string) {
	t.Helper()
	after := s.StateHash()
	if m, err := s.Undo(t.Context(), 1, eventlog.Origin{}); err != nil || m.Turns != 1 || s.StateHash() != before ||
		s.World().Hash() != before {
		t.Fatalf("undo: %+v, %v", m, err)
	}
	if m, err := s.Redo(t.Context(), 1, eventlog.Origin{}); err != nil || m.Turns != 1 || s.StateHash() != after ||
		s.World().Hash() != after {
		t.Fatalf("redo: %+v, %v", m, err)
	}
}
