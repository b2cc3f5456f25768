package daemon

import (
	"cmp"
	"context"
	"fmt"
	"time"

	sd "github.com/coreos/go-systemd/v22/daemon"

	"hob/internal/app"
)

// greetFor is how long a person waits to be told what has to be asked elsewhere first, and how often that is looked for.
const (
	greetFor   = 2 * time.Second
	greetEvery = 100 * time.Millisecond
)

// greet tells a person at the terminal what serves there.
func (d *daemon) greet(ctx context.Context, c *instance) {
	if !d.person {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, greetFor)
	defer cancel()
	select {
	case <-c.model.Checked:
	case <-ctx.Done():
	}
	for c.talker() != nil && c.name() == "" && ctx.Err() == nil {
		select {
		case <-time.After(greetEvery):
		case <-ctx.Done():
		}
	}
	a, s := d.loader, c.env
	telegram := "off: " + c.silent
	if c.talker() != nil {
		telegram = "@" + c.name()
		if c.name() == "" {
			telegram = "not reached yet: " + s.Telegram.APIBase
		}
	}
	fmt.Fprintf(d.stdout, "hob %s is there. Ctrl-C ends it.\n", a.DisplayVersion())
	for _, line := range [][2]string{
		{"model", cmp.Or(c.app.Model.ActiveName(), s.Ollama.Model, "chosen when Ollama answers")}, {"workspace", s.WorkspaceDir},
		{"Telegram", telegram}, {"socket", s.SocketPath()},
	} {
		fmt.Fprintf(d.stdout, "  %-10s %s\n", line[0], line[1])
	}
	if app.IsRoot() {
		fmt.Fprintf(a.Stderr, "hob: %s\n", app.RootWarning)
	}
}

// watch tells systemd that the daemon makes progress, if it wants to know.
func (d *daemon) watch(ctx context.Context) {
	limit, err := sd.SdWatchdogEnabled(false)
	if err != nil {
		d.log.Warn("systemd's watchdog is not fed", "err", err)
	}
	if err != nil || limit == 0 {
		return
	}
	d.watchdog(limit).run(ctx)
}

// watchdog looks after this daemon; limit is how long systemd waits to hear of it.
func (d *daemon) watchdog(limit time.Duration) *watchdog {
	return &watchdog{
		every: limit / 2, now: time.Now,
		sessions: &doubt{question: func(ctx context.Context) error { return d.now().app.Alive(ctx) }},
		store: &doubt{question: func(ctx context.Context) error {
			_, err := d.journal.Settings().Get(ctx, app.TierKey)
			return err
		}},
		polled: func() time.Time { return d.now().polled() },
		feed:   func() { d.notify(sd.SdNotifyWatchdog) },
		tell:   func(problem string) { d.trouble("hob", problem) },
	}
}
