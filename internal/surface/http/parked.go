package http

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/surface/http/api"
)

// awayError says that a turn answers an input later: it waits for the model, or is parked.
type awayError struct{ turn event.ParkedTurn }

func (e *awayError) Error() string {
	if e.turn.Waits() {
		return "the model's server is away: the turn goes on when it is back; ask again with the same request_id"
	}
	return "the turn is parked: POST /api/v1/retry goes on with it"
}

// parkedTurn returns the turn that an input of a chat waits for, nil if it waits for none: its own
// turn, or the one that it will join.
func (s *Server) parkedTurn(ctx context.Context, chat event.Chat, turn int64, command bool) (*event.ParkedTurn, error) {
	all, err := s.cfg.Sessions.Parked(ctx, chat)
	i := slices.IndexFunc(all, func(t event.ParkedTurn) bool { return t.ID == turn || t.Waits() && !command })
	if err != nil || i < 0 {
		return nil, err
	}
	return &all[i], nil
}

// parked serves GET /api/v1/parked.
func (s *Server) parked(w http.ResponseWriter, r *http.Request) {
	var turns []event.ParkedTurn
	var err error
	if r.URL.RawQuery == "" {
		turns, err = s.cfg.Parked(r.Context())
	} else {
		chat, _, ok := readParameters(w, r)
		if !ok {
			return
		}
		turns, err = s.cfg.Sessions.Parked(r.Context(), chat)
	}
	answerResult(w, api.ParkedReply{Parked: append([]event.ParkedTurn{}, turns...)}, err)
}

// retry serves POST /api/v1/retry.
func (s *Server) retry(w http.ResponseWriter, r *http.Request) {
	var in api.RetryRequest
	if !readBody(w, r, &in) || !checkChat(w, in.Chat) {
		return
	}
	err := s.cfg.Sessions.Retry(r.Context(), in.Chat, in.ID)
	if errors.Is(err, session.ErrNotParked) {
		answerProblem(w, http.StatusNotFound, err)
		return
	}
	answerResult(w, struct{}{}, err)
}

// park serves POST /api/v1/park.
func (s *Server) park(w http.ResponseWriter, r *http.Request) {
	var in api.ParkRequest
	if !readBody(w, r, &in) || !checkChat(w, in.Chat) {
		return
	}
	turn, err := s.cfg.Sessions.Park(r.Context(), in.Chat)
	answerResult(w, api.ParkReply{Parked: turn}, err)
}
