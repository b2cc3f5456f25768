package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/session"
)

// modelWait is how long a command waits for a model whose server is away.
type modelWait struct {
	limit   time.Duration
	given   bool // limit is what --wait says
	person  bool // somebody is at the terminal, and can end the wait
	program bool // nobody is: what is printed is for a program
}

const (
	// waitBusy is how long a command waits without a terminal for a server that is there.
	waitBusy = 30 * time.Second
	// lastTry is how long the last request of a turn may take that is not waited for any more.
	lastTry = 15 * time.Second
)

// of is how long it waits after a failure of that kind; begun says that the server had taken a request of the turn.
func (p modelWait) of(kind llm.Kind, begun bool) time.Duration {
	switch {
	case p.given:
		return p.limit
	case p.person:
		return app.Forever
	case kind == llm.Silent: // that was waited for
		return 0
	case kind == llm.Unreachable && !begun:
		return 0
	}
	return waitBusy
}

// awayError says that a turn waits for the model, or is parked, and that nobody waits here any more.
type awayError struct {
	parked session.Parked
	goesOn string // the hob that goes on with it, such as "hob serve"
}

func (e *awayError) Error() string {
	p := e.parked
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

// status is the error with an exit status.
func (e *awayError) status() error {
	if e.parked.Reason == event.ParkedByPerson {
		return exit.Errorf(exit.Denied, "%s", e.Error())
	}
	return exit.Errorf(exit.Model, "%s", e.Error())
}

// waitingFor is the wait of a command for a turn whose model is away.
type waitingFor struct {
	h      *conversation
	what   followed
	last   int64 // the newest event when it began: what happened before says nothing of now
	looked bool
	leave  context.CancelCauseFunc
	timer  *time.Timer // ends the wait; nil while there is none
}

func (h *conversation) waitFor(ctx context.Context, what followed, leave context.CancelCauseFunc) (*waitingFor, error) {
	last, err := h.Last(ctx, what.chat)
	return &waitingFor{h: h, what: what, last: max(last, what.said), leave: leave}, err
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
	all, err := w.h.Parked(ctx, w.what.chat)
	i := slices.IndexFunc(all, func(p session.Parked) bool { return p.ID == turn || p.Waits() && !w.what.command })
	if err != nil || i < 0 {
		return err
	}
	return w.parked(all[i], all[i].ID == turn)
}

// parked is told that the turn is set aside, or another that it will join.
func (w *waitingFor) parked(p session.Parked, own bool) error {
	goesOn := w.h.serves
	if goesOn == "" {
		goesOn = "the next hob"
	}
	away := &awayError{p, goesOn}
	limit := w.h.wait.of(p.Kind, p.Begun)
	switch {
	case !p.Waits(), w.h.prompt, limit <= 0:
		return away
	case w.timer != nil:
		return nil
	case w.h.serves == "" && own: // the hob of this process ends what it was told itself
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

// waitFlag is --wait.
func (a *program) waitFlag(cmd *cobra.Command) {
	cmd.Flags().Var(&a.wait, "wait", "how long to wait for a model whose server is away (without a terminal 30s if it is busy or died, else 0)")
}

// Set implements pflag.Value.
func (p *modelWait) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return fmt.Errorf("%q is no time such as 30s or 2m", text)
	}
	p.limit, p.given = d, true
	return nil
}

// Type implements pflag.Value.
func (p *modelWait) Type() string { return "duration" }

// String implements pflag.Value.
func (p *modelWait) String() string {
	if p == nil || !p.given {
		return ""
	}
	return p.limit.String()
}
