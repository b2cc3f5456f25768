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

// command serves POST /api/v1/command: it runs a row of the table of commands, for the owner on a
// surface.
func (s *Server) command(on commands.Surfaces) http.HandlerFunc {
	by := commands.Request{Surface: on, From: "owner", Principal: terminalPrincipal()}
	if on == commands.API {
		by.Principal = programPrincipal()
	}
	return func(w http.ResponseWriter, r *http.Request) {
		by, in := by, api.CommandRequest{}
		if !readBody(w, r, &in) {
			return
		}
		by.Args, by.Chat = in.Args, cmp.Or(in.Chat, "main")
		if !checkChat(w, by.Chat) {
			return
		}
		table := s.cfg.Commands()
		if name, _ := commands.Split(in.Name); name == "help" {
			answer(w, http.StatusOK, table.Help(by))
			return
		}
		out, err := table.Run(r.Context(), in.Name, by)
		if err != nil {
			answerCommandError(w, err)
			return
		}
		answer(w, http.StatusOK, out)
	}
}

// answerCommandError answers with the error of a command: that there is none of that name, an error
// of hob, or the command's own.
func answerCommandError(w http.ResponseWriter, err error) {
	unknown, own, reused := (*commands.UnknownError)(nil), (*event.Error)(nil), (*event.ReusedIDError)(nil)
	switch {
	case errors.As(err, &unknown):
		answerProblem(w, http.StatusNotFound, err)
	case errors.As(err, &own), errors.As(err, &reused), errors.Is(err, session.ErrClosed), errors.Is(err, context.Canceled):
		answerError(w, err)
	default:
		answerProblem(w, http.StatusConflict, err)
	}
}
