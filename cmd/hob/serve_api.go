package main

import (
	"context"
	"encoding/json"
	"time"

	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/llm/price"
	"hob/internal/session"
	local "hob/internal/surface/http"
)

// listen serves the local API, on the socket and where the configuration says so. It outlives the crew.
func (d *daemon) listen(c *crew) error {
	cfg := d.local(c)
	api, err := local.Listen(d.state.SocketPath(), cfg)
	if err != nil {
		return err
	}
	d.apis = append(d.apis, api)
	if c.set.API.Listen == "" {
		return nil
	}
	token, err := c.set.KeyToken()
	if err != nil {
		return exit.Errorf(exit.Usage, "%v", err)
	}
	api, err = local.ListenTCP(local.TCPConfig{Addr: c.set.API.Listen, Token: token, Hosts: c.set.API.Hosts}, cfg)
	if err != nil {
		return exit.Errorf(exit.Usage, "%v", err)
	}
	d.apis = append(d.apis, api)
	return nil
}

// local is the API of whatever crew works when it is asked.
func (d *daemon) local(c *crew) local.Config {
	cfg := inProcess{c.hob}.local(service)
	cfg.Sessions, cfg.Status, cfg.Entry = waking{d.door, d}, d.stands(time.Now()), local.NewEntry()
	cfg.Skills = func(ctx context.Context, chat event.Chat) (local.SkillList, error) {
		return inProcess{d.now().hob}.skillList(ctx, chat)
	}
	cfg.Prices = func() price.Table { return d.now().hob.Model.Env.Prices }
	for name := range cfg.Own {
		cfg.Own[name] = func(ctx context.Context, raw json.RawMessage) (any, error) {
			return inProcess{d.now().hob}.own()[name](ctx, raw)
		}
	}
	return cfg
}

// stands returns what says how the daemon does.
func (d *daemon) stands(since time.Time) func(context.Context) local.Status {
	return func(ctx context.Context) local.Status {
		c := d.now()
		st := inProcess{c.hob}.local(service).Status(ctx)
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

// waking is the door to the sessions; what is said or answered there in a chat of Telegram's is told on Telegram.
type waking struct {
	*door
	daemon *daemon
}

// Submit is [session.Sessions.Submit].
func (w waking) Submit(ctx context.Context, in session.Input) (int64, error) {
	seq, err := w.door.Submit(ctx, in)
	if err == nil {
		w.daemon.wake(in.Chat)
	}
	return seq, err
}

// Decide is [session.Sessions.Decide].
func (w waking) Decide(ctx context.Context, a session.Answer) error {
	err := w.door.Decide(ctx, a)
	if err == nil {
		w.daemon.wake(a.Chat)
	}
	return err
}

// Retry is [session.Sessions.Retry].
func (w waking) Retry(ctx context.Context, chat event.Chat, turn int64) error {
	err := w.door.Retry(ctx, chat, turn)
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
