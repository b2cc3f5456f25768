package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"hob/internal/event"
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
	// waitLong is longer than any turn waits.
	waitLong = 366 * 24 * time.Hour
)

// of is how long it waits after a failure of that kind; begun says that the server had taken a request of the turn.
func (p modelWait) of(kind llm.Kind, begun bool) time.Duration {
	switch {
	case p.given:
		return p.limit
	case p.person:
		return waitLong
	case kind == llm.Silent: // that was waited for
		return 0
	case kind == llm.Unreachable && !begun:
		return 0
	}
	return waitBusy
}

// server is what the sessions of a hob know of the model's server.
func (e *engine) server(w *modelWatch, p modelWait) session.Server {
	return session.Server{
		Answered: e.answered,
		Patience: func(failure *llm.Error, begun bool) time.Duration { return p.of(failure.Kind, begun) },
		Back:     w.back,
	}
}

// answeredKey is the setting that says that the model has answered under this configuration.
func (e *engine) answeredKey() string {
	sum := sha256.Sum256([]byte(strings.Join(e.set.hosts, "\n") + "\n\n" + e.set.Ollama.Model))
	return "answered/" + hex.EncodeToString(sum[:8])
}

// answered reports whether the model has answered under this configuration, in this process or one before it.
func (e *engine) answered(ctx context.Context) bool {
	e.mu.Lock()
	known, kept := e.replied, e.kept
	e.mu.Unlock()
	if known || kept == nil {
		return known
	}
	when, err := kept.Setting(ctx, e.answeredKey())
	return err == nil && when != ""
}

// noteAnswer keeps that the model has answered, once.
func (e *engine) noteAnswer(ctx context.Context) {
	if e.answered(ctx) {
		return
	}
	e.mu.Lock()
	kept := e.kept
	e.replied = true
	e.mu.Unlock()
	if kept != nil {
		_ = kept.SetSetting(context.WithoutCancel(ctx), e.answeredKey(), time.Now().UTC().Format(time.RFC3339)) // else the next reply does
	}
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
	return fmt.Sprintf("turn %d in %s is set aside: hob retry %d tries it again", p.ID, p.Chat, p.ID)
}

// exit is the error as an exit status.
func (e *awayError) exit() error {
	if e.parked.Reason == event.ParkedByPerson {
		return &exit{exitDenied, e.Error()}
	}
	return &exit{exitModel, e.Error()}
}
