package store_test

import (
	"context"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// deliveries is what [store.Deliveries], beside its journal, and [storetest.Memory] both are.
type deliveries interface {
	Receive(ctx context.Context, all []event.Update) ([]event.Update, error)
	Undone(ctx context.Context, platform string) ([]event.Update, error)
	SetUpdate(ctx context.Context, n int64, state event.UpdateState) error
	BeginSend(ctx context.Context, chat event.Chat, seq int64, part int) (event.Send, error)
	SetSend(ctx context.Context, s event.Send, reader string, mark int64) error
	Sends(ctx context.Context, chat event.Chat, seq int64) ([]event.Send, error)
	SentAs(ctx context.Context, chat event.Chat, message int64) (event.Send, bool, error)
	Shown(ctx context.Context, chat event.Chat, name string) (int64, error)
	SetShown(ctx context.Context, chat event.Chat, name string, message int64) error
	ForgetShown(ctx context.Context, chat event.Chat, name string, message int64) error
	Marked(ctx context.Context, reader string) (int64, error) // of the journal beside it
}

// deliveringDB is deliveries and the journal that they are marked in.
type deliveringDB struct {
	*store.Deliveries
	*store.DB
}

// clock returns a time that a test may change.
func clock() *time.Time {
	now := time.Date(2027, 1, 2, 3, 4, 5, 6e6, time.UTC)
	return &now
}

func TestDeliveriesContract(t *testing.T) {
	for name, test := range map[string]func(*testing.T, deliveries){
		"an update is received once":                receivedOnce,
		"an id that is known may be another update": receivedAnew,
		"a message is sent once":                    sentOnce,
		"a message shows what changes":              shownWhere,
		"an ended context does nothing":             deliveriesCancelled,
	} {
		t.Run("SQLite/"+name, func(t *testing.T) {
			db := storetest.Open(t, time.Now)
			test(t, deliveringDB{db.Deliveries(), db})
		})
		t.Run("fake/"+name, func(t *testing.T) { test(t, storetest.NewMemory(time.Now)) })
	}
}

func TestDeliveriesArePruned(t *testing.T) {
	for name, test := range map[string]func(*testing.T, deliveringDB, *time.Time){
		"what was dealt with long ago is forgotten": arrivalsForgotten,
		"what was sent long ago is forgotten":       sendsForgotten,
	} {
		t.Run(name, func(t *testing.T) {
			now := clock()
			db := storetest.Open(t, func() time.Time { return *now })
			test(t, deliveringDB{db.Deliveries(), db}, now)
		})
	}
}

// expect compares what a call returned.
func expect(t *testing.T, what string, want, got any, err error) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
		t.Errorf("%s: %v (-want +got)\n%s", what, err, diff)
	}
}

func sentOnce(t *testing.T, d deliveries) {
	ctx := t.Context()
	want := event.Send{Chat: "c", Seq: 5, Part: 1, State: event.SendBegun, Tries: 1}
	got, err := d.BeginSend(ctx, "c", 5, 1)
	expect(t, "begun", want, got, err)
	want.Tries = 2
	got, err = d.BeginSend(ctx, "c", 5, 1)
	expect(t, "begun again", want, got, err)
	want.State, want.Message = event.SendSent, 77
	if err := d.SetSend(ctx, want, "told/c", 5); err != nil {
		t.Fatal(err)
	}
	mark, err := d.Marked(ctx, "told/c")
	expect(t, "the reader's mark", int64(5), mark, err)
	got, err = d.BeginSend(ctx, "c", 5, 1)
	expect(t, "begun when it was sent", want, got, err)

	first, err := d.BeginSend(ctx, "c", 5, -1)
	if err != nil {
		t.Fatal(err)
	}
	first.State = event.SendGone
	if err := d.SetSend(ctx, first, "", 9); err != nil {
		t.Fatal(err)
	}
	if _, err := d.BeginSend(ctx, "other", 5, 1); err != nil {
		t.Fatal(err)
	}
	all, err := d.Sends(ctx, "c", 5)
	expect(t, "all of an event", []event.Send{first, want}, all, err)
	if mark, err = d.Marked(ctx, "told/c"); mark != 5 || err != nil {
		t.Errorf("the mark moved without its reader: %d, %v", mark, err)
	}

	as, known, err := d.SentAs(ctx, "c", 77)
	expect(t, "by its message", want, as, err)
	if !known {
		t.Error("it is not known by its message")
	}
	for chat, message := range map[event.Chat]int64{"c": 78, "other": 77, "d": 0} {
		if as, known, err := d.SentAs(ctx, chat, message); known || err != nil {
			t.Errorf("message %d of %s is known as %+v, %v", message, chat, as, err)
		}
	}
	if err := d.SetSend(ctx, event.Send{Chat: "c", Seq: 6, State: event.SendSent}, "told/c", 99); err == nil {
		t.Error("a message ended that was not begun")
	}
	if mark, err = d.Marked(ctx, "told/c"); mark != 5 || err != nil {
		t.Errorf("the mark moved with what failed: %d, %v", mark, err)
	}
}

