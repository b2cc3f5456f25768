package app

import (
	"context"

	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/tools/files/changes"
	"hob/internal/tools/files/origins"
	"hob/internal/tools/files/watch"
	"hob/internal/tools/recall"
)

// ToolJournal is what tools need of a journal: what happened in a chat, and a place for what they change.
type ToolJournal interface {
	recall.History
	changes.Log
	watch.Recorder
	origins.Store
}

// JournalTools is the memory of a journal that is open. That of none is for tools that are only looked at.
type JournalTools struct{ DB *store.DB }

// Search implements [recall.History].
func (p JournalTools) Search(ctx context.Context, chat event.Chat, words string, limit int) ([]recall.Found, error) {
	events, err := p.DB.Search(ctx, chat, words, limit)
	if err != nil {
		return nil, err
	}
	var found []recall.Found
	for _, e := range events {
		e.Time = e.Time.Local()
		if f, ok := recall.FoundOf(e, words); ok {
			found = append(found, f)
		}
	}
	return found, nil
}

// Keep implements [changes.Log].
func (p JournalTools) Keep(ctx context.Context, c event.Change, content []byte) (int64, error) {
	return p.DB.Changes(store.Limits{}).Keep(ctx, c, content)
}

// Settle implements [changes.Log].
func (p JournalTools) Settle(ctx context.Context, id int64, happened bool) error {
	return p.DB.Changes(store.Limits{}).Settle(ctx, id, happened)
}

// Image implements [changes.Log].
func (p JournalTools) Image(ctx context.Context, sum string) ([]byte, error) {
	return p.DB.Changes(store.Limits{}).Image(ctx, sum)
}

// Mark implements [watch.Recorder].
func (p JournalTools) Mark(ctx context.Context) (newest int64, pruned string, err error) {
	return p.DB.Changes(store.Limits{}).Mark(ctx)
}

// KeepImages implements [watch.Recorder].
func (p JournalTools) KeepImages(ctx context.Context, contents [][]byte) error {
	return p.DB.Changes(store.Limits{}).KeepImages(ctx, contents)
}

// Since implements [watch.Recorder].
func (p JournalTools) Since(ctx context.Context, number int64) ([]event.Change, error) {
	return p.DB.Changes(store.Limits{}).Since(ctx, number)
}

// Record implements [watch.Recorder].
func (p JournalTools) Record(ctx context.Context, changes []event.Change) ([]event.Change, error) {
	return p.DB.Changes(store.Limits{}).Record(ctx, changes)
}

// MarkOrigins implements [origins.Store].
func (p JournalTools) MarkOrigins(ctx context.Context, paths []string, from event.Label) error {
	return p.DB.MarkOrigins(ctx, paths, from)
}

// OriginsOf implements [origins.Store].
func (p JournalTools) OriginsOf(ctx context.Context, paths []string) (map[string]event.Label, error) {
	return p.DB.OriginsOf(ctx, paths)
}

// Origins implements [origins.Store].
func (p JournalTools) Origins(ctx context.Context) (map[string]event.Label, error) {
	return p.DB.Origins(ctx)
}

// ForgetOrigins implements [origins.Store].
func (p JournalTools) ForgetOrigins(ctx context.Context, paths []string) error {
	return p.DB.ForgetOrigins(ctx, paths)
}
