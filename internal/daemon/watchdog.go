package daemon

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hob/internal/retry"
)

// maxPollAge limits the time between two polls of Telegram: twice the longest of a healthy bot, see
// telegram.State.
const maxPollAge = 130 * time.Second

// statePoll is the interval between two checks of the state's place.
const statePoll = 10 * time.Second

// guardState checks regularly that the state is in its place. It calls lost once if that fails, and
// returns.
func guardState(ctx context.Context, inPlace func() error, lost func(error)) {
	for retry.Wait(ctx, statePoll) == nil {
		if err := inPlace(); err != nil {
			lost(err)
			return
		}
	}
}

// health is the state of a daemon at one moment.
type health struct {
	sessions error // nil: every chat answers
	store    error // nil: the journal can be read
	// lastPoll is when Telegram was last polled, or when polling began. It is zero if no bot runs.
	lastPoll time.Time
}

// problem returns what is stuck, or "".
func (h health) problem(now time.Time) string {
	switch {
	case h.store != nil:
		return fmt.Sprintf("the journal cannot be read: %v", h.store)
	case h.sessions != nil:
		return fmt.Sprintf("a chat does not answer: %v", h.sessions)
	case !h.lastPoll.IsZero() && now.Sub(h.lastPoll) > maxPollAge:
		return fmt.Sprintf("Telegram was not asked for messages for %s", now.Sub(h.lastPoll).Round(time.Second))
	}
	return ""
}

// watchdog notifies systemd as long as the daemon makes progress. systemd restarts a daemon that
// falls silent.
type watchdog struct {
	interval time.Duration // less than systemd's timeout
	now      func() time.Time
	sessions *pendingCheck
	store    *pendingCheck
	lastPoll func() time.Time
	feed     func()
	report   func(problem string) // "": no problem any more
}

// run checks the daemon until ctx ends. After a failed check the next one comes sooner.
func (w *watchdog) run(ctx context.Context) {
	wait := w.interval
	for retry.Wait(ctx, wait) == nil {
		problem := w.check(ctx).problem(w.now())
		if ctx.Err() != nil {
			return
		}
		w.report(problem)
		if wait = w.interval; problem != "" {
			wait = w.interval / 3
			continue
		}
		w.feed()
	}
}

// check checks the daemon, in a part of the interval.
func (w *watchdog) check(ctx context.Context) health {
	ctx, cancel := context.WithTimeout(ctx, w.interval/4)
	defer cancel()
	return health{sessions: w.sessions.ask(ctx), store: w.store.ask(ctx), lastPoll: w.lastPoll()}
}

// errNoAnswer means that a check did not end in time.
var errNoAnswer = errors.New("it takes too long")

// pendingCheck is a check that may hang. While one runs, no second one starts.
type pendingCheck struct {
	check   func(ctx context.Context) error
	pending chan error // nil: none runs
}

// ask returns the result of the check, or [errNoAnswer] when ctx ends. Only one goroutine may call
// it.
func (d *pendingCheck) ask(ctx context.Context) error {
	if d.pending == nil {
		answer := make(chan error, 1)
		d.pending = answer
		go func() { answer <- d.check(ctx) }() // if it hangs, systemd soon ends the process
	}
	select {
	case err := <-d.pending:
		d.pending = nil
		return err
	case <-ctx.Done():
		return errNoAnswer
	}
}
