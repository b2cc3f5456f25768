package agent

import (
	"context"
	"errors"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/tools"
)

// ErrStopped is the cause of a turn's context when a person stopped the turn. Any other end of the
// context leaves the turn unended, to be resumed.
var ErrStopped = errors.New("stopped")

// ErrAway ends a Run whose model gives no reply for a reason that may pass. The turn has not ended:
// it is parked, and resumes once the model is back.
var ErrAway = errors.New("the model is away")

// Emit publishes bodies. When it returns, all but the transient ones are durable (see
// [event.IsTransient]). A turn that asks no model (see [IsWithoutModel]) may delay two kinds, to save
// disk writes: calls that act, until one starts or a person is asked, and results, until the next
// body. An error of Emit ends Run.
type Emit func(bodies ...event.Body) error

// Gate decides whether a call may run. Permit may wait for a person; the call runs in the context that it
// returns. A *[Denied] becomes the call's result, which the model reads. Any other error ends Run.
//
// After a crash, Permit is called again for the same call, with the same ID. The ID tells the gate
// what was asked and answered before.
type Gate interface {
	Permit(ctx context.Context, t tools.Tool, call llm.Call) (context.Context, error)
}

// Denied is the refusal of a call, with the rule that refuses it.
type Denied struct {
	Err  *tools.Error
	Rule string
}

func (d *Denied) Error() string { return d.Err.Error() }

// Sanitizer cleans a tool's result before the model, the journal or a person reads it. It removes
// secrets and fences text written by strangers.
type Sanitizer interface {
	Sanitize(event.Returned) event.Returned
}

// BlobStore stores results that are too long for the prompt, with the label of their origin. Put
// returns the handle by which tools read them.
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

// New returns an agent that asks model. gate decides about its calls, sanitizer cleans their
// results, and blobs stores long ones. sanitizer and blobs may be nil.
func New(model llm.Model, gate Gate, sanitizer Sanitizer, blobs BlobStore, now func() time.Time) *Agent {
	return &Agent{model: model, gate: gate, sanitizer: sanitizer, blobs: blobs, now: now}
}
