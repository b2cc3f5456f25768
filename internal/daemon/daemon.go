// Package daemon is hob serve: one process with the lock of the state, which works with one configuration after another. What outlives
// a configuration (the lock, the journal, the API, the log) is the daemon; what works under one is an instance (the application and
// the bot). A reload builds the next instance before it closes the old one; meanwhile requests to the API wait in a sessionSwitch.
package daemon

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	sd "github.com/coreos/go-systemd/v22/daemon"

	"hob/internal/app"
	"hob/internal/exit"
	"hob/internal/store"
	local "hob/internal/surface/http"
)

// What ending the daemon may take beside [serve] drain.
const (
	busyWait  = 500 * time.Millisecond // for the state: a command may be finishing with it
	partWait  = 2 * time.Second        // for the bot to send what it has begun
	closeWait = 3 * time.Second        // for turns that were cut short
)

// daemon is what stays while configurations come and go.
type daemon struct {
	loader   *app.Loader
	stdout   io.Writer
	person   bool // somebody looks at standard output
	log      *slog.Logger
	out      *logOutput
	state    *app.Environment // only the folder
	lock     *store.Held
	journal  *store.DB
	apis     []*local.Server
	sessions *sessionSwitch
	connect  func(s *app.Environment, h *app.App, token string, log *slog.Logger, alert func(string), changed func()) (Bot, error)
	again    <-chan time.Time   // when to try a new configuration again; nil: never
	unwatch  context.CancelFunc // ends what looks after the daemon
	lost     chan error         // says that the state was removed or replaced

	mu       sync.Mutex
	instance *instance
	troubles map[string]string // what does not work, by subject
}

// Config is what a daemon needs beside its configuration.
type Config struct {
	Loader   *app.Loader
	Stdout   io.Writer
	Person   bool        // somebody looks at standard output
	Terminal func() bool // standard input is a terminal at this moment
}

// Serve runs the daemon until a signal ends it.
func Serve(ctx context.Context, cfg Config) error {
	debug.SetGCPercent(100) // an idle daemon gives memory back instead, see package app
	log, out := newLog(cfg.Loader.Stderr, cfg.Loader.Env("JOURNAL_STREAM") != "")
	d := &daemon{
		loader: cfg.Loader, stdout: cfg.Stdout, person: cfg.Person, log: log, out: out, sessions: newSessionSwitch(),
		connect: connect, troubles: map[string]string{}, lost: make(chan error, 1),
	}
	signals := newSignals(cfg.Terminal)
	defer signals.stop()
	if err := d.takeState(ctx); err != nil {
		return err
	}
	c, err := d.first(ctx)
	if err != nil {
		return errors.Join(err, d.giveBack())
	}
	d.loader.Stderr = c.env.Redactor.Writer(d.loader.Stderr)
	if err := d.listen(c); err != nil {
		return errors.Join(err, d.leave(ctx, c))
	}
	d.begin(ctx, c)
	d.notify(sd.SdNotifyReady, d.status())
	d.keepGood(c)
	watched, unwatch := context.WithCancel(ctx)
	d.unwatch = unwatch
	var watching sync.WaitGroup
	watching.Go(func() { d.watch(watched) })
	watching.Go(func() { guardState(watched, d.inPlace, func(err error) { d.lost <- err }) })
	watching.Go(func() { d.greet(watched, c) })
	err = d.work(ctx, signals)
	unwatch()
	watching.Wait()
	return err
}

// takeState takes the state folder, or says who has it.
func (d *daemon) takeState(ctx context.Context) error {
	var err error
	if d.state, err = d.loader.LoadStateDir(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, busyWait)
	defer cancel()
	by := ""
	d.lock, err = store.WaitLock(ctx, d.state.LockPath(), "hob serve", func(holder string) { by = holder })
	if err != nil && by != "" {
		return exit.Errorf(exit.Failed, "%s is using %s already: end it first, or give this one a state of its own with HOB_STATE_DIR", by, d.state.StateDir)
	}
	if err != nil {
		return d.state.ExplainUnwritable(err)
	}
	if info, err := os.Stat(d.state.StateDir); err == nil && info.Mode().Perm()&0o077 != 0 { // a container's volume often is like that
		d.log.Warn("other users can look into the state folder", "folder", d.state.StateDir, "mode", info.Mode().Perm().String(),
			"mend", "chmod 700 "+d.state.StateDir)
	}
	return nil
}

