// Package daemon runs hob serve: one process that holds the lock of the state and works under one
// configuration after another.
//
// The lock, the journal, the API and the log outlive a configuration; they belong to the daemon.
// The application and the bot work under one configuration; together they are an instance. A reload
// builds the next instance before it closes the old one. Requests to the API wait in a
// sessionSwitch meanwhile.
package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	sd "github.com/coreos/go-systemd/v22/daemon"

	"hob/internal/app"
	"hob/internal/exit"
	"hob/internal/store"
	local "hob/internal/surface/http"
)

// Limits for starting and for ending, besides [serve] drain.
const (
	lockTimeout  = 500 * time.Millisecond // for the lock: a command may be about to release it
	botTimeout   = 2 * time.Second        // for the bot, which completes what it is sending
	closeTimeout = 3 * time.Second        // for turns that are interrupted
)

// daemon is the part of the process that outlives a configuration.
type daemon struct {
	loader      *app.Loader
	stdout      io.Writer
	interactive bool // a person reads standard output
	log         *slog.Logger
	logOutput   *logOutput
	state       *app.Environment // has only StateDir
	lock        *store.FileLock
	journal     *store.DB
	apis        []*local.Server
	sessions    *sessionSwitch
	page        *page
	connectBot  func(s *app.Environment, h *app.App, token string, log *slog.Logger, alert func(string), changed func()) (Bot, error)
	retryReload <-chan time.Time   // when to reload again; nil: never
	stopWatch   context.CancelFunc // ends the watchdog, the guard of the state and the greeting
	lost        chan error         // gets an error once the state was removed or replaced

	mu       sync.Mutex
	instance *instance
	problems map[string]string // by subject
}

// Config is what a daemon needs besides its configuration.
type Config struct {
	Loader      *app.Loader
	Stdout      io.Writer
	Interactive bool        // a person reads standard output
	LogToPerson bool        // a person reads standard error
	Terminal    func() bool // reports whether standard input is a terminal now
}

// Serve runs the daemon until a signal ends it.
func Serve(ctx context.Context, cfg Config) error {
	log, out := newLog(cfg.Loader.Stderr, cfg.Loader.Env("JOURNAL_STREAM") != "", cfg.LogToPerson)
	d := &daemon{
		loader: cfg.Loader, stdout: cfg.Stdout, interactive: cfg.Interactive, log: log, logOutput: out, sessions: newSessionSwitch(),
		connectBot: connectBot, problems: map[string]string{}, lost: make(chan error, 1),
	}
	d.page = &page{daemon: d}
	signals := newSignals(cfg.Terminal)
	defer signals.stop()
	if err := d.lockState(ctx); err != nil {
		return err
	}
	i, err := d.startFirst(ctx)
	if err != nil {
		return errors.Join(err, d.releaseState())
	}
	d.loader.Stderr = i.env.Redactor.Writer(d.loader.Stderr)
	if err := d.listen(i); err != nil {
		return errors.Join(err, d.shutDown(ctx, i))
	}
	d.start(ctx, i)
	d.applyPage(ctx, i.env.Page)
	d.notify(sd.SdNotifyReady, d.systemdStatus())
	d.saveLastGood(i)
	watched, unwatch := context.WithCancel(ctx)
	d.stopWatch = unwatch
	var watching sync.WaitGroup
	watching.Go(func() { d.feedWatchdog(watched) })
	watching.Go(func() { guardState(watched, d.checkInPlace, func(err error) { d.lost <- err }) })
	watching.Go(func() { d.greetPerson(watched, i) })
	watching.Go(func() { d.retain(watched) })
	err = d.handleSignals(ctx, signals)
	unwatch()
	watching.Wait()
	if d.interactive && err == nil {
		fmt.Fprintln(d.stdout, "hob has ended.")
	}
	return err
}

