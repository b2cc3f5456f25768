// Package queue lets one request at a time through to a model on one slow device, people first. A
// [Queue] is an [llm.Model] in front of another. Its user only gives each context a position.
//
// # Order
//
// A request has a position, [llm.PositionFrom] of its context: by priority (a person, then a job),
// then by turn, then by arrival. All requests of a turn, including those of its
// tools, have its position: the second request of a turn goes before a turn that began later. The
// order is strict. A job waits as long as a person does.
//
// A request holds the slot only during one call of the inner model, so a turn does not hold it while
// a tool runs or a person is asked. The context of the inner call carries a mark. A request to the queue
// with that context, during the call, is a part of the call and passes through at once. (onDelta
// gets no context. It must not make a request to the queue with its caller's context and wait for
// it, because the slot is held until onDelta returns.)
//
// # Setting aside
//
// A person who would have to wait sets aside a running job: the context of its inner call ends with
// a cause, and an inner model that obeys its context stops at the next token. Nothing sets a
// person's request aside. A request that was set aside returns to its position and begins anew later. Its caller
// sees statuses, and a Restart before the first new text if there was old text; it never sees an
// error because of it. If the inner call returns a reply in spite of it, that is the reply. An
// inner model that ignores its context keeps the device, and the others go on waiting.
//
// # Waiting
//
// A waiting request gets a status at once, and another whenever the number of requests before it
// changes, with an estimate once replies were measured, and one more when a running request has not
// started to answer for [SilentAfter]. All of this happens in the goroutine that called Chat. A
// Queue has no goroutine and nothing to close. A mutex guards its state, and each waiting request
// has a channel that wakes it after a change. A request takes a free slot itself; if another one is
// before it by then, it goes on waiting.
package queue

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"hob/internal/llm"
)

// errSetAside is the cause of the context of an inner call that must make room.
var errSetAside = errors.New("set aside: somebody is waiting for an answer")

// Queue is an [llm.Model] that lets one request at a time through to another, people first. It is safe for concurrent use.
type Queue struct {
	model llm.Model
	spare func() bool // whether there is another device where one does not answer; nil: there is none

	mu       sync.Mutex // guards what follows, and the entries
	arrivals int64
	waiting  []*entry // in order
	running  []*entry // in the order in which they began; more than one only while a spare device answers
	speed    speed
}

// New returns a queue before model.
func New(model llm.Model) *Queue { return &Queue{model: model} }

// Spare lets a request run beside one that has not started to answer for [SilentAfter], while there
// reports that a further device can serve it. Call it before the first request.
func (q *Queue) Spare(there func() bool) { q.spare = there }

// Chat implements [llm.Model]. It waits for the slot at the position in ctx, asks the inner model,
// and returns its reply or error. If ctx ends during the wait, the error is of kind
// [llm.Cancelled].
func (q *Queue) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	if onDelta == nil {
		onDelta = func(llm.Delta) {}
	}
	if q.holdsSlot(ctx) {
		return q.model.Chat(ctx, req, onDelta)
	}
	if ctx.Err() != nil {
		return nil, cancelled(ctx)
	}
	e := q.add(llm.PositionFrom(ctx))
	defer q.remove(e) // even if the model or onDelta panics
	out := &output{onDelta: onDelta, answering: func() { q.markAnswering(e) }}
	for {
		if reply, again, err := q.tryOnce(ctx, e, req, out); !again {
			return reply, err
		}
		onDelta(llm.Delta{Status: errSetAside.Error(), Wait: llm.Wait{Passing: true}})
	}
}

// tryOnce waits for the slot and makes one call of the inner model. again reports that the call was
// set aside; then e is back in the queue.
func (q *Queue) tryOnce(ctx context.Context, e *entry, req llm.Request, out *output) (_ *llm.Reply, again bool, _ error) {
	inner, cancel := context.WithCancelCause(context.WithValue(ctx, mark{q}, e))
	defer cancel(nil)
	if err := q.wait(ctx, e, cancel, out.onDelta); err != nil {
		return nil, false, err
	}
	reply, err := q.model.Chat(inner, req, out.showDelta)
	aside := q.finish(e, reply, err)
	switch {
	case err == nil:
		out.complete()
		return reply, false, nil
	case !aside:
		return nil, false, err
	case ctx.Err() != nil:
		return nil, false, cancelled(ctx)
	}
	out.abandon()
	return nil, true, nil
}

// wait returns nil once e has the slot. cancel ends its call.
func (q *Queue) wait(ctx context.Context, e *entry, cancel context.CancelCauseFunc, onDelta func(llm.Delta)) error {
	for {
		if ctx.Err() != nil {
			return cancelled(ctx)
		}
		begun, told := q.claim(e, cancel)
		if begun {
			onDelta(llm.Delta{Queue: llm.WaitOver})
			return nil
		}
		if told.Status != "" {
			onDelta(told)
			continue // much may have changed meanwhile
		}
		var mutes <-chan time.Time
		if left := q.nextSilence(); left > 0 {
			mutes = time.After(left)
		}
		select {
		case <-e.wake:
		case <-mutes:
		case <-ctx.Done():
		}
	}
}

func cancelled(ctx context.Context) *llm.Error {
	return &llm.Error{Kind: llm.Cancelled, Message: "the request was cancelled", Err: context.Cause(ctx)}
}

// mark is the key for the entry in the context of an inner call. Queues may be chained.
type mark struct{ queue *Queue }

// holdsSlot reports whether ctx belongs to a running call.
func (q *Queue) holdsSlot(ctx context.Context) bool {
	e, _ := ctx.Value(mark{q}).(*entry)
	q.mu.Lock()
	defer q.mu.Unlock()
	return e != nil && slices.Contains(q.running, e)
}

// output is what the caller of a request was shown, in all tries.
type output struct {
	onDelta   func(llm.Delta)
	answering func() // called at the first text of a try
	shown     bool   // the caller has text of this try
	stale     bool   // the caller has text of an earlier try, and does not know yet that it is void
}

// showDelta passes on a delta of the inner model.
func (o *output) showDelta(d llm.Delta) {
	if d.Restart {
		o.shown, o.stale = false, false
	}
	if d.Text != "" || d.Thinking != "" {
		o.restart()
		if !o.shown {
			o.shown = true
			o.answering()
		}
	}
	o.onDelta(d)
}

// abandon ends a try that was set aside.
func (o *output) abandon() { o.shown, o.stale = false, o.stale || o.shown }

// complete ends the last try. Its reply may be without text, such as one that only calls tools.
func (o *output) complete() { o.restart() }

func (o *output) restart() {
	if o.stale {
		o.stale = false
		o.onDelta(llm.Delta{Restart: true})
	}
}

var _ llm.Model = (*Queue)(nil)
