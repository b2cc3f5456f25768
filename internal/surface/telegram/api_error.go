package telegram

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Error is what came of a call that did not succeed. It names no token.
type Error struct {
	Method     string
	Code       int           // of the answer, or HTTP's where it held none; 0 where there was none
	Message    string        // the server's, one line
	RetryAfter time.Duration // the server wants to be left alone for so long
	MovedTo    int64         // the chat has become that one
	Unknown    bool          // what was asked for may have been done all the same
	Err        error         // what kept the answer away, or nil
}

// Errors that decide what to do. Those of [Error] are them by their Code.
var (
	ErrUnauthorized = errors.New("telegram does not know this token") // 401, and 404 to what every server knows
	ErrConflict     = errors.New("another program asks for this bot's messages")
	ErrForbidden    = errors.New("telegram does not let the bot write there") // 403: blocked, or not a member any more
	ErrRefused      = errors.New("telegram refuses the request")              // 400 and the like: it would refuse the same again
	ErrTooLarge     = errors.New("the file is larger than may be fetched")    // of a download
)

func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("telegram %s: %v", e.Method, e.Err)
	}
	return fmt.Sprintf("telegram %s: %d %s", e.Method, e.Code, e.Message)
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Is tells which of the errors above it is. A server that does not know a token answers 404 "Not Found", to whatever it is
// asked; but that is also what it answers about a method that it does not know, so only those that each server knows count.
func (e *Error) Is(target error) bool {
	nobody := e.Code == http.StatusUnauthorized ||
		e.Code == http.StatusNotFound && e.Message == "Not Found" && (e.Method == "getMe" || e.Method == "getUpdates")
	switch target {
	case ErrUnauthorized:
		return nobody
	case ErrConflict:
		return e.Code == http.StatusConflict
	case ErrForbidden:
		return e.Code == http.StatusForbidden
	case ErrTooLarge:
		return e.Method == "getFile" && e.Code == http.StatusBadRequest && strings.Contains(e.Message, "too big")
	case ErrRefused:
		switch e.Code {
		case http.StatusForbidden, http.StatusConflict, http.StatusTooManyRequests, http.StatusRequestTimeout:
			return false
		}
		return e.Code >= 400 && e.Code < 500 && !nobody
	}
	return false
}
