package http

import (
	"context"
	"iter"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/event"
)

// quietSessions are sessions without events.
type quietSessions struct{ Sessions }

func (quietSessions) Follow(ctx context.Context, _ event.Chat, _ int64) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		<-ctx.Done()
		yield(event.Event{}, context.Cause(ctx))
	}
}

// A stream without events sends a heartbeat every 15 seconds.
func TestHeartbeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(Config{Sessions: quietSessions{}})
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
