package telegramtest_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/surface/telegram/telegramtest"
)

const first = 1000

// said is a server on which somebody has said so many things.
func said(n int) (*telegramtest.Server, *telegramtest.Chat, *telegramtest.User) {
	srv := telegramtest.New(telegramtest.Options{FirstUpdate: first})
	ada := srv.User(77, "Ada")
	chat := srv.Private(ada)
	for i := range n {
		chat.Say(ada, strconv.Itoa(i))
	}
	return srv, chat, ada
}

func TestOffsetsForget(t *testing.T) {
	for _, c := range []struct {
		name  string
		asked []string // offsets, one call each
		limit string
		want  []int64 // of the last
		left  int
	}{
		{"none", []string{""}, "", []int64{1000, 1001, 1002, 1003, 1004}, 5},
		{"a limit", []string{""}, "2", []int64{1000, 1001}, 5},
		{"a limit of none", []string{""}, "0", []int64{1000, 1001, 1002, 1003, 1004}, 5},
		{"one", []string{"1003"}, "", []int64{1003, 1004}, 2},
		{"for ever", []string{"1003", "1000"}, "", []int64{1003, 1004}, 2},
		{"the past", []string{"5"}, "", []int64{1000, 1001, 1002, 1003, 1004}, 5},
		{"all", []string{"1005"}, "", []int64{}, 0},
		{"the far future", []string{"90000"}, "", []int64{1000, 1001, 1002, 1003, 1004}, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv, _, _ := said(5)
				var got []int64
				for _, offset := range c.asked {
					got = ids(t, ask(t, srv, "getUpdates", p{"offset": offset, "limit": c.limit}))
				}
				if d := cmp.Diff(c.want, got); d != "" || srv.Pending() != c.left {
					t.Errorf("%d left, want %d\n%s", srv.Pending(), c.left, d)
				}
			})
		})
	}
}

func TestLongPoll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, chat, ada := said(0)
		start := time.Now()
		time.AfterFunc(9*time.Second, func() { chat.Say(ada, "hello") })
		if got := ids(t, ask(t, srv, "getUpdates", p{"timeout": "30"})); !slices.Equal(got, []int64{first}) || time.Since(start) != 9*time.Second {
			t.Errorf("got %v after %v", got, time.Since(start))
		}
		start = time.Now()
		if got := ids(t, ask(t, srv, "getUpdates", p{"timeout": "300", "offset": "1001"})); len(got) != 0 || time.Since(start) != 50*time.Second {
			t.Errorf("got %v after %v", got, time.Since(start))
		}
		start = time.Now()
		ask(t, srv, "getUpdates", p{"offset": "1001"}) // long after the last one
		ask(t, srv, "getUpdates", p{"offset": "1001"}) // at once
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("asking the same at once took %v", took)
		}
	})
}

func TestAnAbandonedPollEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, _, _ := said(0)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		if _, err := call(ctx, srv, "getUpdates", p{"timeout": "50"}); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		time.AfterFunc(time.Second, srv.Cut)
		if r, err := call(t.Context(), srv, "getUpdates", p{"timeout": "50"}); err == nil {
			t.Errorf("got %+v from a server that was cut off", r)
		}
		if _, err := call(t.Context(), srv, "getMe", nil); err == nil || !contains(err.Error(), "connection refused") {
			t.Errorf("got %v from a server that is cut off", err)
		}
		srv.Mend()
		time.AfterFunc(time.Second, func() {
			srv.Cut()
			srv.Mend()
		})
		if r, err := call(t.Context(), srv, "getUpdates", p{"timeout": "50"}); err == nil {
			t.Errorf("got %+v on a connection that was cut", r)
		}
		srv.Fail(telegramtest.Fault{Kind: telegramtest.HangBefore})
		time.AfterFunc(time.Second, srv.Cut)
		if r, err := call(t.Context(), srv, "getMe", nil); err == nil {
			t.Errorf("got %+v on a connection that hung and was cut", r)
		}
		srv.Mend()
		ask(t, srv, "getMe", nil)
	})
}

