package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/store"

	"github.com/google/go-cmp/cmp"
)

func order(t *testing.T, j journal) {
	begin := add(t, j, said("main", "1"))[0]
	if begin.Seq <= 0 || begin.Turn != begin.Seq || begin.Time.Nanosecond()%1e6 != 0 || begin.Time.Location() != time.UTC {
		t.Errorf("the Said that begins a turn came back as %+v", begin)
	}
	batch := add(t, j,
		said("other", "1"),
		noted("main", begin.Seq, "of a turn"),
		noted("main", 0, "of no turn"),
		store.Entry{Chat: "main", Turn: begin.Seq, Body: event.Said{InputID: "2", Text: "into a turn"}},
	)
	events := append([]event.Event{begin}, batch...)
	for i := 1; i < len(events); i++ {
		if events[i].Seq <= events[i-1].Seq {
			t.Errorf("Seq %d comes after %d", events[i].Seq, events[i-1].Seq)
		}
	}
	if diff := cmp.Diff([]int64{events[1].Seq, begin.Seq, 0, begin.Seq}, turns(batch)); diff != "" {
		t.Errorf("turns (-want +got)\n%s", diff)
	}
	isSame(t, events, all(t, j.Since(t.Context(), "", 0)))
}

func turns(events []event.Event) []int64 {
	var turns []int64
	for _, e := range events {
		turns = append(turns, e.Turn)
	}
	return turns
}

// odd is text that breaks things: NUL, line ends, invisible and astral characters, markup, quotes.
const odd = "zero\x00 tab\t cr\r\n sep\u2028 bidi\u202e emoji🧙‍♀️ <b>&amp; 'q' \"qq\" \\ %s ; DROP TABLE event; --"

func roundTrip(t *testing.T, j journal) {
	huge := strings.Repeat("a megabyte of text ", 1<<20/19)
	args := json.RawMessage(`{"path":"ä/\u0000","n":12345678901234567890,"deep":[[{"x":null}]]}`)
	bodies := []event.Body{
		event.Said{InputID: odd, From: odd, Text: odd, Tail: odd},
		event.Said{InputID: "huge", Text: huge},
		event.Generated{
			Message: llm.Message{Role: llm.AssistantRole, Text: odd, Thinking: odd, Images: [][]byte{{0, 255}, {}},
				Calls: []llm.Call{{ID: "c", Name: odd, Args: args, Repairs: []string{odd}}}},
			Usage: llm.Usage{PromptTokens: 1, CachedTokens: 2, EvalTokens: 3, Load: 4, PromptEval: 5, Eval: 1 << 62},
		},
		event.Nudged{Text: odd},
		event.Called{ID: "c", Tool: odd, Args: args, Repairs: []string{}},
		event.Asked{ID: "a", CallID: "c", Tool: "t", Args: args, Text: odd, Expires: time.Unix(1e9, 123456789).UTC()},
		event.Decided{ID: "a", CallID: "c", Allow: true, By: odd},
		event.Started{CallID: "c"},
		event.Returned{ID: "c", Tool: "t", OK: true, Text: huge, Data: map[string]any{"x": []any{1.5, nil, odd}},
			Effects: []event.Effect{{Kind: "wrote", Target: odd, Detail: "1 byte"}}, DurationMS: 1 << 40},
		event.Returned{ID: "d", Error: &event.Error{Type: event.TypeTimeout, Code: event.CodeTimeout, Message: odd,
			Retryable: true, Suggestion: odd}},
		event.Noted{Text: odd},
		event.Replied{Text: huge},
		event.Ended{Reason: event.OverBudget, Steps: 1, Calls: 2, PromptTokens: 3, EvalTokens: 4},
		event.Resumed{},
		event.Trimmed{Before: 1 << 62},
	}
	const chat = "a/very:odd?chat#name%'\"ü"
	var entries []store.Entry
	for _, b := range bodies {
		entries = append(entries, store.Entry{Chat: chat, Turn: 1, Body: b})
	}
	appended := add(t, j, entries...)
	read := all(t, j.Since(t.Context(), "", 0))
	isSame(t, appended, read)
	var got []event.Body
	for _, e := range read {
		if e.Chat != chat {
			t.Errorf("chat %q became %q", chat, e.Chat)
		}
		got = append(got, e.Body)
	}
	if diff := cmp.Diff(bodies, got); diff != "" {
		t.Errorf("bodies (-want +got)\n%s", diff)
	}
}

