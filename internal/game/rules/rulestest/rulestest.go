// Package rulestest is the table at which the tests of all families of tools play: a world with a turn on it. Every call is held
// against what the rules promise of all.
package rulestest

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/rules"
	"hob/internal/game/world"
	"hob/internal/lazyregexp"
)

// T is a test, of rapid's or of the standard library.
type T interface {
	Helper()
	Context() context.Context
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Table is a world with a turn on it.
type Table struct {
	T     T
	World *world.World
	Turn  *rules.Turn
}

// New makes a world of records, and a turn with the tools of some families. What the tools number begins at 1001.
func New(t T, families []rules.Family, records ...world.Record) *Table {
	t.Helper()
	book, err := rules.New(families...)
	if err != nil {
		t.Fatalf("%v", err)
	}
	letters := func(n int, words ...string) string { return (strings.Join(words, "") + "abcdefghijklmnopqrst")[:n] }
	services := rules.Services{Counts: &rules.Counts{"order": 1000}, Letters: letters}
	w := world.Empty()
	b := &Table{T: t, World: w, Turn: &rules.Turn{Unbound: true, Book: book, World: w, Number: 1, Services: services}}
	b.Put(records...)
	return b
}

// Put adds records to the world, in place of those it has.
func (b *Table) Put(records ...world.Record) {
	b.T.Helper()
	for _, r := range records {
		if err := b.World.Apply(world.Event{Old: b.World.Record(r.Kind(), r.Key()), New: r}); err != nil {
			b.T.Fatalf("%v", err)
		}
	}
}

// Call runs one call; args are JSON.
func (b *Table) Call(tool, args string) rules.Outcome {
	b.T.Helper()
	return b.Batch(b.T.Context(), rules.Call{Tool: tool, Args: json.RawMessage(args)})[0]
}

// Batch runs calls. Those that were refused, and those that say that they changed nothing, must have left the world as it was.
func (b *Table) Batch(ctx context.Context, calls ...rules.Call) []rules.Outcome {
	b.T.Helper()
	before, records := b.World.Hash(), string(b.World.AppendState(nil))
	events, notes := len(b.Turn.Events), len(b.Turn.Notes)
	list := b.Turn.Batch(ctx, calls)
	changed := slices.ContainsFunc(list, func(o rules.Outcome) bool { return o.Changed })
	if same := b.World.Hash() == before && string(b.World.AppendState(nil)) == records; same == changed {
		b.T.Errorf("%s: the world is the same: %v; the calls say that they changed it: %v", calls[0].Tool, same, changed)
	}
	if !changed && (len(b.Turn.Events) != events || len(b.Turn.Notes) != notes) {
		b.T.Errorf("%s %s changed nothing and left events or notes", calls[0].Tool, calls[0].Args)
	}
	for _, o := range list {
		b.check(o)
	}
	return list
}

// placeholder stands in the words for what is to be filled in.
var placeholder = lazyregexp.New(`\{\d`)

func (b *Table) check(o rules.Outcome) {
	b.T.Helper()
	tool := b.Turn.Book.Tool(o.Call.Tool)
	if o.Changed && (!o.OK() || tool.Class == rules.Reading) {
		b.T.Errorf("%s %s: %s, and it changed the world", o.Call.Tool, o.Call.Args, o.Status)
	}
	text := b.Text(o)
	failed := []string{"generate_zone.author", "roll_dice.refused", "talk.no_dice"} // the model and the dice, which are others'
	if o.Code == rules.Internal && !slices.Contains(failed, o.Say.Key) {
		b.T.Errorf("%s %s: %s", o.Call.Tool, o.Call.Args, text)
	}
	if text == "" || strings.HasPrefix(text, o.Say.Key) || placeholder().MatchString(text) && !placeholder().Match(o.Call.Args) {
		b.T.Errorf("%s %s: the words %q lack something", o.Call.Tool, o.Call.Args, text)
	}
}

// Text returns what an outcome says in the world's language.
func (b *Table) Text(o rules.Outcome) string { return b.Turn.Book.Text(b.World.Self().Lang, o.Say) }

// Says looks for words in what an outcome says.
func (b *Table) Says(o rules.Outcome, words ...string) {
	b.T.Helper()
	for _, want := range words {
		if !strings.Contains(b.Text(o), want) {
			b.T.Errorf("%q is not in %q", want, b.Text(o))
		}
	}
}

// Same compares whole values.
func Same(t T, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
