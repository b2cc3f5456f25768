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
	"hob/internal/atomicfile"
	"hob/internal/config"
	"hob/internal/exit"
	"hob/internal/store"
)

// loadConfig reads the configuration from a file, or with "" from its usual path. It logs warnings.
func (d *daemon) loadConfig(from string) (*app.Environment, error) {
	b := *d.loader
	b.Stderr = warningWriter{d.log}
	s, err := d.readConfig(&b, from)
	d.loader.Egress = b.Egress
	return s, err
}

func (d *daemon) readConfig(a *app.Loader, from string) (*app.Environment, error) {
	if from == "" {
		return a.Load()
	}
	path, err := a.ConfigPath()
	if err != nil {
		path = from
	}
	return a.ReadFile(from, path)
}

// startFirst builds the first instance. If the configuration has a mistake, it uses the last good
// one.
func (d *daemon) startFirst(ctx context.Context) (*instance, error) {
	d.warnOfTokenVariables()
	i, err := d.buildFirst(ctx, "")
	if err == nil || exit.StatusOf(err) != exit.Usage {
		return i, err
	}
	copied := d.state.LastGoodPath()
	if _, none := os.Stat(copied); none != nil {
		return nil, err
	}
	i, worse := d.buildFirst(ctx, copied)
	if worse != nil {
		return nil, err
	}
	i.fromLastGood = true
	d.refuseConfig(err, "the last good one is in force, "+copied)
	return i, nil
}

// buildFirst builds the first instance from the configuration in a file.
func (d *daemon) buildFirst(ctx context.Context, from string) (*instance, error) {
	s, err := d.loadConfig(from)
	if err != nil {
		return nil, err
	}
	d.logOutput.setSecrets(s.Redactor)
	if d.journal == nil {
		if d.journal, err = s.Egress.OpenJournal(ctx, store.Open); err != nil {
			return nil, exit.Errorf(exit.Failed, "%v", err)
		}
		if err := s.Changes(d.journal).Finish(ctx); err != nil {
			d.log.Error(err.Error())
		}
	}
	return d.buildInstance(ctx, s, nil)
}

// warnOfTokenVariables warns that tokens are not read from environment variables, which other
// processes could see.
func (d *daemon) warnOfTokenVariables() {
	for _, name := range []string{"HOB_TELEGRAM_TOKEN", "TELEGRAM_BOT_TOKEN"} {
		if d.loader.Env(name) != "" {
			d.log.Warn(name + " is ignored: put the token into a file for you alone, and name that in [telegram] token_file")
			_ = os.Unsetenv(name) // child processes must not inherit it
		}
	}
}

// refuseConfig logs that a configuration is refused, and which one is in force instead.
func (d *daemon) refuseConfig(why error, instead string) {
	d.log.Error("the configuration is refused: "+instead, "why", why)
	d.setProblem(configSubject, fmt.Sprintf("refused (%v): %s", why, instead))
}

// oldStays says which configuration is in force after a failed reload.
const oldStays = "the old one stays in force"

// reloadRetry is the delay before another reload, if a tool does not end.
const reloadRetry = time.Minute

// reload reads the configuration again and applies it. A configuration with a mistake is refused
// and is no error; an error ends the daemon.
func (d *daemon) reload(ctx context.Context) error {
	d.notify(sd.SdNotifyReloading)
	defer func() { d.notify(sd.SdNotifyReady, d.systemdStatus()) }()
	s, err := d.loadConfig("")
	if err == nil {
		_, err = s.BotToken()
	}
	if err == nil && s.Intents.Mode != "off" {
		_, err = s.Sentences()
	}
	if err != nil {
		d.refuseConfig(err, oldStays)
		return nil
	}
	return d.replaceInstance(ctx, s)
}

// replaceInstance pauses the turns between two calls, and continues them in a new instance with s.
func (d *daemon) replaceInstance(ctx context.Context, s *app.Environment) error {
	old := d.current()
	resting, cancel := context.WithTimeout(ctx, old.env.Serve.Drain)
	defer cancel()
	release, err := old.app.Hold(resting)
	if err != nil {
		release()
		if ctx.Err() == nil {
			d.retryReload = time.After(reloadRetry)
			d.log.Warn("a tool still runs: the new configuration comes into force later", "again in", reloadRetry)
		}
		return nil
	}
	next, err := d.buildInstance(context.WithoutCancel(ctx), s, old)
	if err != nil {
		release()
		d.refuseConfig(err, oldStays)
		return nil
	}
	d.sessions.pause()
	if !old.stop() {
		return errors.New("change the configuration: something that was cut short does not end")
	}
	if next.app.Shell != old.app.Shell {
		old.app.Shell.Background.Close()
	}
	if err := old.app.SaveLearned(ctx); err != nil {
		d.log.Warn("remember what was learned of the model", "err", err)
	}
	d.setProblem(configSubject, "")
	d.start(context.WithoutCancel(ctx), next)
	d.saveLastGood(next)
	d.applyPage(context.WithoutCancel(ctx), s.Page)
	if !reflect.DeepEqual(old.env.API, s.API) {
		d.log.Warn("what was changed in [api] comes into force when hob starts again")
	}
	d.log.Info("the new configuration is in force", "file", s.ConfigPath)
	return nil
}

// saveLastGood copies the configuration with which the daemon started.
func (d *daemon) saveLastGood(i *instance) {
	if i.fromLastGood {
		return
	}
	s := i.env
	text := config.Show(s.Config, s.ConfigPath)
	if before, err := os.ReadFile(s.LastGoodPath()); err == nil && string(before) == text {
		return
	}
	if err := atomicfile.ReplaceText(s.LastGoodPath(), 0o600, text); err != nil {
		d.log.Warn("keep a copy of the configuration", "err", err)
	}
}
