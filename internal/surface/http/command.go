package http

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/session"
)

// CommandRequest is the body of POST /api/v1/command.
type CommandRequest struct {
	Name string     `json:"name"`           // "status"
	Args string     `json:"args,omitempty"` // as they would be written behind the name
	Chat event.Chat `json:"chat,omitempty"` // "" is main
}

// CommandReply is what came of it.
type CommandReply struct {
	Text    string              `json:"text"` // Markdown
	Data    json.RawMessage     `json:"data,omitempty"`
	Choices [][]commands.Choice `json:"choices,omitempty"` // what can be done next
}

// command runs a row of the table of commands, for the owner on a surface.
func (s *Server) command(on commands.Surfaces) http.HandlerFunc {
	by := commands.Request{Surface: on, From: "owner", Standing: atHome()}
	if on == commands.API {
		by.Standing.Platform, by.Standing.Unattended = "http", true
	}
	return func(w http.ResponseWriter, r *http.Request) {
		by, in := by, CommandRequest{}
		if !s.read(w, r, &in) {
			return
		}
		by.Args, by.Chat = in.Args, cmp.Or(in.Chat, "main")
		if !named400(w, by.Chat) {
			return
		}
		table := commands.Table{}
		if s.cfg.Commands != nil {
			table = s.cfg.Commands()
		}
		out, err := table.Run(r.Context(), in.Name, by)
		if err != nil {
			refuseCommand(w, err)
			return
		}
		answer(w, http.StatusOK, out)
	}
}

// refuseCommand answers why a command was not done: there is none of that name, its own words, or what went wrong in hob.
func refuseCommand(w http.ResponseWriter, err error) {
	unknown, own, other := (*commands.UnknownError)(nil), (*event.Error)(nil), (*session.OtherInputError)(nil)
	switch {
	case errors.As(err, &unknown):
		answer(w, http.StatusNotFound, problem{Error: err.Error()})
	case errors.As(err, &own), errors.As(err, &other), errors.Is(err, session.ErrClosed), errors.Is(err, context.Canceled):
		refuse(w, err)
	default:
		answer(w, http.StatusConflict, problem{Error: err.Error()})
	}
}

// Command gives a command, as the owner at the terminal.
func (c *Client) Command(ctx context.Context, in CommandRequest) (CommandReply, error) {
	var out CommandReply
	err := c.post(ctx, "command", in, &out)
	return out, err
}
