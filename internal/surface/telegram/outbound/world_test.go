package outbound

import (
	"context"
	"log/slog"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"hob/internal/event"
	"hob/internal/store/storetest"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/sessiontest"
	"hob/internal/surface/telegram/telegramtest"
)

// The lines that hob adds to messages, in English.
var (
	sentAgain = chat.Words("").Text("sent.again")
	cutHere   = chat.Words("").Text("cut.here")
)

// TestMain runs the tests in one time zone: messages name times in the zone of the machine.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// world is the senders of a bot, with all around them.
type world struct {
	t     *testing.T
	srv   *telegramtest.Server
	ada   *telegramtest.User
	chat  *telegramtest.Chat // private, with Ada
	group *telegramtest.Chat // a supergroup, with topic 5
	mem   *storetest.Memory
	log   *sessiontest.Journal
	cfg   Config
	zone  *time.Location
	api   caller

	senders *Senders
	stop    func()
}

const (
	adasChat  = event.Chat("telegram/77")
	groupChat = event.Chat("telegram/-1000000000042/5")
)

// inWorld plays with a clock of its own, and checks that no goroutine is left, and that no call came too early.
func inWorld(t *testing.T, opts telegramtest.Options, play func(w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, opts)
		w.start()
		play(w)
		w.stop()
		if n := len(w.srv.Violations()); n > 0 {
			t.Errorf("%d calls came before the time that Telegram had named: %v", n, w.srv.Violations())
		}
	})
	goleak.VerifyNone(t)
}

func newWorld(t *testing.T, opts telegramtest.Options) *world {
	w := &world{t: t, srv: telegramtest.New(opts), mem: storetest.NewMemory(time.Now), zone: time.UTC}
	w.ada = w.srv.User(77, "Ada")
	w.chat = w.srv.Private(w.ada)
	w.chat.Say(w.ada, "/start")
	w.group = w.srv.Group(-1000000000042, "Home", telegramtest.Member{User: w.ada})
	w.group.Topic(5)
	w.log = sessiontest.NewJournal(t, w.mem)
	api, err := client.NewAPI(client.APIConfig{Base: "https://api.telegram.org", Token: w.srv.Token(), Transport: w.srv.Transport()})
	if err != nil {
		t.Fatal(err)
	}
	w.api = api
	w.cfg = Config{Journal: w.log, Files: sessiontest.Files{}, Now: time.Now, Zone: func() *time.Location { return w.zone }, Log: slog.New(slog.DiscardHandler)}
	w.keepIn(w.mem)
	return w
}

// memory is all that senders keep over restarts.
type memory interface {
	OutboxStore
	MarkStore
	ShownStore
	people
}

// keepIn makes the senders keep all of it in one memory.
func (w *world) keepIn(m memory) {
	w.cfg.Outbox, w.cfg.Marks, w.cfg.Shown, w.cfg.People = m, m, m, m
}

// start starts senders as a process would.
func (w *world) start() {
	ctx, cancel := context.WithCancel(context.Background())
	w.cfg.Client = w.api
	w.senders = New(w.cfg)
	over := make(chan error, 1)
	go func() { over <- w.senders.Run(ctx) }()
	w.stop = func() {
		cancel()
		if err := <-over; err != nil {
			w.t.Error(err)
		}
	}
	synctest.Wait()
}

// after lets that much time pass.
func after(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// methods returns how many calls there were of these methods.
func methods(srv *telegramtest.Server, names ...string) (n int) { return len(srv.Calls(names...)) }

func reply(text string) []event.Body {
	return []event.Body{event.Replied{Text: text}, event.Ended{Reason: event.Done}}
}
