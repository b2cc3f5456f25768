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
		_, end := runBot(t, srv, mem, telegram.Config{Sessions: takingSessions{}}, -555)
		defer end()
		ada, bob, eve := srv.User(77, "Ada"), srv.User(78, "Bob"), srv.User(79, "Eve")
		adas, bobs, eves := srv.Private(ada), srv.Private(bob), srv.Private(eve)
		home := srv.Group(-555, "Home", telegramtest.Member{User: bob}, telegramtest.Member{User: eve})
		<-time.After(time.Minute)
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
			if diff := cmp.Diff([][]string{want, want, nil}, [][]string{bobs.BotTexts(), home.BotTexts(), eves.BotTexts()}); diff != "" {
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
		if n := len(adas.BotTexts()); n > 2 { // the owner is told what to do, once a spell
			t.Errorf("the owner was told %q", adas.BotTexts())
		}
	})
}
