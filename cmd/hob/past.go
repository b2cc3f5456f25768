package main

import (
	"context"

	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/tools/files"
	"hob/internal/tools/recall"
)

// memory is what tools need of a journal: what happened in a chat, and a place for what they change.
type memory interface {
	recall.History
	files.Keeper
	files.Recorder
	files.Origins
}

// past is the memory of a journal that is open. That of none is for tools that are only looked at.
type past struct{ db *store.DB }

// Search implements [recall.History].
func (p past) Search(ctx context.Context, chat event.Chat, words string, limit int) ([]recall.Found, error) {
	events, err := p.db.Search(ctx, chat, words, limit)
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

// Keep implements [files.Keeper].
func (p past) Keep(ctx context.Context, c event.Change, content []byte) (int64, error) {
	return p.db.Changes(store.Limits{}).Keep(ctx, c, content)
}

// Settle implements [files.Keeper].
func (p past) Settle(ctx context.Context, id int64, happened bool) error {
	return p.db.Changes(store.Limits{}).Settle(ctx, id, happened)
}

// Image implements [files.Keeper].
func (p past) Image(ctx context.Context, sum string) ([]byte, error) {
	return p.db.Changes(store.Limits{}).Image(ctx, sum)
}

// Mark implements [files.Recorder].
func (p past) Mark(ctx context.Context) (newest int64, pruned string, err error) {
	return p.db.Changes(store.Limits{}).Mark(ctx)
}

// KeepImages implements [files.Recorder].
func (p past) KeepImages(ctx context.Context, contents [][]byte) error {
	return p.db.Changes(store.Limits{}).KeepImages(ctx, contents)
}

// Since implements [files.Recorder].
func (p past) Since(ctx context.Context, number int64) ([]event.Change, error) {
	return p.db.Changes(store.Limits{}).Since(ctx, number)
}

// Record implements [files.Recorder].
func (p past) Record(ctx context.Context, changes []event.Change) ([]event.Change, error) {
	return p.db.Changes(store.Limits{}).Record(ctx, changes)
}

// MarkOrigins implements [files.Origins].
func (p past) MarkOrigins(ctx context.Context, paths []string, from event.Label) error {
	return p.db.MarkOrigins(ctx, paths, from)
}

// OriginsOf implements [files.Origins].
func (p past) OriginsOf(ctx context.Context, paths []string) (map[string]event.Label, error) {
	return p.db.OriginsOf(ctx, paths)
}

// Origins implements [files.Origins].
func (p past) Origins(ctx context.Context) (map[string]event.Label, error) { return p.db.Origins(ctx) }

// ForgetOrigins implements [files.Origins].
func (p past) ForgetOrigins(ctx context.Context, paths []string) error {
	return p.db.ForgetOrigins(ctx, paths)
}
