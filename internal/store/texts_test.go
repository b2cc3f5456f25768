package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"hob/internal/event"
)

// readWords returns the words of an event's text, in small letters.
func readWords(e event.Event) []string {
	text, _ := event.Readable(e.Body)
	return strings.Fields(strings.ToLower(text))
}

func holding(t *testing.T, db *DB, chat event.Chat, words ...[]string) []int64 {
	t.Helper()
	seqs, err := db.Texts().Holding(t.Context(), chat, words, 10)
	if err != nil {
		t.Fatal(err)
	}
	return seqs
}

// The index is brought up to the newest event when it is told to, however far it is behind, and finds the events of one chat.
func TestTexts(t *testing.T) {
	db := mustOpen(t, newPath(t))
	texts := db.Texts()
	const many = 2*indexedTogether + 10
	var entries []Entry
	for i := range many {
		entries = append(entries, Entry{Chat: "main", Body: event.Said{InputID: fmt.Sprint(i), Text: "The boiler " + fmt.Sprint(i)}}, Entry{Chat: "main", Body: event.Requested{}})
	}
	entries = append(entries, Entry{Chat: "other", Body: event.Noted{Text: "the boiler xchat6d61696e"}}) // as if it were of main
	if _, err := db.Append(t.Context(), entries...); err != nil {
		t.Fatal(err)
	}
	if seq, err := texts.Indexed(t.Context()); seq != 0 || err != nil || len(holding(t, db, "main", []string{"boiler"})) > 0 {
		t.Errorf("before it is searched %d are indexed, %v", seq, err)
	}
	read := 0
	update := func() {
		t.Helper()
		read = 0
		err := texts.Update(t.Context(), func(e event.Event) []string { read++; return readWords(e) })
		if err != nil {
			t.Fatal(err)
		}
	}
	update()
	if seq, err := texts.Indexed(t.Context()); seq != 2*many+1 || read != many+1 || err != nil {
		t.Errorf("%d are read, the index goes up to %d, %v", read, seq, err)
	}
	for _, c := range []struct {
		chat  event.Chat
		words [][]string
		want  []int64
	}{
		{"main", [][]string{{"boiler"}, {"7"}}, []int64{15}},
		{"main", [][]string{{"8", "7"}, {"boiler"}}, []int64{17, 15}},
		{"main", [][]string{{"boil*"}, {"7"}}, []int64{15}},
		{"main", [][]string{{"boil"}}, nil},
		{"other", [][]string{{"boiler"}}, []int64{2*many + 1}},
		{"oth", [][]string{{"boiler"}}, nil},
		{"main", [][]string{{`boiler" OR "7`}}, nil},
		{"main", nil, nil},
	} {
		if got := holding(t, db, c.chat, c.words...); !slices.Equal(got, c.want) {
			t.Errorf("%s %v: %v, want %v", c.chat, c.words, got, c.want)
		}
	}
	if got := holding(t, db, "main", []string{"the"}); len(got) != 10 || got[0] != 2*many-1 {
		t.Errorf("the newest are %v", got)
	}
	events, err := texts.ByNumber(t.Context(), []int64{15, 17, 1_000_000})
	if err != nil || len(events) != 2 || events[0].Seq != 15 || events[1].Chat != "main" {
		t.Errorf("%+v, %v", events, err)
	}
	update()
	if read != 0 {
		t.Errorf("%d are read again", read)
	}
	run(t, db, `INSERT INTO event VALUES (10000, 6000, 'main', 1, 'noted', '', '{"text":"boiler', NULL)`) // unreadable
	append1(t, db, "the last boiler")
	update()
	if got := holding(t, db, "main", []string{"last"}); read != 2 || !slices.Equal(got, []int64{10001}) {
		t.Errorf("%d are read, %v are found", read, got)
	}
	run(t, db, `DELETE FROM event WHERE seq = 10001`)
	if got := holding(t, db, "main", []string{"last"}); len(got) > 0 {
		t.Errorf("%v is gone, and is found", got)
	}
}

// Two that bring the index up at once do it once.
func TestTextsUpdatedTwice(t *testing.T) {
	path := newPath(t)
	one, two := mustOpen(t, path), mustOpen(t, path)
	for i := range 20 {
		append1(t, one, fmt.Sprint("boiler ", i))
	}
	err := one.Texts().Update(t.Context(), func(e event.Event) []string {
		if e.Seq == 10 {
			if err := two.Texts().Update(t.Context(), readWords); err != nil {
				t.Error(err)
			}
		}
		return readWords(e)
	})
	if got := holding(t, one, "main", []string{"boiler"}, []string{"11"}); err != nil || !slices.Equal(got, []int64{12}) {
		t.Errorf("%v, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	append1(t, one, "more")
	if err := one.Texts().Update(ctx, readWords); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
