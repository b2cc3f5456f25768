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

// sessionServer returns what sessions ask about the model's server.
func (e *Model) sessionServer(w *ModelWatch, patience func(failure *llm.Error, begun bool) time.Duration) session.Server {
	return session.Server{
		Answered: e.hasAnswered,
		Patience: patience,
		Back:     w.waitAvailable,
	}
}

// hasSpareHost reports whether another host could take a request while one is silent.
func (e *Model) hasSpareHost() bool {
	e.Mu.Lock()
	c := e.client
	e.Mu.Unlock()
	return c != nil && c.Spare()
}

// answeredKey is the setting that records that the model has answered under this configuration.
func (e *Model) answeredKey() string {
	sum := sha256.Sum256([]byte(strings.Join(e.Env.Hosts, "\n") + "\n\n" + e.Env.Ollama.Model))
	return "answered/" + hex.EncodeToString(sum[:8])
}

// hasAnswered reports whether the model has ever answered under this configuration.
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

// recordAnswer stores, once, that the model has answered.
func (e *Model) recordAnswer(ctx context.Context) {
	if e.hasAnswered(ctx) {
		return
	}
	e.Mu.Lock()
	kv := e.kv
	e.hasReplied = true
	e.Mu.Unlock()
	if kv != nil {
		_ = kv.Set(context.WithoutCancel(ctx), e.answeredKey(), time.Now().UTC().Format(time.RFC3339)) // the next reply tries again
	}
}
