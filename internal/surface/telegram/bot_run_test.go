package telegram

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/store"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/telegramtest"
)

// A conflict that comes again within two minutes is one, though messages come between; single ones that come later are none.
func TestASpellOfConflicts(t *testing.T) {
	for _, c := range []struct {
		apart time.Duration
		told  int // that there is a conflict, of five
	}{{90 * time.Second, 1}, {4 * time.Minute, 0}} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, store.NewMemory(time.Now), nil)
			defer b.end()
			synctest.Wait()
			b.her.Say(b.ada, "hello") // the request of the start has come back
			synctest.Wait()
			for i := range 5 {
				b.srv.Fail(telegramtest.Fault{Method: "getUpdates", Kind: telegramtest.Conflict, Times: 1})
				b.her.Say(b.ada, "hello")
				sleep(40 * time.Second)
				if s := b.bot.State(); c.told == 1 && i > 0 && s.Problem != advice(pollConflict, nil) {
					t.Errorf("within the spell the problem is %q", s.Problem)
				}
				b.her.Say(b.ada, "hello") // is received, in the middle of the spell
				sleep(c.apart - 40*time.Second)
			}
			sleep(10 * time.Minute)
			var want []string
			for range c.told {
				want = append(want, advice(pollConflict, nil), "")
			}
			if d := cmp.Diff(want, b.alerted()); d != "" {
				t.Errorf("%v apart: %s", c.apart, d)
			}
			if p := b.bot.State().Problem; p != "" {
				t.Errorf("%v apart: at the end the problem is %q", c.apart, p)
			}
		})
	}
}

// What the server says of when to come again holds for who the bot is and for its menus, too.
func TestRetryAfterIsHonouredAtTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := telegramtest.New(telegramtest.Options{Token: testToken})
		srv.Fail(
			telegramtest.Fault{Method: "getMe", Kind: telegramtest.TooMany, RetryAfter: 100 * time.Second, Times: 1},
			telegramtest.Fault{Method: "setMyCommands", Kind: telegramtest.TooMany, RetryAfter: 200 * time.Second, Times: 1},
		)
		b := newBench(t, store.NewMemory(time.Now), srv.Transport())
		defer b.end()
		sleep(10 * time.Minute)
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

// lingering is a part that takes its time to end.
type lingering struct {
	nobody
	takes time.Duration
}

func (l lingering) run(ctx context.Context) error {
	<-ctx.Done()
	<-time.After(l.takes)
	return nil
}

// The bot's life is over when all its parts are.
func TestTheEndWaitsForAllParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := telegramtest.New(telegramtest.Options{Token: testToken})
		bot, err := newBot(Config{Sessions: nobody{}, Memory: store.NewMemory(time.Now)}, testAPI(t, "", srv.Transport()),
			func(Config, func() client.User) (outgoing, incoming) {
				return lingering{takes: 5 * time.Second}, &bench{}
			})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		over := make(chan error)
		go func() { over <- bot.Run(ctx) }()
		sleep(time.Minute)
		began := time.Now()
		cancel()
		if err := <-over; err != nil || time.Since(began) != 5*time.Second {
			t.Errorf("it ended %v after it was told to: %v", time.Since(began), err)
		}
	})
}
