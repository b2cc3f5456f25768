package telegram

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/store"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/telegramtest"
)

// journal is sessions whose turns a test plays itself.
type journal struct {
	*store.Memory
	mu        sync.Mutex
	changed   chan struct{}
	deltas    []event.Event // of all time; who follows has seen some
	submitted []session.Input
	following int
	told      int   // events, to all who follow
	broken    error // of all who follow, until it is nil
	spoilt    int64 // Seq of an event that cannot be read; 0 none
}

func newJournal(mem *store.Memory) *journal {
	return &journal{Memory: mem, changed: make(chan struct{})}
}

func (j *journal) touch(change func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	change()
	close(j.changed)
	j.changed = make(chan struct{})
}

// add journals bodies of a turn, or begins one, and returns the Seq of the last.
func (j *journal) add(chat event.Chat, turn int64, bodies ...event.Body) int64 {
	var entries []store.Entry
	for _, b := range bodies {
		entries = append(entries, store.Entry{Chat: chat, Turn: turn, Body: b})
	}
	events, err := j.Append(context.Background(), entries...)
	if err != nil {
		panic(err)
	}
	j.touch(func() {})
	return events[len(events)-1].Seq
}

func (j *journal) say(chat event.Chat, id string) int64 {
	return j.add(chat, 0, event.Said{InputID: id, From: "77", Text: id})
}

func (j *journal) delta(chat event.Chat, turn int64, b event.Delta) {
	j.touch(func() { j.deltas = append(j.deltas, event.Event{Chat: chat, Turn: turn, Body: b}) })
}

func (j *journal) fail(err error) { j.touch(func() { j.broken = err }) }

func (j *journal) Follow(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		j.mu.Lock()
		j.following++
		seen := len(j.deltas)
		j.mu.Unlock()
		defer func() { j.mu.Lock(); j.following--; j.mu.Unlock() }()
		for {
			j.mu.Lock()
			changed, deltas, broken := j.changed, j.deltas[seen:], j.broken
			seen = len(j.deltas)
			j.mu.Unlock()
			if broken != nil {
				yield(event.Event{}, broken)
				return
			}
			for e, err := range j.Chat(ctx, chat, after) {
				if err == nil && e.Seq == j.spoilt {
					e.Body = event.Unreadable{Of: e.Body.Type()}
				}
				if !yield(e, err) || err != nil {
					return
				}
				after = e.Seq
				j.mu.Lock()
				j.told++
				j.mu.Unlock()
			}
			for _, d := range deltas {
				if d.Chat == chat && !yield(d, nil) {
					return
				}
			}
			select {
			case <-changed:
			case <-ctx.Done():
				yield(event.Event{}, context.Cause(ctx))
				return
			}
		}
	}
}

func (j *journal) Submit(_ context.Context, in session.Input) (int64, error) {
	j.mu.Lock()
	j.submitted = append(j.submitted, in)
	j.mu.Unlock()
	return 1, nil
}

func (*journal) Decide(context.Context, session.Answer) error              { return nil }
func (*journal) Stop(context.Context, event.Chat) (bool, error)            { return false, nil }
func (*journal) Reset(context.Context, event.Chat) error                   { return nil }
func (*journal) Waiting(context.Context, event.Chat, string) (bool, error) { return false, nil }

// kept are buttons that remember all.
type kept struct {
	mu  sync.Mutex
	all []chat.Button
}

func (k *kept) keep(_ chat.Address, b chat.Button) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.all = append(k.all, b)
	return fmt.Sprint(chat.PressButton, len(k.all)-1)
}

// shelf is files by path.
type shelf map[string]string

func (shelf) Receive(context.Context, string, int64, event.Label, io.Reader) (event.File, error) {
	return event.File{}, errors.New("nothing is received here")
}

func (s shelf) Open(_ context.Context, f event.File) (io.ReadCloser, error) {
	text, ok := s[f.Path]
	if !ok {
		return nil, errors.New("it has changed since it was handed over")
	}
	return io.NopCloser(strings.NewReader(text)), nil
}

// tellWorld is a bot that only tells, with all around it.
type tellWorld struct {
	t       *testing.T
	srv     *telegramtest.Server
	ada     *telegramtest.User
	chat    *telegramtest.Chat // private, with Ada
	group   *telegramtest.Chat // a supergroup, with topic 5
	mem     *store.Memory
	log     *journal
	buttons *kept
	cfg     Config
	api     caller

	tellers *tellers
	stop    func()
}

const (
	adasChat  = event.Chat("telegram/77")
	groupChat = event.Chat("telegram/-1000000000042/5")
)

// tellTest plays in a bubble, and sees that nothing is left behind.
func tellTest(t *testing.T, opts telegramtest.Options, play func(w *tellWorld)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := newTellWorld(t, opts)
		w.start()
		play(w)
		w.stop()
		if n := len(w.srv.Violations()); n > 0 {
			t.Errorf("%d calls came before the time that Telegram had named: %v", n, w.srv.Violations())
		}
	})
	goleak.VerifyNone(t)
}

func newTellWorld(t *testing.T, opts telegramtest.Options) *tellWorld {
	opts.Now = time.Now
	w := &tellWorld{t: t, srv: telegramtest.New(opts), mem: store.NewMemory(time.Now), buttons: &kept{}}
	w.ada = w.srv.User(77, "Ada")
	w.chat = w.srv.Private(w.ada)
	w.chat.Say(w.ada, "/start")
	w.group = w.srv.Group(-1000000000042, "Home", telegramtest.Member{User: w.ada})
	w.group.Topic(5)
	w.log = newJournal(w.mem)
	api, err := client.NewAPI(client.APIConfig{Base: "https://api.telegram.org", Token: w.srv.Token(), Transport: w.srv.Transport()})
	if err != nil {
		t.Fatal(err)
	}
	w.api = api
	w.cfg = Config{Sessions: w.log, Memory: w.mem, Files: shelf{}, Now: time.Now, Log: slog.New(slog.DiscardHandler)}
	return w
}

// start starts tellers as a process would.
func (w *tellWorld) start() {
	ctx, cancel := context.WithCancel(context.Background())
	w.tellers = newTellers(w.cfg, w.api, w.buttons)
	over := make(chan error, 1)
	go func() { over <- w.tellers.run(ctx) }()
	w.stop = func() {
		cancel()
		if err := <-over; err != nil {
			w.t.Error(err)
		}
	}
	synctest.Wait()
}

// after lets so much time pass.
func after(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// texts is what the bot has written in a chat, and is still there.
func texts(c *telegramtest.Chat) (all []string) {
	for _, m := range c.FromBot() {
		if m.File != nil {
			all = append(all, "<"+m.File.Kind+" "+m.File.Name+"> "+m.Text)
			continue
		}
		all = append(all, m.Text)
	}
	return all
}

// methods is how often each method was called.
func methods(srv *telegramtest.Server, names ...string) (n int) { return len(srv.Calls(names...)) }

func reply(text string) []event.Body {
	return []event.Body{event.Replied{Text: text}, event.Ended{Reason: event.Done}}
}
