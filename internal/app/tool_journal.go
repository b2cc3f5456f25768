package app

import (
	"context"

	"hob/internal/campaigns"
	"hob/internal/event"
	"hob/internal/memory"
	"hob/internal/store"
	"hob/internal/tools/files/changes"
	"hob/internal/tools/files/origins"
	"hob/internal/tools/recall"
)

// ToolJournal is the part of the journal that tools need.
type ToolJournal struct {
	History recall.History
	Facts   recall.Facts
	Log     changes.Log
	Origins origins.Store
	db      *store.DB
}

// JournalTools returns the tools' part of a journal. A nil db suits tools that are only listed.
func JournalTools(db *store.DB) ToolJournal {
	return ToolJournal{History: history{db}, Facts: factsOf(db), Log: campaigns.NewChanges(db), Origins: db.Origins(), db: db}
}

// PastOf returns a searchable view of everything said and done in the chats of a journal.
func PastOf(db *store.DB) *memory.Past { return memory.NewPast(db.Texts(), recall.TextOf) }

// history searches the events of a chat.
type history struct{ db *store.DB }

// Search implements [recall.History].
func (h history) Search(ctx context.Context, chat event.Chat, words string, limit int) ([]recall.Hit, error) {
	past := PastOf(h.db)
	events, err := past.Search(ctx, chat, words, limit)
	if err != nil {
		return nil, err
	}
	words = past.Forms(words)
	var found []recall.Hit
	for _, e := range events {
		if f, ok := recall.HitOf(e, words); ok {
			found = append(found, f)
		}
	}
	return found, nil
}
