package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// journal is what [store.DB] and [storetest.Memory] both are. The first half of this contract holds both to it; the second is
// about what only DB does.
type journal interface {
	store.Journal
	Chat(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error]
	ChatsOf(ctx context.Context, prefix string) ([]event.Chat, error)
	Keyed(ctx context.Context, chat event.Chat, key string) (int64, error)
	Last(ctx context.Context, chat event.Chat) (int64, error)
	OpenTurns(ctx context.Context, chat event.Chat) ([]int64, error)
	Audits(ctx context.Context, f store.AuditFilter) ([]event.Audit, error)
	Grants(ctx context.Context) ([]event.Grant, error) // in force
}

// grantingDB is a DB that lists its grants as the fake does.
type grantingDB struct{ *store.DB }

func (g grantingDB) Grants(ctx context.Context) ([]event.Grant, error) {
	return g.DB.Grants().InForce(ctx)
}

func TestJournalContract(t *testing.T) {
	tests := map[string]func(*testing.T, journal){
		"an empty journal":                              empty,
		"events come back in order":                     order,
		"events come back as they were appended":        roundTrip,
		"what a body leaves out stays left out":         nilAndEmpty,
		"an event belongs to who read it":               ownCopies,
		"a reader goes on where it stopped":             after,
		"a prefix picks chats":                          prefixes,
		"a long journal is read whole":                  long,
		"a reader may stop early":                       stopEarly,
		"a reader sees what is appended while it reads": appendWhileReading,
		"a batch is appended whole or not at all":       batches,
		"a key is taken once in a chat":                 duplicates,
		"marks go forward only":                         marks,
		"an ended context ends a call":                  cancelled,
		"appenders at the same time":                    concurrent,
		"a chat by its exact name":                      exact,
		"turns are open until they end":                 openTurns,
		"a record is kept with its result":              recordOfResult,
		"a grant comes with a decision":                 grantOfDecision,
	}
	for name, test := range tests {
		t.Run("SQLite/"+name, func(t *testing.T) { test(t, grantingDB{storetest.Open(t, time.Now)}) })
		t.Run("in memory/"+name, func(t *testing.T) { test(t, grantingDB{openMemory(t)}) })
		t.Run("fake/"+name, func(t *testing.T) { test(t, storetest.NewMemory(time.Now)) })
	}
}

func TestDBContract(t *testing.T) {
	for name, test := range map[string]func(*testing.T, grantingDB){
		"entries that are none":                            refused,
		"chats are listed with their open turns":           chats,
		"words are found":                                  search,
		"a long chat is searched to its beginning":         searchLong,
		"an ended context ends a search":                   searchCancelled,
		"grants go with a decision or not at all":          grantsOfDecisions,
		"a record is read back as it is hashed":            oddRecords,
		"a record goes with its result or not at all":      noRecords,
		"a filter picks records":                           pickedRecords,
		"a record belongs to who read it":                  ownRecords,
		"an ended context records nothing":                 auditCancelled,
		"whoever records at the same time makes one chain": oneChain,
	} {
		t.Run(name, func(t *testing.T) { test(t, grantingDB{storetest.Open(t, time.Now)}) })
		t.Run("in memory/"+name, func(t *testing.T) { test(t, grantingDB{openMemory(t)}) })
	}
}

func empty(t *testing.T, j journal) {
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

func after(t *testing.T, j journal) {
	events := add(t, j, said("main", "1"), noted("main", 1, "two"), noted("main", 1, "three"))
	for i := range events {
		isSame(t, events[i+1:], all(t, j.Since(t.Context(), "", events[i].Seq)))
	}
	isSame(t, events, all(t, j.Since(t.Context(), "", -7)))
	isSame(t, nil, all(t, j.Since(t.Context(), "", events[2].Seq+1000)))
}

func ownCopies(t *testing.T, j journal) {
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
		isSame(t, want, got)
		mine = got[0].Body.(event.Called)
		spoil(mine.Args, mine.Repairs)
	}
}

func prefixes(t *testing.T, j journal) {
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
		isSame(t, want, all(t, j.Since(t.Context(), prefix, 0)))
	}
}

func stopEarly(t *testing.T, j journal) {
	events := add(t, j, noted("main", 0, "one"), noted("main", 0, "two"))
	for e, err := range j.Since(t.Context(), "", 0) {
		if err != nil {
			t.Fatal(err)
		}
		isSame(t, events[:1], []event.Event{e})
		break
	}
	add(t, j, noted("main", 0, "three")) // nothing is locked
}

