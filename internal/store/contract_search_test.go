package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/store"
)

func find(t *testing.T, j grantingDB, chat event.Chat, words string, limit int) []event.Event {
	t.Helper()
	events, err := j.Search(t.Context(), chat, words, limit)
	if err != nil {
		t.Fatalf("Search(%q, %q): %v", chat, words, err)
	}
	return events
}

func search(t *testing.T, j grantingDB) {
	if got := find(t, j, "main", "word", 10); len(got) > 0 {
		t.Errorf("an empty journal holds %v", got)
	}
	args := json.RawMessage(`{"path":"boiler.md","text":"the c\u00f6de\nis 4711"}`)
	e := add(t, j,
		said("main", "of the boiler"),
		store.Entry{Chat: "main", Turn: 1, Body: event.Generated{Message: llm.Message{Text: "let me look at the boiler", Thinking: "secretly"}}},
		store.Entry{Chat: "main", Turn: 1, Body: event.Called{ID: "c", Tool: "write_file", Args: args}},
		store.Entry{Chat: "main", Turn: 1, Body: event.Asked{ID: "a", CallID: "c", Args: args, Text: "may it write boiler.md?"}},
		store.Entry{Chat: "main", Turn: 1, Body: event.Returned{ID: "c", Text: "wrote Boiler.md\nwith 4711 in it", Data: "hidden"}},
		noted("main", 1, "BOILER noted"),
		noted("main2", 1, "the boiler of another chat"),
		noted("mai", 1, "the boiler of another chat"),
		store.Entry{Chat: "main", Turn: 1, Body: event.Nudged{Text: "boiler nudge"}},
		store.Entry{Chat: "main", Turn: 1, Body: event.Replied{Text: "The boiler's code: Über 50%_ 锅炉密码是四七一一"}},
	)
	for _, c := range []struct {
		what, words string
		want        []event.Event
	}{
		{"every kind of text, the newest first", "boiler", []event.Event{e[9], e[5], e[4], e[2], e[0]}},
		{"case", "bOILER'S", []event.Event{e[9]}},
		{"case beyond ASCII", "über", []event.Event{e[9]}},
		{"all words, in any order", "4711 boiler", []event.Event{e[4], e[2]}},
		{"a part of a word", "oile 471", []event.Event{e[4], e[2]}},
		{"a text without blanks", "密码", []event.Event{e[9]}},
		{"escapes of JSON", "CÖDE", []event.Event{e[2]}},
		{"blanks of all kinds", "\t the \n\u3000boiler's ", []event.Event{e[9]}},
		{"the same word twice", "noted noted", []event.Event{e[5]}},
		{"no pattern language", "50%_", []event.Event{e[9]}},
		{"no pattern language", "boi%r", nil},
		{"no query language", "boiler' OR 1=1 --", nil},
		{"one word is missing", "boiler stove", nil},
		{"what nobody has allowed", "may", nil},
		{"what the model thought", "secretly", nil},
		{"what it only drafted", "let me look", nil},
		{"data for programs", "hidden", nil},
		{"what the runtime told the model", "nudge", nil},
		{"no words", "", nil},
		{"only blanks", " \n", nil},
		{"bytes that are no text", "\xff", nil},
	} {
		t.Run(c.what, func(t *testing.T) { isSame(t, c.want, find(t, j, "main", c.words, 10)) })
	}
	isSame(t, e[6:7], find(t, j, "main2", "boiler", 10))
	isSame(t, nil, find(t, j, "", "boiler", 10))
	isSame(t, nil, find(t, j, "m%", "boiler", 10))
	isSame(t, []event.Event{e[9], e[5]}, find(t, j, "main", "boiler", 2))
	isSame(t, nil, find(t, j, "main", "boiler", 0))
	isSame(t, nil, find(t, j, "main", "boiler", -1))
}

func searchLong(t *testing.T, j grantingDB) {
	var want []event.Event
	filler := strings.Repeat("nothing in particular ", 200)
	for i := range 30 {
		entries := make([]store.Entry, 0, 30)
		for k := range 28 {
			entries = append(entries, noted("main", 0, fmt.Sprintf("%d %s", k, filler)))
		}
		entries = append(entries, noted("main", 0, fmt.Sprintf("needle %d", i)), noted("other", 0, "needle"))
		want = append([]event.Event{add(t, j, entries...)[28]}, want...)
	}
	isSame(t, want, find(t, j, "main", "NEEDLE", 1000))
	isSame(t, want[:29], find(t, j, "main", "needle", 29))
	isSame(t, want[29:], find(t, j, "main", "needle 0", 1000)[2:]) // the others are 20 and 10
}

func searchCancelled(t *testing.T, j grantingDB) {
	add(t, j, noted("main", 0, "needle"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := j.Search(ctx, "main", "needle", 10); !errors.Is(err, context.Canceled) || got != nil {
		t.Errorf("Search = %v, %v", got, err)
	}
	ctx, cancel = context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	if _, err := j.Search(ctx, "main", "needle", 10); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Search = %v", err)
	}
}
