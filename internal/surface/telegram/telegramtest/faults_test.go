package telegramtest_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/surface/telegram/telegramtest"
)

func TestFaults(t *testing.T) {
	const limit = 5 * time.Second
	for _, c := range []struct {
		kind    telegramtest.Kind
		code    int // of the answer, 0 for none
		err     error
		arrives bool
	}{
		{telegramtest.Refused, 0, syscall.ECONNREFUSED, false},
		{telegramtest.DropBefore, 0, io.EOF, false},
		{telegramtest.HangBefore, 0, context.DeadlineExceeded, false},
		{telegramtest.TooMany, 429, nil, false},
		{telegramtest.Conflict, 409, nil, false},
		{telegramtest.Unauthorized, 401, nil, false},
		{telegramtest.Internal, 500, nil, false},
		{telegramtest.BadGateway, 502, nil, false},
		{telegramtest.BadGatewayAfter, 502, nil, true},
		{telegramtest.DropAfter, 0, io.EOF, true},
		{telegramtest.HangAfter, 0, context.DeadlineExceeded, true},
		{telegramtest.Half, 200, io.ErrUnexpectedEOF, true},
		{telegramtest.NotJSON, 200, nil, true},
		{telegramtest.Huge, 200, nil, true},
		{telegramtest.Slow, 0, context.DeadlineExceeded, true},
	} {
		t.Run(c.kind.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv, chat, _ := said(0)
				srv.Fail(telegramtest.Fault{Method: "sendMessage", Kind: c.kind, Bytes: 1 << 20})
				ask(t, srv, "getMe", nil) // is another method
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				defer cancel()
				code, n, err := raw(ctx, srv, "sendMessage", "chat_id=77&text=x")
				if code != c.code || c.err != nil && !errors.Is(err, c.err) || c.err == nil && err != nil {
					t.Errorf("got %d, %d bytes, %v", code, n, err)
				}
				if c.kind == telegramtest.Huge && n < 1<<20 {
					t.Errorf("only %d bytes", n)
				}
				got := chat.FromBot()
				if arrived := len(got) == 1; arrived != c.arrives || arrived && !got[0].Lost {
					t.Errorf("shown: %+v", got)
				}
				calls := srv.Calls("sendMessage")
				if len(calls) != 1 || calls[0].Fault != c.kind || calls[0].Lost != c.arrives || !calls[0].Done {
					t.Errorf("calls: %+v", calls)
				}
				if d := cmp.Diff(map[telegramtest.Kind]int{c.kind: 1}, srv.Faults()); d != "" {
					t.Error(d)
				}
				<-time.After(time.Minute)
				if r := ask(t, srv, "sendMessage", p{"chat_id": "77", "text": "y"}); !r.OK {
					t.Errorf("the next one fails: %+v", r)
				}
				if got := chat.FromBot(); got[len(got)-1].Lost {
					t.Error("the next one is lost")
				}
			})
		})
	}
}

// raw posts a form, and returns the code, how many bytes came, and how it ended.
func raw(ctx context.Context, srv *telegramtest.Server, method, form string) (code int, n int64, err error) {
	req, _ := http.NewRequestWithContext(ctx, http.MethodPost, "http://x/bot"+srv.Token()+"/"+method, strings.NewReader(form))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := (&http.Client{Transport: srv.Transport()}).Do(req)
	if err != nil {
		return 0, 0, err
	}
	defer resp.Body.Close()
	n, err = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, n, err
}

func TestAnAnswerThatNobodyReads(t *testing.T) {
	srv, chat, _ := said(0)
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://x/bot"+srv.Token()+"/sendMessage", strings.NewReader("chat_id=77&text=x"))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := srv.Transport().RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if got := chat.FromBot(); len(got) != 1 || !got[0].Lost {
		t.Errorf("shown: %+v", got)
	}
}

func TestAFaultForAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, _, _ := said(0)
		srv.Fail(telegramtest.Fault{Kind: telegramtest.Unauthorized, For: time.Minute},
			telegramtest.Fault{Kind: telegramtest.BadGateway, Chat: 78})
		for range 3 {
			if code, _, _ := raw(t.Context(), srv, "getMe", ""); code != 401 {
				t.Errorf("got %d", code)
			}
		}
		<-time.After(time.Minute)
		if code, _, _ := raw(t.Context(), srv, "sendMessage", "chat_id=77&text=x"); code != 200 {
			t.Errorf("got %d", code)
		}
		if code, _, _ := raw(t.Context(), srv, "sendMessage", "chat_id=78&text=x"); code != 502 {
			t.Errorf("got %d", code)
		}
		srv.Fail(telegramtest.Fault{Kind: telegramtest.BadGateway, Times: 9})
		srv.Heal(nil)
		if code, _, _ := raw(t.Context(), srv, "getMe", ""); code != 200 {
			t.Errorf("got %d", code)
		}
	})
}

func TestChaosIsTheSameForASeed(t *testing.T) {
	run := func(seed uint64, between string) string {
		srv := telegramtest.New(telegramtest.Options{Chaos: &telegramtest.Chaos{Seed: seed, Rates: []telegramtest.Rate{
			{P: 0.2, Fault: telegramtest.Fault{Kind: telegramtest.BadGateway}},
			{P: 0.2, Fault: telegramtest.Fault{Kind: telegramtest.DropAfter, Method: "sendMessage"}},
			{P: 0.2, Fault: telegramtest.Fault{Kind: telegramtest.Conflict}},
		}}})
		srv.Private(srv.User(77, "Ada"))
		for range 200 {
			raw(t.Context(), srv, "sendMessage", "chat_id=77&text=x")
			if between != "" {
				raw(t.Context(), srv, between, "")
			}
		}
		var b strings.Builder
		for _, c := range srv.Calls("sendMessage") {
			b.WriteString(c.Fault.String() + " ")
		}
		if n := srv.Faults()[telegramtest.DropAfter]; n < 20 || n > 60 {
			t.Errorf("%d of 200 dropped, want about 40", n)
		}
		return b.String()
	}
	one := run(1, "")
	if d := cmp.Diff(one, run(1, "getMe")); d != "" {
		t.Errorf("other calls change what fails: %s", d)
	}
	if one == run(2, "") {
		t.Error("the seed does not matter")
	}
}

func TestComingBackTooEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, chat, _ := said(0)
		srv.Fail(telegramtest.Fault{Method: "sendMessage", Kind: telegramtest.TooMany, RetryAfter: 7 * time.Second})
		send := func() reply { return ask(t, srv, "sendMessage", p{"chat_id": "77", "text": "x"}) }
		if r := send(); r.Code != 429 || r.Parameters.RetryAfter != 7 || r.Description != "Too Many Requests: retry after 7" {
			t.Errorf("got %+v", r)
		}
		<-time.After(2500 * time.Millisecond)
		if r := send(); r.Code != 429 || r.Parameters.RetryAfter != 5 {
			t.Errorf("got %+v", r)
		}
		want := []telegramtest.Violation{{Method: "sendMessage", Chat: "77", Early: 4500 * time.Millisecond}}
		if d := cmp.Diff(want, srv.Violations()); d != "" {
			t.Error(d)
		}
		<-time.After(5 * time.Second)
		if r := send(); !r.OK || len(chat.FromBot()) != 1 || len(srv.Violations()) != 1 {
			t.Errorf("got %+v", r)
		}
	})
}

func TestLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := telegramtest.New(telegramtest.Options{Limits: telegramtest.Usual()})
		srv.Private(srv.User(77, "Ada"))
		srv.Group(-5, "Group")
		// patient sends n messages, waiting as it is told, and returns how long that took and how often it had to wait.
		patient := func(chat string, n int) (took time.Duration, waits int) {
			start := time.Now()
			for n > 0 {
				r := ask(t, srv, "sendMessage", p{"chat_id": chat, "text": "x"})
				if r.OK {
					n--
					continue
				}
				waits++
				<-time.After(time.Duration(r.Parameters.RetryAfter) * time.Second)
			}
			return time.Since(start), waits
		}
		if took, waits := patient("77", 15); took != 10*time.Second || waits != 10 {
			t.Errorf("15 messages took %v with %d waits", took, waits)
		}
		if took, _ := patient("-5", 45); took < 2*time.Minute || took > 3*time.Minute {
			t.Errorf("45 messages to a group took %v", took)
		}
		if v := srv.Violations(); len(v) != 0 {
			t.Errorf("who waits as told is not early: %v", v)
		}
		for i := range int64(40) {
			srv.Private(srv.User(100+i, "X"))
		}
		<-time.After(time.Minute)
		refused := 0
		for i := range 40 {
			if r := ask(t, srv, "sendMessage", p{"chat_id": number(100 + i), "text": "x"}); !r.OK {
				refused++
			}
		}
		if refused != 10 {
			t.Errorf("%d of 40 at once were refused", refused)
		}
	})
}

// Over a socket the connection really ends.
func TestOverASocket(t *testing.T) {
	srv, chat, _ := said(1)
	ts := httptest.NewServer(srv)
	defer ts.Close()
	send := func(text string) (int, error) {
		resp, err := ts.Client().PostForm(ts.URL+"/bot"+srv.Token()+"/sendMessage", url.Values{"chat_id": {"77"}, "text": {text}})
		if err != nil {
			return 0, err
		}
		defer resp.Body.Close()
		_, err = io.Copy(io.Discard, resp.Body)
		return resp.StatusCode, err
	}
	if code, err := send("one"); code != 200 || err != nil {
		t.Error(code, err)
	}
	srv.Fail(telegramtest.Fault{Kind: telegramtest.DropAfter}, telegramtest.Fault{Kind: telegramtest.Half})
	if code, err := send("two"); err == nil {
		t.Error(code, err)
	}
	if code, err := send("three"); code != 200 || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(code, err)
	}
	got := chat.FromBot()
	if len(got) != 3 || got[0].Lost || !got[1].Lost || !got[2].Lost {
		t.Errorf("shown: %+v", got)
	}
	// Who gives up while the answer takes its time has lost it.
	srv.Fail(telegramtest.Fault{Kind: telegramtest.Slow, Delay: time.Hour})
	slow, giveUp := context.WithCancel(t.Context())
	go func() {
		srv.Wait(t.Context(), func() bool { return len(chat.FromBot()) == 4 })
		giveUp()
	}()
	req, _ := http.NewRequestWithContext(slow, http.MethodPost, ts.URL+"/bot"+srv.Token()+"/sendMessage", strings.NewReader("chat_id=77&text=four"))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if resp, err := ts.Client().Do(req); err == nil {
		resp.Body.Close()
		t.Error("it was answered")
	}
	if err := srv.Wait(t.Context(), func() bool { return chat.FromBot()[3].Lost }); err != nil {
		t.Error(err)
	}
	// A poll of a caller that has gone away ends, too.
	ctx, cancel := context.WithCancel(t.Context())
	req, _ = http.NewRequestWithContext(ctx, http.MethodPost, ts.URL+"/bot"+srv.Token()+"/getUpdates", strings.NewReader("timeout=50&offset=1001"))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	go func() {
		srv.Wait(t.Context(), func() bool { return len(srv.Calls("getUpdates")) == 1 })
		cancel()
	}()
	if resp, err := ts.Client().Do(req); err == nil {
		resp.Body.Close()
		t.Error("the poll was answered")
	}
	if err := srv.Wait(t.Context(), func() bool { return srv.Calls("getUpdates")[0].Done }); err != nil {
		t.Error(err)
	}
}
