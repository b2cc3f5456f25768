package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/surface/telegram/telegramtest"
)

// A daemon answers on Telegram, also what was said while it was down, while its configuration was exchanged and before Telegram
// could be reached; a token that can be guessed from nothing that it says.
func TestServe_OnTelegram(t *testing.T) {
	server := telegramtest.New(telegramtest.Options{})
	web := httptest.NewServer(server)
	t.Cleanup(web.Close)
	h := newHouse(t, newFakeOllama(t).URL)
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte(server.Token()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	configure := func(more string) {
		h.configure(fmt.Sprintf("[telegram]\napi_base = %q\ntoken_file = %q\n%s", web.URL, token, more))
	}
	configure("")
	ana := server.User(7, "Ana")
	chat := server.Private(ana)
	h.look(func(db *store.DB) {
		p := event.Person{Platform: "telegram", ID: ana.ID, Name: "Ana", Level: event.Owner}
		if _, err := db.People().AllowPerson(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	})
	answers := func(want int) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		n := 0
		if err := server.Wait(ctx, func() bool {
			n = 0
			for _, m := range chat.Messages() {
				if m.From.Bot && strings.Contains(m.Text, "Good evening.") {
					n++
				}
			}
			return n >= want
		}); err != nil || n != want {
			t.Fatalf("%d answers, want %d: %v", n, want, err)
		}
	}
	server.Cut()
	chat.Say(ana, "one")
	s := h.serve()
	s.says("telegram cannot be reached")
	server.Mend()
	answers(1)
	configure("[agent]\nmax_steps = 7\n")
	s.signal(syscall.SIGHUP)
	chat.Say(ana, "two")
	s.hear("RELOADING=1")
	s.hear("READY=1")
	answers(2)
	s.stop()
	chat.Say(ana, "three")
	s2 := h.serve()
	answers(3)
	s2.stop()
	_, key, _ := strings.Cut(server.Token(), ":")
	for _, said := range []string{s.said(), s.told, s2.said(), s2.told} {
		if strings.Contains(said, key) {
			t.Errorf("the token is told:\n%s", said)
		}
	}
}

// A receipt says that a file was sent once Telegram took it, and never before.
func TestServe_AReceiptOfAFile(t *testing.T) {
	h := newTownhouse(t, newFakeOllama(t).URL, 1)
	s := h.serve()
	h.ask(0, "/write_file effects.txt one two")
	for _, c := range []struct {
		refused bool
		want    string
	}{{false, "\nsent effects.txt"}, {true, "\nfailed: delivery of effects.txt"}} {
		if c.refused {
			h.bot.Fail(telegramtest.Fault{Method: "sendDocument", Kind: telegramtest.BadRequest, Message: "no files today"})
		}
		h.chats[0].Say(h.people[0], "/send_file effects.txt")
		h.shows(0, c.want)
	}
	s.stop()
}
