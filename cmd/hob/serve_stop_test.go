package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/surface/telegram/telegramtest"
)

// stopping is a daemon on a Telegram, in which a turn is to be stopped.
type stopping struct {
	*house
	fake   *fakeOllama
	server *telegramtest.Server
	ana    *telegramtest.User
	chat   *telegramtest.Chat
	daemon *served
}

// Whatever runs, and whatever hangs, /stop ends the turn in less than a second.
func TestStopOnTelegram(t *testing.T) {
	notShort(t)
	mark := fmt.Sprintf("1000.%09d", rand.IntN(1e9))
	for _, c := range []struct {
		name  string
		walls bool
		begin func(s *stopping)
		after func(s *stopping)
		quiet bool // Telegram takes no words
	}{
		{name: "the model hangs", begin: func(s *stopping) { s.hang() }},
		{name: "a command is deaf to signals", walls: true, begin: func(s *stopping) {
			s.chat.Say(s.ana, "run trap '' TERM INT HUP QUIT; touch begun; sleep "+mark+" & while :; do wait; done")
			s.until("the tool has begun", func() bool { return s.exists("begun") })
		}, after: func(s *stopping) {
			s.until("nothing of the command lives", func() bool { return alive(s.t, mark) == 0 })
		}},
		{name: "Telegram wants nothing to be said", quiet: true, begin: func(s *stopping) {
			s.hang()
			s.fails(telegramtest.Fault{Kind: telegramtest.TooMany, RetryAfter: time.Minute})
		}, after: func(s *stopping) {
			if v := s.server.Violations(); len(v) > 0 {
				s.t.Errorf("calls came too early: %v", v)
			}
		}},
		{name: "a download hangs", begin: func(s *stopping) {
			s.hang()
			s.server.Fail(telegramtest.Fault{Method: "file", Kind: telegramtest.HangBefore, For: time.Hour})
			s.chat.Say(s.ana, "and this", telegramtest.Document("note.txt", "text/plain", []byte("a note")))
			s.wait("the download hangs", func() bool { return s.server.Faults()[telegramtest.HangBefore] > 0 })
		}},
		{name: "Telegram does not answer", quiet: true, begin: func(s *stopping) {
			s.hang()
			s.fails(telegramtest.Fault{Kind: telegramtest.HangAfter})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.walls {
				needsWalls(t)
			}
			s := newStopping(t)
			c.begin(s)
			began := time.Now()
			s.chat.Say(s.ana, "/stop")
			if c.quiet {
				s.until("the turn has ended", func() bool { return slices.Contains(s.journal(event.Chat("telegram/7")), "ended stopped") })
			} else {
				s.wait("it says that it stopped", func() bool { return strings.Contains(lastWords(s.chat), "Stopped") })
			}
			if c.after != nil {
				c.after(s)
			}
			took := time.Since(began)
			figure(t, "/stop where "+c.name, "%v (aim 1 s)", took.Round(time.Millisecond))
			s.server.Heal(nil)
			s.daemon.stop()
		})
	}
}

func newStopping(t *testing.T) *stopping {
	t.Helper()
	s := &stopping{server: telegramtest.New(telegramtest.Options{}), fake: newFakeOllama(t)}
	web := httptest.NewServer(s.server)
	t.Cleanup(web.Close)
	s.house = newHouse(t, s.fake.URL)
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte(s.server.Token()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.configure(fmt.Sprintf("[telegram]\napi_base = %q\ntoken_file = %q\n", web.URL, token))
	s.ana = s.server.User(7, "Ana")
	s.chat = s.server.Private(s.ana)
	s.look(func(db *store.DB) {
		p := event.Person{Platform: "telegram", ID: s.ana.ID, Name: "Ana", Level: event.Owner}
		if _, err := db.People().AllowPerson(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	})
	s.daemon = s.serve()
	return s
}

// hang has the model hang in a turn.
func (s *stopping) hang() {
	s.t.Helper()
	s.chat.Say(s.ana, "hang")
	select {
	case <-s.fake.hanging:
	case <-time.After(patience):
		s.t.Fatal("the model is not asked")
	}
}

// fails has all that is written in the chat fail, and waits until something has.
func (s *stopping) fails(f telegramtest.Fault) {
	s.t.Helper()
	f.Chat, f.For = s.chat.ID, time.Hour
	s.server.Fail(f)
	s.wait("a call fails", func() bool { return s.server.Faults()[f.Kind] > 0 })
}

// wait waits for something to happen on Telegram.
func (s *stopping) wait(what string, is func() bool) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	if err := s.server.Wait(ctx, is); err != nil {
		s.t.Fatalf("waiting until %s: %v", what, err)
	}
}
