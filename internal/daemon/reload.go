package daemon

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"time"

	sd "github.com/coreos/go-systemd/v22/daemon"

	"hob/internal/app"
	"hob/internal/config"
	"hob/internal/exit"
)

// load reads the configuration from a file, "" where it is. What hob can live with is logged.
func (d *daemon) load(from string) (*app.Environment, error) {
	b := *d.loader
	b.Stderr = warnings{d.log}
	s, err := d.read(&b, from)
	d.loader.Egress = b.Egress
	return s, err
}

func (d *daemon) read(a *app.Loader, from string) (*app.Environment, error) {
	if from == "" {
		return a.Load()
	}
	path, err := a.ConfigPath()
	if err != nil {
		path = from
	}
	return a.ReadFile(from, path)
}

// first builds the first instance: with the configuration or, where that has a mistake, with the last good one.
func (d *daemon) first(ctx context.Context) (*instance, error) {
	d.warnOfEnvironment()
	c, err := d.attempt(ctx, "")
	if err == nil || exit.StatusOf(err) != exit.Usage {
		return c, err
	}
	copied := d.state.LastGoodPath()
	if _, none := os.Stat(copied); none != nil {
		return nil, err
	}
	c, worse := d.attempt(ctx, copied)
	if worse != nil {
		return nil, err
	}
	c.copied = true
	d.refused(err, "the last good one is in force, "+copied)
	return c, nil
}

// attempt builds the first instance with the configuration in a file.
func (d *daemon) attempt(ctx context.Context, from string) (*instance, error) {
	s, err := d.load(from)
	if err != nil {
		return nil, err
	}
	d.out.keep(s.Redactor)
	if d.journal == nil {
		if d.journal, err = s.Egress.OpenJournal(ctx); err != nil {
			return nil, exit.Errorf(exit.Failed, "%v", err)
		}
	}
	return d.assemble(ctx, s, nil)
}

// warnOfEnvironment says that a token is not taken from where everybody can read it.
func (d *daemon) warnOfEnvironment() {
	for _, name := range []string{"HOB_TELEGRAM_TOKEN", "TELEGRAM_BOT_TOKEN"} {
		if d.loader.Env(name) != "" {
			d.log.Warn(name + " is ignored: put the token into a file for you alone, and name that in [telegram] token_file")
			_ = os.Unsetenv(name) // nothing that is started here needs it
		}
	}
}

// refused says that a configuration is not in force, and what is.
func (d *daemon) refused(why error, instead string) {
	d.log.Error("the configuration is refused: "+instead, "why", why)
	d.note(theConfiguration, fmt.Sprintf("refused (%v): %s", why, instead))
}

// stays is how a refused configuration is told while another works.
const stays = "the old one stays in force"

// retry is how long a new configuration waits for a tool that does not come to its end.
const retry = time.Minute

// reload reads the configuration again and puts it into force. An error ends the daemon; a configuration with a mistake is
// none.
func (d *daemon) reload(ctx context.Context) error {
	d.notify(sd.SdNotifyReloading)
	defer func() { d.notify(sd.SdNotifyReady, d.status()) }()
	s, err := d.load("")
	if err == nil {
		_, err = s.BotToken()
	}
	if err != nil {
		d.refused(err, stays)
		return nil
	}
	return d.exchange(ctx, s)
}

// exchange lets what works come to rest between two calls, and goes on with the same turns under s.
func (d *daemon) exchange(ctx context.Context, s *app.Environment) error {
	old := d.now()
	resting, cancel := context.WithTimeout(ctx, old.env.Serve.Drain)
	defer cancel()
	release, err := old.app.Hold(resting)
	if err != nil {
		release()
		if ctx.Err() == nil {
			d.again = time.After(retry)
			d.log.Warn("a tool still runs: the new configuration comes into force later", "again in", retry)
		}
		return nil
	}
	next, err := d.assemble(context.WithoutCancel(ctx), s, old)
	if err != nil {
		release()
		d.refused(err, stays)
		return nil
	}
	d.sessions.shut()
	if !old.leave() {
		return errors.New("change the configuration: something that was cut short does not end")
	}
	if next.app.Shell != old.app.Shell {
		old.app.Shell.Jobs.Close()
	}
	if err := old.app.SaveLearned(ctx); err != nil {
		d.log.Warn("remember what was learned of the model", "err", err)
	}
	d.note(theConfiguration, "")
	d.begin(context.WithoutCancel(ctx), next)
	d.keepGood(next)
	if !reflect.DeepEqual(old.env.API, s.API) {
		d.log.Warn("what was changed in [api] comes into force when hob starts again")
	}
	d.log.Info("the new configuration is in force", "file", s.ConfigPath)
	return nil
}

// keepGood keeps a copy of a configuration that hob has started with.
func (d *daemon) keepGood(c *instance) {
	if c.copied {
		return
	}
	s := c.env
	text := config.Show(s.Config, s.ConfigPath)
	if before, err := os.ReadFile(s.LastGoodPath()); err == nil && string(before) == text {
		return
	}
	fresh := s.LastGoodPath() + ".new"
	err := os.WriteFile(fresh, []byte(text), 0o600)
	if err == nil {
		err = os.Rename(fresh, s.LastGoodPath())
	}
	if err != nil {
		d.log.Warn("keep a copy of the configuration", "err", err)
	}
}
