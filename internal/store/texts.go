package store

import (
	"context"
	"encoding/hex"
	"iter"
	"strings"

	"hob/internal/event"
)

// Texts finds events by the words of their texts, in table event_terms. A row has the number of an
// event and its terms, one of which stands for its chat. [Texts.Update] adds rows in the order of
// events; journaling an event does not. So a chat that is never searched costs nothing, and an old
// journal gets its index at the first search. It is safe for concurrent use.
type Texts struct{ db *DB }

// Texts returns the index of the events' texts.
func (d *DB) Texts() Texts { return Texts{d} }

// Only types with an [event.Readable] text are in the index.
const readableTypes = `type IN ('said', 'called', 'returned', 'noted', 'replied')`

const textsQuery = columns + `WHERE ?1 = '' AND seq > ?2 AND ` + readableTypes + ` ORDER BY seq LIMIT ?3`

// indexedTogether is how many events one transaction adds to the index, while nobody else can
// write.
const indexedTogether = 512

// Update brings the index up to the newest event. terms returns the terms of an event.
func (t Texts) Update(ctx context.Context, terms func(event.Event) []string) error {
	for {
		after, err := t.Indexed(ctx)
		if err != nil {
			return err
		}
		var all []event.Event
		var found []string
		for r, err := range t.db.rows(ctx, textsQuery, "", after) {
			if err != nil {
				return wrap("index the texts of", t.db.path, err)
			}
			e := r.event()
			all, found = append(all, e), append(found, strings.Join(append(terms(e), chatTerm(e.Chat)), " "))
			if len(all) == indexedTogether {
				break
			}
		}
		if len(all) == 0 {
			return nil
		}
		err = t.db.transact(ctx, func(tx transaction) error {
			now, err := value[int64](ctx, tx, indexedQuery)
			if err != nil {
				return err
			}
			for i, e := range all {
				if e.Seq <= now { // another process was faster
					continue
				}
				if _, err := tx.ExecContext(ctx, `INSERT INTO event_terms (rowid, terms) VALUES (?, ?)`, e.Seq, found[i]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return wrap("index the texts of", t.db.path, err)
		}
	}
}

const indexedQuery = `SELECT coalesce((SELECT rowid FROM event_terms ORDER BY rowid DESC LIMIT 1), 0)`

// Indexed returns the number of the newest event in the index, or 0.
func (t Texts) Indexed(ctx context.Context) (int64, error) {
	seq, err := value[int64](ctx, t.db.read, indexedQuery)
	return seq, wrap("search", t.db.path, err)
}

// Since yields the events with a text of exactly one chat after a number, oldest first.
func (t Texts) Since(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error] {
	return t.db.events(ctx, columns+`WHERE chat = ?1 AND seq > ?2 AND `+readableTypes+` ORDER BY seq LIMIT ?3`, string(chat), after)
}

// Holding returns the numbers of the newest indexed events of exactly one chat that contain all
// words, at most limit, newest first. A word is a list of terms, of which an event needs one. A
// term with a * at its end matches every term that begins with it.
func (t Texts) Holding(ctx context.Context, chat event.Chat, words [][]string, limit int) ([]int64, error) {
	if len(words) == 0 {
		return nil, nil
	}
	each := []string{quoteTerms([]string{chatTerm(chat)})}
	for _, terms := range words {
		each = append(each, "("+quoteTerms(terms)+")")
	}
	found, err := collect(ctx, t.db.read, scanOne[int64], `SELECT event_terms.rowid FROM event_terms JOIN event ON seq = event_terms.rowid
		WHERE event_terms MATCH ? AND event.chat = ? ORDER BY event_terms.rowid DESC LIMIT ?`, strings.Join(each, " AND "), string(chat), limit)
	return found, wrap("search", t.db.path, err)
}

// ByNumber returns the existing events with these numbers, in no order.
func (t Texts) ByNumber(ctx context.Context, seqs []int64) (all []event.Event, err error) {
	for _, seq := range seqs {
		for r, err := range t.db.rows(ctx, columns+`WHERE ?1 = '' AND seq = ?2 LIMIT min(?3, 1)`, "", seq) {
			if err != nil {
				return nil, wrap("search", t.db.path, err)
			}
			all = append(all, r.event())
		}
	}
	return all, nil
}

// chatTerm is the term of a chat. A text may contain it, too, so a search also compares the chat.
func chatTerm(chat event.Chat) string { return "xchat" + hex.EncodeToString([]byte(chat)) }
