package store

import (
	"context"
	"math"
	"slices"
	"strings"

	"hob/internal/event"
)

// searchQuery walks one chat backwards from its newest event. It reads only types that have an
// [event.Readable] text.
const searchQuery = columns + `WHERE chat = ?1 AND seq < ?2
	AND type IN ('said', 'called', 'returned', 'noted', 'replied') ORDER BY seq DESC LIMIT ?3`

// Search returns the newest events of exactly one chat, at most limit, newest first, whose
// [event.Readable] text contains all of words, which are separated by blanks. Case does not matter,
// and a word may be part of a longer one. Without words it finds nothing.
//
// It reads the chat page by page until it has found enough. It skips events that this hob cannot
// read: a search need not be complete, and one such event must not hide the rest of the chat.
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