// work waits for signals, and does what they say.
func (d *daemon) work(ctx context.Context, signals *signals) error {
	ctx, cancel := context.WithCancel(ctx)
	var waiting sync.WaitGroup
	defer func() {
		cancel()
		waiting.Wait()
	}()
	waiting.Go(func() {
		select {
		case <-signals.end:
			signals.once() // the next one ends hob at once
			cancel()
		case <-ctx.Done():
		}
	})
	for {
		select {
		case <-ctx.Done():
			return d.end(context.WithoutCancel(ctx))
		case <-signals.reload:
			if signals.orphan() {
				return d.end(context.WithoutCancel(ctx))
			}
		case <-d.again:
		case err := <-d.lost:
			return d.abandon(context.WithoutCancel(ctx), err)
		}
		d.again = nil
		if err := d.reload(ctx); err != nil {
			return errors.Join(err, d.leave(ctx, d.now()))
		}
	}
}

// end lets tools finish, tells what there is to tell, and gives the state back, all within bounds.
func (d *daemon) end(ctx context.Context) error {
	d.notify(sd.SdNotifyStopping)
	c := d.now()
	draining, cancel := context.WithTimeout(ctx, c.env.Serve.Drain)
	defer cancel()
	if _, err := c.app.Hold(draining); err != nil {
		d.log.Warn("a tool still ran and was cut off: whether it did its work is unknown", "waited", c.env.Serve.Drain)
	}
	return d.leave(ctx, c)
}

// inPlace returns an error if the state is not where it was any more.
func (d *daemon) inPlace() error {
	return cmp.Or(d.lock.InPlace(), d.journal.InPlace())
}

// abandon ends at once what works on a state that is not there any more. What could not be kept is not confirmed to anybody, and
// what cannot be tidied up needs not to be.
func (d *daemon) abandon(ctx context.Context, err error) error {
	d.notify(sd.SdNotifyStopping)
	d.loader.Egress.Abandon()
	if left := d.leave(ctx, d.now()); left != nil {
		d.log.Debug("leave a state that is gone", "why", err, "err", left)
	}
	return exit.Errorf(exit.Failed, "the state in %s was removed or replaced while hob was working on it: hob has ended, and what was sent to it "+
		"since was not taken in; put the folder back, and start hob again", d.state.StateDir)
}

// leave ends what works, and gives the state back, also where ctx has ended.
func (d *daemon) leave(ctx context.Context, c *instance) error {
	ctx = context.WithoutCancel(ctx)
	d.sessions.close()
	if d.unwatch != nil {
		d.unwatch()
	}
	var deaf error
	for _, api := range d.apis {
		closing, cancel := context.WithTimeout(ctx, app.APICloseTimeout)
		deaf = errors.Join(deaf, api.Close(closing))
		cancel()
	}
	if !c.leave() || !inTime(closeWait, c.app.Shell.Jobs.Close) {
		d.log.Warn("something does not come to its end: it ends with hob")
		return deaf // the journal may still be written to, and is whole whenever the process ends
	}
	kept := c.app.SaveLearned(ctx)
	return errors.Join(deaf, kept, d.giveBack())
}

// giveBack gives the state back, which nothing works on any more.
func (d *daemon) giveBack() error {
	var err error
	if d.journal != nil {
		d.loader.Egress.DetachJournal()
		err = d.journal.Close()
	}
	return errors.Join(err, d.lock.Release())
}

// notify tells systemd, if that is who started hob.
func (d *daemon) notify(states ...string) {
	for _, s := range states {
		if _, err := sd.SdNotify(false, s); err != nil {
			d.log.Debug("notify systemd", "err", err)
		}
	}
}

// now is what works now.
func (d *daemon) now() *instance {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.instance
}

// signals are those that a daemon heeds.
type signals struct {
	end      chan os.Signal
	reload   chan os.Signal
	terminal func() bool // standard input is one
	had      bool        // it was one at the start
}

func newSignals(terminal func() bool) *signals {
	s := &signals{end: make(chan os.Signal, 1), reload: make(chan os.Signal, 1), terminal: terminal, had: terminal()}
	signal.Notify(s.end, os.Interrupt, syscall.SIGTERM)
	signal.Notify(s.reload, syscall.SIGHUP)
	return s
}

// once lets the next signal end the process, as signals do.
func (s *signals) once() { signal.Stop(s.end) }

// orphan reports whether the terminal that hob was started in is gone: that is told by the signal that asks for a reload.
func (s *signals) orphan() bool { return s.had && !s.terminal() }

func (s *signals) stop() {
	signal.Stop(s.end)
	signal.Stop(s.reload)
}
