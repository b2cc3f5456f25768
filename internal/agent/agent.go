package agent

import (
	"context"
	"errors"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/tools"
)

// ErrStopped is the cause of a turn's context when a person stopped the turn. Any other end of the context leaves the
// turn unended, to be resumed.
var ErrStopped = errors.New("stopped")

// AwayError ends a Run whose model gives no reply for a reason that may pass. The turn has not ended: once the model is there
// again it goes on from where it stands.
type AwayError struct{ Failure *llm.Error }

func (e *AwayError) Error() string { return e.Failure.Message }

// Unwrap returns the model's error.
func (e *AwayError) Unwrap() error { return e.Failure }

// Emit makes a body known. When it returns, everything but a Delta is durable. Its error ends Run.
type Emit func(bodies ...event.Body) error

// Gate decides whether a call may run. Permit may wait for a person; the call runs in the context that it returns. A
// *[Denied] is an answer that the model reads; any other error ends the turn.
type Gate interface {
	Permit(ctx context.Context, t tools.Tool, call llm.Call) (context.Context, error)
}

// Denied is a call that may not run, and by which rule.
type Denied struct {
	Err  *tools.Error
	Rule string
}

func (d *Denied) Error() string { return d.Err.Error() }

// Unwrap returns the error that the model reads.
func (d *Denied) Unwrap() error { return d.Err }

// Sanitizer cleans a tool's result before anybody reads it: the model, the journal or a person. It takes secrets out, and
// fences strangers' words.
type Sanitizer interface {
	Sanitize(event.Returned) event.Returned
}

// BlobStore stores results that the model sees only in part, with where they came from. Put returns the handle under which
// tools read them.
type BlobStore interface {
	Put(ctx context.Context, text string, from event.Label) (handle string, err error)
}

// Agent plays turns with one model.
type Agent struct {
	model     llm.Model
	gate      Gate
	sanitizer Sanitizer
	blobs     BlobStore
	now       func() time.Time
}

// New returns an agent that asks model, lets gate decide about calls, has sanitizer clean their results, and puts long ones
// into blobs. The sanitizer and blobs may be nil.
func New(model llm.Model, gate Gate, sanitizer Sanitizer, blobs BlobStore, now func() time.Time) *Agent {
	return &Agent{model: model, gate: gate, sanitizer: sanitizer, blobs: blobs, now: now}
}
