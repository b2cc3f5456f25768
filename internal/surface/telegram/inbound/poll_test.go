package inbound

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/store/storetest"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/telegramtest"
)

// A bench is a poller that is tried: its handler notes the updates.
type bench struct {
	t    *testing.T
	srv  *telegramtest.Server
	ada  *telegramtest.User
	her  *telegramtest.Chat
	poll *Poller
	log  strings.Builder
	end  func()

	failing error         // of Receive
	hold    chan struct{} // until it is closed, Deliver waits

	mu     sync.Mutex
	came   []int64
	alerts []string
}

func (b *bench) Excuse(context.Context, []event.Update, error, map[chat.Address]bool) {}
func (b *bench) Deliver(_ context.Context, u event.Update) {
	if b.hold != nil {
		<-b.hold
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.came = append(b.came, u.ID)
}

// got is what was delivered since it was last asked for, as distances from the first update.
func (b *bench) got() string {
	synctest.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	s := fmt.Sprint(b.came)
	b.came = nil
	return s
}

func (b *bench) alerted() []string {
	synctest.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.alerts
	b.alerts = nil
	return a
}

// failingStore fails to receive when it is told to.
type failingStore struct {
	*storetest.Memory
	b *bench
}

func (m failingStore) Receive(ctx context.Context, all []event.Update) ([]event.Update, error) {
	m.b.mu.Lock()
	err := m.b.failing
	m.b.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return m.Memory.Receive(ctx, all)
}

func (b *bench) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failing = err
}

// newBenchOn is [newBench] over a line, on which the server can be exchanged.
func newBenchOn(t *testing.T, mem *storetest.Memory, l *line) *bench {
	b := &bench{t: t}
	b.anew(l)
	b.start(mem, l)
	return b
}

// newBench runs a poller in a bubble. Update ids begin at 1. over is nil for the server's own transport.
func newBench(t *testing.T, mem *storetest.Memory, over http.RoundTripper) *bench {
	b := &bench{t: t, srv: telegramtest.New(telegramtest.Options{Token: testToken, FirstUpdate: 1})}
	b.ada = b.srv.User(77, "Ada")
	b.her = b.srv.Private(b.ada)
	if over == nil {
		over = b.srv.Transport()
	}
	b.start(mem, over)
	return b
}

func (b *bench) start(mem *storetest.Memory, over http.RoundTripper) {
	ctx, cancel := context.WithCancel(b.t.Context())
	undone, err := mem.Undone(ctx, chat.Platform)
	if err != nil {
		b.t.Fatal(err)
	}
	b.poll = NewPoller(PollConfig{
		Client: testAPI(b.t, "", over), Store: failingStore{mem, b}, Handler: b, Now: time.Now,
		Log: slog.New(slog.NewTextHandler(&b.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Alert: func(_ context.Context, a Alert) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.alerts = append(b.alerts, a.Problem)
		},
		Jitter: func(d time.Duration) time.Duration { return d / 2 },
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.poll.Run(ctx, undone)
	}()
	b.end = func() {
		began := time.Now()
		cancel()
		if <-done; time.Since(began) > 0 {
			b.t.Errorf("the end took %v", time.Since(began))
		}
		if strings.Contains(b.log.String(), testToken) {
			b.t.Error("the token is in the log")
		}
	}
}

// sleep lets time pass in the bubble.
func sleep(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func TestPolling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := storetest.NewMemory(time.Now)
		b := newBench(t, mem, nil)
		defer b.end()
		for i := range 3 {
			b.her.Say(b.ada, strconv.Itoa(i))
		}
		if got := b.got(); got != "[1 2 3]" {
			t.Errorf("delivered %s", got)
		}
		sleep(10 * time.Minute) // of silence
		polls := b.srv.Calls("getUpdates")
		if len(polls) > 20 {
			t.Errorf("it asked %d times in 10 quiet minutes", len(polls))
		}
		want := map[string]string{"offset": "4", "timeout": "50", "limit": "100", "allowed_updates": `["message","edited_message","callback_query","stopped_message_generation","message_reaction"]`}
		if d := cmp.Diff(want, polls[len(polls)-1].Params); d != "" {
			t.Error(d)
		}
		if s := b.poll.Health(); s.Problem != "" || time.Since(s.Answered) > 50*time.Second {
			t.Errorf("state %+v", s)
		}
		if n := len(b.srv.Calls("sendMessage")) + len(b.srv.Violations()); n != 0 {
			t.Errorf("%d messages or violations", n)
		}
	})
}

