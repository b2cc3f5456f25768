package daemon

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// pollBound is how long the asking for messages may stand still: twice the longest that it does where all is well, see
// telegram.State.
const pollBound = 130 * time.Second

// stateEvery is how often a daemon looks whether its state is still where it was, with or without systemd.
const stateEvery = 10 * time.Second

// guardState looks now and then whether the state is still in its place, and calls lost once if it is not.
func guardState(ctx context.Context, inPlace func() error, lost func(error)) {
	tick := time.NewTicker(stateEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if err := inPlace(); err != nil {
			lost(err)
			return
		}
	}
}

// health is what was found out about a daemon at one moment.
type health struct {
	sessions error // every chat answers
	store    error // the journal can be read
	// When Telegram was last asked for messages, or that began; zero where nobody asks.
	polled time.Time
}

// problem says what makes no progress any more, "" if all does.
func (h health) problem(now time.Time) string {
	switch {
	case h.store != nil:
		return fmt.Sprintf("the journal cannot be read: %v", h.store)
	case h.sessions != nil:
		return fmt.Sprintf("a chat does not answer: %v", h.sessions)
	case !h.polled.IsZero() && now.Sub(h.polled) > pollBound:
		return fmt.Sprintf("Telegram was not asked for messages for %s", now.Sub(h.polled).Round(time.Second))
	}
	return ""
}

// watchdog tells systemd that the daemon makes progress, as long as it does: systemd starts one anew that it does not hear of.
type watchdog struct {
	every    time.Duration // less than systemd waits
	now      func() time.Time
	sessions *doubt
	store    *doubt
	polled   func() time.Time
	feed     func()
	tell     func(problem string) // "" that there is none any more
}

// run looks after the daemon until ctx ends. What goes wrong once is looked at again soon.
func (w *watchdog) run(ctx context.Context) {
	wait := w.every
	for {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
		problem := w.look(ctx).problem(w.now())
		if ctx.Err() != nil {
			return
		}
		w.tell(problem)
		if wait = w.every; problem != "" {
			wait = w.every / 3
			continue
		}
		w.feed()
	}
}

// look finds out how the daemon does, in less time than there is.
func (w *watchdog) look(ctx context.Context) health {
	ctx, cancel := context.WithTimeout(ctx, w.every/4)
	defer cancel()
	return health{sessions: w.sessions.ask(ctx), store: w.store.ask(ctx), polled: w.polled()}
}

// errNoAnswer is what came of a question that nobody answered.
var errNoAnswer = errors.New("it takes too long")

// doubt is a question that may never be answered. While one has not been it is not asked again.
type doubt struct {
	question func(ctx context.Context) error
	pending  chan error // nil: none is
}

// ask returns the answer, or [errNoAnswer] when ctx ends. One goroutine may ask.
func (d *doubt) ask(ctx context.Context) error {
	if d.pending == nil {
		answer := make(chan error, 1)
		d.pending = answer
		go func() { answer <- d.question(ctx) }() // where it hangs, the process will not live for long
	}
	select {
	case err := <-d.pending:
		d.pending = nil
		return err
	case <-ctx.Done():
		return errNoAnswer
	}
}
