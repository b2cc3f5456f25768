package client

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Error is a call that failed. It names no token.
type Error struct {
	Method     string
	Code       int           // of the answer, or HTTP's where it held none; 0 where there was none
	Message    string        // the server's, one line
	RetryAfter time.Duration // how long the server wants no requests
	MovedTo    int64         // the chat has become that one
	Unknown    bool          // the server may have acted on the request
	Err        error         // why there is no answer, or nil
}

// Errors that decide how to go on. An [Error] is one of them by its Code.
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

// Is reports whether e is one of the errors above. A server that does not know a token answers 404 "Not Found",
// to whatever it is asked; but that is also what it answers about a method that it does not know, so only those
// that each server knows count.
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

// IsRefusal reports whether Telegram refuses this content, though it may take other content. A server that does
// not know how to send a message is not Telegram, or not for long. One that knows little else is somebody's
// own.
func IsRefusal(err error) bool {
	failed := (*Error)(nil)
	return errors.As(err, &failed) && failed.MovedTo == 0 && failed.RetryAfter == 0 &&
		(failed.Code != http.StatusNotFound || IsUnknownMethod(err)) && errors.Is(err, ErrRefused)
}

// IsUnknownMethod reports whether the server does not know the method. It may be the right server all the same.
func IsUnknownMethod(err error) bool {
	failed := (*Error)(nil)
	return errors.As(err, &failed) && failed.Code == http.StatusNotFound && failed.Method != "sendMessage" &&
		(failed.Message == "Not Found" || strings.HasPrefix(failed.Message, "Not Found: "))
}

// Reason returns the server's description of a failure.
func Reason(err error) string {
	if failed := (*Error)(nil); errors.As(err, &failed) && failed.Message != "" {
		return failed.Message
	}
	return err.Error()
}

// IgnoreUnchanged returns err, or nil where the server refuses an edit because it changes nothing.
func IgnoreUnchanged(err error) error {
	if IsRefusal(err) && strings.Contains(Reason(err), "message is not modified") {
		return nil
	}
	return err
}

// IsPermanent reports whether trying the same request again cannot help.
func IsPermanent(err error) bool {
	failed := (*Error)(nil)
	return IsRefusal(err) || errors.Is(err, ErrForbidden) || errors.Is(err, ErrTooLarge) || errors.As(err, &failed) && failed.MovedTo != 0
}

// MayHaveArrived reports whether the server may have acted on a call that failed.
func MayHaveArrived(err error) bool {
	failed := (*Error)(nil)
	return !errors.As(err, &failed) || failed.Unknown
}

// IsTooLong reports whether a server refuses a text or a caption for its length. Some count bytes, not the units of
// UTF-16 that Telegram counts.
func IsTooLong(err error) bool {
	if !IsRefusal(err) {
		return false
	}
	reason := strings.ToLower(Reason(err))
	return strings.Contains(reason, "too long") || strings.Contains(reason, "too_long")
}

// IsMessageGone reports whether there is no message any more that could be changed.
func IsMessageGone(err error) bool {
	if !IsRefusal(err) {
		return false
	}
	reason := Reason(err)
	return strings.Contains(reason, "message to edit not found") || strings.Contains(reason, "message can't be edited") ||
		strings.Contains(reason, "MESSAGE_ID_INVALID")
}

// RefusesDrafts reports whether a draft failed because the server would refuse every draft, not only this one.
func RefusesDrafts(err error) bool {
	failed := (*Error)(nil)
	return errors.As(err, &failed) && failed.RetryAfter == 0 && !strings.Contains(failed.Message, "chat not found") &&
		(failed.Code == http.StatusBadRequest || failed.Code == http.StatusNotFound)
}

// RetryAfter returns how long the server wants no requests after an error, 0 where it has not said.
func RetryAfter(err error) time.Duration {
	if failed := (*Error)(nil); errors.As(err, &failed) {
		return failed.RetryAfter
	}
	return 0
}
