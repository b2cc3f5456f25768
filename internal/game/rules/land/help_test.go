package land_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/rules"
	"hob/internal/game/rules/land"
	"hob/internal/game/world"
)

// tester is a test, of rapid's or of the standard library.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// table is a world with a turn on it.
type table struct {
	t    tester
	w    *world.World
	turn *rules.Turn
}

// set makes a world of records on which every tool may be used, unless self says otherwise.
func set(t tester, self *world.Self, records ...world.Record) *table {
	t.Helper()
	book, err := rules.New(land.Family())
	if err != nil {
		t.Fatalf("%v", err)
	}
	letters := func(n int, words ...string) string { return (strings.Join(words, "") + "abcdefghijklmnopqrst")[:n] }
	needs := rules.Services{Counts: &rules.Counts{"order": 1000}, Letters: letters}
	w := world.Empty()
	b := &table{t: t, w: w, turn: &rules.Turn{Unbound: true, Book: book, World: w, Number: 1, Services: needs}}
	b.put(append([]world.Record{self}, records...)...)
	return b
}

func (b *table) put(records ...world.Record) {
	b.t.Helper()
	for _, r := range records {
		if err := b.w.Apply(world.Event{Old: b.w.Record(r.Kind(), r.Key()), New: r}); err != nil {
			b.t.Fatalf("%v", err)
		}
	}
}

// call runs one call. One that was refused must have left the world as it was.
func (b *table) call(tool, args string) rules.Outcome {
	b.t.Helper()
	return b.run(context.Background(), tool, args)
}

func (b *table) run(ctx context.Context, tool, args string) rules.Outcome {
	b.t.Helper()
	before, notes := b.w.Hash(), len(b.turn.Notes)
	o := b.turn.Do(ctx, rules.Call{Tool: tool, Args: json.RawMessage(args)}, nil)
	if !o.OK() && (b.w.Hash() != before || len(b.turn.Notes) != notes) {
		b.t.Errorf("%s %s was refused and changed the world", tool, args)
	}
	if !o.OK() && o.Code == rules.Internal && o.Say.Key != "generate_zone.author" { // that one is the model's
		b.t.Errorf("%s %s: %s", tool, args, b.text(o))
	}
	if text := b.text(o); strings.Contains(text, "{") && !strings.Contains(args, "{0}") {
		b.t.Errorf("%s %s: the words %q lack something", tool, args, text)
	}
	return o
}

// text returns what an outcome says.
func (b *table) text(o rules.Outcome) string { return b.turn.Book.Text(b.w.Self().Lang, o.Say) }

// ok runs a call that is to be applied and returns its result.
func (b *table) ok(tool, args string) rules.Outcome {
	b.t.Helper()
	o := b.call(tool, args)
	if !o.OK() {
		b.t.Fatalf("%s %s: %s %s (%s)", tool, args, o.Status, o.Code, b.text(o))
	}
	return o
}

// no runs a call that is to be refused, with its status and reason of seed 002.
func (b *table) no(status rules.Status, reason, tool, args string) rules.Outcome {
	b.t.Helper()
	o := b.call(tool, args)
	if o.Status != status || o.Reason() != reason {
		b.t.Errorf("%s %s: %s %s (%s), want %s %s", tool, args, o.Status, o.Reason(), b.text(o), status, reason)
	}
	return o
}

// read reads a result.
func read[T any](t tester, o rules.Outcome) (v T) {
	t.Helper()
	if err := json.Unmarshal(o.Result, &v); err != nil {
		t.Fatalf("%s: %v", o.Result, err)
	}
	return v
}

// same compares whole values.
func same(t tester, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestWordsAreThere(t *testing.T) {
	for _, lang := range rules.Langs() {
		b := set(t, &world.Self{Lang: lang, AllowAll: true, Active: "pc_001"}, &world.Actor{ID: "pc_001"})
		o := b.ok("map_generate", `{"parent_area_id":null,"constraints":{"size":2,"seed":"a"}}`)
		if text := b.text(o); !strings.Contains(text, "area_001") {
			t.Errorf("%s: %q", lang, text)
		}
	}
}
