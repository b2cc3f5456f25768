package session_test

import (
	"context"
	"iter"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/store/storetest"
)

// slowReading is a journal whose next read, once slow is set, waits for goOn.
type slowReading struct {
	session.Journal
	slow atomic.Bool
	goOn chan struct{}
}

func (j *slowReading) Chat(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		if j.slow.CompareAndSwap(true, false) {
			<-j.goOn
		}
		j.Journal.Chat(ctx, chat, after)(yield)
	}
}

// Whoever reads a turn's end from the journal hears no more of how it was written: what comes later
// is no delta of it.
func TestFollowLeavesOutWhatWasOvertaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := &slowReading{Journal: storetest.NewMemory(time.Now), goOn: make(chan struct{})}
		h := open(t, j, llm.NewScript(llm.Say("good evening"), llm.Say("good night")))
		h.watch(h.submit("1", "hello"), false)
		j.slow.Store(true)
		var got []string
		ctx, cancel := context.WithCancel(t.Context())
		over := make(chan struct{})
		go func() {
			defer close(over)
			for e, err := range h.Follow(ctx, "main", 0) {
				if err == nil {
					got = append(got, e.Body.Type())
				}
			}
		}()
		synctest.Wait() // it follows, and has read nothing yet
		h.submit("2", "good night")
		synctest.Wait() // the turn is over
		close(j.goOn)
		synctest.Wait()
		cancel()
		<-over
		if words := strings.Join(got, " "); strings.Contains(words, "delta") ||
			strings.Count(words, "ended") != 2 || !strings.HasSuffix(words, "ended") {
			t.Errorf("it hears %s", words)
		}
	})
}
