package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"os"
	"time"

	"hob/internal/app"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/llm/price"
	"hob/internal/policy"
	"hob/internal/session"
	"hob/internal/surface/cli"
	local "hob/internal/surface/http"
	"hob/internal/tools"
)

// serveSocket serves the local API of an application of this process on its socket; who is the command.
func serveSocket(h *app.App, who string) (app.Server, error) {
	api, err := local.Listen(h.Model.Env.SocketPath(), inProcess{h}.local(who))
	if err != nil {
		return nil, err
	}
	return api, nil
}

// inProcess is the hob of this process, as a terminal and the local API speak to it.
type inProcess struct{ *app.App }

// local is the API that this hob serves. who is the command.
func (h inProcess) local(who string) local.Config {
	since := time.Now()
	return local.Config{
		Sessions: h.Sessions, Journal: h.Journal, NewID: rand.Text, Line: cli.JSONLine, ArgsHash: argsHash,
		Status: func(context.Context) local.Status {
			return local.Status{Serves: who, PID: os.Getpid(), Since: since, Queue: h.Model.QueueStatus()}
		},
		Parked:   func(ctx context.Context) ([]session.Parked, error) { return app.ParkedIn(ctx, h.Journal) },
		Commands: h.table(who), Skills: h.skillList, Prices: func() price.Table { return h.Model.Env.Prices },
	}
}

// argsHash is the hash of a call's arguments as the record of the call has it.
func argsHash(args json.RawMessage) string {
	if canonical, err := tools.Canonical(args); err == nil {
		return policy.HashArgs(canonical)
	}
	return policy.HashArgs(args)
}

// table returns the commands that this hob has. who is the command.
func (h inProcess) table(who string) func() commands.Table {
	t := h.CommandTable(h.App, who)
	return func() commands.Table { return t }
}

func (d distant) skillList(ctx context.Context, chat event.Chat) (commands.SkillList, error) {
	return d.Skills(ctx, chat)
}

// skillList implements [talk].
func (h inProcess) skillList(ctx context.Context, chat event.Chat) (commands.SkillList, error) {
	return h.SkillList(ctx, chat, app.LocalOwner())
}

// Command implements [talk].
func (h inProcess) Command(ctx context.Context, in local.CommandRequest) (local.CommandReply, error) {
	a, err := h.table("")().Run(ctx, in.Name, commands.Request{
		Surface: commands.Terminal, Chat: in.Chat, From: "owner", Standing: app.LocalOwner(), Args: in.Args,
	})
	return local.CommandReply{Text: a.Text, Choices: a.Choices}, err
}
