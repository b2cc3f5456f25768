package main

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"hob/internal/llm/ollama/ollamafake"
	"hob/internal/surface/telegram/telegramtest"
)

// On Telegram, too, an event that cannot be read stops nothing: the next hob says once which it is, and answers. Meanwhile the Bot API
// server loses its state and numbers from 1 again, each time: everything that is said is answered.
func TestServe_GoesOnWithAnUnreadableEventAndNewNumbers(t *testing.T) {
	model := ollamafake.New(t, ollamafake.Config{}, ollamafake.Forever(ollamafake.Say("Good evening.")))
	var to atomic.Pointer[telegramtest.Server]
	base := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { to.Load().ServeHTTP(w, r) }))
	defer base.Close()
	api := telegramtest.New(telegramtest.Options{FirstUpdate: 1})
	to.Store(api)
	h := newHouse(t, model.URL())
	token := filepath.Join(h.state, "token")
	if err := os.WriteFile(token, []byte(api.Token()), 0o600); err != nil {
		t.Fatal(err)
	}
	h.configure(fmt.Sprintf("[telegram]\napi_base = %q\ntoken_file = %q\n", base.URL, token))
	if out, err := h.command("allow", "7", "--as", "owner").CombinedOutput(); err != nil {
		t.Fatalf("hob allow: %v\n%s", err, out)
	}
	for life, damage := range []string{
		"", // the first
		`UPDATE event SET type = 'zzz_new' WHERE seq = (SELECT max(seq) FROM event WHERE type = 'ended')`,
		`UPDATE event SET body = substr(body, 1, 10) WHERE seq = (SELECT max(seq) FROM event WHERE type = 'generated')`,
		`UPDATE event SET body = replace(body, 'hello', 'jello') WHERE seq = (SELECT max(seq) FROM event WHERE type = 'said')`,
	} {
		if damage != "" {
			h.damage(damage)
			api = telegramtest.New(telegramtest.Options{FirstUpdate: 1})
			to.Store(api)
		}
		ada := api.User(7, "Ada")
		chat := api.Private(ada)
		s := h.serve()
		answered := func(n int) func() bool {
			return func() bool {
				got := 0
				for _, m := range chat.FromBot() {
					if m.Text == "Good evening." {
						got++
					}
				}
				return got >= n
			}
		}
		for n := range 3 {
			chat.Say(ada, fmt.Sprintf("hello %d", life)) // in the same second the same words would be the same update
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			if err := api.Wait(ctx, answered(n+1)); err != nil {
				t.Fatalf("life %d: message %d is not answered: %v\n%s", life, n, err, s.said())
			}
			cancel()
		}
		s.stop()
		told := 0
		for _, m := range chat.FromBot() {
			if strings.Contains(m.Text, "of this chat in hob's journal") {
				told++
			}
		}
		if want := min(life, 1); told != want {
			t.Errorf("life %d: it was told %d times what cannot be read: %+v", life, told, chat.FromBot())
		}
	}
	if got := strings.Count(strings.Join(h.journal("telegram/7"), "\n"), "ended done"); got < 12 {
		t.Errorf("%d turns were answered", got)
	}
}

// damage changes rows of the journal, which nobody has open.
func (h *house) damage(statement string) {
	h.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(h.state, "journal.db"))
	if err != nil {
		h.t.Fatal(err)
	}
	defer db.Close()
	done, err := db.ExecContext(h.t.Context(), statement)
	if err != nil {
		h.t.Fatal(err)
	}
	if n, err := done.RowsAffected(); n != 1 || err != nil {
		h.t.Fatalf("%d rows were changed: %v", n, err)
	}
}