// What may have to be sent again is not forgotten: what the mark of its chat has not passed, however old it is.
func sendsForgotten(t *testing.T, d deliveringDB, now *time.Time) {
	ctx := t.Context()
	end := func(chat event.Chat, seq, mark int64) {
		t.Helper()
		if _, err := d.BeginSend(ctx, chat, seq, 0); err != nil {
			t.Fatal(err)
		}
		if err := d.SetSend(ctx, event.Send{Chat: chat, Seq: seq, State: event.SendSent, Message: 5}, event.SendReader(chat), mark); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.BeginSend(ctx, "c", 1, -1); err != nil { // a message of progress that nobody took away
		t.Fatal(err)
	}
	end("c", 1, 1)
	end("c", 2, 2)
	end("c", 3, 2)
	if _, err := d.BeginSend(ctx, "d", 1, 0); err != nil {
		t.Fatal(err)
	}
	*now = now.Add(100 * 24 * time.Hour)
	end("c", 4, 2)
	end("e", 1, 9)
	removed, err := d.Prune(ctx, now.Add(-90*24*time.Hour))
	expect(t, "pruned", int64(3), removed, err)
	for _, left := range []event.Send{{Chat: "c", Seq: 1}, {Chat: "c", Seq: 2}, {Chat: "c", Seq: 3, Part: 1}, {Chat: "c", Seq: 4, Part: 1}, {Chat: "d", Seq: 1, Part: 1}, {Chat: "e", Seq: 1, Part: 1}} {
		if all, err := d.Sends(ctx, left.Chat, left.Seq); len(all) != left.Part || err != nil { // Part is how many
			t.Errorf("%s %d: %v, %v", left.Chat, left.Seq, all, err)
		}
	}
}

func shownWhere(t *testing.T, d deliveries) {
	ctx := t.Context()
	want := func(what string, chat event.Chat, name string, message int64) {
		t.Helper()
		got, err := d.Shown(ctx, chat, name)
		expect(t, what, message, got, err)
	}
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	want("nothing yet", "c", "map", 0)
	do(d.SetShown(ctx, "c", "map", 7))
	do(d.SetShown(ctx, "c", "map", 9))
	do(d.SetShown(ctx, "c", "sheet", -3))
	do(d.SetShown(ctx, "d", "map", 11))
	want("the newest", "c", "map", 9)
	do(d.ForgetShown(ctx, "c", "map", 7))
	want("what another message shows by now", "c", "map", 9)
	do(d.ForgetShown(ctx, "c", "map", 9))
	want("what was forgotten", "c", "map", 0)
	want("another name", "c", "sheet", -3)
	want("another chat", "d", "map", 11)
	do(d.SetShown(ctx, "d", "map", 0))
	want("none", "d", "map", 0)
	do(d.ForgetShown(ctx, "d", "map", 11))
	if err := d.SetShown(ctx, "d", "", 1); err == nil {
		t.Error("what has no name is shown")
	}
	if err := d.SetShown(ctx, "", "map", 1); err == nil {
		t.Error("it is shown in no chat")
	}
}

func deliveriesCancelled(t *testing.T, d deliveries) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.Receive(ctx, []event.Update{newUpdate(1, `1`)}); err == nil {
		t.Error("Receive")
	}
	if _, err := d.BeginSend(ctx, "c", 1, 0); err == nil {
		t.Error("BeginSend")
	}
}