// JSON has its own idea of nothing. What matters is that Append already tells what a later reader will be told.
func nilAndEmpty(t *testing.T, j journal) {
	for _, c := range []struct{ in, want event.Body }{
		{event.Called{}, event.Called{Args: json.RawMessage("null")}},
		{event.Called{Args: json.RawMessage("{}"), Repairs: []string{}}, event.Called{Args: json.RawMessage("{}"), Repairs: []string{}}},
		{event.Called{Args: json.RawMessage(" { } ")}, event.Called{Args: json.RawMessage("{}")}},
		{&event.Noted{Text: "by pointer"}, event.Noted{Text: "by pointer"}},
		{event.Noted{Text: "not \xff UTF-8"}, event.Noted{Text: "not \ufffd UTF-8"}},
		{event.Returned{Data: 3, Effects: []event.Effect{}}, event.Returned{Data: 3.0}},
	} {
		e := add(t, j, store.Entry{Chat: "main", Body: c.in})[0]
		if diff := cmp.Diff(c.want, e.Body); diff != "" {
			t.Errorf("Append of %#v (-want +got)\n%s", c.in, diff)
		}
		isSame(t, []event.Event{e}, all(t, j.Since(t.Context(), "", e.Seq-1)))
	}
}

func long(t *testing.T, j journal) {
	var want []event.Event
	for i := range 7 { // some pages full of small events, and some of large ones
		var entries []store.Entry
		for k := range 100 {
			chat := event.Chat(fmt.Sprintf("chat%d/%d", k%2, i))
			entries = append(entries, noted(chat, 0, strings.Repeat("x", 20000*(k/99)+k)))
		}
		want = append(want, add(t, j, entries...)...)
	}
	isSame(t, want, all(t, j.Since(t.Context(), "", 0)))
	odds := slices.DeleteFunc(slices.Clone(want), func(e event.Event) bool { return !strings.HasPrefix(string(e.Chat), "chat1") })
	isSame(t, odds, all(t, j.Since(t.Context(), "chat1", 0)))
}

func appendWhileReading(t *testing.T, j journal) {
	want := add(t, j, noted("main", 0, "0"))
	var got []event.Event
	for e, err := range j.Since(t.Context(), "", 0) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e)
		if len(want) < 300 {
			want = append(want, add(t, j, noted("main", 0, fmt.Sprint(len(want))))...)
		}
	}
	// How much of what came after the first event one reading sees is open; that it has no holes is not.
	isSame(t, want[:len(got)], got)
	isSame(t, want[len(got):], all(t, j.Since(t.Context(), "", got[len(got)-1].Seq)))
}

func batches(t *testing.T, j journal) {
	first := add(t, j, said("main", "1"))
	for _, batch := range [][]store.Entry{
		{noted("main", 0, "lost"), said("main", "1")},
		{said("main", "2"), said("main", "2")},
		{said("main", "3"), {Chat: "main"}},
		{said("main", "4"), {Body: event.Noted{}}},
		{said("main", "5"), {Chat: "main", Body: event.Called{Args: json.RawMessage("{")}}},
	} {
		if got, err := j.Append(t.Context(), batch...); err == nil {
			t.Errorf("Append(%v) = %v, want an error", batch, got)
		}
	}
	isSame(t, first, all(t, j.Since(t.Context(), "", 0)))
	add(t, j, said("main", "2"), said("main", "3"), said("main", "4"), said("main", "5")) // no key was taken
}