func TestConflicts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, _, _ := said(0)
		poll := func() <-chan string {
			done := make(chan string, 1)
			go func() {
				r, err := call(t.Context(), srv, "getUpdates", p{"timeout": "50"})
				done <- strconv.Itoa(r.Code) + " " + r.Description
				if err != nil {
					t.Error(err)
				}
			}()
			synctest.Wait()
			return done
		}
		one := poll()
		two := poll()
		const want = "409 Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
		if got := <-one; got != want {
			t.Errorf("got %q", got)
		}
		start := time.Now()
		three := poll()
		if got := <-two; got != want || time.Since(start) != 3*time.Second {
			t.Errorf("got %q after %v", got, time.Since(start))
		}
		<-time.After(3 * time.Second)
		ask(t, srv, "setWebhook", p{"url": "https://example.com/"})
		if got := <-three; got != "409 Conflict: terminated by setWebhook request" {
			t.Errorf("got %q", got)
		}
		if r := ask(t, srv, "getUpdates", nil); r.Code != 409 || !contains(r.Description, "while webhook is active") {
			t.Errorf("got %+v", r)
		}
		ask(t, srv, "deleteWebhook", nil)
		if r := ask(t, srv, "getUpdates", nil); !r.OK {
			t.Errorf("got %+v", r)
		}
	})
}

func TestKindsThatWereNotAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, chat, ada := said(0)
		ask(t, srv, "getUpdates", p{"allowed_updates": `["message"]`})
		id := chat.Say(ada, "one")
		chat.Edit(id, "two")
		ask(t, srv, "getUpdates", nil) // remembers
		chat.Edit(id, "three")
		srv.Inject(`{"from_next_year":{}}`)
		got := ids(t, ask(t, srv, "getUpdates", p{"offset": "1000", "allowed_updates": `["message","edited_message"]`}))
		if d := cmp.Diff([]int64{1000, 1001}, got); d != "" {
			t.Error(d)
		}
		chat.Edit(id, "four")
		if got := ids(t, ask(t, srv, "getUpdates", p{"offset": "1002"})); !slices.Equal(got, []int64{1002}) {
			t.Errorf("got %v", got)
		}
	})
}

func TestIdsAfterAWeek(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, chat, ada := said(1)
		ask(t, srv, "getUpdates", p{"offset": "1001"})
		srv.Jump(300)
		chat.Say(ada, "after a week")
		if got := ids(t, ask(t, srv, "getUpdates", p{"offset": "1001", "timeout": "5"})); !slices.Equal(got, []int64{300}) {
			t.Errorf("got %v", got)
		}
		if got := ids(t, ask(t, srv, "getUpdates", p{"offset": "301"})); len(got) != 0 {
			t.Errorf("got %v", got)
		}
	})
}

func TestUpdatesAreKeptForADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, chat, ada := said(1)
		<-time.After(25 * time.Hour)
		chat.Say(ada, "today")
		if got := ids(t, ask(t, srv, "getUpdates", nil)); !slices.Equal(got, []int64{1001}) {
			t.Errorf("got %v", got)
		}
	})
}

func TestInjected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, chat, ada := said(1)
		srv.Inject(`{"poll":{}}`)
		chat.Say(ada, "next")
		var all []json.RawMessage
		r := ask(t, srv, "getUpdates", p{"offset": "1001"})
		if err := json.Unmarshal(r.Result, &all); err != nil || len(all) != 2 || string(all[0]) != `{"poll":{},"update_id":1001}` {
			t.Errorf("%s, %v", r.Result, err)
		}
		func() {
			defer func() { recover() }()
			srv.Inject(`{`)
			t.Error("what is no JSON was taken")
		}()
	})
}

func TestDisturbedUpdates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, _, _ := said(2)
		srv.Fail(telegramtest.Fault{Kind: telegramtest.Duplicates}, telegramtest.Fault{Kind: telegramtest.Shuffled})
		ask(t, srv, "getMe", nil) // is none of theirs
		if got := ids(t, ask(t, srv, "getUpdates", nil)); !slices.Equal(got, []int64{1000, 1001, 1000, 1001}) {
			t.Errorf("got %v", got)
		}
		<-time.After(time.Minute)
		if got := ids(t, ask(t, srv, "getUpdates", nil)); !slices.Equal(got, []int64{1001, 1000}) {
			t.Errorf("got %v", got)
		}
	})
}
