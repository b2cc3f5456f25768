package http

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/surface/http/api"
)

// readBody reads the body of a request into a struct, or answers with the mistake in it.
func readBody(w http.ResponseWriter, r *http.Request, into any) bool {
	raw, err := readBytes(w, r)
	if err == nil {
		err = unmarshalStrict(raw, into)
	}
	if err != nil {
		answerProblem(w, http.StatusBadRequest, err)
	}
	return err == nil
}

// readBytes reads the bytes of a body.
func readBytes(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	conn := http.NewResponseController(w)
	_ = conn.SetReadDeadline(time.Now().Add(bodyTimeout)) // it fails in tests, without a connection
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	_ = conn.SetReadDeadline(time.Time{}) // the caller may wait long for the answer
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		return nil, errors.New("the body is longer than 1 MiB")
	}
	if err != nil {
		return nil, errors.New("the body did not come whole")
	}
	return raw, nil
}

// readParameters reads the chat and the other parameters of a request, or answers with the mistake
// in them.
func readParameters(w http.ResponseWriter, r *http.Request, also ...string) (chat event.Chat, rest map[string]string, ok bool) {
	chat, rest, err := parseParameters(r.URL, also...)
	if err != nil {
		answerProblem(w, http.StatusBadRequest, err)
	}
	return chat, rest, err == nil
}

// checkChat reports whether a chat can have that name, or answers that it cannot.
func checkChat(w http.ResponseWriter, chat event.Chat) bool {
	err := session.CheckName(chat)
	if err != nil {
		answerProblem(w, http.StatusBadRequest, err)
	}
	return err == nil
}

// answerResult answers a request with its result, or with the error that hob had instead.
func answerResult(w http.ResponseWriter, result any, err error) {
	if err != nil {
		answerError(w, err)
		return
	}
	answer(w, http.StatusOK, result)
}

// answerError answers with an error of hob, which decides the status.
func answerError(w http.ResponseWriter, err error) {
	reused, own := (*event.ReusedIDError)(nil), (*event.Error)(nil)
	switch {
	case errors.As(err, &reused):
		answer(w, http.StatusConflict, api.Problem{Error: err.Error(), Code: api.CodeReusedID, Subject: reused.ID})
	case errors.Is(err, session.ErrClosed), errors.Is(err, context.Canceled): // hob ends, or the caller left
		answerClosed(w)
	case errors.As(err, &own) && own.Type == event.TypeNotFound:
		answerProblem(w, http.StatusNotFound, err)
	case errors.As(err, &own) && own.Type == event.TypeRateLimit:
		var again retryable
		if errors.As(err, &again) {
			w.Header().Set("Retry-After", strconv.FormatInt(int64((again.RetryAfter()+time.Second-1)/time.Second), 10))
		}
		answerProblem(w, http.StatusTooManyRequests, err)
	case errors.As(err, &own) && own.Type == event.TypeValidation:
		answerProblem(w, http.StatusBadRequest, err)
	default:
		answerProblem(w, http.StatusServiceUnavailable, err)
	}
}

// retryable is an error that says after how long a request can be made again.
type retryable interface {
	error
	RetryAfter() time.Duration
}

// answerClosed answers that hob ends.
func answerClosed(w http.ResponseWriter) {
	const text = "hob is shutting down: what was handed in goes on at its next start"
	answer(w, http.StatusServiceUnavailable, api.Problem{Error: text, Code: api.CodeClosed})
}

// answerProblem answers with an error.
func answerProblem(w http.ResponseWriter, status int, err error) {
	answer(w, status, api.Problem{Error: err.Error()})
}

// answer writes a whole answer.
func answer(w http.ResponseWriter, status int, body any) {
	setHeader(w, "application/json")
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(sendTimeout))
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // a caller that has left gets no answer
}

// setHeader sets the header fields of every answer.
func setHeader(w http.ResponseWriter, mediaType string) {
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
}
