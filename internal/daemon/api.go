package daemon

import (
	"context"
	"fmt"
	"net"
	"time"

	"hob/internal/app"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/llm/price"
	"hob/internal/session"
	local "hob/internal/surface/http"
	"hob/internal/surface/http/api"
)

// listen serves the local API on its socket and, if it can, on the configured address. Both outlive
// the instance.
func (d *daemon) listen(i *instance) error {
	cfg := d.apiConfig(i)
	api, err := local.Listen(d.state.SocketPath(), cfg)
	if err != nil {
		return err
	}
	d.apis = append(d.apis, api)
	if i.env.API.Listen == "" {
		return nil
	}
	if err := d.listenTCP(i, cfg); err != nil {
		d.reportProblem(apiSubject, fmt.Sprintf("it stays off until hob starts again: %v", err))
	}
	return nil
}

// listenTCP serves the local API on the configured address. Without a token it does not listen.
func (d *daemon) listenTCP(i *instance, cfg local.Config) error {
	token, err := i.env.APIToken()
	if err != nil {
		return err
	}
	api, err := local.ListenTCP(local.TCPConfig{Addr: i.env.API.Listen, Token: token, Hosts: i.env.API.Hosts, Log: d.log}, cfg)
	if err != nil {
		return err
	}
	d.apis = append(d.apis, api)
	d.loader.Egress.KeepFrom([]net.Addr{api.Addr()}, "")
	return nil
}

// apiConfig returns the configuration of the local API. Each request goes to the instance that is
// current then.
func (d *daemon) apiConfig(i *instance) local.Config {
	cfg := newAPIConfig(i.app, app.DaemonCommand)
	cfg.Sessions, cfg.Status, cfg.Entry = wakingSessions{d.sessions, d}, d.newStatus(time.Now()), local.NewEntry()
	cfg.Skills = func(ctx context.Context, chat event.Chat) (commands.SkillList, error) {
		return newAPIConfig(d.current().app, app.DaemonCommand).Skills(ctx, chat)
	}
	cfg.Stories = stories{d.currentApp}
	cfg.Prices = func() price.Table { return d.current().app.Env.Prices }
	cfg.Commands = func() commands.Table {
		return d.current().app.CommandTable(wakingSessions{d.sessions, d}, app.DaemonCommand)
	}
	return cfg
}

// newStatus returns a function that reports the daemon's status.
func (d *daemon) newStatus(since time.Time) func(context.Context) api.Status {
	return func(ctx context.Context) api.Status {
		i := d.current()
		st := newAPIConfig(i.app, app.DaemonCommand).Status(ctx)
		st.Since = since
		switch name := i.botName(); {
		case i.currentBot() == nil:
			st.Telegram = "off: " + i.botOff
		case d.problemOf("Telegram") != "":
			st.Telegram = d.problemOf("Telegram")
		case name == "":
			st.Telegram = "not reached yet"
		default:
			st.Telegram = "@" + name
		}
		st.Problems = d.ownProblems()
		return st
	}
}

// problemOf returns the current problem of a subject, or "".
func (d *daemon) problemOf(subject string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.problems[subject]
}

// wakingSessions is the sessionSwitch for requests from the API and from commands. After each, it
// wakes the bot: a chat on Telegram shows what is submitted or decided elsewhere.
type wakingSessions struct {
	*sessionSwitch
	daemon *daemon
}

// Submit is [session.Sessions.Submit].
func (w wakingSessions) Submit(ctx context.Context, in session.Input) (int64, error) {
	seq, err := w.sessionSwitch.Submit(ctx, in)
	if err == nil {
		w.daemon.wakeChat(in.Chat)
	}
	return seq, err
}

// Decide is [session.Sessions.Decide].
func (w wakingSessions) Decide(ctx context.Context, a session.Answer) error {
	err := w.sessionSwitch.Decide(ctx, a)
	if err == nil {
		w.daemon.wakeChat(a.Chat)
	}
	return err
}

// Retry is [session.Sessions.Retry].
func (w wakingSessions) Retry(ctx context.Context, chat event.Chat, turn int64) error {
	err := w.sessionSwitch.Retry(ctx, chat, turn)
	if err == nil {
		w.daemon.wakeChat(chat)
	}
	return err
}

// wakeChat has the bot send the news of a chat.
func (d *daemon) wakeChat(chat event.Chat) {
	if b := d.current().currentBot(); b != nil {
		b.Wake(chat)
	}
}
