package app

import (
	"context"
	"time"

	"hob/internal/campaigns"
	"hob/internal/llm/queue"
	"hob/internal/store"
	"hob/internal/tools/files/blobs"
)

// StandaloneTools returns the tools for a command without a chat. journal must be open.
func (s *Environment) StandaloneTools(ctx context.Context, journal ToolJournal) (Toolset, error) {
	outputs, err := blobs.New(blobs.Config{Dir: s.OutputsDir()})
	if err != nil {
		return Toolset{}, err
	}
	e := NewModel(s)
	shell := s.NewShell()
	k, err := s.DefaultTools(e.Share, outputs, journal, shell, RedactingModel{Model: queue.New(e), Secrets: s.Redactor})
	if err != nil {
		return k, err
	}
	k.Skills, err = s.NewSkills(ctx, k, shell, settingsKV{s}, campaigns.Repository{}, nil, nil, journal, notifier{changed: func() {}})
	return k, err
}

// FirstTime reports whether a hint is due for the first time, and remembers that. If the state
// cannot be read or written, it returns true.
func (s *Environment) FirstTime(ctx context.Context, what string) bool {
	kv, key := settingsKV{s}, "shown/"+what
	if when, err := kv.Get(ctx, key); err == nil && when != "" {
		return false
	}
	_ = kv.Set(ctx, key, time.Now().UTC().Format(time.RFC3339))
	return true
}

// KV stores small values for the next process.
type KV interface {
	Get(ctx context.Context, key string) (string, error)
	Set(ctx context.Context, key, value string) error
}

// settingsKV is a [KV] in the journal, for a process that does not keep that open.
type settingsKV struct{ env *Environment }

// Get implements [KV].
func (j settingsKV) Get(ctx context.Context, key string) (string, error) {
	return ReadJournal(ctx, j.env, func(db *store.DB) (string, error) { return db.Settings().Get(ctx, key) })
}

// Set implements [KV].
func (j settingsKV) Set(ctx context.Context, key, value string) error {
	return j.env.WithJournal(ctx, func(db *store.DB) error { return db.Settings().Set(ctx, key, value) })
}
