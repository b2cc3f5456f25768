package app

import (
	"context"
	"errors"
	"sync"
	"time"

	"hob/internal/llm"
)

// How long it is until a server that does not answer is asked again, and how that grows: while nobody waits for it, and
// while somebody does, for whom it is a tenth of the time since the last of them came.
const (
	askAgain     = 10 * time.Second
	AskAgainMost = 5 * time.Minute
	awaitAgain   = time.Second
	awaitMost    = 30 * time.Second
	askFor       = 10 * time.Second // an answer may take so long
)

// ModelWatch says when the model is not to be had, and when it is again: once each. While all is well it does nothing.
type ModelWatch struct {
	ask    func(ctx context.Context) error
	tell   func(problem string) // "" that there is none any more
	failed chan struct{}        // holds one: a request found nobody, or somebody begins to wait
	Asked  chan struct{}        // closed when it was asked the first time

	mu      sync.Mutex
	waiters int
	there   chan struct{} // closed when it has answered
}

func NewModelWatch(ask func(context.Context) error, tell func(string)) *ModelWatch {
	return &ModelWatch{
		ask: ask, tell: tell, failed: make(chan struct{}, 1), Asked: make(chan struct{}), there: make(chan struct{}),
	}
}

// Observe takes what came of a request.
func (w *ModelWatch) Observe(err error) {
	if errors.Is(err, llm.Unreachable) {
		w.rouse()
	}
}

func (w *ModelWatch) rouse() {
	select {
	case w.failed <- struct{}{}:
	default:
	}
}

// back returns nil once the model has answered, or the cause of ctx.
func (w *ModelWatch) back(ctx context.Context) error {
	w.mu.Lock()
	there := w.there
	w.waiters++
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		w.waiters--
		w.mu.Unlock()
	}()
	w.rouse()
	select {
	case <-there:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Run asks at the beginning, and after a request that found nobody, until there is an answer.
func (w *ModelWatch) Run(ctx context.Context) {
	w.until(ctx)
	w.serve(ctx)
}

// serve asks after a request that found nobody, until there is an answer.
func (w *ModelWatch) serve(ctx context.Context) {
	for {
		select {
		case <-w.failed:
			w.until(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// until asks until there is an answer.
func (w *ModelWatch) until(ctx context.Context) {
	since := time.Now()
	for idle := askAgain; ctx.Err() == nil; idle = min(2*idle, AskAgainMost) {
		err := w.once(ctx)
		select {
		case <-w.Asked:
		default:
			close(w.Asked)
		}
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			w.tell("")
			w.answered()
			return
		}
		w.tell(err.Error())
		timer := time.NewTimer(w.pause(idle, since))
		select {
		case <-timer.C:
		case <-w.failed:
			since = time.Now()
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

// pause is how long it is until it is asked again.
func (w *ModelWatch) pause(idle time.Duration, since time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiters == 0 {
		return idle
	}
	return min(max(time.Since(since)/10, awaitAgain), awaitMost)
}

// answered tells those who wait.
func (w *ModelWatch) answered() {
	w.mu.Lock()
	defer w.mu.Unlock()
	close(w.there)
	w.there = make(chan struct{})
}

func (w *ModelWatch) once(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, askFor)
	defer cancel()
	return w.ask(ctx)
}

// There asks whether the model is there.
func (e *Model) There(ctx context.Context) error {
	if _, err := e.Ready(ctx); err != nil {
		return err
	}
	_, err := e.base.Models(ctx) // ready may know it from before
	return err
}
