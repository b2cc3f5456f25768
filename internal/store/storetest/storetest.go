// Package storetest is the contract of what [store.Memory] does in the place of [store.DB], which a test of package store holds
// both to: a journal ([Run]), deliveries ([RunDeliveries]) and people ([RunPeople]). What only DB does is tested in package store.
package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"testing"

	"hob/internal/event"
	"hob/internal/store"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Journal is a journal with all that is in one transaction with its events, and that knows its chats by name.
type Journal interface {
	store.Journal
	Chat(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error]
	Chats(ctx context.Context) ([]store.ChatInfo, error)
	ChatsOf(ctx context.Context, prefix string) ([]event.Chat, error)
	Last(ctx context.Context, chat event.Chat) (int64, error)
	Search(ctx context.Context, chat event.Chat, words string, limit int) ([]event.Event, error)
	AppendAudit(ctx context.Context, records ...event.Audit) error
	Audits(ctx context.Context, f store.AuditFilter) ([]event.Audit, error)
	Grants(ctx context.Context) ([]event.Grant, error) // in force
}

// Run holds journals to their contract. Each call of open returns a new and empty one, which open closes when its test ends.
func Run(t *testing.T, open func(t *testing.T) Journal) {
	for _, c := range []struct {
		name string
		test func(*testing.T, Journal)
	}{
		{"an empty journal", empty},
		{"events come back in order", order},
		{"events come back as they were appended", roundTrip},
		{"what a body leaves out stays left out", nilAndEmpty},
		{"an event belongs to who read it", ownCopies},
		{"a reader goes on where it stopped", after},
		{"a prefix picks chats", prefixes},
		{"a long journal is read whole", long},
		{"a reader may stop early", stopEarly},
		{"a reader sees what is appended while it reads", appendWhileReading},
		{"a batch is appended whole or not at all", batches},
		{"a key is taken once in a chat", duplicates},
		{"entries that are none", refused},
		{"marks go forward only", marks},
		{"an ended context ends a call", cancelled},
		{"appenders at the same time", concurrent},
		{"a chat by its exact name", exact},
		{"chats are listed with their open turns", chats},
		{"words are found", search},
		{"a long chat is searched to its beginning", searchLong},
		{"an ended context ends a search", searchCancelled},
		{"grants go with a decision or not at all", grantsOfDecisions},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
	t.Run("audit", func(t *testing.T) { runAudited(t, open) })
}

func empty(t *testing.T, j Journal) {
	if got := all(t, j.Since(t.Context(), "", 0)); len(got) > 0 {
		t.Errorf("an empty journal yields %v", got)
	}
	if got, err := j.Append(t.Context()); got != nil || err != nil {
		t.Errorf("Append of nothing = %v, %v", got, err)
	}
	if seq, err := j.Marked(t.Context(), "nobody"); seq != 0 || err != nil {
		t.Errorf("Marked of a new reader = %d, %v", seq, err)
	}
}

func after(t *testing.T, j Journal) {
	events := add(t, j, said("main", "1"), noted("main", 1, "two"), noted("main", 1, "three"))
	for i := range events {
		same(t, events[i+1:], all(t, j.Since(t.Context(), "", events[i].Seq)))
	}
	same(t, events, all(t, j.Since(t.Context(), "", -7)))
	same(t, nil, all(t, j.Since(t.Context(), "", events[2].Seq+1000)))
}

func ownCopies(t *testing.T, j Journal) {
	args := json.RawMessage(`{"a":1}`)
	events := add(t, j, store.Entry{Chat: "main", Body: event.Called{ID: "c", Args: args, Repairs: []string{"r"}}})
	spoil := func(args json.RawMessage, repairs []string) { args[2], repairs[0] = '!', "spoilt" }
	want := []event.Event{events[0]}
	want[0].Body = event.Called{ID: "c", Args: json.RawMessage(`{"a":1}`), Repairs: []string{"r"}}
	spoil(args, []string{""})
	mine := events[0].Body.(event.Called)
	spoil(mine.Args, mine.Repairs)
	for range 2 {
		got := all(t, j.Since(t.Context(), "", 0))
		same(t, want, got)
		mine = got[0].Body.(event.Called)
		spoil(mine.Args, mine.Repairs)
	}
}

func prefixes(t *testing.T, j Journal) {
	var events []event.Event
	for _, chat := range []event.Chat{"main", "main2", "telegram/1", "telegram/12", "Main", "mäin", "m%in", "m_in"} {
		events = append(events, add(t, j, noted(chat, 0, "in "+string(chat)))...)
	}
	for prefix, want := range map[string][]event.Event{
		"":            events,
		"main":        events[:2],
		"main2":       events[1:2],
		"telegram/":   events[2:4],
		"telegram/12": events[3:4],
		"mä":          events[5:6],
		"m%":          events[6:7], // no pattern language
		"m_":          events[7:8],
		"*":           nil,
		"main22":      nil,
	} {
		same(t, want, all(t, j.Since(t.Context(), prefix, 0)))
	}
}

func stopEarly(t *testing.T, j Journal) {
	events := add(t, j, noted("main", 0, "one"), noted("main", 0, "two"))
	for e, err := range j.Since(t.Context(), "", 0) {
		if err != nil {
			t.Fatal(err)
		}
		same(t, events[:1], []event.Event{e})
		break
	}
	add(t, j, noted("main", 0, "three")) // nothing is locked
}

func marks(t *testing.T, j Journal) {
	for _, step := range []struct {
		reader     string
		mark, want int64
	}{
		{"telegram", 7, 7},
		{"telegram", 3, 7},
		{"telegram", 7, 7},
		{"telegram", 1 << 60, 1 << 60},
		{"a \x00 reader / of any name", 0, 0},
		{"terminal", 2, 2},
	} {
		if err := j.Mark(t.Context(), step.reader, step.mark); err != nil {
			t.Fatalf("Mark(%q, %d): %v", step.reader, step.mark, err)
		}
		if got, err := j.Marked(t.Context(), step.reader); got != step.want || err != nil {
			t.Errorf("after Mark(%q, %d), Marked = %d, %v, want %d", step.reader, step.mark, got, err, step.want)
		}
	}
	if err := j.Mark(t.Context(), "", 1); err == nil {
		t.Error("a reader without a name was marked")
	}
	if err := j.Mark(t.Context(), "telegram", -1); err == nil {
		t.Error("a negative mark was taken")
	}
}

func cancelled(t *testing.T, j Journal) {
	events := add(t, j, noted("main", 0, "one"), noted("main", 0, "two"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	seen := 0
	for _, err := range j.Since(ctx, "", 0) {
		if seen++; seen == 1 {
			if err != nil {
				t.Fatal(err)
			}
			cancel()
		} else if !errors.Is(err, context.Canceled) {
			t.Errorf("Since, after the context's end: %v", err)
		}
	}
	if seen != 2 {
		t.Errorf("Since yielded %d times, want an event and an error", seen)
	}
	if _, err := j.Append(ctx, noted("main", 0, "three")); !errors.Is(err, context.Canceled) {
		t.Errorf("Append = %v", err)
	}
	if err := j.Mark(ctx, "reader", 1); !errors.Is(err, context.Canceled) {
		t.Errorf("Mark = %v", err)
	}
	if _, err := j.Marked(ctx, "reader"); !errors.Is(err, context.Canceled) {
		t.Errorf("Marked = %v", err)
	}
	same(t, events, all(t, j.Since(t.Context(), "", 0))) // what was refused is not there
}

func exact(t *testing.T, j Journal) {
	events := add(t, j, noted("main", 0, "one"), noted("main2", 0, "two"), noted("main", 0, "three"))
	same(t, []event.Event{events[0], events[2]}, all(t, j.Chat(t.Context(), "main", 0)))
	same(t, events[2:], all(t, j.Chat(t.Context(), "main", events[0].Seq)))
	same(t, nil, all(t, j.Chat(t.Context(), "mai", 0)))
	same(t, nil, all(t, j.Chat(t.Context(), "", 0)))
	for chat, want := range map[event.Chat]int64{"": events[2].Seq, "main": events[2].Seq, "main2": events[1].Seq, "mai": 0} {
		if got, err := j.Last(t.Context(), chat); got != want || err != nil {
			t.Errorf("Last(%q) = %d, %v, want %d", chat, got, err, want)
		}
	}
}

func chats(t *testing.T, j Journal) {
	if got, err := j.Chats(t.Context()); len(got) > 0 || err != nil {
		t.Errorf("Chats of an empty journal = %v, %v", got, err)
	}
	main := add(t, j, said("main", "1"), said("main", "2"), said("main", "3"))
	other := add(t, j, said("telegram/1", "1"))
	add(t, j, store.Entry{Chat: "main", Turn: main[1].Seq, Body: event.Ended{Reason: event.Done}})
	end := add(t, j, store.Entry{Chat: "telegram/1", Turn: other[0].Seq, Body: event.Ended{Reason: event.Stopped}})
	late := add(t, j, store.Entry{Chat: "main", Turn: main[0].Seq, Body: event.Said{InputID: "4", Text: "into a turn"}})
	begun := add(t, j, said("joined", "1"), said("joined", "2"), said("joined", "3"))
	joined := add(t, j, store.Entry{Chat: "joined", Turn: begun[0].Seq, Body: event.Joined{Said: begun[1].Seq}})
	only := add(t, j, noted("quiet", 0, "no turn"))
	want := []store.ChatInfo{
		{Chat: "joined", Last: joined[0].Seq, Time: joined[0].Time, Open: []int64{begun[0].Seq, begun[2].Seq}},
		{Chat: "main", Last: late[0].Seq, Time: late[0].Time, Open: []int64{main[0].Seq, main[2].Seq}},
		{Chat: "quiet", Last: only[0].Seq, Time: only[0].Time},
		{Chat: "telegram/1", Last: end[0].Seq, Time: end[0].Time},
	}
	got, err := j.Chats(t.Context())
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("Chats: %v, (-want +got)\n%s", err, diff)
	}
	for prefix, want := range map[string][]event.Chat{"telegram/": {"telegram/1"}, "": {"joined", "main", "quiet", "telegram/1"}, "none": nil} {
		names, err := j.ChatsOf(t.Context(), prefix)
		if diff := cmp.Diff(want, names); diff != "" || err != nil {
			t.Errorf("ChatsOf(%q): %v, (-want +got)\n%s", prefix, err, diff)
		}
	}
}

func said(chat event.Chat, id string) store.Entry {
	return store.Entry{Chat: chat, Body: event.Said{InputID: id, Text: "input " + id}}
}

func noted(chat event.Chat, turn int64, text string) store.Entry {
	return store.Entry{Chat: chat, Turn: turn, Body: event.Noted{Text: text}}
}

func add(t *testing.T, j Journal, entries ...store.Entry) []event.Event {
	t.Helper()
	events, err := j.Append(t.Context(), entries...)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

func all(t *testing.T, events iter.Seq2[event.Event, error]) []event.Event {
	t.Helper()
	var got []event.Event
	for e, err := range events {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e)
	}
	return got
}

func same(t *testing.T, want, got []event.Event) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("events differ (-want +got)\n%s", diff)
	}
}
