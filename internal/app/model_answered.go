package app

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
func (e *Model) sessionServer(w *ModelWatch, patience func(failure *llm.Error, begun bool) time.Duration) session.Server {
	return session.Server{
		Answered: e.hasAnswered,
		Patience: patience,
		Back:     w.waitAvailable,
	}
}

// spare reports whether another host could take a request while one says nothing.
func (e *Model) hasSpareHost() bool {
	e.Mu.Lock()
	c := e.client
	e.Mu.Unlock()
	return c != nil && c.Spare()
}

// answeredKey is the setting that says that the model has answered under this configuration.
func (e *Model) answeredKey() string {
	sum := sha256.Sum256([]byte(strings.Join(e.Env.Hosts, "\n") + "\n\n" + e.Env.Ollama.Model))
	return "answered/" + hex.EncodeToString(sum[:8])
}

// answered reports whether the model has answered under this configuration, in this process or one before it.
func (e *Model) hasAnswered(ctx context.Context) bool {
	e.Mu.Lock()
	known, kv := e.hasReplied, e.kv
	e.Mu.Unlock()
	if known || kv == nil {
		return known
	}
	when, err := kv.Get(ctx, e.answeredKey())
	return err == nil && when != ""
}

// noteAnswer keeps that the model has answered, once.
func (e *Model) recordAnswer(ctx context.Context) {
	if e.hasAnswered(ctx) {
		return
	}
	e.Mu.Lock()
	kv := e.kv
	e.hasReplied = true
	e.Mu.Unlock()
	if kv != nil {
		_ = kv.Set(context.WithoutCancel(ctx), e.answeredKey(), time.Now().UTC().Format(time.RFC3339)) // else the next reply does
	}
}
