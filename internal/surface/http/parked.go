package http

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/surface/http/api"
)

// awayError says that what was said is answered later, by that turn.
type awayError struct{ parked commands.ParkedTurn }

func (e *awayError) Error() string {
	if e.parked.Waits() {
		return "the model's server is away: the turn goes on when it is back; ask again with the same request_id"
	}
	return "the turn is parked: POST /api/v1/retry goes on with it"
}

// aside returns the turn for which what was said in a chat waits, or nil: its own, or the one that it will join.
func (s *Server) aside(ctx context.Context, chat event.Chat, turn int64, command bool) (*commands.ParkedTurn, error) {
	all, err := s.parkedIn(ctx, chat)
	i := slices.IndexFunc(all, func(p commands.ParkedTurn) bool { return p.ID == turn || p.Waits() && !command })
	if err != nil || i < 0 {
		return nil, err
	}
	return &all[i], nil
}

func (s *Server) parked(w http.ResponseWriter, r *http.Request) {
	var all []commands.ParkedTurn
	var err error
	if r.URL.RawQuery == "" && s.cfg.Parked != nil {
		all, err = s.cfg.Parked(r.Context())
	} else {
		var chat event.Chat
		if chat, _, err = parameters(r.URL); err != nil {
			answer(w, http.StatusBadRequest, api.Problem{Error: err.Error()})
			return
		}
		all, err = s.parkedIn(r.Context(), chat)
	}
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, http.StatusOK, api.ParkedReply{Parked: append([]commands.ParkedTurn{}, all...)})
}

// parkedIn returns the turns of a chat that are set aside, as commands have them.
func (s *Server) parkedIn(ctx context.Context, chat event.Chat) (turns []commands.ParkedTurn, _ error) {
	all, err := s.cfg.Sessions.Parked(ctx, chat)
	for _, p := range all {
		turns = append(turns, commands.ParkedTurn(p))
	}
	return turns, err
}

func (s *Server) retry(w http.ResponseWriter, r *http.Request) {
	var in api.RetryRequest
	if !s.read(w, r, &in) || !named400(w, in.Chat) {
		return
	}
	err := s.cfg.Sessions.Retry(r.Context(), in.Chat, in.ID)
	if errors.Is(err, session.ErrNotParked) {
		answer(w, http.StatusNotFound, api.Problem{Error: err.Error()})
		return
	}
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, http.StatusOK, struct{}{})
}

func (s *Server) park(w http.ResponseWriter, r *http.Request) {
	var in api.ParkRequest
	if !s.read(w, r, &in) || !named400(w, in.Chat) {
		return
	}
	p, err := s.cfg.Sessions.Park(r.Context(), in.Chat)
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, http.StatusOK, api.ParkReply{Parked: (*commands.ParkedTurn)(p)})
}
