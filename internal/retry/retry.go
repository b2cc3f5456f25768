// Package retry tries something again until it works: one loop, one back-off, one wait.
//
// A [Policy] says how long to wait and when to give up. An error is permanent where the policy says so, or where the function
// that is tried wraps it with [Stop]. Time is the time package's, which testing/synctest replaces in tests.
package retry

import (
	"cmp"
	"context"
	"errors"
	"time"
)

// Policy says how often something is tried, and how long to wait in between.
type Policy struct {
	Backoff Backoff
	Tries   int // 0: no limit
	// GiveUpEarly returns the error at once where the context's deadline comes before the wait is over.
	GiveUpEarly bool
	// Permanent reports whether trying again cannot help. Nil: it always may.
	Permanent func(error) bool
	// Wait returns how long to wait after an error, such as what a server has asked for. Nil: the back-off.
	Wait func(err error, backoff time.Duration) time.Duration
	// Failed is called before each wait, to log it. Nil: nobody is.
	Failed func(err error, wait time.Duration)
}

// Do calls try until it returns nil. Otherwise it returns the error that is permanent, or that of the last try, or the cause of
// ctx's end: a try that has begun is never cut short, and none begins after that end but the first.
func (p Policy) Do(ctx context.Context, try func() error) error {
	backoff := p.Backoff
	for tries := 1; ; tries++ {
		err := try()
		if err == nil {
			return nil
		}
		if stop := (*stopped)(nil); errors.As(err, &stop) {
			return stop.err
		}
		if p.Permanent != nil && p.Permanent(err) || tries == p.Tries {
			return err
		}
		wait := backoff.Next()
		if p.Wait != nil {
			wait = p.Wait(err, wait)
		}
		if end, limited := ctx.Deadline(); limited && p.GiveUpEarly && time.Until(end) <= wait {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if p.Failed != nil {
			p.Failed(err, wait)
		}
		if err := Wait(ctx, wait); err != nil {
			return err
		}
	}
}

// Stop wraps an error that [Policy.Do] returns as it is, without another try. Stop(nil) is nil.
func Stop(err error) error {
	if err == nil {
		return nil
	}
	return &stopped{err}
}

type stopped struct{ err error }

func (s *stopped) Error() string { return s.err.Error() }
func (s *stopped) Unwrap() error { return s.err }

// Backoff is how long to wait after each of several failures in a row: First, then twice as long each time, up to Max. A Max of 0
// is no bound. Its zero value does not wait.
type Backoff struct {
	First, Max time.Duration
	// Jitter returns a random time below d. Up to half of a wait is added to it. Nil: nothing is.
	Jitter func(d time.Duration) time.Duration

	next time.Duration
}

// Next returns how long to wait after another failure.
func (b *Backoff) Next() time.Duration {
	b.next = cmp.Or(b.next, b.First)
	wait := b.next
	b.next = bounded(2*b.next, b.Max)
	if b.Jitter != nil {
		wait += b.Jitter(wait / 2)
	}
	return wait
}

// Reset begins anew after a success.
func (b *Backoff) Reset() { b.next = 0 }

func bounded(d, limit time.Duration) time.Duration {
	if limit > 0 {
		return min(d, limit)
	}
	return d
}

// Wait waits for d, or until ctx ends; then it returns the cause of that.
func Wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Within waits for a value from done, or its end, for at most that long, and reports whether it came.
func Within[T any](done <-chan T, atMost time.Duration) bool {
	select {
	case <-done:
		return true
	case <-time.After(atMost):
		return false
	}
}