func marks(t *testing.T, j journal) {
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

func cancelled(t *testing.T, j journal) {
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
	isSame(t, events, all(t, j.Since(t.Context(), "", 0))) // what was refused is not there
}

func exact(t *testing.T, j journal) {
	events := add(t, j, noted("main", 0, "one"), noted("main2", 0, "two"), noted("main", 0, "three"))
	isSame(t, []event.Event{events[0], events[2]}, all(t, j.Chat(t.Context(), "main", 0)))
	isSame(t, events[2:], all(t, j.Chat(t.Context(), "main", events[0].Seq)))
	isSame(t, nil, all(t, j.Chat(t.Context(), "mai", 0)))
	isSame(t, nil, all(t, j.Chat(t.Context(), "", 0)))
	for chat, want := range map[event.Chat]int64{"": events[2].Seq, "main": events[2].Seq, "main2": events[1].Seq, "mai": 0} {
		if got, err := j.Last(t.Context(), chat); got != want || err != nil {
			t.Errorf("Last(%q) = %d, %v, want %d", chat, got, err, want)
		}
	}
}

// someChats appends turns of three chats, and a note in a fourth, and returns what [store.DB.Chats] then says.
func someChats(t *testing.T, j journal) []store.ChatInfo {
	t.Helper()
	main := add(t, j, said("main", "1"), said("main", "2"), said("main", "3"))
	other := add(t, j, said("telegram/1", "1"))
	add(t, j, store.Entry{Chat: "main", Turn: main[1].Seq, Body: event.Ended{Reason: event.Done}})
	end := add(t, j, store.Entry{Chat: "telegram/1", Turn: other[0].Seq, Body: event.Ended{Reason: event.Stopped}})
	late := add(t, j, store.Entry{Chat: "main", Turn: main[0].Seq, Body: event.Said{InputID: "4", Text: "into a turn"}})
	begun := add(t, j, said("joined", "1"), said("joined", "2"), said("joined", "3"))
	joined := add(t, j, store.Entry{Chat: "joined", Turn: begun[0].Seq, Body: event.Joined{Said: begun[1].Seq}})
	only := add(t, j, noted("quiet", 0, "no turn"))
	return []store.ChatInfo{
		{Chat: "joined", Last: joined[0].Seq, Time: joined[0].Time, Open: []int64{begun[0].Seq, begun[2].Seq}},
		{Chat: "main", Last: late[0].Seq, Time: late[0].Time, Open: []int64{main[0].Seq, main[2].Seq}},
		{Chat: "quiet", Last: only[0].Seq, Time: only[0].Time},
		{Chat: "telegram/1", Last: end[0].Seq, Time: end[0].Time},
	}
}

func openTurns(t *testing.T, j journal) {
	for _, c := range someChats(t, j) {
		open, err := j.OpenTurns(t.Context(), c.Chat)
		if diff := cmp.Diff(c.Open, open); diff != "" || err != nil {
			t.Errorf("OpenTurns(%q): %v, (-want +got)\n%s", c.Chat, err, diff)
		}
	}
	for prefix, want := range map[string][]event.Chat{"telegram/": {"telegram/1"}, "": {"joined", "main", "quiet", "telegram/1"}, "none": nil} {
		names, err := j.ChatsOf(t.Context(), prefix)
		if diff := cmp.Diff(want, names); diff != "" || err != nil {
			t.Errorf("ChatsOf(%q): %v, (-want +got)\n%s", prefix, err, diff)
		}
	}
}

func chats(t *testing.T, j grantingDB) {
	if got, err := j.Chats(t.Context()); len(got) > 0 || err != nil {
		t.Errorf("Chats of an empty journal = %v, %v", got, err)
	}
	want := someChats(t, j)
	got, err := j.Chats(t.Context())
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("Chats: %v, (-want +got)\n%s", err, diff)
	}
}

func said(chat event.Chat, id string) store.Entry {
	return store.Entry{Chat: chat, Body: event.Said{InputID: id, Text: "input " + id}}
}

func noted(chat event.Chat, turn int64, text string) store.Entry {
	return store.Entry{Chat: chat, Turn: turn, Body: event.Noted{Text: text}}
}

func add(t *testing.T, j journal, entries ...store.Entry) []event.Event {
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

func isSame(t *testing.T, want, got []event.Event) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("events differ (-want +got)\n%s", diff)
	}
}
