package store_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"hob/internal/event"
)

func newUpdate(id int64, raw string) event.Update {
	return event.Update{Platform: "p", Bot: 42, ID: id, Raw: json.RawMessage(raw), State: event.UpdateNew}
}

// arrived are updates without what Receive gives them.
func arrived(all []event.Update) []event.Update {
	all = slices.Clone(all)
	for i := range all {
		all[i].N, all[i].Hash = 0, ""
	}
	return all
}

// receive receives updates, of which those are fresh.
func receive(t *testing.T, d deliveries, what string, all, want []event.Update) []event.Update {
	t.Helper()
	fresh, err := d.Receive(t.Context(), all)
	expect(t, what, want, arrived(fresh), err)
	for i, u := range fresh {
		if u.N == 0 || i > 0 && u.N <= fresh[i-1].N || u.Hash == "" {
			t.Errorf("%s: %d is number %d, with the hash %q", what, u.ID, u.N, u.Hash)
		}
	}
	return fresh
}

func receivedOnce(t *testing.T, d deliveries) {
	ctx := t.Context()
	high, low := newUpdate(900, `{"a":1}`), newUpdate(7, `{"b":2}`) // ids may begin anew
	first := receive(t, d, "the first time", []event.Update{high, low}, []event.Update{high, low})
	third := newUpdate(8, `[]`)
	receive(t, d, "told again", []event.Update{low, third, third, high}, []event.Update{third})
	other := event.Update{Platform: "q", Bot: 42, ID: 7, Raw: json.RawMessage(`1`), State: event.UpdateNew}
	receive(t, d, "the same id elsewhere", []event.Update{other}, []event.Update{other})

	undone, err := d.Undone(ctx, "p")
	expect(t, "undone", []event.Update{high, low, third}, arrived(undone), err)
	for i, state := range []event.UpdateState{event.UpdateDone, event.UpdateBegun} {
		if err := d.SetUpdate(ctx, first[i].N, state); err != nil {
			t.Fatal(err)
		}
	}
	low.State = event.UpdateBegun
	undone, err = d.Undone(ctx, "p")
	expect(t, "undone later", []event.Update{low, third}, arrived(undone), err)
	receive(t, d, "one that was dealt with", []event.Update{high}, nil)
	if err := d.SetUpdate(ctx, 1000, event.UpdateDone); err == nil {
		t.Error("an update that never came was dealt with")
	}
	if _, err := d.Receive(ctx, []event.Update{newUpdate(77, `{}`), newUpdate(78, `{"a":`)}); err == nil {
		t.Error("half an update was received")
	}
	receive(t, d, "what came with half an update", []event.Update{newUpdate(77, `{}`)}, []event.Update{newUpdate(77, `{}`)})
}

// A server that has lost its state numbers anew, and another bot has numbers of its own: what says something else is something
// else, also where its id is known.
func receivedAnew(t *testing.T, d deliveries) {
	ctx := t.Context()
	first := receive(t, d, "at first", []event.Update{newUpdate(1, `{"a":1,"b":[9007199254740993]}`), newUpdate(2, `{"a":2}`)},
		[]event.Update{newUpdate(1, `{"a":1,"b":[9007199254740993]}`), newUpdate(2, `{"a":2}`)})
	if err := d.SetUpdate(ctx, first[0].N, event.UpdateDone); err != nil {
		t.Fatal(err)
	}
	receive(t, d, "the same in other words", []event.Update{newUpdate(1, `{ "b": [9007199254740993], "a": 1 }`), newUpdate(2, `{"a":2}`)}, nil)
	anew := []event.Update{newUpdate(1, `{"a":1,"b":[9007199254740992]}`), newUpdate(2, `{"a":3}`), newUpdate(2, `{"a":4}`), newUpdate(2, `{"a":3}`)}
	receive(t, d, "numbered anew", anew, anew[:3])
	receive(t, d, "and told again", anew, nil)
	bot := newUpdate(1, `{"a":1,"b":[9007199254740993]}`)
	bot.Bot = 43
	fresh := receive(t, d, "to another bot", []event.Update{bot}, []event.Update{bot})
	if err := d.SetUpdate(ctx, fresh[0].N, event.UpdateDone); err != nil {
		t.Fatal(err)
	}
	undone, err := d.Undone(ctx, "p")
	expect(t, "undone", append([]event.Update{newUpdate(2, `{"a":2}`)}, anew[:3]...), arrived(undone), err)
}

func arrivalsForgotten(t *testing.T, d deliveringDB, now *time.Time) {
	ctx := t.Context()
	fresh, err := d.Receive(ctx, []event.Update{newUpdate(1, `1`), newUpdate(2, `2`)})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.SetUpdate(ctx, fresh[0].N, event.UpdateDone); err != nil {
		t.Fatal(err)
	}
	*now = now.Add(31 * 24 * time.Hour)
	receive(t, d, "a month later, when nobody prunes", []event.Update{newUpdate(1, `1`), newUpdate(2, `2`)}, nil)
	removed, err := d.Prune(ctx, now.Add(-30*24*time.Hour))
	expect(t, "pruned", int64(1), removed, err)
	receive(t, d, "a month later", []event.Update{newUpdate(1, `1`), newUpdate(2, `2`)}, []event.Update{newUpdate(1, `1`)})
}
