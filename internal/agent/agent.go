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

// ErrAway ends a Run whose model is away: it gives no reply for a reason that may pass. The turn has not
// ended. It is parked, and goes on from where it stands once the model is there again.
var ErrAway = errors.New("the model is away")

// Emit makes bodies known. When it returns, all but the transient ones are durable (see [event.IsTransient]). To save writes to the disk
// it may hold some back in a turn that asks no model (see [AsksNoModel]): calls that act, until one starts or a person is asked, and
// results, until the next body. Its error ends Run.
type Emit func(bodies ...event.Body) error

// Gate decides whether a call may run. Permit may wait for a person; the call runs in the context that it
// returns. A *[Denied] becomes the call's result, which the model reads. Any other error ends Run.
//
// After a crash Permit is called again for the same call, with the same ID: the gate knows by it what was
// asked and answered.
type Gate interface {
	Permit(ctx context.Context, t tools.Tool, call llm.Call) (context.Context, error)
}

// Denied is the refusal of a call, and the rule by which it is refused.
type Denied struct {
	Err  *tools.Error
	Rule string
}

func (d *Denied) Error() string { return d.Err.Error() }

// Sanitizer cleans a tool's result before anybody reads it: the model, the journal or a person. It takes
// secrets out, and fences strangers' words.
type Sanitizer interface {
	Sanitize(event.Returned) event.Returned
}

// BlobStore stores results that the model sees only in part, with where they came from. Put returns the
// handle under which tools read them.
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

// New returns an agent that asks model, lets gate decide about calls, has sanitizer clean their
// results, and puts long ones into blobs. The sanitizer and blobs may be nil.
func New(model llm.Model, gate Gate, sanitizer Sanitizer, blobs BlobStore, now func() time.Time) *Agent {
	return &Agent{model: model, gate: gate, sanitizer: sanitizer, blobs: blobs, now: now}
}
