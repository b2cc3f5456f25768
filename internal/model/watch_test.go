package model

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/llm"
)

// An unreachable server is checked with growing delays, and reported once.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var away atomic.Bool
		var asked atomic.Int64
		var told atomic.Value
		told.Store("")
		away.Store(true)
		w := NewWatch(func(context.Context) error {
			if asked.Add(1); away.Load() {
				return errors.New("away")
			}
			return nil
		}, func(problem string) { told.Store(problem) })
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); w.Run(ctx) }()
		<-w.Checked
		<-time.After(time.Hour)
		synctest.Wait()
		if n := asked.Load(); n < 10 || n > 20 {
			t.Errorf("in an hour it is asked %d times", n)
		}
		away.Store(false)
		<-time.After(MaxRetry)
		synctest.Wait()
		asked.Store(0)
		<-time.After(24 * time.Hour)
		if n := asked.Load(); n > 0 || told.Load() != "" {
			t.Errorf("while it is there it is asked %d times, and %q is told", n, told.Load())
		}
		away.Store(true)
		w.Observe(errors.New("the model made a mistake"))
		synctest.Wait()
		if asked.Load() > 0 {
			t.Error("a mistake of the model is taken for its absence")
		}
		w.Observe(&llm.Error{Kind: llm.Unreachable, Message: "nobody answers"})
		synctest.Wait()
		if n := asked.Load(); n != 1 || told.Load() != "away" {
			t.Errorf("after a request that found nobody it is asked %d times, and told is %q", n, told.Load())
		}
		cancel()
		<-done
	})
}
