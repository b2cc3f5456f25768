package http

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/surface/http/api"
)

// command runs a row of the table of commands, for the owner on a surface.
func (s *Server) command(on commands.Surfaces) http.HandlerFunc {
	by := commands.Request{Surface: on, From: "owner", Standing: atHome()}
	if on == commands.API {
		by.Standing.Platform, by.Standing.Unattended = "http", true
	}
	return func(w http.ResponseWriter, r *http.Request) {
		by, in := by, api.CommandRequest{}
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
	unknown, own, other := (*commands.UnknownError)(nil), (*event.Error)(nil), (*event.ReusedIDError)(nil)
	switch {
	case errors.As(err, &unknown):
		answer(w, http.StatusNotFound, api.Problem{Error: err.Error()})
	case errors.As(err, &own), errors.As(err, &other), errors.Is(err, session.ErrClosed), errors.Is(err, context.Canceled):
		refuse(w, err)
	default:
		answer(w, http.StatusConflict, api.Problem{Error: err.Error()})
	}
}
