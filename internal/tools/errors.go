package tools

import (
	"errors"
	"fmt"
	"strings"

	"hob/internal/event"
)

// The errors of tools, each of one type of package event. Messages are formatted as by
// [fmt.Sprintf]; [event.Error.Suggest] and [event.Error.Retry] add the rest.

// Invalid returns the error for an argument that fits the schema and is wrong all the same: type
// validation, with one of its codes.
func Invalid(code, format string, args ...any) *Error {
	return newError(event.TypeValidation, code, format, args)
}

// Denied returns the error for something that the caller may not do or reach: type permission, with
// one of its codes.
func Denied(code, format string, args ...any) *Error {
	return newError(event.TypePermission, code, format, args)
}

// Missing returns the error for something that does not exist: type not_found, with one of its
// codes.
func Missing(code, format string, args ...any) *Error {
	return newError(event.TypeNotFound, code, format, args)
}

// Disabled returns the error for something that this machine's setup does not allow anybody.
func Disabled(format string, args ...any) *Error {
	return newError(event.TypeDisabled, event.CodeToolDisabled, format, args)
}

// RateLimited returns the error for something done too often.
func RateLimited(format string, args ...any) *Error {
	return newError(event.TypeRateLimit, event.CodeRateLimitExceeded, format, args)
}

// TimedOut returns the error for something that took too long.
func TimedOut(format string, args ...any) *Error {
	return newError(event.TypeTimeout, event.CodeTimeout, format, args)
}

// Cancelled returns the error for something that was stopped.
func Cancelled(format string, args ...any) *Error {
	return newError(event.TypeExecution, event.CodeCancelled, format, args)
}

// StorageFailed returns the error for a failed read or write of a disk.
func StorageFailed(format string, args ...any) *Error {
	return newError(event.TypeStorage, event.CodeExecutionFailed, format, args)
}

// Failed returns the error of a tool that could not do its work, with code execution_failed. The
// formatted message may be empty.
func Failed(format string, args ...any) *Error {
	e := newError(event.TypeExecution, event.CodeExecutionFailed, format, args)
	e.Message = words(e.Message)
	return e
}

func newError(typ, code, format string, args []any) *Error {
	return &Error{Type: typ, Code: code, Message: fmt.Sprintf(format, args...)}
}

// words returns message, or a default sentence if it is blank.
func words(message string) string {
	message = strings.ToValidUTF8(message, "\uFFFD")
	if strings.TrimSpace(message) == "" {
		return "the tool failed and did not say why"
	}
	return message
}

// CallAgain is the suggestion for a model whose arguments do not fit the schema.
func CallAgain(tool string) string { return "call " + tool + " again with the arguments put right" }

// HintedError is an error with a hint for the owner, which no model sees. The result beside it has
// the [Hint] as its Data.
type HintedError struct {
	Err  *Error
	Hint string // what the owner can do; "" if nothing
}

// Error returns the text of the error without the hint.
func (e *HintedError) Error() string { return e.Err.Message }

// Unwrap returns the error that the model reads.
func (e *HintedError) Unwrap() error { return e.Err }

// Hint is the Data of a result beside a [HintedError].
type Hint struct {
	Hint string `json:"hint"`
}

// HintOf returns the hint in an error, as Data for the result beside it, or nil.
func HintOf(err error) any {
	if e := (*HintedError)(nil); errors.As(err, &e) {
		return Hint{e.Hint}
	}
	return nil
}
