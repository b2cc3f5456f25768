package main

import (
	"context"

	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/tools"
)

// past lets a tool search what happened in a chat.
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

// closedJournal is a past whose journal is opened for one search.
type closedJournal struct{ set *setting }

// Search implements [tools.History].
func (c closedJournal) Search(ctx context.Context, chat event.Chat, words string, limit int) ([]tools.Found, error) {
	db, err := c.set.openJournal(ctx)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	return past{db}.Search(ctx, chat, words, limit)
}
