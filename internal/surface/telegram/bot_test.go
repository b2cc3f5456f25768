package telegram

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/store/storetest"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/telegramtest"
)

// botLife is a bot that runs.
type botLife struct {
	*Bot
	log strings.Builder
	end func()
}

// startBot runs a bot over a transport. Without sessions or a memory it has some in which nothing happens.
func startBot(t *testing.T, cfg Config, over http.RoundTripper) *botLife {
	t.Helper()
	b := &botLife{}
	cfg.API, cfg.Log = testAPI(t, "", over), slog.New(slog.NewTextHandler(&b.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	if cfg.Sessions == nil {
		cfg.Sessions = nobody{}
	}
	if cfg.Marks == nil {
		mem := storetest.NewMemory(time.Now)
		cfg.Marks, cfg.Deliveries, cfg.People = mem, mem, mem
	}
	var err error
	if b.Bot, err = New(cfg); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	over2 := make(chan error)
	go func() { over2 <- b.Run(ctx) }()
	b.end = func() {
		began := time.Now()
		cancel()
		if err := <-over2; err != nil || time.Since(began) > 0 {
			t.Errorf("the end took %v: %v", time.Since(began), err)
		}
		if strings.Contains(b.log.String(), testToken) {
			t.Error("the token is in the log")
		}
	}
	return b
}

// nobody is sessions in which nothing happens.
type nobody struct{ inputs chan session.Input }

func (n nobody) Submit(_ context.Context, in session.Input) (int64, error) {
	if n.inputs != nil {
		n.inputs <- in
	}
	return 1, nil
}
func (nobody) Decide(context.Context, session.Answer) error               { return nil }
func (nobody) Stop(context.Context, event.Chat) (bool, error)             { return false, nil }
func (nobody) Reset(context.Context, event.Chat) error                    { return nil }
func (nobody) Language(context.Context, event.Chat) string                { return "" }
func (nobody) IsAsking(context.Context, event.Chat, string) (bool, error) { return false, nil }
func (nobody) Follow(ctx context.Context, _ event.Chat, _ int64) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		<-ctx.Done()
		yield(event.Event{}, context.Cause(ctx))
	}
}

func twoCommands() commands.Table {
	return commands.NewTable(
		commands.Command{Name: "status", Summary: "How hob does", For: commands.Everybody, On: commands.Telegram},
		commands.Command{Name: "tools", Summary: "Switch tools", On: commands.Telegram},
	)
}

// elapse lets time pass in the bubble.
func elapse(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// The menus arrive, however long that takes; one that the server will not have is given up alone.
func TestTheMenusArrive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := telegramtest.New(telegramtest.Options{Token: testToken})
		srv.Fail(
			telegramtest.Fault{Method: "getMe", Kind: telegramtest.TooMany, RetryAfter: 20 * time.Second},
			telegramtest.Fault{Method: "getMe", Kind: telegramtest.Unauthorized},
			telegramtest.Fault{Method: "setMyCommands", Kind: telegramtest.BadGateway, Times: 3},
		)
		mem := storetest.NewMemory(time.Now)
		if _, err := mem.AllowPerson(t.Context(), event.Person{Platform: chat.Platform, ID: 77, Level: event.Owner}); err != nil {
			t.Fatal(err)
		}
		first := true
		b := startBot(t, Config{Marks: mem, Deliveries: mem, People: mem, Commands: twoCommands()}, telegramtest.RoundTrip(func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "/setMyCommands") && first {
				first = false
				return telegramtest.Answering(400, `{"ok":false,"error_code":400,"description":"Bad Request: I do not like it"}`)(r)
			}
			return srv.Transport().RoundTrip(r)
		}))
		defer b.end()
		elapse(5 * time.Minute)
		var names []string
		for _, c := range srv.Commands(`{"type":"chat","chat_id":77}`) {
			names = append(names, c.Name)
		}
		if d := cmp.Diff([]string{"help", "new", "stop", "status", "tools"}, names); d != "" {
			t.Errorf("%s\n%s", d, b.log.String())
		}
		if n := len(srv.Commands(`{"type":"default"}`)); n != 0 {
			t.Errorf("%d commands of a menu that was refused", n)
		}
		if v := srv.Violations(); len(v) != 0 {
			t.Errorf("violations %v", v)
		}
	})
}

// What the server says of when to come again holds for who the bot is and for its menus, too.
func TestRetryAfterIsHonouredAtTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := telegramtest.New(telegramtest.Options{Token: testToken})
		srv.Fail(
			telegramtest.Fault{Method: "getMe", Kind: telegramtest.TooMany, RetryAfter: 100 * time.Second, Times: 1},
			telegramtest.Fault{Method: "setMyCommands", Kind: telegramtest.TooMany, RetryAfter: 200 * time.Second, Times: 1},
		)
		b := startBot(t, Config{}, srv.Transport())
		defer b.end()
		elapse(10 * time.Minute)
		for method, want := range map[string]time.Duration{"getMe": 100 * time.Second, "setMyCommands": 200 * time.Second} {
			calls := srv.Calls(method)
			if len(calls) < 2 {
				t.Fatalf("%s was asked %d times", method, len(calls))
			}
			if waited := calls[1].At.Sub(calls[0].At); waited != want {
				t.Errorf("%s waited %v, want %v", method, waited, want)
			}
		}
	})
}

