package http

import (
	"context"
	"net/http"

	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/surface/http/api"
)

// terminalPrincipal is the identity of a caller on the socket: the owner, at this machine.
func terminalPrincipal() event.Principal {
	return event.Principal{Platform: "cli", Scope: "private", Level: event.Owner}
}

// programPrincipal is the identity of another program: the owner, with nobody who could answer a
// question.
func programPrincipal() event.Principal {
	return event.Principal{Platform: "http", Scope: "private", Level: event.Owner, Unattended: true}
}

// stop serves POST /api/v1/stop.
func (s *Server) stop(w http.ResponseWriter, r *http.Request) {
	var in api.StopRequest
	if !readBody(w, r, &in) {
		return
	}
	chats := []event.Chat{in.Chat}
	if in.Chat == "" {
		var err error
		if chats, err = s.cfg.Sessions.Chats(r.Context()); err != nil {
			answerError(w, err)
			return
		}
	} else if !checkChat(w, in.Chat) {
		return
	}
	stop := s.cfg.Sessions.Halt
	if in.Wait != nil && !*in.Wait {
		stop = s.cfg.Sessions.Stop
	}
	stopped, err := filterChats(r.Context(), chats, stop)
	answerResult(w, api.StopReply{Stopped: stopped}, err)
}

// filterChats calls a function for each chat, and returns those for which it returns true.
func filterChats(ctx context.Context, chats []event.Chat, keep func(context.Context, event.Chat) (bool, error)) ([]event.Chat, error) {
	kept := []event.Chat{}
	for _, c := range chats {
		ok, err := keep(ctx, c)
		if err != nil {
			return nil, err
		}
		if ok {
			kept = append(kept, c)
		}
	}
	return kept, nil
}

// decide serves POST /api/v1/decide.
func (s *Server) decide(w http.ResponseWriter, r *http.Request) {
	var in api.DecideRequest
	if !readBody(w, r, &in) || !checkChat(w, in.Chat) {
		return
	}
	by := "owner"
	if in.Nobody {
		by, in.Allow = "nobody", false
	}
	err := s.cfg.Sessions.Decide(r.Context(), session.Answer{
		Chat: in.Chat, ID: in.ID, Allow: in.Allow, Grants: in.Grants, By: by, Principal: terminalPrincipal(),
	})
	if err != nil {
		answerProblem(w, http.StatusConflict, err)
		return
	}
	answer(w, http.StatusOK, struct{}{})
}

// say serves POST /api/v1/say.
func (s *Server) say(w http.ResponseWriter, r *http.Request) {
	var in api.SayRequest
	if !readBody(w, r, &in) || !checkChat(w, in.Chat) {
		return
	}
	isOwn := !in.Label.Untrusted // also in a group's chat, where people command what their level allows
	seq, err := s.cfg.Sessions.Submit(r.Context(), session.Input{
		Chat: in.Chat, ID: in.ID, From: "owner", Text: in.Text, Principal: terminalPrincipal(),
		Command: in.Command && isOwn, Typed: in.Typed && isOwn, Label: in.Label, Attachments: in.Attachments,
	})
	answerResult(w, api.SeqReply{Seq: seq}, err)
}

// reset serves POST /api/v1/reset.
func (s *Server) reset(w http.ResponseWriter, r *http.Request) {
	var in api.ResetRequest
	if !readBody(w, r, &in) || !checkChat(w, in.Chat) {
		return
	}
	answerResult(w, struct{}{}, s.cfg.Sessions.Reset(r.Context(), in.Chat))
}

// waiting serves GET /api/v1/waiting.
func (s *Server) waiting(w http.ResponseWriter, r *http.Request) {
	chat, rest, ok := readParameters(w, r, "id")
	if !ok {
		return
	}
	waits, err := s.cfg.Sessions.IsAsking(r.Context(), chat, rest["id"])
	answerResult(w, api.WaitsReply{Waits: waits}, err)
}

// last serves GET /api/v1/last.
func (s *Server) last(w http.ResponseWriter, r *http.Request) {
	chat, _, ok := readParameters(w, r)
	if !ok {
		return
	}
	seq, err := s.cfg.Journal.Last(r.Context(), chat)
	answerResult(w, api.SeqReply{Seq: seq}, err)
}

// status serves GET /api/v1/status.
func (s *Server) status(w http.ResponseWriter, r *http.Request) {
	st := s.cfg.Status(r.Context())
	if st.Held == nil {
		st.Held = []event.Chat{}
	}
	chats, err := s.cfg.Sessions.Chats(r.Context())
	if err == nil {
		st.Running, err = filterChats(r.Context(), chats, s.cfg.Sessions.IsBusy)
	}
	answerResult(w, st, err)
}
