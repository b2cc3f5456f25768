package daemon

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/secret"
	"hob/internal/session"
	"hob/internal/store/storetest"
	"hob/internal/surface/telegram"
)

// pollingBot is a bot with a fixed time of its last poll.
type pollingBot struct{ polled time.Time }

func (b *pollingBot) Run(ctx context.Context) error { <-ctx.Done(); return nil }
func (b *pollingBot) State() telegram.State         { return telegram.State{Polled: b.polled} }
func (b *pollingBot) Wake(event.Chat)               {}
func (b *pollingBot) Delivered(context.Context, event.Chat, int64, int) event.SendState {
	return ""
}

// The watchdog checks the daemon's polls, chats and journal, each alone.
func TestTheWatchdogLooksAtTheDaemon(t *testing.T) {
	now := time.Now()
	for name, c := range map[string]struct {
		stick func(d *daemon, i *instance, b *pollingBot)
		want  string // begins what is wrong, "" nothing
	}{
		"all is well": {func(*daemon, *instance, *pollingBot) {}, ""},
		"no bot runs": {func(_ *daemon, i *instance, b *pollingBot) {
			b.polled = now.Add(-time.Hour)
			i.setBotStarted(time.Time{})
		}, ""},
		"a bot that has just begun": {func(_ *daemon, i *instance, b *pollingBot) { b.polled = time.Time{}; i.setBotStarted(now) }, ""},
		"the asking stands still": {func(_ *daemon, i *instance, b *pollingBot) {
			b.polled = now.Add(-time.Hour)
			i.setBotStarted(now.Add(-2 * time.Hour))
		}, "Telegram was not asked for messages for 1h"},
		"it never asked": {func(_ *daemon, i *instance, b *pollingBot) {
			b.polled = time.Time{}
			i.setBotStarted(now.Add(-time.Hour))
		}, "Telegram was not asked"},
		"the chats are gone":  {func(_ *daemon, i *instance, _ *pollingBot) { i.app.Sessions.Close() }, "a chat does not answer"},
		"the journal is gone": {func(d *daemon, _ *instance, _ *pollingBot) { _ = d.journal.Close() }, "the journal cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			db := storetest.Open(t, time.Now)
			log, out := newLog(&strings.Builder{}, false, false)
			b := &pollingBot{polled: now}
			w := &instance{bot: b, app: &app.App{Sessions: session.New(t.Context(), session.Config{
				Journal: db, Now: time.Now, Log: slog.New(slog.DiscardHandler),
				Settings: func(context.Context) session.Settings { return session.Settings{} },
			})}}
			t.Cleanup(w.app.Sessions.Close)
			w.setBotStarted(now.Add(-time.Minute))
			d := &daemon{log: log, logOutput: out, journal: db, instance: w, problems: map[string]string{}}
			c.stick(d, w, b)
			dog := d.newWatchdog(time.Minute)
			problem := dog.check(t.Context()).problem(now)
			if !strings.HasPrefix(problem, c.want) || problem == "" != (c.want == "") {
				t.Errorf("%q, want %q", problem, c.want)
			}
			if dog.report(problem); problem != "" && d.problemOf("hob") != problem {
				t.Errorf("told is %q", d.problemOf("hob"))
			}
		})
	}
}

// A problem is logged once until it changes or ends. systemd gets one redacted line.
func TestReportProblem(t *testing.T) {
	var b strings.Builder
	log, out := newLog(&b, true, false)
	out.setSecrets(secret.New("123456:very-secret"))
	d := &daemon{log: log, logOutput: out, problems: map[string]string{}}
	for range 3 {
		d.reportProblem("Ollama", "it is away\nat bot123456:very-secret")
	}
	d.reportProblem("Telegram", "it is off")
	if want := "STATUS=serving; Ollama: it is away at bot[secret]; Telegram: it is off"; d.systemdStatus() != want {
		t.Errorf("%q, want %q", d.systemdStatus(), want)
	}
	d.reportProblem("Ollama", "")
	d.reportProblem("Ollama", "")
	d.reportProblem("Telegram", "it is odd")
	want := "<4>msg=\"Ollama does not work\" why=\"it is away\\nat bot[secret]\"\n<4>msg=\"Telegram does not work\" why=\"it is off\"\n" +
		"<6>msg=\"Ollama works again\"\n<4>msg=\"Telegram does not work\" why=\"it is odd\"\n"
	if b.String() != want {
		t.Errorf("the log is\n%swant\n%s", b.String(), want)
	}
	if want := "STATUS=serving; Telegram: it is odd"; d.systemdStatus() != want {
		t.Errorf("%q, want %q", d.systemdStatus(), want)
	}
}

// A person reads sentences, without secrets; a program reads fields.
func TestLogForAPerson(t *testing.T) {
	var b strings.Builder
	log, out := newLog(&b, false, true)
	out.setSecrets(secret.New("hunter2hunter2"))
	log.Warn("Ollama does not work", "why", "nothing\nanswers hunter2hunter2", "host", "a:1", "tries", 2)
	_, line, _ := strings.Cut(b.String(), "  ")
	if want := "Ollama does not work: nothing␊answers [secret] (host a:1, tries 2)\n"; line != want {
		t.Errorf("%q, want %q", line, want)
	}
}
