package inbound

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/store/storetest"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/telegramtest"
)

// A server that answers at once is asked once a second.
func TestItNeverSpins(t *testing.T) {
	for name, body := range map[string]string{
		"nothing":             `{"ok":true,"result":[]}`,
		"null":                `{"ok":true,"result":null}`,
		"always the same":     `{"ok":true,"result":[{"update_id":5}]}`,
		"updates without ids": `{"ok":true,"result":[{"message":{}},7,null,{"update_id":"x"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked := 0
				b := newBench(t, storetest.NewMemory(time.Now), telegramtest.RoundTrip(func(r *http.Request) (*http.Response, error) {
					if strings.HasSuffix(r.URL.Path, "/getUpdates") {
						asked++
						return telegramtest.Answering(200, body)(r)
					}
					return telegramtest.Answering(200, `{"ok":true,"result":{"id":1,"username":"hob_bot"}}`)(r)
				}))
				defer b.end()
				sleep(time.Minute)
				if asked < 55 || asked > 62 {
					t.Errorf("asked %d times in a minute", asked)
				}
			})
		})
	}
}

// What the owner is told, and what the loop does meanwhile.
func TestWhatKeepsItFromPolling(t *testing.T) {
	const conflict = "Another program asks for this bot's messages: stop it, or give hob a bot of its own."
	for _, c := range []struct {
		name    string
		fault   telegramtest.Fault
		pass    time.Duration
		problem string // while it lasts
		alerts  []string
		least   int // calls meanwhile
		most    int
	}{
		{"conflict", telegramtest.Fault{Kind: telegramtest.Conflict}, 10 * time.Minute, conflict, []string{conflict, ""}, 20, 60},
		{"token", telegramtest.Fault{Kind: telegramtest.Unauthorized}, 10 * time.Minute, "Telegram does not know the bot's token: put the one that @BotFather shows into token_file.",
			[]string{"Telegram does not know the bot's token: put the one that @BotFather shows into token_file.", ""}, 10, 12},
		{"page", telegramtest.Fault{Kind: telegramtest.BadGateway}, 10 * time.Minute,
			"Telegram cannot be reached: telegram getUpdates: 502 Bad Gateway, and the answer is none of a Bot API server.", nil, 10, 20},
		{"offline", telegramtest.Fault{Kind: telegramtest.Refused}, 10 * time.Minute,
			"Telegram cannot be reached: telegram getUpdates: dial tcp: connect: connection refused.", nil, 10, 20},
		{"silent", telegramtest.Fault{Kind: telegramtest.HangBefore}, 10 * time.Minute,
			"Telegram cannot be reached: telegram getUpdates: the server took too long.", nil, 4, 9},
		{"busy", telegramtest.Fault{Kind: telegramtest.TooMany, RetryAfter: 3 * time.Minute}, 10 * time.Minute,
			"Telegram wants to be left alone: telegram getUpdates: 429 Too Many Requests: retry after 180.", nil, 3, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, storetest.NewMemory(time.Now), nil)
				defer b.end()
				synctest.Wait()
				c.fault.Method, c.fault.For = "getUpdates", c.pass
				b.srv.Fail(c.fault)
				b.her.Say(b.ada, "hello")
				if b.got() != "[1]" { // by the poll that waited
					t.Error("not delivered")
				}
				sleep(c.pass - time.Second)
				b.her.Say(b.ada, "hello")
				s := b.poll.Health()
				if d := cmp.Diff(c.problem, s.Problem); d != "" {
					t.Error(d)
				}
				if since := time.Since(s.Polled); since > 65*time.Second {
					t.Errorf("it last went round %v ago", since)
				}
				if n := len(b.srv.Calls("getUpdates")); n < c.least || n > c.most {
					t.Errorf("it asked %d times", n)
				}
				b.srv.Heal(nil)
				sleep(7 * time.Minute)
				if got := b.got(); got != "[2]" {
					t.Errorf("delivered %s", got)
				}
				if s := b.poll.Health(); s.Problem != "" {
					t.Errorf("it is over, and the problem %q", s.Problem)
				}
				if d := cmp.Diff(c.alerts, b.alerted()); d != "" {
					t.Error(d)
				}
				if v := b.srv.Violations(); len(v) != 0 {
					t.Errorf("violations %v", v)
				}
				if n := strings.Count(b.log.String(), "level=WARN"); n != 1 {
					t.Errorf("%d warnings:\n%s", n, b.log.String())
				}
			})
		})
	}
}

// retry_after is waited for to the second.
func TestRetryAfterIsHonoured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, storetest.NewMemory(time.Now), nil)
		defer b.end()
		synctest.Wait()
		b.srv.Fail(telegramtest.Fault{Method: "getUpdates", Kind: telegramtest.TooMany, RetryAfter: 100 * time.Second})
		b.her.Say(b.ada, "hello")
		sleep(5 * time.Minute)
		polls := b.srv.Calls("getUpdates")
		if waited := polls[2].At.Sub(polls[1].At); waited != 100*time.Second {
			t.Errorf("it waited %v", waited)
		}
	})
}

// Two programs take the messages from each other in turn: that is one conflict.
func TestAConflictIsReportedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, storetest.NewMemory(time.Now), nil)
		defer b.end()
		other := testAPI(t, "", b.srv.Transport())
		ctx, stop := context.WithTimeout(t.Context(), time.Hour)
		defer stop()
		for ctx.Err() == nil {
			_ = other.Call(ctx, "getUpdates", client.Params{"timeout": "50"}, nil)
			sleep(20 * time.Second)
		}
		sleep(10 * time.Minute)
		if d := cmp.Diff([]string{adviceFor(pollConflict, nil), ""}, b.alerted()); d != "" {
			t.Error(d)
		}
	})
}

// A webhook is taken away once; whoever sets it again is a conflict.
func TestAWebhook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, storetest.NewMemory(time.Now), nil)
		defer b.end()
		synctest.Wait()
		other := testAPI(t, "", b.srv.Transport())
		set := func() {
			if err := other.Call(t.Context(), "setWebhook", client.Params{"url": "https://example.org/"}, nil); err != nil {
				t.Fatal(err)
			}
		}
		set()
		b.her.Say(b.ada, "hello")
		sleep(2 * time.Minute)
		if got, a := b.got(), b.alerted(); got != "[1]" || len(a) != 0 {
			t.Errorf("delivered %s, told %q", got, a)
		}
		for range 20 {
			set()
			sleep(30 * time.Second)
		}
		b.her.Say(b.ada, "hello")
		sleep(10 * time.Minute)
		if got := b.got(); got != "[2]" {
			t.Errorf("delivered %s", got)
		}
		if d := cmp.Diff([]string{adviceFor(pollConflict, nil), ""}, b.alerted()); d != "" {
			t.Error(d)
		}
	})
}

// An answer that is too long is asked for in smaller parts.
func TestAnswersThatAreTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, storetest.NewMemory(time.Now), nil)
		defer b.end()
		synctest.Wait()
		b.srv.Fail(telegramtest.Fault{Method: "getUpdates", Kind: telegramtest.Huge, Times: 2})
		b.her.Say(b.ada, "hello")
		sleep(3 * time.Minute)
		var limits []string
		for _, c := range b.srv.Calls("getUpdates") {
			limits = append(limits, c.Params["limit"])
		}
		if d := cmp.Diff([]string{"100", "100", "25", "6", "100"}, limits); d != "" {
			t.Error(d)
		}
	})
}

// Whatever fails, and however often: what people wrote is delivered, all of it, each once, in order.
func TestNothingIsLostAndNothingComesTwice(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		n := rapid.IntRange(1, 60).Draw(rt, "messages")
		pauses := rapid.SliceOfN(rapid.IntRange(0, 90), n, n).Draw(rt, "pauses")
		full := rapid.SliceOfN(rapid.Bool(), n, n).Draw(rt, "full")
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, storetest.NewMemory(time.Now), nil)
			defer b.end()
			var rates []telegramtest.Rate
			for k := telegramtest.Refused; k <= telegramtest.Shuffled; k++ {
				rates = append(rates, telegramtest.Rate{Fault: telegramtest.Fault{Kind: k, Bytes: 10 << 20}, P: 0.04})
			}
			b.srv.Heal(&telegramtest.Chaos{Seed: seed, Rates: rates})
			var want []int64
			for i := range n {
				if full[i] {
					b.fail(io.ErrShortWrite)
				} else {
					b.fail(nil)
				}
				b.her.Say(b.ada, "hello")
				want = append(want, int64(i+1))
				sleep(time.Duration(pauses[i]) * time.Second)
			}
			b.fail(nil)
			b.srv.Heal(nil)
			sleep(10 * time.Minute)
			if d := cmp.Diff(want, b.came); d != "" {
				rt.Errorf("%s\n%s", d, b.log.String())
			}
			if v := b.srv.Violations(); len(v) != 0 {
				rt.Errorf("violations %v", v)
			}
		})
	})
}
