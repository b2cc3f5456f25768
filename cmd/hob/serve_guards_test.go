package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/surface/telegram"
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
	s.chat.Say(s.ana, slow)
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
	s.chat.Say(s.ana, "read notes.txt")
	s.wait("it has read something", func() bool { return strings.Contains(lastWords(s.chat), "It is done.") })
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
	s.wait("the answer is told", func() bool { return strings.Contains(lastWords(s.chat), "It is done.") })
	s.daemon.stop()
}

// fleeting is a bot that breaks off as soon as it runs, as often as it has lives left.
type fleeting struct {
	lives int
	runs  chan<- int
}

func (b *fleeting) Run(ctx context.Context) error {
	b.runs <- b.lives
	if b.lives > 0 {
		return errors.New("the memory is gone")
	}
	<-ctx.Done()
	return nil
}
func (b *fleeting) State() telegram.State { return telegram.State{} }
func (b *fleeting) Wake(event.Chat)       {}
func (b *fleeting) Delivered(context.Context, event.Chat, int64, int) event.SendState {
	return ""
}

// A bot that breaks off is begun again, later and later, and one that cannot be made is made later.
func TestTalk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, out := newLog(&strings.Builder{}, false)
		d := &daemon{log: log, out: out, troubles: map[string]string{}}
		runs := make(chan int, 10)
		made := 0
		c := &crew{bot: &fleeting{2, runs}, again: func() (bot, error) {
			if made++; made == 2 {
				return nil, errors.New("it cannot be made")
			}
			return &fleeting{max(0, 2-made), runs}, nil
		}}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		began := time.Now()
		go func() { defer close(done); d.talk(ctx, c) }()
		for _, want := range []struct {
			lives int
			after time.Duration
		}{{2, 0}, {1, time.Minute}, {0, time.Minute + 2*time.Minute + 4*time.Minute}} {
			if lives, took := <-runs, time.Since(began); lives != want.lives || took != want.after {
				t.Errorf("one with %d left runs after %v, want %+v", lives, took, want)
			}
			synctest.Wait()
			if c.polled().IsZero() != (want.lives > 0) {
				t.Errorf("with %d left the asking began at %v", want.lives, c.polled())
			}
		}
		if c.talker().(*fleeting).lives != 0 || d.troubled("Telegram") != "it cannot be made" {
			t.Errorf("%+v, %q", c.talker(), d.troubled("Telegram"))
		}
		cancel()
		<-done
	})
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

// Who asks over TCP and who asks on the socket come in one after the other: between them a chat has one turn at a time.
func TestTheAPIsShareTheirEntry(t *testing.T) {
	d := &daemon{door: newDoor()}
	if cfg := d.local(&crew{hob: &app.App{}}); cfg.Entry == nil {
		t.Error("each makes one of its own")
	}
}

// systemd is told what is away as soon as hob knows, and that it is back: Telegram also where nobody has to do anything about it.
func TestServe_TellsWhatIsAway(t *testing.T) {
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
