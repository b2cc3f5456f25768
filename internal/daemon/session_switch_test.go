package daemon

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/session"
	"hob/internal/store/storetest"
)

// A request during a reload waits for the next sessions and follows their events.
func TestSessionSwitch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		journal := storetest.NewMemory(time.Now)
		sessions := func() *session.Sessions {
			return session.New(context.WithoutCancel(ctx), session.Config{
				Journal: journal, Now: time.Now, Log: slog.New(slog.DiscardHandler),
				Settings: func(context.Context) session.Settings { return session.Settings{} },
			})
		}
		d := newSessionSwitch()
		old := sessions()
		d.open(old)
		var seen []int64
		var over error
		done := make(chan struct{})
		go func() {
			defer close(done)
			for e, err := range d.Follow(ctx, "main", 0) {
				if err != nil {
					over = err
					return
				}
				seen = append(seen, e.Seq)
			}
		}()
		reset := func(ctx context.Context) error { return d.Reset(ctx, "main") }
		if err := reset(ctx); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		d.pause()
		impatient, leave := context.WithTimeout(ctx, time.Second)
		if err := reset(impatient); !errors.Is(err, context.DeadlineExceeded) || len(seen) != 1 {
			t.Errorf("through a shut switch: %v, after %v", err, seen)
		}
		leave()
		old.Close()
		waiting := make(chan error, 1)
		go func() { waiting <- reset(ctx) }()
		synctest.Wait()
		next := sessions()
		d.open(next)
		if err := <-waiting; err != nil {
			t.Errorf("who waited is told %v", err)
		}
		synctest.Wait()
		if len(seen) != 2 || seen[0] == seen[1] {
			t.Errorf("who follows was told of %v", seen)
		}

		// Sessions may close before the switch is paused: their requests go to the next sessions,
		// too.
		next.Close()
		go func() { waiting <- reset(ctx) }()
		synctest.Wait()
		d.pause()
		last := sessions()
		d.open(last)
		if err := <-waiting; err != nil {
			t.Errorf("who came too late is told %v", err)
		}
		synctest.Wait()
		if len(seen) != 3 {
			t.Errorf("who follows was told of %v", seen)
		}
		d.close()
		last.Close()
		<-done
		if err := reset(ctx); !errors.Is(err, session.ErrClosed) || !errors.Is(over, session.ErrClosed) {
			t.Errorf("at the end: %v, who follows %v", err, over)
		}
		cancel()
	})
}
