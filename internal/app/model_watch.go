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
	firstRetry     = 10 * time.Second
	MaxRetry = 5 * time.Minute
	minAwaitedRetry   = time.Second
	maxAwaitedRetry    = 30 * time.Second
	checkTimeout       = 10 * time.Second // an answer may take so long
)

// ModelWatch says when the model is not to be had, and when it is again: once each. While all is well it does nothing.
type ModelWatch struct {
	check    func(ctx context.Context) error
	report   func(problem string) // "" that there is none any more
	wake chan struct{}        // holds one: a request found nobody, or somebody begins to wait
	Checked  chan struct{}        // closed when it was asked the first time

	mu      sync.Mutex
	waiters int
	available   chan struct{} // closed when it has answered
}

func NewModelWatch(ask func(context.Context) error, tell func(string)) *ModelWatch {
	return &ModelWatch{
		check: ask, report: tell, wake: make(chan struct{}, 1), Checked: make(chan struct{}), available: make(chan struct{}),
	}
}

// Observe takes what came of a request.
func (w *ModelWatch) Observe(err error) {
	if errors.Is(err, llm.Unreachable) {
		w.trigger()
	}
}

func (w *ModelWatch) trigger() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// back returns nil once the model has answered, or the cause of ctx.
func (w *ModelWatch) waitAvailable(ctx context.Context) error {
	w.mu.Lock()
	there := w.available
	w.waiters++
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		w.waiters--
		w.mu.Unlock()
	}()
	w.trigger()
	select {
	case <-there:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Run asks at the beginning, and after a request that found nobody, until there is an answer.
func (w *ModelWatch) Run(ctx context.Context) {
	w.retryUntilAvailable(ctx)
	w.watchFailures(ctx)
}

// serve asks after a request that found nobody, until there is an answer.
func (w *ModelWatch) watchFailures(ctx context.Context) {
	for {
		select {
		case <-w.wake:
			w.retryUntilAvailable(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// until asks until there is an answer.
func (w *ModelWatch) retryUntilAvailable(ctx context.Context) {
	since := time.Now()
	for idle := firstRetry; ctx.Err() == nil; idle = min(2*idle, MaxRetry) {
		err := w.checkOnce(ctx)
		select {
		case <-w.Checked:
		default:
			close(w.Checked)
		}
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			w.report("")
			w.releaseWaiters()
			return
		}
		w.report(err.Error())
		timer := time.NewTimer(w.retryDelay(idle, since))
		select {
		case <-timer.C:
		case <-w.wake:
			since = time.Now()
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

// pause is how long it is until it is asked again.
func (w *ModelWatch) retryDelay(idle time.Duration, since time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiters == 0 {
		return idle
	}
	return min(max(time.Since(since)/10, minAwaitedRetry), maxAwaitedRetry)
}

// answered tells those who wait.
func (w *ModelWatch) releaseWaiters() {
	w.mu.Lock()
	defer w.mu.Unlock()
	close(w.available)
	w.available = make(chan struct{})
}

func (w *ModelWatch) checkOnce(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	return w.check(ctx)
}

// There asks whether the model is there.
func (e *Model) CheckAvailable(ctx context.Context) error {
	if _, err := e.Ready(ctx); err != nil {
		return err
	}
	_, err := e.baseClient.Models(ctx) // ready may know it from before
	return err
}
