package daemon

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

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
		{"all is well", health{lastPoll: now.Add(-maxPollAge)}, ""},
		{"the asking stands still", health{lastPoll: now.Add(-maxPollAge - time.Second)}, "Telegram was not asked for messages for 2m11s"},
		{"a chat hangs", health{sessions: errNoAnswer, lastPoll: now}, "a chat does not answer: it takes too long"},
		{"the disk is gone", health{store: errors.New("no such device")}, "the journal cannot be read: no such device"},
	} {
		if got := c.of.problem(now); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// livingDaemon answers the checks of a watchdog. Its answers may change at any time.
type livingDaemon struct {
	polled     atomic.Int64 // when, in nanoseconds since 1970
	chat, disk atomic.Value // func(context.Context) error
}

func newLivingDaemon() *livingDaemon {
	l := &livingDaemon{}
	l.polled.Store(time.Now().UnixNano())
	fine := func(context.Context) error { return nil }
	l.chat.Store(fine)
	l.disk.Store(fine)
	return l
}

func answerOf(v *atomic.Value) func(context.Context) error {
	return func(ctx context.Context) error { return v.Load().(func(context.Context) error)(ctx) }
}

// reports keeps the reports of a watchdog, the newest last.
type reports struct {
	mu  sync.Mutex
	all []string
}

func (s *reports) add(p string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, p)
}

// last returns "" without reports.
func (s *reports) last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.all) == 0 {
		return ""
	}
	return s.all[len(s.all)-1]
}

// The watchdog is fed while the daemon makes progress, not while it is stuck, and again afterwards.
func TestWatchdog(t *testing.T) {
	const limit = time.Minute
	for name, stick := range map[string]func(l *livingDaemon, release <-chan struct{}){
		"a poller": func(l *livingDaemon, _ <-chan struct{}) { l.polled.Store(time.Now().Add(-time.Hour).UnixNano()) },
		"a chat": func(l *livingDaemon, release <-chan struct{}) {
			l.chat.Store(func(ctx context.Context) error {
				select {
				case <-ctx.Done():
					return ctx.Err()
				case <-release:
					return nil
				}
			})
		},
		"a store": func(l *livingDaemon, release <-chan struct{}) {
			l.disk.Store(func(context.Context) error { <-release; return nil }) // as a disk hangs: no context ends it
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var fed atomic.Int64
				told := &reports{}
				release := make(chan struct{})
				l := newLivingDaemon()
				w := &watchdog{
					interval: limit / 2, now: time.Now, sessions: &pendingCheck{check: answerOf(&l.chat)}, store: &pendingCheck{check: answerOf(&l.disk)},
					lastPoll: func() time.Time { return time.Unix(0, l.polled.Load()) },
					feed:     func() { fed.Add(1) }, report: told.add,
				}
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan struct{})
				go func() { defer close(done); w.run(ctx) }()
				pass := func(d time.Duration) int64 {
					before := fed.Load()
					<-time.After(d)
					synctest.Wait()
					l.polled.Add(int64(d))
					return fed.Load() - before
				}
				if n := pass(5 * limit / 4); n != 2 || told.last() != "" {
					t.Errorf("while all is well it is fed %d times, and %q is told", n, told.last())
				}
				stick(l, release)
				if n := pass(3 * limit); n != 0 || told.last() == "" {
					t.Errorf("%s that is stuck feeds it %d times, and %q is told", name, n, told.last())
				}
				close(release)
				l.polled.Store(time.Now().UnixNano())
				if n := pass(limit); n < 1 || told.last() != "" {
					t.Errorf("when it has passed it is fed %d times, and %q is told", n, told.last())
				}
				cancel()
				<-done
			})
		})
	}
}

// The log contains no secret, and tells systemd the level of each line.
func TestServeLog(t *testing.T) {
	var b strings.Builder
	log, out := newLog(&b, true, false)
	out.setSecrets(secret.New("123456:very-secret"))
	log.With("chat", "main").Error("it failed", "err", "https://x/bot123456:very-secret/getMe")
	log.Debug("nobody wants to know")
	warningWriter{log}.Write([]byte("hob: one\nhob: two\n"))
	want := "<3>msg=\"it failed\" chat=main err=https://x/bot[secret]/getMe\n<4>msg=one\n<4>msg=two\n"
	if b.String() != want {
		t.Errorf("the log is\n%swant\n%s", b.String(), want)
	}
}

// A missing state is reported within twenty seconds, once.
func TestGuardState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var gone atomic.Bool
		lost := make(chan error, 2)
		go guardState(ctx, func() error {
			if gone.Load() {
				return errors.New("gone")
			}
			return nil
		}, func(err error) { lost <- err })
		<-time.After(time.Hour + time.Second)
		if len(lost) > 0 {
			t.Fatal("it was there")
		}
		gone.Store(true)
		began := time.Now()
		if err := <-lost; err.Error() != "gone" || time.Since(began) > 20*time.Second {
			t.Errorf("%v after %s", err, time.Since(began))
		}
		synctest.Wait()
		if len(lost) > 0 {
			t.Error("it was told twice")
		}
	})
}