// An update is durable before a request confirms it.
func TestAnUpdateIsKeptBeforeItIsConfirmed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, storetest.NewMemory(time.Now), nil)
		defer b.end()
		b.fail(errors.New("no space left on device"))
		b.her.Say(b.ada, "hello")
		sleep(10 * time.Minute)
		if got := b.got(); got != "[]" || b.srv.Pending() != 1 {
			t.Errorf("delivered %s, and the server keeps %d", got, b.srv.Pending())
		}
		if n := len(b.srv.Calls("getUpdates")); n > 20 {
			t.Errorf("it asked %d times", n)
		}
		if a := b.alerted(); len(a) != 1 || !strings.Contains(a[0], "no space left") {
			t.Errorf("the owner was told %q", a)
		}
		if s := b.poll.Health(); !strings.Contains(s.Problem, "no space left") || time.Since(s.Polled) > 65*time.Second {
			t.Errorf("state %+v", s)
		}
		b.fail(nil)
		sleep(time.Minute)
		if got := b.got(); got != "[1]" || b.srv.Pending() != 0 {
			t.Errorf("delivered %s, and the server keeps %d", got, b.srv.Pending())
		}
		if d := cmp.Diff([]string{""}, b.alerted()); d != "" || b.poll.Health().Problem != "" {
			t.Error("the owner was not told that it is over", d)
		}
	})
}

// One update that cannot be read is left out alone, and is not asked for again.
func TestAnUpdateThatCannotBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := storetest.NewMemory(time.Now)
		b := newBench(t, mem, nil)
		defer b.end()
		b.srv.Cut()
		b.her.Say(b.ada, "hello")
		b.srv.Inject(`{"message":{"message_id":"no number","chat":7}}`)
		b.her.Say(b.ada, "hello again")
		b.srv.Mend()
		sleep(2 * time.Minute)
		if got := b.got(); got != "[1 3]" || b.srv.Pending() != 0 {
			t.Errorf("delivered %s, and the server keeps %d", got, b.srv.Pending())
		}
		undone, err := mem.Undone(t.Context(), chat.Platform)
		if len(undone) != 2 || err != nil {
			t.Errorf("undone are %v: %v", undone, err)
		}
		if n := strings.Count(b.log.String(), "cannot be read"); n != 1 {
			t.Errorf("it was logged %d times", n)
		}
	})
}

// Updates that come twice or in disorder, and those that a killed hob did not confirm.
func TestUpdatesThatComeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := storetest.NewMemory(time.Now)
		b := newBench(t, mem, nil)
		for _, k := range []telegramtest.Kind{telegramtest.Duplicates, telegramtest.Shuffled, telegramtest.Half, telegramtest.DropAfter, telegramtest.BadGatewayAfter} {
			b.srv.Cut()
			sleep(time.Second)
			for range 3 {
				b.her.Say(b.ada, k.String())
			}
			b.srv.Fail(telegramtest.Fault{Method: "getUpdates", Kind: k})
			b.srv.Mend()
			sleep(3 * time.Minute)
		}
		if got := b.got(); got != "[1 2 3 4 5 6 7 8 9 10 11 12 13 14 15]" {
			t.Errorf("delivered %s", got)
		}
		b.srv.Fail(telegramtest.Fault{Method: "getUpdates", Kind: telegramtest.HangBefore, Times: 1}) // of the next, which would confirm
		b.her.Say(b.ada, "hello")
		if got := b.got(); got != "[16]" {
			t.Errorf("delivered %s", got)
		}
		if err := mem.SetUpdate(t.Context(), 16, event.UpdateBegun); err != nil {
			t.Fatal(err)
		}
		b.end()
		b.srv.Heal(nil)
		b.start(mem, b.srv.Transport())
		defer func() { b.end() }()
		if got := b.got(); got != "[1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16]" { // all undone, each once
			t.Errorf("after the start %s", got)
		}
		b.her.Say(b.ada, "hello")
		sleep(5 * time.Second)
		if got := b.got(); got != "[17]" {
			t.Errorf("delivered %s", got)
		}
	})
}

