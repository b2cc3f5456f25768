package client

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/llm"
)

// Wait is how long a command waits for a model whose server is unreachable.
type Wait struct {
	limit   time.Duration
	isSet   bool // limit comes from --wait
	Person  bool // a person at the terminal can end the wait
	Program bool // the output is for a program
}

const (
	// unattendedWait is the wait without a terminal for a server that is there.
	unattendedWait = 30 * time.Second
	// lastRequestTimeout limits the last request of a turn whose wait has ended.
	lastRequestTimeout = 15 * time.Second
)

// Patience returns the wait after a failure of that kind. begun means that the server had accepted
// a request of the turn.
func (w Wait) Patience(kind llm.Kind, begun bool) time.Duration {
	switch {
	case w.isSet:
		return w.limit
	case w.Person:
		return app.Forever
	case kind == llm.Silent: // the request itself has waited
		return 0
	case kind == llm.Unreachable && !begun:
		return 0
	}
	return unattendedWait
}

// AwayError means that a turn waits for the model or is parked, and this command no longer waits
// for it.
type AwayError struct {
	Parked    event.ParkedTurn
	resumedBy string // the hob that resumes it, such as "hob serve"
}

func (e *AwayError) Error() string {
	p := e.Parked
	problem := cmp.Or(strings.TrimRight(p.Problem, "."), "the model's server is away")
	switch p.Reason {
	case event.ParkedForModel:
		return fmt.Sprintf("%s; %s goes on with turn %d in %s when it is back", problem, e.resumedBy, p.ID, p.Chat)
	case event.ParkedByPerson:
		return fmt.Sprintf("turn %d in %s is parked: hob retry %d goes on with it", p.ID, p.Chat, p.ID)
	}
	return fmt.Sprintf("turn %d in %s is parked: hob retry %d tries it again", p.ID, p.Chat, p.ID)
}

// ExitError returns the error with an exit status.
func (e *AwayError) ExitError() error {
	if e.Parked.Reason == event.ParkedByPerson {
		return exit.Errorf(exit.Denied, "%s", e.Error())
	}
	return exit.Errorf(exit.Model, "%s", e.Error())
}

// modelWait is the wait of a command for a turn whose model is unreachable.
type modelWait struct {
	client  *Client
	turn    Followed
	checked bool
	leave   context.CancelCauseFunc
	timer   *time.Timer // ends the wait; nil before it begins
}

// observe handles an event. Its error ends the wait.
func (w *modelWait) observe(ctx context.Context, e event.Event, turn int64) error {
	if said, ok := e.Body.(event.Said); ok && e.Seq == w.turn.Said && said.NeedsNoModel {
		w.turn.isCommand = true // it joins no turn that waits
	}
	switch e.Body.(type) {
	case event.Parked:
	case event.Delta, event.Generated, event.Called, event.Replied, event.Ended:
		if e.Turn == turn {
			w.stop()
		}
		return nil
	default:
		if w.checked || e.Seq < w.turn.Said {
			return nil
		}
	}
	w.checked = true
	all, err := w.client.Parked(ctx, w.turn.Chat)
	i := slices.IndexFunc(all, func(p event.ParkedTurn) bool { return p.ID == turn || p.Waits() && !w.turn.isCommand })
	if err != nil || i < 0 {
		return err
	}
	return w.beginWait(all[i], all[i].ID == turn)
}

// beginWait begins to wait for a turn, own or another's that it will join.
func (w *modelWait) beginWait(p event.ParkedTurn, own bool) error {
	away := w.client.Away(p)
	limit := w.client.Wait.Patience(p.Kind, p.Begun)
	switch {
	case !p.Waits(), limit <= 0:
		return away
	case w.timer != nil:
		return nil
	case w.client.Serves == "" && own: // the hob of this process ends the wait itself
		limit += lastRequestTimeout
	}
	w.timer = time.AfterFunc(limit, func() { w.leave(away) })
	return nil
}

// Away says that a turn waits for the model, or is parked, and who goes on with it.
func (h *Client) Away(p event.ParkedTurn) *AwayError {
	goesOn := cmp.Or(h.Serves, "the next hob")
	return &AwayError{p, goesOn}
}

func (w *modelWait) stop() {
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
}

// Set implements pflag.Value.
func (w *Wait) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return fmt.Errorf("%q is no time such as 30s or 2m", text)
	}
	w.limit, w.isSet = d, true
	return nil
}

// Type implements pflag.Value.
func (w *Wait) Type() string { return "duration" }

// String implements pflag.Value.
func (w *Wait) String() string {
	if w == nil || !w.isSet {
		return ""
	}
	return w.limit.String()
}
