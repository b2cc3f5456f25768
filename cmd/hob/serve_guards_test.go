package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"hob/internal/surface/telegram/telegramtest"
)

// What works since a reload ends as gently as what worked before: a tool that runs may finish, and until then the bot answers.
func TestServe_EndsGentlyAfterAReload(t *testing.T) {
	needsWalls(t)
	s := newStopping(t)
	before, err := os.ReadFile(s.config)
	if err != nil {
		t.Fatal(err)
	}
	s.daemon.reload(string(before) + "[agent]\nmax_steps = 8\n" + patient)
	s.chat.Say(s.ana, "linger"+strings.TrimPrefix(slow, "run")) // a model that answers may be heard before the turn rests
	s.until("the tool has begun", func() bool { return s.exists("begun") })
	s.daemon.signal(syscall.SIGTERM)
	s.daemon.hear("STOPPING=1")
	s.chat.Say(s.ana, "/help")
	s.wait("the bot answers", func() bool { return strings.Contains(lastWords(s.chat), "/stop") })
	s.make("go")
	s.daemon.over()
	if got := strings.Join(s.journal("telegram/7"), "\n"); strings.Contains(got, "ended") || !strings.Contains(got, "returned true\npaused") {
		t.Errorf("the turn did not rest after the tool:\n%s", got)
	}
}

// What is answered at this machine is told on Telegram also where nothing had to be told there since the daemon began.
func TestServe_AnAnswerHereIsToldOnTelegram(t *testing.T) {
	s := newStopping(t)
	before, err := os.ReadFile(s.config)
	if err != nil {
		t.Fatal(err)
	}
	s.daemon.reload(string(before) + "[fetch]\nallow = [\"" + strings.TrimPrefix(s.fake.URL, "http://") + "\"]\n")
	s.chat.Say(s.ana, "peruse notes.txt")
	s.wait("it has read something", func() bool { return strings.Contains(lastWords(s.chat), "That is all.") })
	s.chat.Say(s.ana, "wander /page?n=1")
	s.wait("it asks", func() bool { return strings.Contains(lastWords(s.chat), "/page?n=1") })
	waits := func() string { id, _, _ := strings.Cut(s.hob("approve"), " "); return id }
	s.until("the question waits", func() bool { return waits() != "Nothing" })
	s.daemon.stop()
	s.daemon = s.serve()
	s.until("Telegram is reached", func() bool { return strings.Contains(s.hob("status"), "telegram  @") })
	if out := s.hob("approve", waits()); out == "" {
		t.Error("nothing is said")
	}
	s.wait("the answer is told", func() bool { return strings.Contains(lastWords(s.chat), "That is all.") })
	s.daemon.stop()
}

// That a configuration was refused is said until another comes into force; one that cannot be worked with holds nothing back, and
// what has to wait for the next start is named.
func TestServe_TellsOfARefusalWhileItLasts(t *testing.T) {
	h := newHouse(t, newFakeOllama(t).URL)
	s := h.serve()
	s.reload("[agent]\nmax_steps = 0\n")
	s.hear("the configuration: refused")
	s.reload("[agent]\nmax_steps = 8\n")
	s.hear("STATUS=serving")
	if lines := strings.Split(strings.TrimSpace(s.told), "\n"); strings.Contains(lines[len(lines)-1], "refused") {
		t.Errorf("it says %q", lines[len(lines)-1])
	}
	s.reload(fmt.Sprintf("[workspace]\ndir = %q\n", h.config))
	s.says("open workspace")
	if out := h.hob("ask", "good morning"); !strings.HasSuffix(out, "Good evening.\n") {
		t.Errorf("%q", out)
	}
	s.reload("[api]\nhosts = [\"tunnel.example\"]\n")
	s.says("what was changed in [api] comes into force when hob starts again")
	s.stop()
}

// systemd is told what is away as soon as hob knows, and that it is back: Telegram also where nobody has to do anything about it.
func TestServe_TellsWhatIsAway(t *testing.T) {
	notShort(t)
	fake := newFakeOllama(t)
	h := newTownhouse(t, fake.URL, 1)
	s := h.serve()
	s.hear("STATUS=serving\n")
	h.bot.Fail(telegramtest.Fault{Method: "getUpdates", Kind: telegramtest.BadGateway, Times: 2})
	h.chats[0].Say(h.people[0], "/status") // what is asked now fails
	s.hear("STATUS=serving; Telegram: Telegram cannot be reached: ")
	s.hear("STATUS=serving\n")
	fake.Close()
	h.chats[0].Say(h.people[0], "hello")
	s.hear("STATUS=serving; Ollama: ")
	s.stop()
}
