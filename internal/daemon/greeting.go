package daemon

import (
	"cmp"
	"context"
	"fmt"
	"time"

	sd "github.com/coreos/go-systemd/v22/daemon"

	"hob/internal/app"
	"hob/internal/retry"
)

// The greeting waits up to greetTimeout for Ollama and Telegram, and looks each greetPoll.
const (
	greetTimeout = 2 * time.Second
	greetPoll    = 100 * time.Millisecond
)

// greetPerson says what the daemon serves: to the person who started it at a terminal, else in the log.
func (d *daemon) greetPerson(ctx context.Context, i *instance) {
	ctx, cancel := context.WithTimeout(ctx, greetTimeout)
	defer cancel()
	select {
	case <-i.model.Checked:
	case <-ctx.Done():
	}
	for i.currentBot() != nil && i.botName() == "" && retry.Wait(ctx, greetPoll) == nil { // the condition waits
	}
	a, s := d.loader, i.env
	telegram := "off: " + i.botOff
	if i.currentBot() != nil {
		telegram = "@" + i.botName()
		if i.botName() == "" {
			telegram = "not reached yet: " + s.Telegram.APIBase
		}
	}
	model := cmp.Or(i.app.Model.ActiveName(), s.Ollama.Model, "chosen when Ollama answers")
	if !d.interactive {
		d.log.Info("hob serves", "version", a.Version, "model", model, "workspace", s.WorkspaceDir, "telegram", telegram, "socket", s.SocketPath())
		return
	}
	fmt.Fprintf(d.stdout, "hob %s is there. Ctrl-C ends it.\n", a.Version)
	for _, line := range [][2]string{{"model", model}, {"workspace", s.WorkspaceDir}, {"Telegram", telegram}, {"socket", s.SocketPath()}} {
		fmt.Fprintf(d.stdout, "  %-10s %s\n", line[0], line[1])
	}
	if app.IsRoot() && s.FirstTime(context.WithoutCancel(ctx), "root") {
		fmt.Fprintln(a.Stderr, app.RootWarning)
	}
}

// feedWatchdog runs the watchdog, if systemd expects one.
func (d *daemon) feedWatchdog(ctx context.Context) {
	limit, err := sd.SdWatchdogEnabled(false)
	if err != nil {
		d.log.Warn("systemd's watchdog is not fed", "err", err)
	}
	if err != nil || limit == 0 {
		return
	}
	d.newWatchdog(limit).run(ctx)
}

// newWatchdog returns the daemon's watchdog. limit is systemd's timeout.
func (d *daemon) newWatchdog(limit time.Duration) *watchdog {
	return &watchdog{
		interval: limit / 2, now: time.Now,
		sessions: &pendingCheck{check: func(ctx context.Context) error { return d.current().app.Alive(ctx) }},
		store: &pendingCheck{check: func(ctx context.Context) error {
			_, err := d.journal.Settings().Get(ctx, app.TierKey)
			return err
		}},
		lastPoll: func() time.Time { return d.current().lastPoll() },
		feed:     func() { d.notify(sd.SdNotifyWatchdog) },
		report:   func(problem string) { d.reportProblem("hob", problem) },
	}
}
