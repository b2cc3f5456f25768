package telegram_test

import (
	"context"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/store/storetest"
	"hob/internal/surface/telegram"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/outbound"
	"hob/internal/surface/telegram/telegramtest"
)

// idleSessions are sessions in which nothing happens; they count what is handed in.
type idleSessions struct{ inputs chan session.Input }

func (s idleSessions) Submit(_ context.Context, in session.Input) (int64, error) {
	s.inputs <- in
	return 1, nil
}
func (idleSessions) Decide(context.Context, session.Answer) error               { return nil }
func (idleSessions) Stop(context.Context, event.Chat) (bool, error)             { return false, nil }
func (idleSessions) Reset(context.Context, event.Chat) error                    { return nil }
func (idleSessions) Language(context.Context, event.Chat) string                { return "" }
func (idleSessions) IsAsking(context.Context, event.Chat, string) (bool, error) { return false, nil }
func (idleSessions) Follow(ctx context.Context, _ event.Chat, _ int64) iter.Seq2[event.Event, error] {
	return func(func(event.Event, error) bool) { <-ctx.Done() }
}

// memory is all that a bot keeps.
type memory interface {
	outbound.MarkStore
	telegram.Deliveries
	telegram.People
	AllowPerson(ctx context.Context, p event.Person) (event.Person, error)
}

// wholeBot runs a bot, whose owner is 77 and which also knows 78, until the test's bubble asks it to end.
func wholeBot(t *testing.T, srv *telegramtest.Server, cfg telegram.Config) (bot *telegram.Bot, mem *storetest.Memory, end func()) {
	t.Helper()
	mem = storetest.NewMemory(time.Now)
	bot, end = runBot(t, srv, mem, cfg)
	return bot, mem, end
}

// runBot runs such a bot with a memory, which also lets in those of a group.
func runBot(t *testing.T, srv *telegramtest.Server, mem memory, cfg telegram.Config, groups ...int64) (bot *telegram.Bot, end func()) {
	t.Helper()
	let := map[int64]event.Level{77: event.Owner, 78: event.User}
	for _, id := range groups {
		let[id] = event.User
	}
	for id, level := range let {
		if _, err := mem.AllowPerson(t.Context(), event.Person{Platform: chat.Platform, ID: id, Level: level}); err != nil {
			t.Fatal(err)
		}
	}
	api, err := client.NewAPI(client.APIConfig{Token: srv.Token(), Transport: srv.Transport()})
	if err != nil {
		t.Fatal(err)
	}
	cfg.API, cfg.Marks, cfg.Deliveries, cfg.People = api, mem, mem, mem
	if bot, err = telegram.New(cfg); err != nil {
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

// That another program takes the messages the owners are told where they are. One conflict is none yet: what a hob that was
// killed had asked may still be open.
func TestOwnersAreAlertedOfAConflict(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := telegramtest.New(telegramtest.Options{})
		owner, member := srv.Private(srv.User(77, "Ada")), srv.Private(srv.User(78, "Bob"))
		var alerts []string
		_, _, end := wholeBot(t, srv, telegram.Config{Sessions: idleSessions{}, Alert: func(p string) { alerts = append(alerts, p) }})
		defer end()
		srv.Fail(telegramtest.Fault{Method: "getUpdates", Kind: telegramtest.Conflict})
		<-time.After(5 * time.Minute)
		if got := owner.FromBot(); len(got)+len(alerts) > 0 {
			t.Errorf("after one: %+v, %q", got, alerts)
		}
		srv.Fail(telegramtest.Fault{Method: "getUpdates", Kind: telegramtest.Conflict, For: 3 * time.Minute})
		<-time.After(10 * time.Minute)
		got := owner.FromBot()
		if len(got) != 1 || !strings.HasPrefix(got[0].Text, "Another program asks for this bot's messages") {
			t.Errorf("after several: %+v", got)
		}
		if got := member.FromBot(); len(got) > 0 {
			t.Errorf("who is no owner is told: %+v", got)
		}
		if len(alerts) != 2 || alerts[1] != "" {
			t.Errorf("%q", alerts)
		}
	})
}

// A whole bot: who was let in is heard and answered, a stranger gets nothing and is counted.
func TestAWholeBot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := telegramtest.New(telegramtest.Options{})
		sessions := idleSessions{make(chan session.Input, 10)}
		bot, _, end := wholeBot(t, srv, telegram.Config{Sessions: sessions})
		defer end()
		ada, eve := srv.User(77, "Ada"), srv.User(666, "Eve")
		hers, other := srv.Private(ada), srv.Private(eve)
		<-time.After(5 * time.Second)
		hers.Say(ada, "What is new?")
		hers.Say(ada, "/help")
		other.Say(eve, "Hello?")
		<-time.After(20 * time.Second)
		if in := <-sessions.inputs; in.Text != "What is new?" || in.Chat != "telegram/77" || len(sessions.inputs) != 0 {
			t.Errorf("handed in: %+v", in)
		}
		if got := hers.FromBot(); len(got) != 1 || !strings.Contains(got[0].Text, "/stop") {
			t.Errorf("answered: %+v", got)
		}
		if got := len(other.FromBot()) + len(other.Actions()); got != 0 {
			t.Errorf("a stranger got %d messages", got)
		}
		if s := bot.State(); s.Name != "hob_bot" || s.Problem != "" || s.Dropped != 1 {
			t.Errorf("state %+v", s)
		}
	})
}
