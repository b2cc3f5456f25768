package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"hob/internal/store"

	"github.com/google/go-cmp/cmp"
)

// Requests remembers requests that may be made again.
type Requests interface {
	BeginRequest(ctx context.Context, chat, id, hash string) (store.Request, error)
	EndRequest(ctx context.Context, chat, id string, outcome json.RawMessage) error
}

// RunRequests holds what remembers requests to its contract. Each call of open returns a new and empty one; now is its clock.
func RunRequests(t *testing.T, open func(t *testing.T, now func() time.Time) Requests) {
	for _, c := range []struct {
		name string
		test func(*testing.T, Requests, *time.Time)
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
			c.test(t, open(t, func() time.Time { return now }), &now)
		})
	}
}

// asked begins a request and checks what is known of it.
func asked(t *testing.T, rs Requests, chat, id, hash string, want store.Request) {
	t.Helper()
	got, err := rs.BeginRequest(t.Context(), chat, id, hash)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("BeginRequest(%q, %q): %v (-want +got)\n%s", chat, id, err, diff)
	}
}

func ended(t *testing.T, rs Requests, id, outcome string) {
	t.Helper()
	if err := rs.EndRequest(t.Context(), "main", id, json.RawMessage(outcome)); err != nil {
		t.Errorf("EndRequest(%q): %v", id, err)
	}
}

func madeOnce(t *testing.T, rs Requests, _ *time.Time) {
	asked(t, rs, "main", odd, "h", store.Request{})
	asked(t, rs, "main", odd, "h", store.Request{Known: true})
	ended(t, rs, odd, `{"ok": true}`)
	done := store.Request{Known: true, Done: true, Outcome: json.RawMessage(`{"ok": true}`)}
	asked(t, rs, "main", odd, "h", done)
	ended(t, rs, odd, `"another"`) // the first stands
	asked(t, rs, "main", odd, "h", done)
	asked(t, rs, "main", "nothing", "h", store.Request{})
	if err := rs.EndRequest(t.Context(), "main", "nothing", nil); err != nil {
		t.Error(err)
	}
	asked(t, rs, "main", "nothing", "h", store.Request{Known: true, Done: true, Outcome: json.RawMessage("null")})
}

func ownRequests(t *testing.T, rs Requests, _ *time.Time) {
	asked(t, rs, "main", "1", "h", store.Request{})
	asked(t, rs, "other", "1", "g", store.Request{})
	asked(t, rs, "main", "2", "h", store.Request{})
	asked(t, rs, "main", "1 ", "g", store.Request{})
	ended(t, rs, "1", `1`)
	asked(t, rs, "other", "1", "g", store.Request{Known: true})
}

func conflicts(t *testing.T, rs Requests, _ *time.Time) {
	asked(t, rs, "main", "1", "h", store.Request{})
	for range 2 {
		got, err := rs.BeginRequest(t.Context(), "main", "1", "g")
		var conflict *store.RequestConflictError
		if !errors.As(err, &conflict) || *conflict != (store.RequestConflictError{Chat: "main", ID: "1"}) || got.Known {
			t.Fatalf("BeginRequest = %v, %v", got, err)
		}
		if want := `request "1" of chat "main" was made before and asked for something else: give every request an id of its own`; err.Error() != want {
			t.Errorf("the sentence is %q", err)
		}
		ended(t, rs, "1", `1`)
	}
	asked(t, rs, "main", "1", "h", store.Request{Known: true, Done: true, Outcome: json.RawMessage("1")})
}

func noEnds(t *testing.T, rs Requests, _ *time.Time) {
	asked(t, rs, "main", "1", "h", store.Request{})
	_, unnamed := rs.BeginRequest(t.Context(), "main", "", "h")
	for what, err := range map[string]error{
		"no id":     unnamed,
		"not begun": rs.EndRequest(t.Context(), "main", "2", json.RawMessage(`1`)),
		"elsewhere": rs.EndRequest(t.Context(), "other", "1", json.RawMessage(`1`)),
		"no JSON":   rs.EndRequest(t.Context(), "main", "1", json.RawMessage(`{`)),
	} {
		if err == nil {
			t.Errorf("%s: there is no error", what)
		}
	}
	asked(t, rs, "main", "1", "h", store.Request{Known: true})
}

func forgottenByAge(t *testing.T, rs Requests, now *time.Time) {
	asked(t, rs, "main", "1", "h", store.Request{})
	*now = now.Add(time.Hour)
	asked(t, rs, "main", "2", "h", store.Request{})
	*now = now.Add(7*24*time.Hour - time.Hour)
	asked(t, rs, "main", "1", "h", store.Request{Known: true})
	*now = now.Add(time.Millisecond)
	asked(t, rs, "main", "2", "h", store.Request{Known: true})
	asked(t, rs, "main", "1", "another", store.Request{})
}

func requestsCancelled(t *testing.T, rs Requests, _ *time.Time) {
	asked(t, rs, "main", "0", "h", store.Request{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := rs.BeginRequest(ctx, "main", "1", "h"); !errors.Is(err, context.Canceled) {
		t.Errorf("BeginRequest = %v", err)
	}
	if err := rs.EndRequest(ctx, "main", "0", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("EndRequest = %v", err)
	}
	asked(t, rs, "main", "0", "h", store.Request{Known: true})
	asked(t, rs, "main", "1", "h", store.Request{})
}
