package llm

import (
	"context"
	"errors"
)

// Kind classifies why a model gave no reply. A Kind is an error itself, so errors.Is(err, llm.Busy)
// decides.
type Kind string

// The kinds of failure.
const (
	Unreachable     Kind = "unreachable"      // nothing answers at the address, or the connection was refused
	ModelMissing    Kind = "model_missing"    // the server does not have the model
	ModelRefused    Kind = "model_refused"    // the model runs on a remote machine, which is not allowed
	NoTools         Kind = "no_tools"         // the model's template has no place for tools: they must be in the prompt
	Unable          Kind = "unable"           // the model cannot think, chat or see
	Busy            Kind = "busy"             // the server's queue is full
	ContextExceeded Kind = "context_exceeded" // the conversation is longer than the context
	Incomplete      Kind = "incomplete"       // the stream ended before the model said it was done
	Repeats         Kind = "repeats"          // the server stopped the model because it repeated itself
	Malformed       Kind = "malformed"        // the server could not parse what the model wrote; Raw may hold it
	Silent          Kind = "silent"           // no byte came within the watchdog's time
	Cancelled       Kind = "cancelled"        // the caller's context ended
	Failed          Kind = "failed"           // the server reported an error of another kind
)

func (k Kind) Error() string { return string(k) }

// Error is why a model gave no reply.
type Error struct {
	Kind    Kind
	Message string // one sentence for a person, which says what to do
	Raw     string // for Malformed: the model's text, if the server sent it
	Err     error  // the cause, if there is one
	Retry   bool   // the same request may succeed later: the connection or the server broke, not the request
}

func (e *Error) Error() string { return e.Message }

// Unwrap gives the kind and the cause to errors.Is and errors.As.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// Timeout reports whether the answer came too late, like the method of standard library errors, for
// callers who do not know kinds.
func (e *Error) Timeout() bool { return e.Kind == Silent || errors.Is(e.Err, context.DeadlineExceeded) }

// KindOf returns the kind of a model's error, or Failed for an error that has none.
func KindOf(err error) Kind {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.Kind
	}
	return Failed
}
