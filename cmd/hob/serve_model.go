package main

import (
	"context"
	"errors"
	"time"

	"hob/internal/llm"
)

// How long it is until a server that does not answer is asked again, and how that grows.
const (
	askAgain     = 10 * time.Second
	askAgainMost = 5 * time.Minute
	askFor       = 10 * time.Second // an answer may take so long
)

// modelWatch says when the model is not to be had, and when it is again: once each. While all is well it does nothing.
type modelWatch struct {
	ask    func(ctx context.Context) error
	tell   func(problem string) // "" that there is none any more
	failed chan struct{}        // holds one: a request found nobody
	asked  chan struct{}        // closed when it was asked the first time
}

func newModelWatch(ask func(context.Context) error, tell func(string)) *modelWatch {
	return &modelWatch{ask: ask, tell: tell, failed: make(chan struct{}, 1), asked: make(chan struct{})}
}

// heed takes what came of a request.
func (w *modelWatch) heed(err error) {
	if !errors.Is(err, llm.Unreachable) {
		return
	}
	select {
	case w.failed <- struct{}{}:
	default:
	}
}

// run asks at the beginning, and after a request that found nobody, until there is an answer.
func (w *modelWatch) run(ctx context.Context) {
	first := true
	for {
		for wait := askAgain; ; wait = min(2*wait, askAgainMost) {
			err := w.once(ctx)
			if first {
				close(w.asked)
				first = false
			}
			if ctx.Err() != nil {
				return
			}
			if err == nil {
				w.tell("")
				break
			}
			w.tell(err.Error())
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return
			}
		}
		select {
		case <-w.failed:
		case <-ctx.Done():
			return
		}
	}
}

func (w *modelWatch) once(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, askFor)
	defer cancel()
	return w.ask(ctx)
}

// there asks whether the model is there.
func (e *engine) there(ctx context.Context) error {
	if _, err := e.ready(ctx); err != nil {
		return err
	}
	_, err := e.base.Models(ctx) // ready may know it from before
	return err
}
