package ollama

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"

	"hob/internal/llm"
)

// Who is slow to show the answer finds nobody reading any more.
func TestCancelWhileItIsShown(t *testing.T) {
	for range 30 { // what comes first is a matter of chance
		synctest.Test(t, func(t *testing.T) {
			cfg := testConfig("a")
			cfg.Transport = memory{"a:11434": newFake(t, func(w http.ResponseWriter, r *http.Request) {
				lines(text("Hel"))(w, r)
				<-r.Context().Done()
			})}
			ctx, cancel := context.WithCancel(t.Context())
			_, err := newClient(t, cfg).Chat(ctx, hello, func(llm.Delta) {
				cancel()
				synctest.Wait()
			})
			if !errors.Is(err, llm.Cancelled) {
				t.Errorf("error %v", err)
			}
		})
	}
}