// Offline at the start is normal; the bot introduces itself when it can.
func TestStartOffline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := telegramtest.New(telegramtest.Options{Token: testToken})
		srv.Cut()
		b := startBot(t, Config{}, srv.Transport())
		defer b.end()
		elapse(time.Hour)
		if s := b.State(); s.Name != "" || s.Problem == "" || time.Since(s.Polled) > 65*time.Second || !s.Answered.IsZero() {
			t.Errorf("state %+v", s)
		}
		if n := len(srv.Calls()); n > 200 {
			t.Errorf("it asked %d times in an hour", n)
		}
		srv.Mend()
		elapse(2 * time.Minute)
		if s := b.State(); s.Name != "hob_bot" || s.Problem != "" || b.self.get().ID != 110201543 {
			t.Errorf("state %+v, it is %+v", s, b.self.get())
		}
	})
}

// waitingMemory is a memory that takes its time to say which chats there are, and to see that it is over.
type waitingMemory struct {
	*storetest.Memory
	fails, ends time.Duration
	why         error
}

func (m waitingMemory) ChatsOf(ctx context.Context, _ string) ([]event.Chat, error) {
	select {
	case <-time.After(m.fails):
	case <-ctx.Done():
		<-time.After(m.ends)
	}
	return nil, m.why
}

// A part that stops ends the bot, and says why; nothing of it is left.
func TestAPartThatStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := telegramtest.New(telegramtest.Options{Token: testToken})
		why := errors.New("the journal is gone")
		mem := waitingMemory{Memory: storetest.NewMemory(time.Now), fails: time.Hour, why: why}
		bot, err := New(Config{API: testAPI(t, "", srv.Transport()), Sessions: nobody{}, Marks: mem, Deliveries: mem, People: mem})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if err := bot.Run(t.Context()); !errors.Is(err, why) || time.Since(start) != time.Hour {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

// The bot's life is over when all its parts are.
func TestTheEndWaitsForAllParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := telegramtest.New(telegramtest.Options{Token: testToken})
		mem := waitingMemory{Memory: storetest.NewMemory(time.Now), fails: time.Hour, ends: 5 * time.Second}
		bot, err := New(Config{API: testAPI(t, "", srv.Transport()), Sessions: nobody{}, Marks: mem, Deliveries: mem, People: mem})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		over := make(chan error)
		go func() { over <- bot.Run(ctx) }()
		elapse(time.Minute)
		began := time.Now()
		cancel()
		if err := <-over; err != nil || time.Since(began) != 5*time.Second {
			t.Errorf("it ended %v after it was told to: %v", time.Since(began), err)
		}
	})
}

// A bot without what it needs is not made.
func TestABotThatIsNotWhole(t *testing.T) {
	api := testAPI(t, "", telegramtest.RoundTrip(nil))
	mem := storetest.NewMemory(time.Now)
	for _, cfg := range []Config{{}, {API: api}, {API: api, Sessions: nobody{}}, {API: api, Marks: mem, Deliveries: mem, People: mem},
		{Sessions: nobody{}, Marks: mem, Deliveries: mem, People: mem}, {API: api, Sessions: nobody{}, Deliveries: mem, People: mem},
		{API: api, Sessions: nobody{}, Marks: mem, People: mem}, {API: api, Sessions: nobody{}, Marks: mem, Deliveries: mem}} {
		if _, err := New(cfg); err == nil {
			t.Errorf("made of %+v", cfg)
		}
	}
}

// Over a real socket and the transport that hob has: nothing is left after the end, and the end is at once.
func TestOverASocket(t *testing.T) {
	defer goleak.VerifyNone(t)
	srv := telegramtest.New(telegramtest.Options{Token: testToken})
	web := httptest.NewServer(srv)
	defer web.Close()
	over := &http.Transport{}
	defer over.CloseIdleConnections()
	mem, heard := storetest.NewMemory(time.Now), nobody{make(chan session.Input, 2)}
	if _, err := mem.AllowPerson(t.Context(), event.Person{Platform: chat.Platform, ID: 77, Level: event.Owner}); err != nil {
		t.Fatal(err)
	}
	bot, err := New(Config{API: testAPI(t, web.URL, over), Sessions: heard, Marks: mem, Deliveries: mem, People: mem})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- bot.Run(ctx) }()
	ada := srv.User(77, "Ada")
	her := srv.Private(ada)
	her.Say(ada, "hello")
	waits := func() bool {
		return len(heard.inputs) == 1 && srv.Pending() == 0 && len(srv.Commands(`{"type":"all_group_chats"}`)) > 0
	}
	if err := srv.Wait(t.Context(), waits); err != nil {
		t.Error(err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// Somebody whom an invite lets in sees at once what they may ask for.
func TestAMenuForANewPerson(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := telegramtest.New(telegramtest.Options{Token: testToken})
		mem := storetest.NewMemory(time.Now)
		if err := mem.AddInvite(t.Context(), event.Invite{Platform: chat.Platform, Level: event.Owner, Expires: time.Now().Add(time.Hour), Tries: 3}, "K7QX-9M10"); err != nil {
			t.Fatal(err)
		}
		b := startBot(t, Config{Marks: mem, Deliveries: mem, People: mem, Commands: twoCommands()}, srv.Transport())
		defer b.end()
		eve := srv.User(5, "Eve")
		srv.Private(eve).Say(eve, "K7QX-9M10")
		elapse(time.Minute)
		var names []string
		for _, c := range srv.Commands(`{"type":"chat","chat_id":5}`) {
			names = append(names, c.Name)
		}
		if d := cmp.Diff([]string{"help", "new", "stop", "status", "tools"}, names); d != "" {
			t.Errorf("%s\n%s", d, b.log.String())
		}
	})
}
