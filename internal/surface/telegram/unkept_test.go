package telegram_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/store"
	"hob/internal/store/storetest"
	"hob/internal/surface/telegram"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/telegramtest"
)

// fullMemory can keep nothing while it is full.
type fullMemory struct {
	*storetest.Memory
	mu   sync.Mutex
	full error
}

func (m *fullMemory) set(full error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.full = full
}

func (m *fullMemory) Receive(ctx context.Context, all []event.Update) ([]event.Update, error) {
	m.mu.Lock()
	full := m.full
	m.mu.Unlock()
	if full != nil {
		return nil, full
	}
	return m.Memory.Receive(ctx, all)
}

// takingSessions takes what is said, and nothing comes of it.
type takingSessions struct{ idleSessions }

func (takingSessions) Submit(context.Context, session.Input) (int64, error) { return 1, nil }

// Who writes while the disk is full is told so, once in each chat and spell; strangers, and groups where nobody spoke to the bot, are
// told nothing.
func TestAPersonHearsThatTheDiskIsFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := telegramtest.New(telegramtest.Options{})
		mem := &fullMemory{Memory: storetest.NewMemory(time.Now)}
		_, end := botOn(t, srv, mem)
		defer end()
		ada, bob, eve := srv.User(77, "Ada"), srv.User(78, "Bob"), srv.User(79, "Eve")
		adas, bobs, eves := srv.Private(ada), srv.Private(bob), srv.Private(eve)
		home := srv.Group(-555, "Home", telegramtest.Member{User: bob}, telegramtest.Member{User: eve})
		<-time.After(time.Minute)
		said := func(c *telegramtest.Chat) (all []string) {
			for _, m := range c.FromBot() {
				all = append(all, m.Text)
			}
			return all
		}
		const told = "I cannot keep your message: the disk is full. It stays with Telegram, and I answer when there is room."
		for spell := 1; spell <= 2; spell++ {
			mem.set(fmt.Errorf("receive: %w", &store.FileError{Op: "receive", Path: "/x", Reason: store.ErrFull, Err: errors.New("full"), Do: "make room"}))
			for range 3 {
				bobs.Say(bob, "are you there?")
				eves.Say(eve, "are you there?")
				home.Say(eve, "nobody talks to the bot")
				<-time.After(5 * time.Minute)
			}
			home.Say(eve, "@hob_bot are you there?")
			home.Say(bob, "@hob_bot hello?")
			<-time.After(10 * time.Minute)
			var want []string
			for range spell {
				want = append(want, told)
			}
			if diff := cmp.Diff([][]string{want, want, nil}, [][]string{said(bobs), said(home), said(eves)}); diff != "" {
				t.Errorf("spell %d: to Bob, to the group, to a stranger (-want +got)\n%s", spell, diff)
			}
			if srv.Pending() == 0 {
				t.Error("what could not be kept is not with Telegram any more")
			}
			mem.set(nil)
			<-time.After(10 * time.Minute)
			if srv.Pending() != 0 {
				t.Error("what could be kept is still with Telegram")
			}
		}
		if n := len(said(adas)); n > 2 { // the owner is told what to do, once a spell
			t.Errorf("the owner was told %q", said(adas))
		}
	})
}

// botOn is a bot with a memory in which Ada is the owner, Bob a user, and a group let in.
func botOn(t *testing.T, srv *telegramtest.Server, mem *fullMemory) (*telegram.Bot, func()) {
	t.Helper()
	for id, level := range map[int64]event.Level{77: event.Owner, 78: event.User, -555: event.User} {
		if _, err := mem.AllowPerson(t.Context(), event.Person{Platform: chat.Platform, ID: id, Level: level}); err != nil {
			t.Fatal(err)
		}
	}
	api, err := client.NewAPI(client.APIConfig{Token: srv.Token(), Transport: srv.Transport()})
	if err != nil {
		t.Fatal(err)
	}
	bot, err := telegram.New(telegram.Config{API: api, Marks: mem, Deliveries: mem, People: mem, Sessions: takingSessions{}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- bot.Run(ctx) }()
	return bot, func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
