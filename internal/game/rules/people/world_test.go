package people_test

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/rules"
	"hob/internal/game/rules/people"
	"hob/internal/game/world"
)

// tester is a test, of rapid's or of the standard library.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// table is a world with a turn on it, and its book.
type table struct {
	t    tester
	w    *world.World
	turn *rules.Turn
}

// set makes a world of records in which a language is spoken.
func set(t tester, lang string, records ...world.Record) *table {
	t.Helper()
	w := world.Empty()
	apply(t, w, append([]world.Record{&world.Self{Lang: lang, AllowAll: true}}, records...)...)
	book, err := rules.New(people.Family())
	if err != nil {
		t.Fatal(err)
	}
	counts := rules.Counts{"order": 1000}
	letters := func(n int, words ...string) string {
		return (strings.Join(words, "") + "abcdefgh")[:n]
	}
	return &table{t: t, w: w, turn: &rules.Turn{Unbound: true, Book: book, World: w, Number: 1, Services: rules.Services{Counts: &counts,
		Letters: letters}}}
}

func apply(t tester, w *world.World, records ...world.Record) {
	t.Helper()
	for _, r := range records {
		if err := w.Apply(world.Event{Old: w.Record(r.Kind(), r.Key()), New: r}); err != nil {
			t.Fatal(err)
		}
	}
}

// w2 is the world W2 of the cases, with records in place of those it has.
func w2(t tester, more ...world.Record) *table {
	t.Helper()
	return set(t, "en", append([]world.Record{
		&world.Self{
			Lang: "en", Party: []string{"pc_001", "pc_002"}, Active: "pc_001", AllowAll: true,
			Rules: map[string]int64{"hp_zero_ends_game": 1},
		},
		&world.Place{ID: "area_001", Order: 1, Name: "Gate", Type: "area"},
		&world.Place{ID: "area_002", Order: 2, Name: "Court", Type: "area"},
		&world.Link{From: "area_001", To: "area_002"},
		hero("pc_001", 10, world.Alive), hero("pc_002", 10, world.Alive),
	}, more...)...)
}

// hero is one of W2's party, of whom no maximum is known.
func hero(id string, hp int64, state string) *world.Actor {
	return &world.Actor{ID: id, Order: 3, Role: "pc", Name: id, Place: "area_001", HP: world.Known(hp), State: state}
}

// w3 is the world W3 of the cases.
func w3(t tester, more ...world.Record) *table {
	t.Helper()
	return set(t, "en", append([]world.Record{
		&world.Self{
			Lang: "en", Shape: "003", Session: "s1", Party: []string{"player_001"}, Active: "player_001", ClockSet: true,
			Minute: 9*60 + 30,
		},
		&world.Place{ID: "zone_0_0_0", Order: 1, Name: "Origin", Type: "zone", Pos: &world.Point{}, Overland: true},
		&world.Place{ID: "zone_120_-80_0", Order: 2, Name: "Rubble Stage", Type: "zone", Pos: &world.Point{X: 120000, Y: -80000}},
		&world.Actor{
			ID: "player_001", Order: 3, Role: "pc", Name: "Player", Place: "zone_0_0_0", Pos: &world.Point{},
			Speed: world.Known(4500),
		},
	}, more...)...)
}

// call runs one call; args are JSON. A call that was refused must have left the world as it was.
func (b *table) call(tool, args string) rules.Outcome {
	b.t.Helper()
	return b.batch(rules.Call{Tool: tool, Args: json.RawMessage(args)})[0]
}

func (b *table) batch(calls ...rules.Call) []rules.Outcome {
	b.t.Helper()
	before, records := b.w.Hash(), string(b.w.AppendState(nil))
	list := b.turn.Batch(context.Background(), calls)
	changed := false
	for _, o := range list {
		changed = changed || o.Changed
	}
	if same := b.w.Hash() == before && string(b.w.AppendState(nil)) == records; same == changed {
		b.t.Errorf("%s: the world is the same: %v; the calls say that they changed it: %v", calls[0].Tool, same, changed)
	}
	return list
}

// text returns what an outcome says in the world's language.
func (b *table) text(o rules.Outcome) string { return b.turn.Book.Text(b.w.Self().Lang, o.Say) }

// ok runs a call that is to be applied, and whose words are to have all of says in them.
func (b *table) ok(tool, args string, says ...string) rules.Outcome {
	b.t.Helper()
	o := b.call(tool, args)
	if !o.OK() || o.Code != "" {
		b.t.Fatalf("%s %s: %s %s (%s)", tool, args, o.Status, o.Code, b.text(o))
	}
	b.says(o, says...)
	return o
}

// no runs a call that is to be refused with a code.
func (b *table) no(code rules.Code, tool, args string, says ...string) rules.Outcome {
	b.t.Helper()
	o := b.call(tool, args)
	if o.OK() || o.Code != code {
		b.t.Fatalf("%s %s: %s %s (%s), want %s", tool, args, o.Status, o.Code, b.text(o), code)
	}
	b.says(o, says...)
	return o
}

func (b *table) says(o rules.Outcome, says ...string) {
	b.t.Helper()
	for _, want := range says {
		if !strings.Contains(b.text(o), want) {
			b.t.Errorf("%q is not in %q", want, b.text(o))
		}
	}
	if strings.ContainsAny(o.Say.Key, " ") || strings.Contains(b.text(o), "{0}") {
		b.t.Errorf("words are missing: %q", b.text(o))
	}
}

// same compares whole values.
func same(t tester, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("want -, got +\n%s", d)
	}
}
