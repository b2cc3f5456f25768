package game_test

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/tales"
	"hob/internal/game/world"
)

// sitting is a tale that is played by people who set things beside it.
type sitting struct {
	t     *rapid.T
	opt   eventlog.Options
	log   *eventlog.MemoryStorage
	s     *eventlog.Log
	lines []string
	users int
	acted map[int64]string // by how many checks were made before: what the next one threw
}

func sat(t *rapid.T, policy string) *sitting {
	book := game.Rules()
	tale, _ := tales.ByID("cosy")
	w, counts, err := tale.Begin(book, tales.Start{Session: "c", Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	hero := *w.Actor(w.Self().Active)
	hero.Owner = "u0"
	self := *w.Self()
	self.DicePolicy = policy
	for _, e := range []world.Event{{Old: w.Actor(hero.ID), New: &hero}, {Old: w.Self(), New: &self}} {
		if err := w.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	g := &sitting{t: t, opt: game.Options(book, noon), log: eventlog.NewMemoryStorage(), acted: map[int64]string{}}
	g.opt.CarryOver = game.Keeps
	if g.s, err = eventlog.Create(t.Context(), g.log, eventlog.Beginning{ID: "c", Seed: game.SeedOf("s"), World: w, Counts: counts}, g.opt); err != nil {
		t.Fatal(err)
	}
	return g
}

func (g *sitting) play(r eventlog.Request) eventlog.PlayResult {
	p, err := g.s.Play(g.t.Context(), r)
	if err != nil {
		g.t.Fatal(err)
	}
	return p
}

// check makes a check, which throws a die and changes the hour with it, and looks that it throws what it threw there before.
func (g *sitting) check() {
	before := g.checks()
	p := g.play(eventlog.Request{Actor: "pc_001", Calls: []rules.Call{
		{Tool: "skill_check", Args: []byte(`{"actor_id":"pc_001","skill":"wits","difficulty":"hard"}`)}, {Tool: "advance_time", Args: []byte(`{"minutes":1}`)},
	}})
	if len(p.Rolls) != 1 {
		g.t.Fatalf("%d rolls: %+v", len(p.Rolls), p.Outcomes)
	}
	threw := fmt.Sprint(p.Rolls[0].Dice)
	if was, known := g.acted[before]; known && was != threw {
		g.t.Errorf("after %d checks the next one throws %s, and threw %s before", before, threw, was)
	}
	g.acted[before] = threw
}

// checks is how many checks led here: a minute each.
func (g *sitting) checks() int64 {
	w, err := g.s.At(g.t.Context(), 0)
	if err != nil {
		g.t.Fatal(err)
	}
	return g.s.World().Self().Minute - w.Self().Minute
}

func (g *sitting) line() {
	g.lines = append(g.lines, fmt.Sprint("line ", len(g.lines)))
	g.play(eventlog.Request{Table: true, Open: true, Calls: []rules.Call{
		{Tool: "safety", Args: fmt.Appendf(nil, `{"action":"line_add","text":%q}`, g.lines[len(g.lines)-1])},
	}})
}

func (g *sitting) join() {
	g.users++
	owner := fmt.Sprint("u", g.users)
	g.play(eventlog.Request{Table: true, Open: true, Edit: func(w *world.World, counts rules.Counts) ([]world.Event, error) {
		events, after, err := tales.Hero(w, counts, "en", "", "Hero "+owner, owner)
		for kind, n := range after {
			counts[kind] = n
		}
		return events, err
	}})
}

func (g *sitting) leave() {
	if party := g.s.World().Self().Party; len(party) > 1 {
		g.play(eventlog.Request{Table: true, Open: true, Calls: []rules.Call{
			{Tool: "party", Args: fmt.Appendf(nil, `{"action":"leave","actor_id":%q}`, party[len(party)-1])},
		}})
	}
}

// sound looks that what the table has set is there, and that the log gives the same once more, with a snapshot and without.
func (g *sitting) sound(party []string) {
	self := g.s.World().Self()
	if len(self.Lines) < len(g.lines) {
		g.t.Fatalf("of the lines %v there are %v", g.lines, self.Lines)
	}
	if party != nil && !slices.Equal(self.Party, party) {
		g.t.Fatalf("the party %v became %v", party, self.Party)
	}
	for _, id := range self.Party {
		if g.s.World().Actor(id) == nil {
			g.t.Fatalf("%s is in the party and not there", id)
		}
	}
	r, err := g.s.Verify(g.t.Context(), func(w *world.World) []string { return nil })
	if err != nil || len(r.Problems) > 0 || r.Head != g.s.Head() || r.State != g.s.StateHash() {
		g.t.Fatalf("verify: %v %v, head %d and %d", err, r.Problems, r.Head, g.s.Head())
	}
	bare := eventlog.NewMemoryStorage()
	n := int64(0)
	for b, err := range g.log.Lines(g.t.Context(), 0) {
		if err == nil {
			err = bare.Append(g.t.Context(), n, b, "")
		}
		if err != nil {
			g.t.Fatal(err)
		}
		n++
	}
	for _, log := range []eventlog.Storage{g.log, bare} {
		again, err := eventlog.Load(g.t.Context(), log, g.opt)
		if err != nil || again.Head() != g.s.Head() || again.StateHash() != g.s.StateHash() {
			g.t.Fatalf("loaded again: %v", err)
		}
	}
	g.same(bare)
}

// same looks that what can be done again is the same after a snapshot, after none, and now.
func (g *sitting) same(bare *eventlog.MemoryStorage) {
	var heads []string
	for _, log := range []eventlog.Storage{g.log, bare} {
		s, err := eventlog.Load(g.t.Context(), copied(g.t, log), g.opt)
		if err != nil {
			g.t.Fatal(err)
		}
		m, err := s.Redo(g.t.Context(), 1, eventlog.Origin{})
		if err != nil {
			g.t.Fatal(err)
		}
		heads = append(heads, fmt.Sprint(m.Turns, s.StateHash()))
	}
	if heads[0] != heads[1] {
		g.t.Fatalf("redo: %v", heads)
	}
}

// copied is a copy of a log, with the snapshot that it has.
func copied(t *rapid.T, log eventlog.Storage) *eventlog.MemoryStorage {
	c := eventlog.NewMemoryStorage()
	n := int64(0)
	for b, err := range log.Lines(t.Context(), 0) {
		if err == nil {
			err = c.Append(t.Context(), n, b, "")
		}
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if cache, ok := log.(eventlog.SnapshotStorage); ok {
		if b, err := cache.Snapshot(t.Context()); err == nil && len(b) > 0 {
			_ = c.KeepSnapshot(t.Context(), b)
		}
	}
	return c
}

// Whatever is undone, done again and set in between: what the table has set stays, a line above all; an undo takes back as many turns of
// the story as it says, and redo brings them back; the dice are those of the way; and the log gives all of it once more.
func TestUndoLeavesWhatTheTableHasSet(t *testing.T) {
	most := 8
	if os.Getenv("HOB_TEST_FULL") != "" {
		most = 60
	}
	rapid.Check(t, func(t *rapid.T) {
		g := sat(t, rapid.SampledFrom([]string{"locked", "locked", "burn"}).Draw(t, "policy"))
		burns := g.s.World().Self().DicePolicy == "burn"
		for range rapid.SampledFrom([]int{0, 0, 0, 0, 0, 0, 60}).Draw(t, "checks before") { // after 64 lines there is a snapshot
			g.check()
		}
		for range rapid.IntRange(1, most).Draw(t, "steps") {
			if burns {
				clear(g.acted)
			}
			var party []string
			switch rapid.SampledFrom([]string{"check", "check", "line", "join", "leave", "undo", "undo", "redo", "back"}).Draw(t, "step") {
			case "check":
				g.check()
			case "line":
				g.line()
			case "join":
				g.join()
			case "leave":
				g.leave()
			case "undo":
				party = g.s.World().Self().Party
				g.undo(rapid.IntRange(1, 4).Draw(t, "n"))
			case "redo":
				party = g.s.World().Self().Party
				if _, err := g.s.Redo(t.Context(), rapid.IntRange(1, 4).Draw(t, "n"), eventlog.Origin{}); err != nil {
					t.Fatal(err)
				}
			case "back":
				turn := rapid.Int64Range(0, g.s.Turns()).Draw(t, "turn")
				if _, err := g.s.Switch(t.Context(), fmt.Sprint(turn), eventlog.Origin{}); err != nil {
					t.Fatal(err)
				}
			}
			if party != nil {
				g.sound(party)
			}
		}
		g.sound(nil)
	})
}

// undo takes turns back, and looks that as many can be done again.
func (g *sitting) undo(n int) {
	before := g.checks()
	m, err := g.s.Undo(g.t.Context(), n, eventlog.Origin{})
	if err != nil {
		g.t.Fatal(err)
	}
	if want := min(int64(n), before); int64(m.Turns) != want || g.checks() != before-want {
		g.t.Fatalf("%d of %d checks were undone as %d, which leaves %d", n, before, m.Turns, g.checks())
	}
	if m.Turns == 0 || !rapid.Bool().Draw(g.t, "redo") {
		return
	}
	if rapid.Bool().Draw(g.t, "set between") {
		g.line()
	}
	if back, err := g.s.Redo(g.t.Context(), m.Turns, eventlog.Origin{}); err != nil || back.Turns != m.Turns || g.checks() != before {
		g.t.Fatalf("redo of %d: %+v %v, %d checks of %d", m.Turns, back, err, g.checks(), before)
	}
}
