package store

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// oddID is an id that breaks things: NUL, line ends, markup, quotes.
const oddID = "zero\x00 tab\t cr\r\n sep\u2028 <b>&amp; 'q' \"qq\" \\ %s ; DROP TABLE request; --"

// What is remembered of requests.
func TestRequests(t *testing.T) {
	for _, c := range []struct {
		name string
		test func(*testing.T, *Requests, *time.Time)
	}{
		{"a request is made once", madeOnce},
		{"a request is that of a chat and an id", ownRequests},
		{"another request by the same id is refused", conflicts},
		{"what is no end of a request", noEnds},
		{"what is older than a week is forgotten", forgottenByAge},
		{"an ended context begins nothing", requestsCancelled},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := time.Date(2027, 1, 2, 3, 4, 5, 6e6, time.UTC)
			db, err := Open(t.Context(), newPath(t), func() time.Time { return now })
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { db.Close() })
			c.test(t, db.Requests(), &now)
		})
	}
}

// asked begins a request and checks what is known of it.
func asked(t *testing.T, rs *Requests, chat, id, hash string, want Request) {
	t.Helper()
	got, err := rs.Begin(t.Context(), chat, id, hash)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("Begin(%q, %q): %v (-want +got)\n%s", chat, id, err, diff)
	}
}

func ended(t *testing.T, rs *Requests, id, outcome string) {
	t.Helper()
	if err := rs.End(t.Context(), "main", id, json.RawMessage(outcome)); err != nil {
		t.Errorf("End(%q): %v", id, err)
	}
}

func madeOnce(t *testing.T, rs *Requests, _ *time.Time) {
	asked(t, rs, "main", oddID, "h", Request{})
	asked(t, rs, "main", oddID, "h", Request{Known: true})
	ended(t, rs, oddID, `{"ok": true}`)
	done := Request{Known: true, Done: true, Outcome: json.RawMessage(`{"ok": true}`)}
	asked(t, rs, "main", oddID, "h", done)
	ended(t, rs, oddID, `"another"`) // the first stands
	asked(t, rs, "main", oddID, "h", done)
	asked(t, rs, "main", "nothing", "h", Request{})
	if err := rs.End(t.Context(), "main", "nothing", nil); err != nil {
		t.Error(err)
	}
	asked(t, rs, "main", "nothing", "h", Request{Known: true, Done: true, Outcome: json.RawMessage("null")})
}

func ownRequests(t *testing.T, rs *Requests, _ *time.Time) {
	asked(t, rs, "main", "1", "h", Request{})
	asked(t, rs, "other", "1", "g", Request{})
	asked(t, rs, "main", "2", "h", Request{})
	asked(t, rs, "main", "1 ", "g", Request{})
	ended(t, rs, "1", `1`)
	asked(t, rs, "other", "1", "g", Request{Known: true})
}

func conflicts(t *testing.T, rs *Requests, _ *time.Time) {
	asked(t, rs, "main", "1", "h", Request{})
	for range 2 {
		got, err := rs.Begin(t.Context(), "main", "1", "g")
		var conflict *RequestConflictError
		if !errors.As(err, &conflict) || *conflict != (RequestConflictError{Chat: "main", ID: "1"}) || got.Known {
			t.Fatalf("Begin = %v, %v", got, err)
		}
		if want := `request "1" of chat "main" was made before and asked for something else: give every request an id of its own`; err.Error() != want {
			t.Errorf("the sentence is %q", err)
		}
		ended(t, rs, "1", `1`)
	}
	asked(t, rs, "main", "1", "h", Request{Known: true, Done: true, Outcome: json.RawMessage("1")})
}

func noEnds(t *testing.T, rs *Requests, _ *time.Time) {
	asked(t, rs, "main", "1", "h", Request{})
	_, unnamed := rs.Begin(t.Context(), "main", "", "h")
	for what, err := range map[string]error{
		"no id":     unnamed,
		"not begun": rs.End(t.Context(), "main", "2", json.RawMessage(`1`)),
		"elsewhere": rs.End(t.Context(), "other", "1", json.RawMessage(`1`)),
		"no JSON":   rs.End(t.Context(), "main", "1", json.RawMessage(`{`)),
	} {
		if err == nil {
			t.Errorf("%s: there is no error", what)
		}
	}
	asked(t, rs, "main", "1", "h", Request{Known: true})
}

func forgottenByAge(t *testing.T, rs *Requests, now *time.Time) {
	asked(t, rs, "main", "1", "h", Request{})
	*now = now.Add(time.Hour)
	asked(t, rs, "main", "2", "h", Request{})
	*now = now.Add(7*24*time.Hour - time.Hour)
	asked(t, rs, "main", "1", "h", Request{Known: true})
	*now = now.Add(time.Millisecond)
	asked(t, rs, "main", "2", "h", Request{Known: true})
	asked(t, rs, "main", "1", "another", Request{})
}

func requestsCancelled(t *testing.T, rs *Requests, _ *time.Time) {
	asked(t, rs, "main", "0", "h", Request{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := rs.Begin(ctx, "main", "1", "h"); !errors.Is(err, context.Canceled) {
		t.Errorf("Begin = %v", err)
	}
	if err := rs.End(ctx, "main", "0", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("End = %v", err)
	}
	asked(t, rs, "main", "0", "h", Request{Known: true})
	asked(t, rs, "main", "1", "h", Request{})
}

// Ten thousand requests are remembered, and the oldest go first.
func TestRequestsAreBounded(t *testing.T) {
	db := mustOpen(t, newPath(t))
	run(t, db, `WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ?)
		INSERT INTO request (n, time, chat, id, hash) SELECT n, ?, 'main', n, 'h' FROM c`, requestRows, time.Now().UnixMilli())
	for _, c := range []struct {
		id    string
		known bool
	}{{"1", true}, {"new", false}, {"2", true}, {"newer", false}, {"3", true}, {"10000", true}, {"2", false}, {"4", true}, {"1", false}} {
		if r, err := db.Requests().Begin(t.Context(), "main", c.id, "h"); r.Known != c.known || err != nil {
			t.Errorf("request %s: %+v, %v", c.id, r, err)
		}
	}
}