// What is left undone and cannot be read is over.
func TestWhatAnOlderHobHasKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := storetest.NewMemory(time.Now)
		if _, err := mem.Receive(t.Context(), []event.Update{{Platform: chat.Platform, ID: 5, Raw: []byte(`{"update_id":"x"}`), State: event.UpdateNew}}); err != nil {
			t.Fatal(err)
		}
		b := newBench(t, mem, nil)
		defer b.end()
		if got := b.got(); got != "[]" {
			t.Errorf("delivered %s", got)
		}
		if undone, err := mem.Undone(t.Context(), chat.Platform); len(undone) != 0 || err != nil {
			t.Errorf("undone are %v: %v", undone, err)
		}
	})
}

// After a week of silence ids begin anew, anywhere.
func TestIDsThatBeginAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, storetest.NewMemory(time.Now), nil)
		defer b.end()
		b.srv.Jump(1000)
		b.her.Say(b.ada, "hello")
		sleep(8 * 24 * time.Hour)
		b.srv.Jump(10)
		b.her.Say(b.ada, "hello")
		sleep(time.Minute)
		b.her.Say(b.ada, "hello")
		if got := b.got(); got != "[1000 10 11]" {
			t.Errorf("delivered %s", got)
		}
	})
}

// A conflict that comes again within two minutes is one, though messages come between; single ones that come later are none.
func TestASpellOfConflicts(t *testing.T) {
	for _, c := range []struct {
		apart time.Duration
		told  int // that there is a conflict, of five
	}{{90 * time.Second, 1}, {4 * time.Minute, 0}} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, storetest.NewMemory(time.Now), nil)
			defer b.end()
			synctest.Wait()
			b.her.Say(b.ada, "hello") // the request of the start has come back
			synctest.Wait()
			for i := range 5 {
				b.srv.Fail(telegramtest.Fault{Method: "getUpdates", Kind: telegramtest.Conflict, Times: 1})
				b.her.Say(b.ada, "hello")
				sleep(40 * time.Second)
				if s := b.poll.Health(); c.told == 1 && i > 0 && s.Problem != adviceFor(pollConflict, nil) {
					t.Errorf("within the spell the problem is %q", s.Problem)
				}
				b.her.Say(b.ada, "hello") // is received, in the middle of the spell
				sleep(c.apart - 40*time.Second)
			}
			sleep(10 * time.Minute)
			var want []string
			for range c.told {
				want = append(want, adviceFor(pollConflict, nil), "")
			}
			if d := cmp.Diff(want, b.alerted()); d != "" {
				t.Errorf("%v apart: %s", c.apart, d)
			}
			if p := b.poll.Health().Problem; p != "" {
				t.Errorf("%v apart: at the end the problem is %q", c.apart, p)
			}
		})
	}
}

// Where nobody takes updates any more, the loop stands still and everybody can see it.
func TestALoopThatIsStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, storetest.NewMemory(time.Now), nil)
		defer b.end()
		b.srv.Fail(telegramtest.Fault{Method: "getUpdates", Kind: telegramtest.TooMany, RetryAfter: time.Hour})
		sleep(2 * time.Hour) // left alone is not stuck
		if late := time.Since(b.poll.Health().Polled); late > 65*time.Second {
			t.Errorf("it last went round %v ago", late)
		}
		b.hold = make(chan struct{})
		b.her.Say(b.ada, "hello") // deliver waits, as would a Receive on a disk that hangs
		<-time.After(10 * time.Minute)
		if late := time.Since(b.poll.Health().Polled); late < 9*time.Minute {
			t.Errorf("it is stuck, and last went round %v ago", late)
		}
		close(b.hold)
		sleep(time.Minute)
		if late := time.Since(b.poll.Health().Polled); late > 65*time.Second {
			t.Errorf("it goes on, and last went round %v ago", late)
		}
	})
}

const testToken = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"

func testAPI(t *testing.T, base string, over http.RoundTripper) *client.API {
	t.Helper()
	a, err := client.NewAPI(client.APIConfig{Base: base, Token: testToken, Transport: over})
	if err != nil {
		t.Fatal(err)
	}
	return a
}
