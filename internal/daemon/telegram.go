package daemon

import (
	"context"
	"log/slog"
	"time"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/surface/telegram"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
	"hob/internal/tools"
)

// Bot is what the daemon needs of [*telegram.Bot].
type Bot interface {
	// Run works until ctx ends. Any other end is an error.
	Run(ctx context.Context) error
	State() telegram.State
	// Wake has what happens in a chat told there.
	Wake(chat event.Chat)
	// Delivered waits until it is known what became of the nth file that an event hands over.
	Delivered(ctx context.Context, chat event.Chat, seq int64, n int) event.SendState
}

// pace is how often a message changes while a reply is being written into it.
const pace = 1500 * time.Millisecond

// connector makes bots whose commands it has.
type connector struct {
	commands func(s *app.Environment, h *app.App) []chat.Command
}

// connect makes the bot of a configuration. alert is told what keeps it from working until somebody does something
// about it, changed is called when its problem is another one.
func (c connector) connect(s *app.Environment, h *app.App, token string, log *slog.Logger, alert func(string), changed func()) (Bot, error) {
	way, err := s.TransportTo("telegram", s.Telegram.APIBase, "[telegram] api_base")
	if err != nil {
		return nil, err
	}
	api, err := client.NewAPI(client.APIConfig{Base: s.Telegram.APIBase, Token: token, Transport: way})
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "[telegram] %v", err)
	}
	b, err := telegram.New(telegram.Config{
		API: api, Sessions: h.Sessions, Memory: h.Journal, Files: storyFiles{h.Model.Tools.FileTool, h.GameMaster}, Story: leads{h}, Commands: c.commands(s, h),
		Now: time.Now, Log: log, Alert: alert, Changed: changed, MaxFile: s.Telegram.MaxFile, Pace: pace,
		Hear: s.Transcriber(h.Shell, h.Model.Tools.FileTool),
		Tool: ToolUsage(h), Nearest: tools.Nearest, Retry: h.Retry,
		Named: func(ctx context.Context, name string) error { return h.Journal.SetSetting(ctx, BotNameKey, name) },
	})
	if err != nil {
		return nil, err
	}
	h.SkillSources.AddGroups(b)
	return b, nil
}

// BotNameKey is the setting of the journal that holds the name of the bot, for links to it.
const BotNameKey = "telegram/name"
