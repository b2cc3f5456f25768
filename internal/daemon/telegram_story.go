package daemon

import (
	"context"
	"io"

	"hob/internal/app"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/skills/gamemaster"
	"hob/internal/surface/telegram"
	"hob/internal/surface/telegram/inbound"
	"hob/internal/tools"
)

// storyFiles opens the files of the workspace and those of stories, which are generated when read.
type storyFiles struct {
	telegram.Files
	master *gamemaster.Master
}

// Open implements [telegram.Files].
func (f storyFiles) Open(ctx context.Context, file event.File) (io.ReadCloser, error) {
	if gamemaster.IsFile(file.Path) {
		return f.master.OpenFile(ctx, file)
	}
	return f.Files.Open(ctx, file)
}

// storyDriver tells the bot which chats a story drives.
type storyDriver struct{ app *app.App }

// Takes implements [inbound.Story].
func (l storyDriver) Takes(ctx context.Context, chat event.Chat, name, args string) (takes, discreet bool) {
	if takes, discreet = gamemaster.TakesCommand(name, args); !takes {
		return false, false
	}
	led, err := l.app.HasDriver(ctx, chat)
	return led && err == nil, discreet
}

// Picked implements [inbound.Story].
func (l storyDriver) Picked(ctx context.Context, chat event.Chat, by commands.Request, c event.Choice) inbound.Picking {
	return inbound.Picking(l.app.GameMaster.AnswerPick(ctx, tools.Caller{Chat: chat, User: by.From, Principal: by.Principal}, c))
}

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
