package store

import (
	"context"
	"math"
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
	f := newFinder(words, limit)
	for next, more := int64(math.MaxInt64), true; more && f.wants(); {
		var rows []row
		var err error
		rows, more, err = d.page(ctx, searchQuery, string(chat), next)
		if err != nil {
			return nil, failure("search", d.path, err)
		}
		for _, r := range rows {
			if err := ctx.Err(); err != nil {
				return nil, failure("search", d.path, err)
			}
			f.look(r)
			if !f.wants() {
				break
			}
			next = r.seq
		}
	}
	return f.found, nil
}

// finder is a search that is shown event after event, the newest first.
type finder struct {
	words []string // folded
	limit int
	found []event.Event
}

func newFinder(words string, limit int) *finder {
	return &finder{words: strings.Fields(event.Fold(words)), limit: limit}
}

func (f *finder) wants() bool { return len(f.words) > 0 && len(f.found) < f.limit }

func (f *finder) look(r row) {
	e := r.event()
	text, ok := event.Readable(e.Body)
	if !ok {
		return
	}
	folded := event.Fold(text)
	for _, word := range f.words {
		if !strings.Contains(folded, word) {
			return
		}
	}
	f.found = append(f.found, e)
}
