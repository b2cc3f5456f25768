package daemon

import (
	"context"
	"io"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/skills/gamemaster"
	"hob/internal/surface/telegram"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/inbound"
	"hob/internal/tools"
)

// storyFiles are the files that a surface hands out: those of the workspace, and those of stories, which are made when they are read.
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

// leads is what leads chats on Telegram.
type leads struct{ hob *app.App }

// Takes implements [inbound.Story].
func (l leads) Takes(ctx context.Context, chat event.Chat, name string) (takes, discreet bool) {
	if takes, discreet = gamemaster.Takes(name); !takes {
		return false, false
	}
	led, err := l.hob.HasDriver(ctx, chat)
	return led && err == nil, discreet
}

// Picked implements [inbound.Story].
func (l leads) Picked(ctx context.Context, chat event.Chat, by chat.Request, c event.Choice) inbound.Picking {
	return inbound.Picking(l.hob.GameMaster.Picked(ctx, tools.Caller{Chat: chat, User: by.From, Standing: by.Standing}, c))
}

// ToolUsage returns what says how somebody on Telegram calls a tool, and whether there is one of that name for them.
func ToolUsage(h *app.App) func(context.Context, chat.Request, string) (usage string, known bool) {
	return func(ctx context.Context, r chat.Request, word string) (string, bool) {
		index, err := h.CommandsFor(ctx, r.Chat, r.Standing)
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
