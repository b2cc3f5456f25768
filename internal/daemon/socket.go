package daemon

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"time"

	"hob/internal/app"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/llm/price"
	"hob/internal/surface/cli"
	local "hob/internal/surface/http"
	"hob/internal/surface/http/api"
)

// ServeSocket serves the local API of an App on its socket. who is the command of the shell that
// runs it.
func ServeSocket(h *app.App, who string) (app.Server, error) {
	api, err := local.Listen(h.Env.SocketPath(), newAPIConfig(h, who))
	if err != nil {
		return nil, err
	}
	return api, nil
}

// newAPIConfig returns the configuration of an App's local API. who is the command of the shell
// that runs it.
func newAPIConfig(h *app.App, who string) local.Config {
	since := time.Now()
	return local.Config{
		Sessions: h.Sessions, Journal: h.Journal, NewID: rand.Text, Line: cli.JSONLine, ArgsHash: app.HashArgs,
		Status: func(context.Context) api.Status {
			config, _ := filepath.Abs(h.Env.ConfigPath) // "": not said
			return api.Status{Serves: who, PID: os.Getpid(), Since: since, Config: config, Queue: h.QueueStatus()}
		},
		Parked:   func(ctx context.Context) ([]event.ParkedTurn, error) { return app.ParkedTurns(ctx, h.Journal) },
		Commands: func() commands.Table { return h.CommandTable(h, who) },
		Skills: func(ctx context.Context, chat event.Chat) (commands.SkillList, error) {
			return h.SkillList(ctx, chat, app.LocalOwner())
		},
		Stories: stories{func() *app.App { return h }},
		Prices:  func() price.Table { return h.Env.Prices },
	}
}
