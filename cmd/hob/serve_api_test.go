package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
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

// reload puts a new configuration into force.
func (s *served) reload(config string) {
	s.h.t.Helper()
	s.h.configure(config)
	s.signal(syscall.SIGHUP)
	s.hear("RELOADING=1")
	s.hear("READY=1")
}

// hob runs a command that succeeds beside the daemon.
func (h *house) hob(args ...string) string {
	h.t.Helper()
	out, err := h.command(args...).CombinedOutput()
	if err != nil {
		h.t.Errorf("hob %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// A turn is handed over in its middle: its tool comes to its end under the old configuration, and the model is asked under the
// new one.
func TestServe_ReloadsInTheMiddle(t *testing.T) {
	needsWalls(t)
	fake := newFakeOllama(t)
	h := newHouse(t, fake.URL)
	h.configure(patient)
	h.say("main", strings.Replace(slow, "run ", "linger ", 1))
	s := h.serve()
	h.until("the tool has begun", func() bool { return h.exists("begun") })
	h.configure("[agent]\nmax_steps = 8\n")
	s.signal(syscall.SIGHUP)
	s.hear("RELOADING=1")
	h.make("go")
	s.hear("READY=1")
	h.until("the turn goes on", func() bool { return strings.Contains(strings.Join(h.journal("main"), "\n"), "resumed") })
	<-fake.hanging
	if out := h.hob("stop", "main"); out != "Stopped the turn in main.\n" {
		t.Errorf("%q", out)
	}
	s.stop()
	got := strings.Join(h.journal("main"), "\n")
	for want, n := range map[string]int{"returned true": 1, "returned false": 0, "unknown": 0, "resumed": 2, "ended stopped": 1, "ended": 1} {
		if strings.Count(got, want) != n {
			t.Errorf("%q is not there %d times:\n%s", want, n, got)
		}
	}
	if text, err := os.ReadFile(h.path("done")); err != nil || string(text) != "once\n" {
		t.Errorf("the tool did %q, %v", text, err)
	}
}

// What runs in the background goes on through a reload that does not touch the shell, and through no other, nor the end.
func TestServe_ProcessesOverAReload(t *testing.T) {
	needsWalls(t)
	const keeps, mark = "[shell]\nkeep_jobs = true\n", "1000.7551"
	h := newHouse(t, newFakeOllama(t).URL)
	h.configure(keeps)
	s := h.serve()
	h.hob("ask", "start sleep "+mark)
	h.until("the process runs", func() bool { return runs(mark) })
	s.reload(keeps + "[agent]\nmax_steps = 8\n")
	if !runs(mark) {
		t.Error("a reload that has nothing to do with it has ended the process")
	}
	s.reload(keeps + "timeout = \"50s\"\n")
	if runs(mark) {
		t.Error("the process goes on under a shell that nobody knows of any more")
	}
	h.hob("ask", "start sleep "+mark)
	h.until("the new shell keeps a process", func() bool { return runs(mark) })
	s.stop()
	if runs(mark) {
		t.Error("the process goes on without hob")
	}
}

// freeAddress is one to listen at later. No port that the kernel gives to who asks for any is so low: nobody takes it meanwhile.
func freeAddress(t *testing.T) string {
	t.Helper()
	for {
		at := fmt.Sprint("127.0.0.1:", 20_000+rand.IntN(10_000))
		if l, err := net.Listen("tcp", at); err == nil {
			l.Close()
			return at
		} else if !errors.Is(err, syscall.EADDRINUSE) {
			t.Fatal(err)
		}
	}
}

// Other programs reach the daemon over TCP with its token and under its names alone, and through any number of reloads.
func TestServe_OverTCP(t *testing.T) {
	at := freeAddress(t)
	const key = "0123456789abcdef-of-this-test"
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte(key+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h := newHouse(t, newFakeOllama(t).URL)
	config := fmt.Sprintf("[api]\nlisten = %q\ntoken_file = %q\nhosts = [\"tunnel.example:8443\"]\n"+
		"[policy]\nturns_per_minute = 100\n", at, file)
	h.configure(config)
	s := h.serve()
	ask := func(token, host, id string) (int, string) {
		body := fmt.Sprintf(`{"session_id":"api","messages":[{"role":"user","content":"good morning"}],"request_id":%q}`, id)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+at+"/api/v1/chat", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Host = host
		req.Header.Set("Authorization", "Bearer "+token)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return 0, err.Error()
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			return 0, err.Error()
		}
		return resp.StatusCode, string(text)
	}
	for i, c := range []struct {
		token, host string
		want        int
	}{
		{key, at, 200}, {key, "tunnel.example:8443", 200}, {key, "evil.example", 421}, {"0123456789abcdef", at, 401}, {"", at, 401},
	} {
		if got, text := ask(c.token, c.host, fmt.Sprint("one", i)); got != c.want || (got == 200) != strings.Contains(text, "Good evening.") {
			t.Errorf("%+v: %d %s", c, got, text)
		}
	}
	h.hob("ask", "write a.txt one")

	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 30 {
			if got, text := ask(key, at, fmt.Sprint("two", i)); got != 200 {
				t.Errorf("while the configuration is exchanged: %d %s", got, text)
			}
		}
	}()
	for steps := range 30 {
		s.reload(config + fmt.Sprintf("[agent]\nmax_steps = %d\n", 7+steps))
	}
	<-done
	if out := h.hob("undo"); !strings.HasPrefix(out, "a.txt is gone") { // by what works now
		t.Errorf("%q", out)
	}
	s.stop()
	if said := s.said(); strings.Contains(said, key) || strings.Contains(said, "level=ERROR") {
		t.Errorf("it says\n%s", said)
	}
}

// What is said at a terminal in a chat of Telegram's is answered on Telegram, too, though nothing was said there.
func TestServe_ATerminalSpeaksInAChatOfTelegram(t *testing.T) {
	server := telegramtest.New(telegramtest.Options{})
	web := httptest.NewServer(server)
	t.Cleanup(web.Close)
	h := newHouse(t, newFakeOllama(t).URL)
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte(server.Token()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h.configure(fmt.Sprintf("[telegram]\napi_base = %q\ntoken_file = %q\n", web.URL, token))
	ana := server.User(7, "Ana")
	chat := server.Private(ana)
	h.look(func(db *store.DB) {
		if _, err := db.People().AllowPerson(t.Context(), event.Person{Platform: "telegram", ID: ana.ID, Name: "Ana", Level: event.Owner}); err != nil {
			t.Fatal(err)
		}
	})
	answers := func(want int) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		if err := server.Wait(ctx, func() bool {
			n := 0
			for _, m := range chat.Messages() {
				if m.From.Bot && strings.Contains(m.Text, "Good evening.") {
					n++
				}
			}
			return n >= want
		}); err != nil {
			t.Fatalf("not %d answers: %v\n%s", want, err, h.hob("log"))
		}
	}
	chat.Say(ana, "one")
	s := h.serve()
	answers(1)
	s.stop()
	s = h.serve() // of which nobody wants anything yet
	h.until("Telegram is reached", func() bool { return strings.Contains(h.hob("status"), "telegram  @") })
	if out := h.hob("ask", "--chat", "telegram/7", "two"); out != "Good evening.\n" {
		t.Errorf("%q", out)
	}
	answers(2)
	s.reload(fmt.Sprintf("[telegram]\napi_base = %q\ntoken_file = %q\n[agent]\nmax_steps = 8\n", web.URL, token))
	h.hob("ask", "--chat", "telegram/7", "three")
	answers(3)
	s.stop()
}
