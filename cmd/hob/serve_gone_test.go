package main

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hob/internal/exit"
	"hob/internal/surface/telegram/telegramtest"
)

// botHouse is a house with a bot on a Telegram of its own, in which somebody is let in.
func botHouse(t *testing.T) (*house, *telegramtest.Chat, *telegramtest.User) {
	t.Helper()
	server := telegramtest.New(telegramtest.Options{})
	h := botHouseOn(t, server)
	ana := server.User(7, "Ana")
	h.hob("allow", "7", "--as", "owner", "--name", "Ana")
	return h, server.Private(ana), ana
}

// botHouseOn is a house with a bot on that Telegram.
func botHouseOn(t *testing.T, server *telegramtest.Server) *house {
	t.Helper()
	web := httptest.NewServer(server)
	t.Cleanup(web.Close)
	h := newHouse(t, newFakeOllama(t).URL)
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte(server.Token()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h.configure(fmt.Sprintf("[telegram]\napi_base = %q\ntoken_file = %q\n", web.URL, token))
	return h
}

// answers waits until the bot has answered so often.
func (h *house) answers(chat *telegramtest.Chat, n int) {
	h.t.Helper()
	h.until(fmt.Sprintf("the bot has answered %d times", n), func() bool {
		found := 0
		for _, m := range chat.FromBot() {
			if strings.Contains(m.Text, "Good evening.") {
				found++
			}
		}
		return found >= n
	})
}

// A daemon whose state is taken away notices that, with or without systemd's watchdog, confirms nothing that it cannot keep, and
// ends with one sentence. What was sent meanwhile is answered once the state is back.
func TestServe_TheStateIsGone(t *testing.T) {
	for name, c := range map[string]struct{ take, back func(dir string) error }{
		"renamed": {
			func(dir string) error { return os.Rename(dir, dir+".old") },
			func(dir string) error { return os.Rename(dir+".old", dir) },
		},
		"replaced": {
			func(dir string) error { return errors.Join(os.Rename(dir, dir+".old"), os.Mkdir(dir, 0o700)) },
			func(dir string) error { return errors.Join(os.RemoveAll(dir), os.Rename(dir+".old", dir)) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, chat, ana := botHouse(t)
			s := h.serve()
			chat.Say(ana, "good morning")
			h.answers(chat, 1)
			if err := c.take(h.state); err != nil {
				t.Fatal(err)
			}
			chat.Say(ana, "good morning again")
			err := s.cmd.Wait()
			failure := (*exec.ExitError)(nil)
			if !errors.As(err, &failure) || failure.ExitCode() != exit.Failed {
				t.Errorf("it ended with %v", err)
			}
			if n := strings.Count(s.said(), "was removed or replaced while hob was working on it"); n != 1 {
				t.Errorf("said %d times:\n%s", n, s.said())
			}
			if left, _ := filepath.Glob(filepath.Join(h.state, "*")); name == "replaced" && len(left) > 0 {
				t.Errorf("it left %v in the folder that is another's", left)
			}
			if err := c.back(h.state); err != nil {
				t.Fatal(err)
			}
			next := h.serve()
			h.answers(chat, 2)
			next.stop()
		})
	}
}

// Nobody serves a state twice, though the file of the lock was removed.
func TestServe_WithoutTheFileOfItsLock(t *testing.T) {
	h := newHouse(t, newFakeOllama(t).URL)
	s := h.serve()
	if err := os.Remove(filepath.Join(h.state, "lock")); err != nil {
		t.Fatal(err)
	}
	out, err := h.command("serve").CombinedOutput()
	if failure := (*exec.ExitError)(nil); !errors.As(err, &failure) || failure.ExitCode() != exit.Failed || !strings.Contains(string(out), "is using "+h.state+" already") {
		t.Errorf("a second daemon: %v\n%s", err, out)
	}
	if out := h.hob("status"); !strings.Contains(out, "is running") {
		t.Errorf("status says\n%s", out)
	}
	if out := h.hob("ask", "good morning"); !strings.Contains(out, "Good evening.") {
		t.Errorf("ask says %q", out)
	}
	s.stop()
}