// lockState locks the state folder. The error names its holder.
func (d *daemon) lockState(ctx context.Context) error {
	var err error
	if d.state, err = d.loader.LoadStateDir(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	by := ""
	d.lock, err = store.WaitLock(ctx, d.state.LockPath(), "hob serve", func(holder string) { by = holder })
	if err != nil && by != "" {
		return exit.Errorf(exit.Failed, "%s is using %s already: end it first, or give this one a state of its own with HOB_STATE_DIR", by, d.state.StateDir)
	}
	if err != nil {
		return d.state.ExplainUnwritable(err)
	}
	if info, err := os.Stat(d.state.StateDir); err == nil && info.Mode().Perm()&0o077 != 0 { // a container's volume is often open
		d.log.Warn("other users can look into the state folder", "folder", d.state.StateDir, "mode", info.Mode().Perm().String(),
			"mend", "chmod 700 "+d.state.StateDir)
	}
	return nil
}

// handleSignals reloads the configuration at SIGHUP, and returns after the daemon has ended.
func (d *daemon) handleSignals(ctx context.Context, signals *signals) error {
	ctx, cancel := context.WithCancel(ctx)
	var waiting sync.WaitGroup
	defer func() {
		cancel()
		waiting.Wait()
	}()
	waiting.Go(func() {
		select {
		case <-signals.end:
			signals.restoreDefault() // a second signal kills hob at once
			cancel()
		case <-ctx.Done():
		}
	})
	for {
		select {
		case <-ctx.Done():
			return d.drain(context.WithoutCancel(ctx))
		case <-signals.reload:
			if signals.isOrphan() {
				return d.drain(context.WithoutCancel(ctx))
			}
		case <-d.retryReload:
		case err := <-d.lost:
			return d.abandon(context.WithoutCancel(ctx), err)
		}
		d.retryReload = nil
		if err := d.reload(ctx); err != nil {
			return errors.Join(err, d.shutDown(ctx, d.current()))
		}
	}
}

// drain lets running tools finish, within [serve] drain, and then ends the daemon.
func (d *daemon) drain(ctx context.Context) error {
	d.notify(sd.SdNotifyStopping)
	i := d.current()
	draining, cancel := context.WithTimeout(ctx, i.env.Serve.Drain)
	defer cancel()
	if _, err := i.app.Hold(draining); err != nil {
		d.log.Warn("a tool still ran and was cut off: whether it did its work is unknown", "waited", i.env.Serve.Drain)
	}
	return d.shutDown(ctx, i)
}

// checkInPlace returns an error if the lock or the journal is no longer at its path.
func (d *daemon) checkInPlace() error {
	return cmp.Or(d.lock.InPlace(), d.journal.InPlace())
}

// abandon ends the daemon at once because its state was removed or replaced. It confirms nothing
// that it could not store, and skips the cleanup.
func (d *daemon) abandon(ctx context.Context, err error) error {
	d.notify(sd.SdNotifyStopping)
	d.loader.Egress.Abandon()
	if left := d.shutDown(ctx, d.current()); left != nil {
		d.log.Debug("leave a state that is gone", "why", err, "err", left)
	}
	return exit.Errorf(exit.Failed, "the state in %s was removed or replaced while hob was working on it: hob has ended, and what was sent to it "+
		"since was not taken in; put the folder back, and start hob again", d.state.StateDir)
}

// shutDown closes the API, the instance and the journal, and releases the lock, even if ctx has
// ended.
func (d *daemon) shutDown(ctx context.Context, i *instance) error {
	ctx = context.WithoutCancel(ctx)
	d.sessions.close()
	if d.stopWatch != nil {
		d.stopWatch()
	}
	deaf := d.page.close(ctx)
	for _, api := range d.apis {
		closing, cancel := context.WithTimeout(ctx, app.APICloseTimeout)
		deaf = errors.Join(deaf, api.Close(closing))
		cancel()
	}
	if !i.stop() || !endsWithin(closeTimeout, i.app.Shell.Background.Close) {
		d.log.Warn("something does not come to its end: it ends with hob")
		return deaf // the journal may still be in use, and a sudden end leaves it whole
	}
	kept := i.app.SaveLearned(ctx)
	return errors.Join(deaf, kept, d.releaseState())
}

// releaseState closes the journal and releases the lock.
func (d *daemon) releaseState() error {
	var err error
	if d.journal != nil {
		d.loader.Egress.DetachJournal()
		err = d.journal.Close()
	}
	return errors.Join(err, d.lock.Release())
}

// notify sends states to systemd, if systemd started hob.
func (d *daemon) notify(states ...string) {
	for _, s := range states {
		if _, err := sd.SdNotify(false, s); err != nil {
			d.log.Debug("notify systemd", "err", err)
		}
	}
}

// current returns the instance that works now.
func (d *daemon) current() *instance {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.instance
}

// currentApp returns the application that works now.
func (d *daemon) currentApp() *app.App { return d.current().app }

// signals are the signals that the daemon handles.
type signals struct {
	end         chan os.Signal
	reload      chan os.Signal
	terminal    func() bool // reports whether standard input is a terminal now
	hadTerminal bool        // it was one at the start
}

func newSignals(terminal func() bool) *signals {
	s := &signals{end: make(chan os.Signal, 1), reload: make(chan os.Signal, 1), terminal: terminal, hadTerminal: terminal()}
	signal.Notify(s.end, os.Interrupt, syscall.SIGTERM)
	signal.Notify(s.reload, syscall.SIGHUP)
	return s
}

// restoreDefault lets the next signal kill the process.
func (s *signals) restoreDefault() { signal.Stop(s.end) }

// isOrphan reports whether the terminal that started hob has closed. That sends SIGHUP, too.
func (s *signals) isOrphan() bool { return s.hadTerminal && !s.terminal() }

func (s *signals) stop() {
	signal.Stop(s.end)
	signal.Stop(s.reload)
}