func duplicates(t *testing.T, j journal) {
	first := add(t, j, noted("main", 0, "so that no Seq is 1 by luck"), said("main", "1"), said("main", "2"))
	add(t, j, said("other", "1"), store.Entry{Chat: "main", Body: event.Decided{ID: "1", Allow: true}})
	add(t, j, noted("main", 0, "same"), noted("main", 0, "same")) // most bodies have no key

	_, err := j.Append(t.Context(), store.Entry{Chat: "main", Body: event.Said{InputID: "2", Text: "other words"}})
	var dup *store.DuplicateError
	if !errors.As(err, &dup) || !errors.Is(err, store.ErrDuplicate) {
		t.Fatalf("Append of a taken key = %v", err)
	}
	if diff := cmp.Diff(&store.DuplicateError{Chat: "main", Key: "said/2", Seq: first[2].Seq}, dup); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for key, want := range map[string]int64{"said/2": first[2].Seq, "said/3": 0, "": 0} {
		if got, err := j.Keyed(t.Context(), "main", key); got != want || err != nil {
			t.Errorf("Keyed(%q) = %d, %v, want %d", key, got, err, want)
		}
	}
	_, err = j.Append(t.Context(), store.Entry{Chat: "main", Body: event.Decided{ID: "1", Allow: false}})
	if !errors.Is(err, store.ErrDuplicate) {
		t.Errorf("deciding twice = %v", err)
	}
	_, err = j.Append(t.Context(), said("new", "9"), said("new", "9"))
	if dup = nil; !errors.As(err, &dup) || dup.Seq != 0 {
		t.Errorf("a key twice in a batch = %v", err)
	}
	add(t, j, said("main", "1 "), said("main", "1\x00"), said("main", ""), said("main", "S")) // other keys
	add(t, j, said("main", "s"))
}

func refused(t *testing.T, j grantingDB) {
	body := event.Noted{Text: "x"}
	for name, entry := range map[string]store.Entry{
		"no chat":           {Body: body},
		"a blank":           {Chat: "my chat", Body: body},
		"a line end":        {Chat: "chat\n", Body: body},
		"a NUL":             {Chat: "chat\x00", Body: body},
		"not UTF-8":         {Chat: "chat\xff", Body: body},
		"no body":           {Chat: "main"},
		"a negative turn":   {Chat: "main", Turn: -1, Body: body},
		"a delta":           {Chat: "main", Body: event.Delta{Text: "x"}},
		"a wait":            {Chat: "main", Body: event.Waiting{Ahead: 1}},
		"arguments no JSON": {Chat: "main", Body: event.Called{Args: json.RawMessage("no")}},
		"data no JSON":      {Chat: "main", Body: event.Returned{Data: func() {}}},
	} {
		for _, batch := range [][]store.Entry{{entry}, {noted("main", 0, "lost"), entry}} {
			if got, err := j.Append(t.Context(), batch...); err == nil {
				t.Errorf("%s: Append = %v, want an error", name, got)
			}
		}
	}
	isSame(t, nil, all(t, j.Since(t.Context(), "", 0)))
}

// concurrent lets appenders and followers race: every reader must see all events once, in order, without a hole that is
// filled later.
func concurrent(t *testing.T, j journal) {
	const appenders, appends, batch = 8, 15, 3
	var appending, following sync.WaitGroup
	done := make(chan struct{})
	appended := make([][]event.Event, appenders)
	for a := range appenders {
		appending.Go(func() {
			for n := range appends {
				var entries []store.Entry
				for k := range batch {
					entries = append(entries, said(event.Chat(fmt.Sprint("chat", a)), fmt.Sprint(n, "/", k)))
				}
				events, err := j.Append(t.Context(), entries...)
				if err != nil {
					t.Error(err)
					return
				}
				appended[a] = append(appended[a], events...)
			}
		})
	}
	followed := make([][]event.Event, 3)
	for f := range followed {
		following.Go(func() { followed[f] = follow(t, j, done) })
	}
	appending.Wait()
	close(done)
	following.Wait()

	want := slices.Concat(appended...)
	slices.SortFunc(want, func(a, b event.Event) int { return int(a.Seq - b.Seq) })
	for i := 1; i < len(want); i++ {
		if want[i].Seq == want[i-1].Seq {
			t.Errorf("Seq %d was given twice", want[i].Seq)
		}
	}
	for _, events := range appended {
		for i := 0; i+batch <= len(events); i += batch {
			if last := events[i+batch-1].Seq; last != events[i].Seq+batch-1 {
				t.Errorf("another appender got into a batch that spans %d to %d", events[i].Seq, last)
			}
		}
	}
	for _, got := range followed {
		isSame(t, want, got)
	}
}

// follow reads the journal by a mark until done, and what is there then.
func follow(t *testing.T, j journal, done <-chan struct{}) (got []event.Event) {
	var mark int64
	for over := false; ; {
		for e, err := range j.Since(t.Context(), "", mark) {
			if err != nil {
				t.Error(err)
				return got
			}
			got, mark = append(got, e), e.Seq
		}
		if over {
			return got
		}
		select {
		case <-done:
			over = true
		default:
		}
	}
}
