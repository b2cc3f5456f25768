package http

import (
	"context"
	"net/http"

	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/surface/http/api"
)

// atHome is the standing of who speaks to the socket: the owner, at this machine.
func atHome() event.Standing {
	return event.Standing{Platform: "cli", Scope: "private", Level: event.Owner}
}

func (s *Server) stop(w http.ResponseWriter, r *http.Request) {
	var in api.StopRequest
	if !s.read(w, r, &in) {
		return
	}
	chats := []event.Chat{in.Chat}
	if in.Chat == "" {
		var err error
		if chats, err = s.cfg.Sessions.Chats(r.Context()); err != nil {
			refuse(w, err)
			return
		}
	} else if !named400(w, in.Chat) {
		return
	}
	stop := s.cfg.Sessions.Halt
	if in.Wait != nil && !*in.Wait {
		stop = s.cfg.Sessions.Stop
	}
	out := api.StopReply{Stopped: []event.Chat{}}
	for _, c := range chats {
		ran, err := stop(r.Context(), c)
		if err != nil {
			refuse(w, err)
			return
		}
		if ran {
			out.Stopped = append(out.Stopped, c)
		}
	}
	answer(w, http.StatusOK, out)
}

// named400 reports whether a chat can have that name, or answers that it cannot.
func named400(w http.ResponseWriter, chat event.Chat) bool {
	err := session.CheckName(chat)
	if err != nil {
		answer(w, http.StatusBadRequest, api.Problem{Error: err.Error()})
	}
	return err == nil
}

func (s *Server) decide(w http.ResponseWriter, r *http.Request) {
	var in api.DecideRequest
	if !s.read(w, r, &in) || !named400(w, in.Chat) {
		return
	}
	err := s.cfg.Sessions.Decide(r.Context(), session.Answer{
		Chat: in.Chat, ID: in.ID, Allow: in.Allow, Grants: in.Grants, By: "owner", Standing: atHome(),
	})
	if err != nil {
		answer(w, http.StatusConflict, api.Problem{Error: err.Error()})
		return
	}
	answer(w, http.StatusOK, struct{}{})
}

func (s *Server) say(w http.ResponseWriter, r *http.Request) {
	var in api.SayRequest
	if !s.read(w, r, &in) || !named400(w, in.Chat) {
		return
	}
	seq, err := s.cfg.Sessions.Submit(r.Context(), session.Input{
		Chat: in.Chat, ID: in.ID, From: "owner", Text: in.Text, Standing: atHome(), Command: in.Command,
		Label: in.Label, Attachments: in.Attachments,
	})
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, http.StatusOK, api.SeqReply{Seq: seq})
}

func (s *Server) reset(w http.ResponseWriter, r *http.Request) {
	var in api.ResetRequest
	if !s.read(w, r, &in) || !named400(w, in.Chat) {
		return
	}
	if err := s.cfg.Sessions.Reset(r.Context(), in.Chat); err != nil {
		refuse(w, err)
		return
	}
	answer(w, http.StatusOK, struct{}{})
}

func (s *Server) waiting(w http.ResponseWriter, r *http.Request) {
	chat, rest, err := parameters(r.URL, "id")
	if err != nil {
		answer(w, http.StatusBadRequest, api.Problem{Error: err.Error()})
		return
	}
	waits, err := s.cfg.Sessions.Waiting(r.Context(), chat, rest["id"])
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, http.StatusOK, api.WaitsReply{Waits: waits})
}

func (s *Server) last(w http.ResponseWriter, r *http.Request) {
	chat, _, err := parameters(r.URL)
	if err != nil {
		answer(w, http.StatusBadRequest, api.Problem{Error: err.Error()})
		return
	}
	seq, err := s.cfg.Journal.Last(r.Context(), chat)
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, http.StatusOK, api.SeqReply{Seq: seq})
}

func (s *Server) status(w http.ResponseWriter, r *http.Request) {
	st := api.Status{}
	if s.cfg.Status != nil {
		st = s.cfg.Status(r.Context())
	}
	running, err := s.running(r.Context())
	if err != nil {
		refuse(w, err)
		return
	}
	st.Running = running
	if st.Held == nil {
		st.Held = []event.Chat{}
	}
	answer(w, http.StatusOK, st)
}

// running returns the chats that have an open turn.
func (s *Server) running(ctx context.Context) ([]event.Chat, error) {
	chats, err := s.cfg.Sessions.Chats(ctx)
	if err != nil {
		return nil, err
	}
	open := []event.Chat{}
	for _, c := range chats {
		busy, err := s.cfg.Sessions.Resume(ctx, c)
		if err != nil {
			return nil, err
		}
		if busy {
			open = append(open, c)
		}
	}
	return open, nil
}
