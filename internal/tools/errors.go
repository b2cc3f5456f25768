package tools

import (
	"errors"
	"fmt"
	"strings"

	"hob/internal/event"
)

// The errors of tools, each of one type of package event. Their messages are formatted as by [fmt.Sprintf];
// [event.Error.Suggest] and [event.Error.Retry] add the rest.

// Invalid is the error for an argument that the schema could not refuse: of type validation, with one of its codes.
func Invalid(code, format string, args ...any) *Error {
	return newError(event.TypeValidation, code, format, args)
}

// Denied is the error for what the caller may not do or reach: of type permission, with one of its codes.
func Denied(code, format string, args ...any) *Error {
	return newError(event.TypePermission, code, format, args)
}

// Missing is the error for what is not there: of type not_found, with one of its codes.
func Missing(code, format string, args ...any) *Error {
	return newError(event.TypeNotFound, code, format, args)
}

// Disabled is the error for what nobody can do on this machine, as it is set up.
func Disabled(format string, args ...any) *Error {
	return newError(event.TypeDisabled, event.CodeToolDisabled, format, args)
}

// RateLimited is the error for what was done too often.
func RateLimited(format string, args ...any) *Error {
	return newError(event.TypeRateLimit, event.CodeRateLimitExceeded, format, args)
}

// TimedOut is the error for what took too long.
func TimedOut(format string, args ...any) *Error {
	return newError(event.TypeTimeout, event.CodeTimeout, format, args)
}

// Cancelled is the error for what was stopped.
func Cancelled(format string, args ...any) *Error {
	return newError(event.TypeExecution, event.CodeCancelled, format, args)
}

// StorageFailed is the error for what could not be read from a disk, or written to it.
func StorageFailed(format string, args ...any) *Error {
	return newError(event.TypeStorage, event.CodeExecutionFailed, format, args)
}

// Failed is the error of a tool that could not do its work, of code execution_failed. Its message may come out empty.
func Failed(format string, args ...any) *Error {
	e := newError(event.TypeExecution, event.CodeExecutionFailed, format, args)
	e.Message = words(e.Message)
	return e
}

func newError(typ, code, format string, args []any) *Error {
	return &Error{Type: typ, Code: code, Message: fmt.Sprintf(format, args...)}
}

// words returns a message, or a sentence where it is blank.
func words(message string) string {
	message = strings.ToValidUTF8(message, "\uFFFD")
	if strings.TrimSpace(message) == "" {
		return "the tool failed and did not say why"
	}
	return message
}

// CallAgain is what the error for arguments that do not fit the schema suggests to a model.
func CallAgain(tool string) string { return "call " + tool + " again with the arguments put right" }

// HintedError is an error with a hint for the owner, which no model sees. A result beside it has the [Hint] as its Data.
type HintedError struct {
	Err  *Error
	Hint string // what the owner can do about it; "" where there is nothing
}

// Error returns the words of the error without the hint.
func (e *HintedError) Error() string { return e.Err.Message }

// Unwrap returns the error that the model reads.
func (e *HintedError) Unwrap() error { return e.Err }

// Hint is the Data of a result beside a [HintedError].
type Hint struct {
	Hint string `json:"hint"`
}

// HintOf returns the hint in an error, for the Data of the result beside it, or nil.
func HintOf(err error) any {
	if e := (*HintedError)(nil); errors.As(err, &e) {
		return Hint{e.Hint}
	}
	return nil
}
