package client

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/session"
)

// Wait is how long a command waits for a model whose server is away.
type Wait struct {
	limit   time.Duration
	given   bool // limit is what --wait says
	Person  bool // somebody is at the terminal, and can end the wait
	Program bool // nobody is: what is printed is for a program
}

const (
	// waitBusy is how long a command waits without a terminal for a server that is there.
	waitBusy = 30 * time.Second
	// lastTry is how long the last request of a turn may take that is not waited for any more.
	lastTry = 15 * time.Second
)

// Patience is how long it waits after a failure of that kind; begun says that the server had taken a request of the turn.
func (p Wait) Patience(kind llm.Kind, begun bool) time.Duration {
	switch {
	case p.given:
		return p.limit
	case p.Person:
		return app.Forever
	case kind == llm.Silent: // that was waited for
		return 0
	case kind == llm.Unreachable && !begun:
		return 0
	}
	return waitBusy
}

// AwayError says that a turn waits for the model, or is parked, and that nobody waits here any more.
type AwayError struct {
	Parked session.Parked
	goesOn string // the hob that goes on with it, such as "hob serve"
}

func (e *AwayError) Error() string {
	p := e.Parked
	problem := strings.TrimRight(p.Problem, ".")
	if problem == "" {
		problem = "the model's server is away"
	}
	switch p.Reason {
	case event.ParkedForModel:
		return fmt.Sprintf("%s; %s goes on with turn %d in %s when it is back", problem, e.goesOn, p.ID, p.Chat)
	case event.ParkedByPerson:
		return fmt.Sprintf("turn %d in %s is parked: hob retry %d goes on with it", p.ID, p.Chat, p.ID)
	}
	return fmt.Sprintf("turn %d in %s is parked: hob retry %d tries it again", p.ID, p.Chat, p.ID)
}

// ExitError is the error with an exit status.
func (e *AwayError) ExitError() error {
	if e.Parked.Reason == event.ParkedByPerson {
		return exit.Errorf(exit.Denied, "%s", e.Error())
	}
	return exit.Errorf(exit.Model, "%s", e.Error())
}

// waitingFor is the wait of a command for a turn whose model is away.
type waitingFor struct {
	h      *Client
	what   Followed
	last   int64 // the newest event when it began: what happened before says nothing of now
	looked bool
	leave  context.CancelCauseFunc
	timer  *time.Timer // ends the wait; nil while there is none
}

func (h *Client) waitFor(ctx context.Context, what Followed, leave context.CancelCauseFunc) (*waitingFor, error) {
	last, err := h.Last(ctx, what.Chat)
	return &waitingFor{h: h, what: what, last: max(last, what.Said), leave: leave}, err
}

// heed takes in what happens. Its error says that this command does not wait any more.
func (w *waitingFor) heed(ctx context.Context, e event.Event, turn int64) error {
	switch e.Body.(type) {
	case event.Parked:
	case event.Delta, event.Generated, event.Called, event.Replied, event.Ended:
		if e.Turn == turn {
			w.stop()
		}
		return nil
	default:
		if w.looked || e.Seq < w.last {
			return nil
		}
	}
	if e.Seq < w.last {
		return nil
	}
	w.looked = true
	all, err := w.h.Parked(ctx, w.what.Chat)
	i := slices.IndexFunc(all, func(p session.Parked) bool { return p.ID == turn || p.Waits() && !w.what.command })
	if err != nil || i < 0 {
		return err
	}
	return w.parked(all[i], all[i].ID == turn)
}

// parked is told that the turn is set aside, or another that it will join.
func (w *waitingFor) parked(p session.Parked, own bool) error {
	goesOn := w.h.Serves
	if goesOn == "" {
		goesOn = "the next hob"
	}
	away := &AwayError{p, goesOn}
	limit := w.h.Wait.Patience(p.Kind, p.Begun)
	switch {
	case !p.Waits(), w.h.GivesPromptBack, limit <= 0:
		return away
	case w.timer != nil:
		return nil
	case w.h.Serves == "" && own: // the hob of this process ends what it was told itself
		limit += lastTry
	}
	w.timer = time.AfterFunc(limit, func() { w.leave(away) })
	return nil
}

func (w *waitingFor) stop() {
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
}

// Set implements pflag.Value.
func (p *Wait) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return fmt.Errorf("%q is no time such as 30s or 2m", text)
	}
	p.limit, p.given = d, true
	return nil
}

// Type implements pflag.Value.
func (p *Wait) Type() string { return "duration" }

// String implements pflag.Value.
func (p *Wait) String() string {
	if p == nil || !p.given {
		return ""
	}
	return p.limit.String()
}
