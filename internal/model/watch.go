package model

import (
	"context"
	"errors"
	"sync"
	"time"

	"hob/internal/llm"
)

// Delays between two checks of an unreachable server. While no turn waits, the delay doubles. While
// one waits, it is a tenth of the time since the last of them began to wait.
const (
	firstRetry      = 10 * time.Second
	MaxRetry        = 5 * time.Minute
	minAwaitedRetry = time.Second
	maxAwaitedRetry = 30 * time.Second
	checkTimeout    = 10 * time.Second // of one check
)

// Watch reports when the model becomes unreachable and when it is back, once each. It is idle
// while requests succeed.
type Watch struct {
	check   func(ctx context.Context) error
	report  func(problem string) // "": the model is back
	wake    chan struct{}        // buffers one: a request failed, or a turn begins to wait
	Checked chan struct{}        // closed after the first check

	mu        sync.Mutex
	waiters   int
	available chan struct{} // closed once a check succeeds, then replaced
}

func NewWatch(ask func(context.Context) error, tell func(string)) *Watch {
	return &Watch{
		check: ask, report: tell, wake: make(chan struct{}, 1), Checked: make(chan struct{}), available: make(chan struct{}),
	}
}

// Observe takes the error of a request, or nil.
func (w *Watch) Observe(err error) {
	if errors.Is(err, llm.Unreachable) {
		w.trigger()
	}
}

func (w *Watch) trigger() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// WaitAvailable returns nil once the model answers, or the cause of ctx.
func (w *Watch) WaitAvailable(ctx context.Context) error {
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

// Run checks the model at once and after each failed request, until it answers.
func (w *Watch) Run(ctx context.Context) {
	w.retryUntilAvailable(ctx)
	w.WatchFailures(ctx)
}

// WatchFailures checks the model after each failed request, until it answers.
func (w *Watch) WatchFailures(ctx context.Context) {
	for {
		select {
		case <-w.wake:
			w.retryUntilAvailable(ctx)
		case <-ctx.Done():
			return
		}
	}
}

func (w *Watch) retryUntilAvailable(ctx context.Context) {
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

// retryDelay returns the delay before the next check.
func (w *Watch) retryDelay(idle time.Duration, since time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiters == 0 {
		return idle
	}
	return min(max(time.Since(since)/10, minAwaitedRetry), maxAwaitedRetry)
}

// releaseWaiters ends each WaitAvailable.
func (w *Watch) releaseWaiters() {
	w.mu.Lock()
	defer w.mu.Unlock()
	close(w.available)
	w.available = make(chan struct{})
}

func (w *Watch) checkOnce(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	return w.check(ctx)
}

// CheckAvailable returns an error if the model does not answer now.
func (e *Model) CheckAvailable(ctx context.Context) error {
	if _, err := e.Ready(ctx); err != nil {
		return err
	}
	_, err := e.cfg.Client.Models(ctx) // Ready may answer from memory
	return err
}
