package store

import (
	"context"
	"math"
	"slices"
	"strings"

	"hob/internal/event"
)

// searchQuery walks one chat from its newest event backwards. Only types that [event.Readable] has words of are read.
const searchQuery = columns + `WHERE chat = ?1 AND seq < ?2
	AND type IN ('said', 'called', 'returned', 'noted', 'replied') ORDER BY seq DESC LIMIT ?3`

// Search returns the newest events of exactly that chat, at most limit of them and the newest first, whose
// [event.Readable] text holds all of words, which are parted by blanks. Case does not matter; a word may be a part of a
// longer one. No words find nothing.
//
// It reads the whole chat, page by page, until it has found enough. An event that this hob cannot read is passed over:
// a search is no account of what happened, and one such event must not close the rest of the chat.
func (d *DB) Search(ctx context.Context, chat event.Chat, words string, limit int) ([]event.Event, error) {
	wanted := strings.Fields(event.Fold(words))
	if len(wanted) == 0 || limit <= 0 {
		return nil, nil
	}
	var found []event.Event
	for r, err := range d.rows(ctx, searchQuery, string(chat), math.MaxInt64) {
		if err != nil {
			return nil, wrap("search", d.path, err)
		}
		e := r.event()
		text, ok := event.Readable(e.Body)
		if !ok {
			continue
		}
		folded := event.Fold(text)
		if slices.ContainsFunc(wanted, func(word string) bool { return !strings.Contains(folded, word) }) {
			continue
		}
		if found = append(found, e); len(found) == limit {
			break
		}
	}
	return found, nil
}
