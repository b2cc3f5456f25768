package telegram

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/telegramtest"
)

// Everybody sees what they may ask for: strangers the least, groups what anybody may, the owner everything.
func TestMenus(t *testing.T) {
	all := []chat.Command{
		{Name: "status", Summary: "How hob does"},
		{Name: "log", Summary: "What was done", Private: true},
		{Name: "tools", Summary: "Switch tools", Least: event.Owner},
	}
	people := []event.Person{{ID: 77, Level: event.Owner}, {ID: 78, Level: event.User}, {ID: -100}}
	own := `{"command":"help","description":"What hob can do"},{"command":"new","description":"Begin a new conversation"},` +
		`{"command":"stop","description":"Stop what is going on"}`
	const status, log, tools = `,{"command":"status","description":"How hob does"}`, `,{"command":"log","description":"What was done"}`,
		`,{"command":"tools","description":"Switch tools"}`
	want := []client.Params{
		{"scope": `{"type":"default"}`, "commands": "[" + own + "]"},
		{"scope": `{"type":"all_group_chats"}`, "commands": "[" + own + status + "]"},
		{"scope": `{"type":"chat","chat_id":77}`, "commands": "[" + own + status + log + tools + "]"},
		{"scope": `{"type":"chat","chat_id":78}`, "commands": "[" + own + status + log + "]"},
	}
	if d := cmp.Diff(want, menus(all, people)); d != "" {
		t.Error(d)
	}
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
		mem := store.NewMemory(time.Now)
		if _, err := mem.AllowPerson(t.Context(), event.Person{Platform: chat.Platform, ID: 77, Level: event.Owner}); err != nil {
			t.Fatal(err)
		}
		first := true
		b := newBench(t, mem, tripper(func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "/setMyCommands") && first {
				first = false
				return answering(400, `{"ok":false,"error_code":400,"description":"Bad Request: I do not like it"}`)(r)
			}
			return srv.Transport().RoundTrip(r)
		}))
		defer b.end()
		sleep(5 * time.Minute)
		var names []string
		for _, c := range srv.Commands("chat/77/null") {
			names = append(names, c.Name)
		}
		if d := cmp.Diff([]string{"help", "new", "stop", "status", "tools"}, names); d != "" {
			t.Errorf("%s\n%s", d, b.log.String())
		}
		if n := len(srv.Commands("default")); n != 0 {
			t.Errorf("%d commands of a menu that was refused", n)
		}
		if v := srv.Violations(); len(v) != 0 {
			t.Errorf("violations %v", v)
		}
	})
}

// A part that stops ends the bot, and says why; nothing of it is left.
func TestAPartThatStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := telegramtest.New(telegramtest.Options{Token: testToken})
		why := errors.New("the journal is gone")
		in := &bench{}
		bot, err := newBot(Config{Sessions: nobody{}, Memory: store.NewMemory(time.Now)}, testAPI(t, "", srv.Transport()),
			func(Config, func() client.User) (outgoing, incoming) { return stopping{after: time.Hour, why: why}, in })
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if err := bot.Run(t.Context()); !errors.Is(err, why) || time.Since(start) != time.Hour {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

type stopping struct {
	nobody
	after time.Duration
	why   error
}

func (s stopping) run(context.Context) error {
	<-time.After(s.after)
	return s.why
}

// Where nobody takes updates any more, the loop stands still and everybody can see it.
func TestALoopThatIsStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, store.NewMemory(time.Now), nil)
		defer b.end()
		b.srv.Fail(telegramtest.Fault{Method: "getUpdates", Kind: telegramtest.TooMany, RetryAfter: time.Hour})
		sleep(2 * time.Hour) // left alone is not stuck
		if late := time.Since(b.bot.State().Polled); late > 65*time.Second {
			t.Errorf("it last went round %v ago", late)
		}
		b.hold = make(chan struct{})
		b.her.Say(b.ada, "hello") // deliver waits, as would a Receive on a disk that hangs
		<-time.After(10 * time.Minute)
		if late := time.Since(b.bot.State().Polled); late < 9*time.Minute {
			t.Errorf("it is stuck, and last went round %v ago", late)
		}
		close(b.hold)
		sleep(time.Minute)
		if late := time.Since(b.bot.State().Polled); late > 65*time.Second {
			t.Errorf("it goes on, and last went round %v ago", late)
		}
	})
}

// A bot without what it needs is not made.
func TestABotThatIsNotWhole(t *testing.T) {
	for _, cfg := range []Config{{}, {Sessions: nobody{}}, {Memory: store.NewMemory(time.Now)}} {
		if _, err := newBot(cfg, nil, nil); err == nil {
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
	in := &bench{}
	bot, err := newBot(Config{Sessions: nobody{}, Memory: store.NewMemory(time.Now)}, testAPI(t, web.URL, over),
		func(Config, func() client.User) (outgoing, incoming) { return nobody{}, in })
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
		in.mu.Lock()
		defer in.mu.Unlock()
		return len(in.came) == 1 && srv.Pending() == 0 && len(srv.Commands("all_group_chats")) > 0
	}
	if err := srv.Wait(t.Context(), waits); err != nil {
		t.Error(err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
