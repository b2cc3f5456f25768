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
	"hob/internal/surface/telegram/chat"
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
	WriteToOwners(ctx context.Context, a chat.Answer)
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
	b, err := telegram.New(telegram.Config{
		API: api, Sessions: h.Sessions, Marks: h.Journal, Deliveries: h.Journal.Deliveries(), People: h.Journal.People(),
		Files: storyFiles{h.Tools.FileTool, h.GameMaster}, Story: storyDriver{h}, Commands: telegramCommands(h.CommandTable(h, app.DaemonCommand)),
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

// telegramCommands returns the commands of the table that Telegram has, which answer in the language of who asks.
func telegramCommands(t commands.Table) (all []chat.Command) {
	for _, c := range t.All() {
		if c.On&commands.Telegram == 0 {
			continue
		}
		all = append(all, chat.Command{
			Name: c.Name, Usage: c.Usage(), Summary: c.Summary, Least: c.Level(), Private: c.Private, Own: c.Own, Acts: c.Acts,
			Run: func(ctx context.Context, r chat.Request) (chat.Answer, error) {
				return runCommand(ctx, t, c.Name, r)
			},
		})
	}
	return all
}

// runCommand runs a command for a person on Telegram.
func runCommand(ctx context.Context, t commands.Table, name string, r chat.Request) (chat.Answer, error) {
	a, err := t.Run(ctx, name, commands.Request{Surface: commands.Telegram, Chat: r.Chat, From: r.From, Principal: r.Principal, Args: r.Args, Lang: r.Lang})
	if err != nil {
		return chat.Answer{}, err
	}
	out := chat.Answer{Text: a.Text}
	for _, row := range a.Choices {
		var buttons []chat.Button
		for _, choice := range row {
			name, _ := commands.Split(choice.Line)
			if _, known := t.Find(name, commands.Telegram); !known { // it calls a tool
				buttons = append(buttons, chat.Button{Text: choice.Label, Line: choice.Line})
				continue
			}
			buttons = append(buttons, chat.Button{Text: choice.Label, Press: func(ctx context.Context, by chat.Request) (chat.Answer, error) {
				name, args := commands.Split(choice.Line)
				by.Args = args
				return runCommand(ctx, t, name, by)
			}})
		}
		out.Buttons = append(out.Buttons, buttons)
	}
	return out, nil
}
