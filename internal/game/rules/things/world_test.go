package things_test

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/rules"
	"hob/internal/game/rules/things"
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
	book, err := rules.New(things.Family())
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

// w1 is the world W1 of the cases.
func w1(t tester, lang string, more ...world.Record) *table {
	t.Helper()
	one := func(name, text string) map[string]string { return map[string]string{name: text} }
	both := func(from, to string) []world.Record {
		return []world.Record{&world.Link{From: from, To: to}, &world.Link{From: to, To: from}}
	}
	records := []world.Record{
		&world.Place{ID: "loc_hall", Order: 1, Name: "Hall", Type: "location"},
		&world.Place{ID: "loc_yard", Order: 2, Name: "Yard", Type: "location"},
		&world.Place{ID: "loc_vault", Order: 3, Name: "Vault", Type: "location"},
		&world.Place{ID: "loc_attic", Order: 4, Name: "Attic", Type: "location"},
		&world.Place{ID: "loc_isle", Order: 5, Name: "Isle", Type: "location"},
		&world.Place{ID: "loc_road", Order: 6, Name: "Road", Type: "location"},
		&world.Link{From: "loc_hall", To: "loc_yard"}, &world.Link{From: "loc_hall", To: "loc_vault"},
		&world.Actor{ID: "char_ann", Order: 7, Role: "pc", Name: "Ann", Place: "loc_hall", Attrs: one("health", "well")},
		&world.Actor{ID: "char_bo", Order: 8, Role: "pc", Name: "Bo", Place: "loc_yard"},
		&world.Thing{ID: "obj_box", Order: 9, Name: "Box", Parent: "loc_hall", Attrs: one("condition", "good")},
		&world.Thing{ID: "obj_key", Order: 10, Name: "Key", Parent: "obj_box", Attrs: one("condition", "rusty")},
		&world.Thing{ID: "obj_tag", Order: 11, Name: "Tag", Parent: "obj_key", Attrs: one("text", "cellar")},
		&world.Thing{ID: "obj_knife", Order: 12, Name: "Knife", Parent: "char_ann", Attrs: one("condition", "sharp")},
		&world.Thing{ID: "obj_map", Order: 13, Name: "Map", Parent: "loc_yard", Attrs: one("condition", "torn")},
	}
	records = append(records, both("loc_hall", "loc_attic")...)
	records = append(records, both("loc_yard", "loc_road")...)
	return set(t, lang, append(records, more...)...)
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

// parent returns the parent of an object, "-" where there is no such object.
func (b *table) parent(id string) string {
	if t := b.w.Thing(id); t != nil {
		return t.Parent
	}
	return "-"
}

// same compares whole values.
func same(t tester, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("want -, got +\n%s", d)
	}
}
