package telegram

import (
	"context"
	"errors"
	"fmt"
	"iter"
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
	"hob/internal/session"
	"hob/internal/store"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/telegramtest"
)

// A bench is a bot whose poller is tried: what would deal with updates notes them.
type bench struct {
	t   *testing.T
	srv *telegramtest.Server
	ada *telegramtest.User
	her *telegramtest.Chat
	bot *Bot
	log strings.Builder
	end func()

	failing error         // of Receive
	hold    chan struct{} // until it is closed, deliver waits

	mu     sync.Mutex
	came   []int64
	alerts []string
	gone   int64 // of strangers
}

func (b *bench) run(ctx context.Context) { <-ctx.Done() }
func (b *bench) ignored() int64          { return b.gone }

func (b *bench) unkept(context.Context, []event.Update, error, map[chat.Address]bool) {}
func (b *bench) deliver(_ context.Context, u event.Update) {
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

// failingMemory fails to receive when it is told to.
type failingMemory struct {
	Memory
	b *bench
}

func (m failingMemory) Receive(ctx context.Context, all []event.Update) ([]event.Update, error) {
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

type nobody struct{}

func (nobody) wake(event.Chat)                                              {}
func (nobody) say(context.Context, chat.Address, int64, chat.Answer) error  { return nil }
func (nobody) edit(context.Context, chat.Address, int64, chat.Answer) error { return nil }
func (nobody) do(chat.Address, chore)                                       {}
func (nobody) run(ctx context.Context) error                                { <-ctx.Done(); return nil }
func (nobody) delivered(context.Context, event.Chat, int64, int) event.SendState {
	return ""
}
func (nobody) Submit(context.Context, session.Input) (int64, error)      { return 0, nil }
func (nobody) Decide(context.Context, session.Answer) error              { return nil }
func (nobody) Stop(context.Context, event.Chat) (bool, error)            { return false, nil }
func (nobody) Reset(context.Context, event.Chat) error                   { return nil }
func (nobody) Waiting(context.Context, event.Chat, string) (bool, error) { return false, nil }
func (nobody) Follow(context.Context, event.Chat, int64) iter.Seq2[event.Event, error] {
	return func(func(event.Event, error) bool) {}
}

// newBench runs a bot in a bubble. Update ids begin at 1. over is nil for the server's own transport.
func newBenchOn(t *testing.T, mem Memory, l *line) *bench {
	b := &bench{t: t}
	b.anew(l)
	b.start(mem, l)
	return b
}

func newBench(t *testing.T, mem Memory, over http.RoundTripper) *bench {
	b := &bench{t: t, srv: telegramtest.New(telegramtest.Options{Token: testToken, FirstUpdate: 1})}
	b.ada = b.srv.User(77, "Ada")
	b.her = b.srv.Private(b.ada)
	if over == nil {
		over = b.srv.Transport()
	}
	b.start(mem, over)
	return b
}

func (b *bench) start(mem Memory, over http.RoundTripper) {
	bot, err := newBot(Config{
		Sessions: nobody{}, Memory: failingMemory{mem, b}, Log: slog.New(slog.NewTextHandler(&b.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Alert: func(p string) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.alerts = append(b.alerts, p)
		},
		Commands: []chat.Command{{Name: "status", Summary: "How hob does"}, {Name: "tools", Summary: "Switch tools", Least: event.Owner}},
	}, testAPI(b.t, "", over), func(Config, func() client.User) (outgoing, incoming) { return nobody{}, b })
	if err != nil {
		b.t.Fatal(err)
	}
	bot.jitter = func(d time.Duration) time.Duration { return d / 2 }
	ctx, cancel := context.WithCancel(b.t.Context())
	over2 := make(chan error)
	go func() { over2 <- bot.Run(ctx) }()
	b.bot = bot
	b.end = func() {
		began := time.Now()
		cancel()
		if err := <-over2; err != nil || time.Since(began) > 0 {
			b.t.Errorf("the end took %v: %v", time.Since(began), err)
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
		mem := store.NewMemory(time.Now)
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
		want := map[string]string{"offset": "4", "timeout": "50", "limit": "100", "allowed_updates": `["message","edited_message","callback_query","stopped_message_generation"]`}
		if d := cmp.Diff(want, polls[len(polls)-1].Params); d != "" {
			t.Error(d)
		}
		if s := b.bot.State(); s.Name != "hob_bot" || s.Problem != "" || time.Since(s.Answered) > 50*time.Second {
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
		b := newBench(t, store.NewMemory(time.Now), nil)
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
		if s := b.bot.State(); !strings.Contains(s.Problem, "no space left") || time.Since(s.Polled) > 65*time.Second {
			t.Errorf("state %+v", s)
		}
		b.fail(nil)
		sleep(time.Minute)
		if got := b.got(); got != "[1]" || b.srv.Pending() != 0 {
			t.Errorf("delivered %s, and the server keeps %d", got, b.srv.Pending())
		}
		if d := cmp.Diff([]string{""}, b.alerted()); d != "" || b.bot.State().Problem != "" {
			t.Error("the owner was not told that it is over", d)
		}
	})
}

// One update that cannot be read is left out alone, and is not asked for again.
func TestAnUpdateThatCannotBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := store.NewMemory(time.Now)
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
		mem := store.NewMemory(time.Now)
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
		mem := store.NewMemory(time.Now)
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
		b := newBench(t, store.NewMemory(time.Now), nil)
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
