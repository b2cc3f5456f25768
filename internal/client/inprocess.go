package client

import (
	"context"

	"hob/internal/app"
	"hob/internal/commands"
	"hob/internal/event"
	local "hob/internal/surface/http"
)

// InProcess is the hob of this process, as a terminal speaks to it.
type InProcess struct{ *app.App }

func (d remote) SkillList(ctx context.Context, chat event.Chat) (commands.SkillList, error) {
	return d.Skills(ctx, chat)
}

// SkillList implements [Backend].
func (h InProcess) SkillList(ctx context.Context, chat event.Chat) (commands.SkillList, error) {
	return h.App.SkillList(ctx, chat, app.LocalOwner())
}

// Command implements [Backend].
func (h InProcess) Command(ctx context.Context, in local.CommandRequest) (local.CommandReply, error) {
	a, err := h.CommandTable(h.App, "").Run(ctx, in.Name, commands.Request{
		Surface: commands.Terminal, Chat: in.Chat, From: "owner", Standing: app.LocalOwner(), Args: in.Args,
	})
	return local.CommandReply{Text: a.Text, Choices: a.Choices}, err
}
