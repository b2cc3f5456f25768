package main

import (
	"context"

	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/tools"
)

// memory is what tools need of a journal: what happened in a chat, and a place for what they change.
type memory interface {
	tools.History
	tools.Keeper
	tools.Recorder
}

// past is the memory of a journal that is open.
type past struct{ db *store.DB }

// Search implements [tools.History].
func (p past) Search(ctx context.Context, chat event.Chat, words string, limit int) ([]tools.Found, error) {
	events, err := p.db.Search(ctx, chat, words, limit)
	if err != nil {
		return nil, err
	}
	var found []tools.Found
	for _, e := range events {
		e.Time = e.Time.Local()
		if f, ok := tools.FoundOf(e, words); ok {
			found = append(found, f)
		}
	}
	return found, nil
}

// closedJournal is a memory whose journal is opened for one call.
type closedJournal struct{ set *setting }

// Keep implements [tools.Keeper].
func (p past) Keep(ctx context.Context, c event.Change, content []byte) (int64, error) {
	return p.db.Changes(store.Limits{}).Keep(ctx, c, content)
}

// Settle implements [tools.Keeper].
func (p past) Settle(ctx context.Context, id int64, happened bool) error {
	return p.db.Changes(store.Limits{}).Settle(ctx, id, happened)
}

// Image implements [tools.Keeper].
func (p past) Image(ctx context.Context, sum string) ([]byte, error) {
	return p.db.Changes(store.Limits{}).Image(ctx, sum)
}

// Mark implements [tools.Recorder].
func (p past) Mark(ctx context.Context) (newest int64, pruned string, err error) {
	return p.db.Changes(store.Limits{}).Mark(ctx)
}

// KeepImages implements [tools.Recorder].
func (p past) KeepImages(ctx context.Context, contents [][]byte) error {
	return p.db.Changes(store.Limits{}).KeepImages(ctx, contents)
}

// Since implements [tools.Recorder].
func (p past) Since(ctx context.Context, number int64) ([]event.Change, error) {
	return p.db.Changes(store.Limits{}).Since(ctx, number)
}

// Record implements [tools.Recorder].
func (p past) Record(ctx context.Context, changes []event.Change) ([]event.Change, error) {
	return p.db.Changes(store.Limits{}).Record(ctx, changes)
}

// Search implements [tools.History].
func (c closedJournal) Search(ctx context.Context, chat event.Chat, words string, limit int) (found []tools.Found, err error) {
	err = c.with(ctx, func(p past) (err error) { found, err = p.Search(ctx, chat, words, limit); return err })
	return found, err
}

// Keep implements [tools.Keeper].
func (c closedJournal) Keep(ctx context.Context, change event.Change, content []byte) (id int64, err error) {
	err = c.with(ctx, func(p past) (err error) { id, err = p.Keep(ctx, change, content); return err })
	return id, err
}

// Settle implements [tools.Keeper].
func (c closedJournal) Settle(ctx context.Context, id int64, happened bool) error {
	return c.with(ctx, func(p past) error { return p.Settle(ctx, id, happened) })
}

// Image implements [tools.Keeper].
func (c closedJournal) Image(ctx context.Context, sum string) (content []byte, err error) {
	err = c.with(ctx, func(p past) (err error) { content, err = p.Image(ctx, sum); return err })
	return content, err
}

// Mark implements [tools.Recorder].
func (c closedJournal) Mark(ctx context.Context) (newest int64, pruned string, err error) {
	err = c.with(ctx, func(p past) (err error) { newest, pruned, err = p.Mark(ctx); return err })
	return newest, pruned, err
}

// KeepImages implements [tools.Recorder].
func (c closedJournal) KeepImages(ctx context.Context, contents [][]byte) error {
	return c.with(ctx, func(p past) error { return p.KeepImages(ctx, contents) })
}

// Since implements [tools.Recorder].
func (c closedJournal) Since(ctx context.Context, number int64) (changes []event.Change, err error) {
	err = c.with(ctx, func(p past) (err error) { changes, err = p.Since(ctx, number); return err })
	return changes, err
}

// Record implements [tools.Recorder].
func (c closedJournal) Record(ctx context.Context, changes []event.Change) (made []event.Change, err error) {
	err = c.with(ctx, func(p past) (err error) { made, err = p.Record(ctx, changes); return err })
	return made, err
}

func (c closedJournal) with(ctx context.Context, do func(past) error) error {
	db, err := c.set.openJournal(ctx)
	if err != nil {
		return err
	}
	return closeAll(do(past{db}), db.Close())
}
