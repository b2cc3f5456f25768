package main

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/llm"
	"hob/internal/secret"
)

func TestHealth(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []struct {
		name string
		of   health
		want string // "" all is well
	}{
		{"all is well, without Telegram", health{}, ""},
		{"all is well", health{polled: now.Add(-pollBound)}, ""},
		{"the asking stands still", health{polled: now.Add(-pollBound - time.Second)}, "Telegram was not asked for messages for 2m11s"},
		{"a chat hangs", health{sessions: errNoAnswer, polled: now}, "a chat does not answer: it takes too long"},
		{"the disk is gone", health{store: errors.New("no such device")}, "the journal cannot be read: no such device"},
	} {
		if got := c.of.problem(now); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The watchdog is fed in time while all goes on, not while something stands still, and again when that has passed.
func TestWatchdog(t *testing.T) {
	const limit = time.Minute
	for name, stick := range map[string]func(w *watchdog, polled *time.Time, release <-chan struct{}){
		"a poller": func(_ *watchdog, polled *time.Time, _ <-chan struct{}) { *polled = time.Now().Add(-time.Hour) },
		"a chat": func(w *watchdog, _ *time.Time, release <-chan struct{}) {
			w.sessions.question = func(ctx context.Context) error {
				select {
				case <-ctx.Done():
					return ctx.Err()
				case <-release:
					return nil
				}
			}
		},
		"a store": func(w *watchdog, _ *time.Time, release <-chan struct{}) {
			w.store.question = func(context.Context) error { <-release; return nil } // as a disk does: no context ends it
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				polled, fed, told := time.Now(), 0, ""
				release := make(chan struct{})
				fine := func(context.Context) error { return nil }
				w := &watchdog{
					every: limit / 2, now: time.Now, sessions: &doubt{question: fine}, store: &doubt{question: fine},
					polled: func() time.Time { return polled }, feed: func() { fed++ }, tell: func(p string) { told = p },
				}
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan struct{})
				go func() { defer close(done); w.run(ctx) }()
				pass := func(d time.Duration) int {
					before := fed
					<-time.After(d)
					synctest.Wait()
					polled = polled.Add(d)
					return fed - before
				}
				if n := pass(5 * limit / 4); n != 2 || told != "" {
					t.Errorf("while all is well it is fed %d times, and %q is told", n, told)
				}
				stick(w, &polled, release)
				if n := pass(3 * limit); n != 0 || told == "" {
					t.Errorf("%s that is stuck feeds it %d times, and %q is told", name, n, told)
				}
				close(release)
				polled = time.Now()
				if n := pass(limit); n < 1 || told != "" {
					t.Errorf("when it has passed it is fed %d times, and %q is told", n, told)
				}
				cancel()
				<-done
			})
		})
	}
}

// What a server that is away is said of, and how often it is asked.
func TestModelWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		away, asked := true, 0
		var told []string
		w := newModelWatch(func(context.Context) error {
			if asked++; away {
				return errors.New("away")
			}
			return nil
		}, func(p string) { told = append(told, p) })
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); w.run(ctx) }()
		<-w.asked
		<-time.After(time.Hour)
		synctest.Wait()
		if asked < 10 || asked > 20 {
			t.Errorf("in an hour it is asked %d times", asked)
		}
		away = false
		<-time.After(askAgainMost)
		synctest.Wait()
		asked, told = 0, told[len(told)-1:]
		<-time.After(24 * time.Hour)
		if asked > 0 || told[0] != "" {
			t.Errorf("while it is there it is asked %d times, and %q is told", asked, told)
		}
		away = true
		w.heed(errors.New("the model made a mistake"))
		synctest.Wait()
		if asked > 0 {
			t.Error("a mistake of the model is taken for its absence")
		}
		w.heed(&llm.Error{Kind: llm.Unreachable, Message: "nobody answers"})
		synctest.Wait()
		if asked != 1 || told[len(told)-1] != "away" {
			t.Errorf("after a request that found nobody it is asked %d times, and told is %q", asked, told)
		}
		cancel()
		<-done
	})
}

// The log tells no secret, and systemd what is important.
func TestServeLog(t *testing.T) {
	var b strings.Builder
	log, out := newLog(&b, true)
	out.keep(secret.New("123456:very-secret"))
	log.With("chat", "main").Error("it failed", "err", "https://x/bot123456:very-secret/getMe")
	log.Debug("nobody wants to know")
	warnings{log}.Write([]byte("hob: one\nhob: two\n"))
	want := "<3>msg=\"it failed\" chat=main err=https://x/bot[secret]/getMe\n<4>msg=one\n<4>msg=two\n"
	if b.String() != want {
		t.Errorf("the log is\n%swant\n%s", b.String(), want)
	}
}
