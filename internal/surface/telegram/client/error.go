package client

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Error is a failed call. It never contains a token.
type Error struct {
	Method     string
	Code       int           // of the answer, or the HTTP status; 0 without an answer
	Message    string        // the server's text, in one line
	RetryAfter time.Duration // how long to make no requests
	MovedTo    int64         // the new id of the chat
	Unknown    bool          // the server may have acted on the request
	Err        error         // why there is no answer, or nil
}

// Errors that decide how to go on. An [Error] matches one of them by its Code.
var (
	ErrUnauthorized = errors.New("telegram does not know this token") // 401, and 404 to a method that every server has
	ErrConflict     = errors.New("another program asks for this bot's messages")
	ErrForbidden    = errors.New("telegram does not let the bot write there") // 403: blocked, or no longer a member
	ErrRefused      = errors.New("telegram refuses the request")              // 400 and similar: a repeat would be refused, too
	ErrTooLarge     = errors.New("the file is larger than may be fetched")    // for a download
)

func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("telegram %s: %v", e.Method, e.Err)
	}
	return fmt.Sprintf("telegram %s: %d %s", e.Method, e.Code, e.Message)
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether e matches one of the errors above. A server answers 404 "Not Found" to any
// call if it does not know the token, but also to an unknown method, so a 404 counts only for
// methods that every server has.
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

// IsRefusal reports whether Telegram refuses this content, but may accept other content. A server
// without methods for sending is not Telegram, or only for a moment; one that lacks other methods
// is a partial imitation.
func IsRefusal(err error) bool {
	failed := (*Error)(nil)
	return errors.As(err, &failed) && failed.MovedTo == 0 && failed.RetryAfter == 0 &&
		(failed.Code != http.StatusNotFound || IsUnknownMethod(err)) && errors.Is(err, ErrRefused)
}

// IsUnknownMethod reports whether the server does not know the method. It may be the right server
// in spite of that.
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

// IgnoreUnchanged returns err, or nil if the server refused an edit because it changes nothing.
func IgnoreUnchanged(err error) error {
	if IsRefusal(err) && strings.Contains(Reason(err), "message is not modified") {
		return nil
	}
	return err
}

// IsPermanent reports whether repeating the request is useless.
func IsPermanent(err error) bool {
	failed := (*Error)(nil)
	return IsRefusal(err) || errors.Is(err, ErrForbidden) || errors.Is(err, ErrTooLarge) || errors.As(err, &failed) && failed.MovedTo != 0
}

// MayHaveArrived reports whether the server may have acted on a call that failed.
func MayHaveArrived(err error) bool {
	failed := (*Error)(nil)
	return !errors.As(err, &failed) || failed.Unknown
}

// IsTooLong reports whether a server refuses a text or a caption because of its length. Some
// servers count bytes, not UTF-16 units as Telegram does.
func IsTooLong(err error) bool {
	if !IsRefusal(err) {
		return false
	}
	reason := strings.ToLower(Reason(err))
	return strings.Contains(reason, "too long") || strings.Contains(reason, "too_long")
}

// IsMessageGone reports whether the message to change no longer exists.
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

// RetryAfter returns how long a server wants no requests after an error, or 0 if it did not say.
func RetryAfter(err error) time.Duration {
	if failed := (*Error)(nil); errors.As(err, &failed) {
		return failed.RetryAfter
	}
	return 0
}
