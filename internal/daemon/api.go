package daemon

import (
	"context"
	"time"

	"hob/internal/app"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/llm/price"
	"hob/internal/session"
	local "hob/internal/surface/http"
	"hob/internal/surface/http/api"
)

// listen serves the local API, on the socket and where the configuration says so. It outlives the instance.
func (d *daemon) listen(c *instance) error {
	cfg := d.local(c)
	api, err := local.Listen(d.state.SocketPath(), cfg)
	if err != nil {
		return err
	}
	d.apis = append(d.apis, api)
	if c.env.API.Listen == "" {
		return nil
	}
	token, err := c.env.APIToken()
	if err != nil {
		return exit.Errorf(exit.Usage, "%v", err)
	}
	api, err = local.ListenTCP(local.TCPConfig{Addr: c.env.API.Listen, Token: token, Hosts: c.env.API.Hosts}, cfg)
	if err != nil {
		return exit.Errorf(exit.Usage, "%v", err)
	}
	d.apis = append(d.apis, api)
	return nil
}

// local is the API of whatever instance works when it is asked.
func (d *daemon) local(c *instance) local.Config {
	cfg := apiOf(c.app, app.DaemonCommand)
	cfg.Sessions, cfg.Status, cfg.Entry = waking{d.sessions, d}, d.stands(time.Now()), local.NewEntry()
	cfg.Skills = func(ctx context.Context, chat event.Chat) (commands.SkillList, error) {
		return apiOf(d.now().app, app.DaemonCommand).Skills(ctx, chat)
	}
	cfg.Prices = func() price.Table { return d.now().app.Model.Env.Prices }
	cfg.Commands = func() commands.Table {
		return d.now().app.CommandTable(waking{d.sessions, d}, app.DaemonCommand)
	}
	return cfg
}

// stands returns what says how the daemon does.
func (d *daemon) stands(since time.Time) func(context.Context) api.Status {
	return func(ctx context.Context) api.Status {
		c := d.now()
		st := apiOf(c.app, app.DaemonCommand).Status(ctx)
		st.Since = since
		switch name := c.name(); {
		case c.talker() == nil:
			st.Telegram = "off: " + c.silent
		case d.troubled("Telegram") != "":
			st.Telegram = d.troubled("Telegram")
		case name == "":
			st.Telegram = "not reached yet"
		default:
			st.Telegram = "@" + name
		}
		return st
	}
}

// troubled is what keeps a subject from working, "" nothing.
func (d *daemon) troubled(subject string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.troubles[subject]
}

// waking is the switch to the sessions; what is said or answered there in a chat of Telegram's is told on Telegram.
type waking struct {
	*sessionSwitch
	daemon *daemon
}

// Submit is [session.Sessions.Submit].
func (w waking) Submit(ctx context.Context, in session.Input) (int64, error) {
	seq, err := w.sessionSwitch.Submit(ctx, in)
	if err == nil {
		w.daemon.wake(in.Chat)
	}
	return seq, err
}

// Decide is [session.Sessions.Decide].
func (w waking) Decide(ctx context.Context, a session.Answer) error {
	err := w.sessionSwitch.Decide(ctx, a)
	if err == nil {
		w.daemon.wake(a.Chat)
	}
	return err
}

// Retry is [session.Sessions.Retry].
func (w waking) Retry(ctx context.Context, chat event.Chat, turn int64) error {
	err := w.sessionSwitch.Retry(ctx, chat, turn)
	if err == nil {
		w.daemon.wake(chat)
	}
	return err
}

// wake has what happens in a chat told where it is a chat of.
func (d *daemon) wake(chat event.Chat) {
	if b := d.now().talker(); b != nil {
		b.Wake(chat)
	}
}
