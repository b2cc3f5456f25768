package client

import (
	"context"
	"encoding/json"

	"hob/internal/app"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/surface/http/api"
)

// InProcess is the hob of this process as a [Backend].
type InProcess struct{ *app.App }

// SkillList implements [Backend].
func (h InProcess) SkillList(ctx context.Context, chat event.Chat) (commands.SkillList, error) {
	return h.App.SkillList(ctx, chat, app.LocalOwner())
}

// Command implements [Backend].
func (h InProcess) Command(ctx context.Context, in api.CommandRequest) (api.CommandReply, error) {
	a, err := h.CommandTable(h.App, "").Run(ctx, in.Name, commands.Request{
		Surface: commands.Terminal, Chat: in.Chat, From: "owner", Principal: app.LocalOwner(), Args: in.Args,
	})
	reply := api.CommandReply{Text: a.Text, Choices: a.Choices}
	if err == nil && a.Data != nil {
		reply.Data, err = json.Marshal(a.Data)
	}
	return reply, err
}
