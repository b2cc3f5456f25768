package daemon

import (
	"context"
	"log/slog"
	"time"

	"hob/internal/app"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/skills/reminders"
	"hob/internal/surface/telegram"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/inbound"
	"hob/internal/tools"
)

// Bot is the part of [*telegram.Bot] that the daemon needs.
type Bot interface {
	// Run works until ctx ends. It returns an error if it ends earlier.
	Run(ctx context.Context) error
	State() telegram.State
	// Wake has the bot send the news of a chat.
	Wake(chat event.Chat)
	// Delivered waits for the outcome of sending the nth file of an event, and returns it.
	Delivered(ctx context.Context, chat event.Chat, seq int64, n int) event.SendState
}

// OwnerWriter is a [Bot] that can write to the owners by itself.
type OwnerWriter interface {
	// WriteToOwners sends each owner an answer in their chat.
	WriteToOwners(ctx context.Context, a commands.Answer)
}

// draftPace is the delay between two edits of a message while a reply is streamed into it.
const draftPace = 1500 * time.Millisecond

// connectBot makes the bot of a configuration. It calls alert with a problem that a person must
// solve, and changed when its problem changes.
func connectBot(s *app.Environment, h *app.App, token string, log *slog.Logger, alert func(string), changed func()) (Bot, error) {
	way, err := s.NewTransport("telegram", s.Telegram.APIBase, "[telegram] api_base")
	if err != nil {
		return nil, err
	}
	api, err := client.NewAPI(client.APIConfig{Base: s.Telegram.APIBase, Token: token, Transport: way})
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "[telegram] %v", err)
	}
	current := func() *app.App { return h }
	b, err := telegram.New(telegram.Config{
		API: api, Sessions: h.Sessions, Marks: h.Journal, Deliveries: h.Journal.Deliveries(), People: h.Journal.People(),
		Files: files{current}, Story: stories{current}, Commands: h.CommandTable(h, app.DaemonCommand),
		Now: time.Now, Zone: s.Zone, Log: log, Alert: alert, Changed: changed, MaxFile: s.Telegram.MaxFile, Pace: draftPace,
		Actions: inbound.Actions{
			Transcribe: s.Transcriber(h.Shell, h.Tools.FileTool), Tool: ToolUsage(h), Nearest: tools.Nearest, Retry: h.Retry,
			Translate:       func(lang, text string) string { return app.Translate(lang, "", text) },
			HasModel:        h.Model.IsReady,
			ChangesReminder: func(text string) bool { return reminders.IsChange(text, s.Clock()()) },
		},
		Named: func(ctx context.Context, name string) error { return h.Journal.Settings().Set(ctx, BotNameKey, name) },
	})
	if err != nil {
		return nil, err
	}
	h.SkillSources.AddGroupSkill(b)
	return b, nil
}

// BotNameKey is the setting that stores the bot's name, for links to it.
const BotNameKey = "telegram/name"

// ToolUsage returns a function that explains how a person on Telegram calls a tool. known is false
// if the person can call no tool of that name.
func ToolUsage(h *app.App) func(context.Context, commands.Request, string) (usage string, known bool) {
	return func(ctx context.Context, r commands.Request, word string) (string, bool) {
		index, err := h.CommandTools(ctx, r.Chat, r.Principal)
		if err != nil {
			return "", false
		}
		t, ok := index.Find(word)
		if !ok {
			return "", false
		}
		return tools.Usage(t), true
	}
}
