package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"hob/internal/llm"
	"hob/internal/session"
)

// server is what the sessions of a hob know of the model's server.
func (e *engine) server(w *modelWatch, patience func(failure *llm.Error, begun bool) time.Duration) session.Server {
	return session.Server{
		Answered: e.answered,
		Patience: patience,
		Back:     w.back,
	}
}

// spare reports whether another host could take a request while one says nothing.
func (e *engine) spare() bool {
	e.mu.Lock()
	c := e.client
	e.mu.Unlock()
	return c != nil && c.Spare()
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
