package http

import (
	"context"
	"encoding/json"
	"iter"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/event"
	"hob/internal/surface/http/api"
)

// quiet is sessions in which nothing happens.
type quiet struct{ Sessions }

func (quiet) Follow(ctx context.Context, _ event.Chat, _ int64) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		<-ctx.Done()
		yield(event.Event{}, context.Cause(ctx))
	}
}

// Who follows is told every 15 seconds that hob lives.
func TestBeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(Config{Sessions: quiet{}})
		for _, c := range []struct {
			serve func(*httptest.ResponseRecorder, context.Context)
			want  string
		}{
			{func(w *httptest.ResponseRecorder, ctx context.Context) {
				s.events(w, httptest.NewRequestWithContext(ctx, "GET", "/api/v1/events?chat=a", nil))
			}, strings.Repeat(": nothing yet\n\n", 5)},
			{func(w *httptest.ResponseRecorder, ctx context.Context) {
				s.follow(w, httptest.NewRequestWithContext(ctx, "GET", "/api/v1/follow?chat=a", nil))
			}, "\n\n\n\n\n"},
		} {
			ctx, cancel := context.WithTimeout(t.Context(), 61*time.Second)
			w := httptest.NewRecorder()
			c.serve(w, ctx)
			cancel()
			if got := w.Body.String(); got != c.want {
				t.Errorf("%q", got)
			}
		}
	})
}

// No text makes the reader of bodies fail in another way than with a sentence, and what it takes encoding/json takes too.
func FuzzStrict(f *testing.F) {
	for _, seed := range []string{`{"session_id":"a","messages":[{"role":"user","content":"x"}]}`, `{"messages":[null]}`, `{"a":{"b":[]}}`, `[]`, `{"session_id":1e999}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var in, plain api.ChatRequest
		err := strict([]byte(text), &in)
		if err == nil && json.Unmarshal([]byte(text), &plain) != nil {
			t.Errorf("%q was read", text)
		}
		if err != nil && (err.Error() == "" || strings.Contains(err.Error(), "json:")) {
			t.Errorf("%q: %v", text, err)
		}
	})
}
