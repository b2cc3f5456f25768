package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"hob/internal/surface/web/door"
)

// beginPasskey serves POST /passkey/begin: what a browser needs to make a passkey. It is a way in, and so changes rights.
func (s *Server) beginPasskey(w http.ResponseWriter, r *http.Request, v visit) error {
	options, err := s.passkeys.BeginAdd(r.Context(), v.Session)
	if err != nil {
		return refusal{http.StatusConflict, err}
	}
	return answerJSON(w, options)
}

// addPasskey serves POST /passkey/add.
func (s *Server) addPasskey(w http.ResponseWriter, r *http.Request, v visit) error {
	if err := s.passkeys.Add(r.Context(), v.Session, []byte(r.PostForm.Get("credential"))); err != nil {
		return refusal{http.StatusConflict, err}
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// beginPasskeySignIn serves POST /sign-in/passkey/begin.
func (s *Server) beginPasskeySignIn(w http.ResponseWriter, _ *http.Request) error {
	id, options, err := s.passkeys.BeginSignIn()
	if err != nil {
		return refusal{http.StatusServiceUnavailable, err}
	}
	return answerJSON(w, map[string]any{"id": id, "options": options})
}

// enterWithPasskey serves POST /sign-in/passkey.
func (s *Server) enterWithPasskey(w http.ResponseWriter, r *http.Request) error {
	if err := readStrangersForm(w, r, maxForm); err != nil {
		return err
	}
	person, err := s.passkeys.SignIn(r.Context(), r.PostForm.Get("id"), []byte(r.PostForm.Get("credential")))
	token := ""
	if err == nil {
		token, _, err = s.cfg.Door.SignIn(r.Context(), person, deviceOf(r), s.cookie(r))
	}
	switch {
	case errors.Is(err, door.ErrPasskey), errors.Is(err, door.ErrSession):
		s.logRefused(r, err)
		return refusal{http.StatusForbidden, door.ErrPasskey}
	case err != nil:
		return refusal{http.StatusServiceUnavailable, err}
	}
	s.setCookie(w, token)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func answerJSON(w http.ResponseWriter, data any) error {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(sendTimeout))
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(data) // a browser that has left gets no answer
	return nil
}
