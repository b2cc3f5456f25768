package daemon

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/secret"
	"hob/internal/session"
	"hob/internal/store"
	"hob/internal/surface/telegram"
)

// lateBot is a bot that last asked for messages at some time.
type lateBot struct{ polled time.Time }

func (b *lateBot) Run(ctx context.Context) error { <-ctx.Done(); return nil }
func (b *lateBot) State() telegram.State         { return telegram.State{Polled: b.polled} }
func (b *lateBot) Wake(event.Chat)               {}
func (b *lateBot) Delivered(context.Context, event.Chat, int64, int) event.SendState {
	return ""
}

// The watchdog looks at what the daemon really has: at the asking for messages, at the chats and at the journal, each alone.
func TestTheWatchdogLooksAtTheDaemon(t *testing.T) {
	now := time.Now()
	for name, c := range map[string]struct {
		stick func(d *daemon, c *instance, b *lateBot)
		want  string // begins what is wrong, "" nothing
	}{
		"all is well":               {func(*daemon, *instance, *lateBot) {}, ""},
		"no bot runs":               {func(_ *daemon, c *instance, b *lateBot) { b.polled = now.Add(-time.Hour); c.talks(time.Time{}) }, ""},
		"a bot that has just begun": {func(_ *daemon, c *instance, b *lateBot) { b.polled = time.Time{}; c.talks(now) }, ""},
		"the asking stands still": {func(_ *daemon, c *instance, b *lateBot) {
			b.polled = now.Add(-time.Hour)
			c.talks(now.Add(-2 * time.Hour))
		}, "Telegram was not asked for messages for 1h"},
		"it never asked":      {func(_ *daemon, c *instance, b *lateBot) { b.polled = time.Time{}; c.talks(now.Add(-time.Hour)) }, "Telegram was not asked"},
		"the chats are gone":  {func(_ *daemon, c *instance, _ *lateBot) { c.app.Sessions.Close() }, "a chat does not answer"},
		"the journal is gone": {func(d *daemon, _ *instance, _ *lateBot) { _ = d.journal.Close() }, "the journal cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db"), time.Now)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			log, out := newLog(&strings.Builder{}, false)
			b := &lateBot{polled: now}
			w := &instance{bot: b, app: &app.App{Sessions: session.New(t.Context(), session.Config{
				Journal: db, Now: time.Now, Log: slog.New(slog.DiscardHandler),
				Settings: func(context.Context) session.Settings { return session.Settings{} },
			})}}
			t.Cleanup(w.app.Sessions.Close)
			w.talks(now.Add(-time.Minute))
			d := &daemon{log: log, out: out, journal: db, instance: w, troubles: map[string]string{}}
			c.stick(d, w, b)
			dog := d.watchdog(time.Minute)
			problem := dog.look(t.Context()).problem(now)
			if !strings.HasPrefix(problem, c.want) || problem == "" != (c.want == "") {
				t.Errorf("%q, want %q", problem, c.want)
			}
			if dog.tell(problem); problem != "" && d.troubled("hob") != problem {
				t.Errorf("told is %q", d.troubled("hob"))
			}
		})
	}
}

// What does not work is told once, until it is another thing or works again; systemd is told no secret, and one line.
func TestTroubleIsToldOnce(t *testing.T) {
	var b strings.Builder
	log, out := newLog(&b, true)
	out.keep(secret.New("123456:very-secret"))
	d := &daemon{log: log, out: out, troubles: map[string]string{}}
	for range 3 {
		d.trouble("Ollama", "it is away\nat bot123456:very-secret")
	}
	d.trouble("Telegram", "it is off")
	if want := "STATUS=serving; Ollama: it is away at bot[secret]; Telegram: it is off"; d.status() != want {
		t.Errorf("%q, want %q", d.status(), want)
	}
	d.trouble("Ollama", "")
	d.trouble("Ollama", "")
	d.trouble("Telegram", "it is odd")
	want := "<4>msg=\"Ollama does not work\" why=\"it is away\\nat bot[secret]\"\n<4>msg=\"Telegram does not work\" why=\"it is off\"\n" +
		"<6>msg=\"Ollama works again\"\n<4>msg=\"Telegram does not work\" why=\"it is odd\"\n"
	if b.String() != want {
		t.Errorf("the log is\n%swant\n%s", b.String(), want)
	}
	if want := "STATUS=serving; Telegram: it is odd"; d.status() != want {
		t.Errorf("%q, want %q", d.status(), want)
	}
}
