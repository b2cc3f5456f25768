package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/surface/telegram/telegramtest"
)

// Who is an admin of a group manages it with a word, as far as Telegram lets them and the bot; who is none does not, and what cannot
// be taken back waits for a yes. No model is needed for any of it.
func TestServe_ManagesAGroup(t *testing.T) {
	server := telegramtest.New(telegramtest.Options{})
	web := httptest.NewServer(server)
	t.Cleanup(web.Close)
	h := newHouse(t, nowhereToAsk)
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte(server.Token()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h.configure(fmt.Sprintf("[telegram]\napi_base = %q\ntoken_file = %q\n", web.URL, token))
	ada, bob, cem := server.User(77, "Ada"), server.User(78, "Bob"), server.User(79, "Cem")
	const id = -1001234567890
	group := server.Group(id, "Home", telegramtest.Member{User: ada, Role: telegramtest.Creator}, telegramtest.Member{User: bob},
		telegramtest.Member{User: cem})
	group.AdminBot("can_restrict_members", "can_pin_messages", "can_promote_members")
	group.Admin(bob, "can_restrict_members", "can_pin_messages")
	h.look(func(db *store.DB) {
		for _, p := range []event.Person{{Platform: "telegram", ID: id, Name: "Home"}, {Platform: "telegram", ID: ada.ID, Name: "Ada", Level: event.Owner}} {
			if _, err := db.People().AllowPerson(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}
	})
	until := func(what string, holds func() bool) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		if err := server.Wait(ctx, holds); err != nil {
			t.Fatalf("%v: waiting until %s\n%s", err, what, h.journal(event.Chat(fmt.Sprint("telegram/", id))))
		}
	}
	said := func(want string) func() bool {
		return func() bool {
			for _, m := range group.FromBot() {
				if strings.Contains(m.Text, want) {
					return true
				}
			}
			return false
		}
	}
	s := h.serve()
	group.Say(cem, "/mute@hob_bot 78 5") // who is no admin
	until("Cem is refused", said("you need more rights for that"))
	group.Say(bob, "/mute 79 60")
	until("Cem is mute", func() bool { m, _ := group.Member(79); return m.Muted })
	first := group.Say(ada, "a plan for Sunday")
	group.Say(bob, fmt.Sprintf("/pin %d", first))
	until("it is pinned", func() bool { return len(group.Pinned()) == 1 })
	group.Say(bob, "/kick 79")
	until("somebody is asked", said("kick"))
	if m, in := group.Member(79); !in {
		t.Errorf("Cem is %+v before anybody has said yes", m)
	}
	s.stop()
}
