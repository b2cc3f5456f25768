package http

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"hob/internal/event"
	"hob/internal/session"
)

// ParkedReply is the body of GET /api/v1/parked: the turns that wait for the model, and those that are parked.
type ParkedReply struct {
	Parked []session.Parked `json:"parked"`
}

// RetryRequest is the body of POST /api/v1/retry.
type RetryRequest struct {
	Chat event.Chat `json:"chat"`
	ID   int64      `json:"id"` // of the turn
}

// parkRequest is the body of POST /api/v1/park.
type parkRequest struct {
	Chat event.Chat `json:"chat"`
}

// parkReply is the turn that does not wait any more, null where none did.
type parkReply struct {
	Parked *session.Parked `json:"parked"`
}

// awayReply is the body of a 503 whose turn goes on when the model is back.
type awayReply struct {
	Error string `json:"error"`
	Input string `json:"input_id"`
	Turn  int64  `json:"turn"` // which goes on
}

// awayError says that what was said is answered later, by that turn.
type awayError struct{ parked session.Parked }

func (e *awayError) Error() string {
	if e.parked.Waits() {
		return "the model's server is away: the turn goes on when it is back; ask again with the same request_id"
	}
	return "the turn is parked: POST /api/v1/retry goes on with it"
}

// aside returns the turn for which what was said in a chat waits, or nil: its own, or the one that it will join.
func (s *Server) aside(ctx context.Context, chat event.Chat, turn int64, command bool) (*session.Parked, error) {
	all, err := s.cfg.Sessions.Parked(ctx, chat)
	i := slices.IndexFunc(all, func(p session.Parked) bool { return p.ID == turn || p.Waits() && !command })
	if err != nil || i < 0 {
		return nil, err
	}
	return &all[i], nil
}

func (s *Server) parked(w http.ResponseWriter, r *http.Request) {
	var all []session.Parked
	var err error
	if r.URL.RawQuery == "" && s.cfg.Parked != nil {
		all, err = s.cfg.Parked(r.Context())
	} else {
		var chat event.Chat
		if chat, _, err = parameters(r.URL); err != nil {
			answer(w, http.StatusBadRequest, problem{Error: err.Error()})
			return
		}
		all, err = s.cfg.Sessions.Parked(r.Context(), chat)
	}
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, http.StatusOK, ParkedReply{append([]session.Parked{}, all...)})
}

func (s *Server) retry(w http.ResponseWriter, r *http.Request) {
	var in RetryRequest
	if !s.read(w, r, &in) || !named400(w, in.Chat) {
		return
	}
	err := s.cfg.Sessions.Retry(r.Context(), in.Chat, in.ID)
	if errors.Is(err, session.ErrNotParked) {
		answer(w, http.StatusNotFound, problem{Error: err.Error()})
		return
	}
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, http.StatusOK, struct{}{})
}

func (s *Server) park(w http.ResponseWriter, r *http.Request) {
	var in parkRequest
	if !s.read(w, r, &in) || !named400(w, in.Chat) {
		return
	}
	p, err := s.cfg.Sessions.Park(r.Context(), in.Chat)
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, http.StatusOK, parkReply{p})
}

// Parked returns the turns of a chat that wait for the model or are parked.
func (c *Client) Parked(ctx context.Context, chat event.Chat) ([]session.Parked, error) {
	var out ParkedReply
	err := c.get(ctx, "parked", url.Values{"chat": {string(chat)}}, &out)
	return out.Parked, err
}

// Park sets the turn of a chat aside that waits for the model, as [session.Sessions.Park] does.
func (c *Client) Park(ctx context.Context, chat event.Chat) (*session.Parked, error) {
	var out parkReply
	err := c.post(ctx, "park", parkRequest{chat}, &out)
	return out.Parked, err
}

// Retry goes on with a turn that is set aside.
func (c *Client) Retry(ctx context.Context, chat event.Chat, turn int64) error {
	return c.post(ctx, "retry", RetryRequest{chat, turn}, &struct{}{})
}
