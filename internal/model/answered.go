package model

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
)

// HasSpareHost reports whether another host could take a request while one is silent.
func (e *Model) HasSpareHost() bool {
	e.mu.Lock()
	c := e.client
	e.mu.Unlock()
	return c != nil && c.Spare()
}

// answeredKey is the setting that records that the model has answered under this configuration.
func (e *Model) answeredKey() string {
	sum := sha256.Sum256([]byte(strings.Join(e.cfg.Hosts, "\n") + "\n\n" + e.cfg.Ollama.Model))
	return "answered/" + hex.EncodeToString(sum[:8])
}

// HasAnswered reports whether the model has ever answered under this configuration.
func (e *Model) HasAnswered(ctx context.Context) bool {
	e.mu.Lock()
	known, kv := e.hasReplied, e.kv
	e.mu.Unlock()
	if known || kv == nil {
		return known
	}
	when, err := kv.Get(ctx, e.answeredKey())
	return err == nil && when != ""
}

// recordAnswer stores, once, that the model has answered.
func (e *Model) recordAnswer(ctx context.Context) {
	if e.HasAnswered(ctx) {
		return
	}
	e.mu.Lock()
	kv := e.kv
	e.hasReplied = true
	e.mu.Unlock()
	if kv != nil {
		_ = kv.Set(context.WithoutCancel(ctx), e.answeredKey(), time.Now().UTC().Format(time.RFC3339)) // the next reply tries again
	}
}
