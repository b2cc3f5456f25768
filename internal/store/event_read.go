package store

import (
	"context"
	"iter"
	"strings"

	"hob/internal/event"
)

// A page of a reader ends after this many events, or with the event that exceeds this many bytes.
const (
	pageEvents = 128
	pageBytes  = 256 << 10
)

const (
	columns = `SELECT seq, time, chat, turn, type, key, body, crc FROM event `
	// The substr keeps SQLite from using the index by chat: followers read the newest events, which are
	// together in seq.
	sinceQuery = columns + `WHERE substr(chat, 1, length(?1)) = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3`
	chatQuery  = columns + `WHERE chat = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3`
)

// Since implements [Journal].
func (d *DB) Since(ctx context.Context, prefix string, after int64) iter.Seq2[event.Event, error] {
	return d.events(ctx, sinceQuery, prefix, after)
}

// Chat is Since for exactly one chat. Its time depends only on that chat's events.
func (d *DB) Chat(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error] {
	return d.events(ctx, chatQuery, string(chat), after)
}

func (d *DB) events(ctx context.Context, query, chat string, after int64) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		for r, err := range d.rows(ctx, query, chat, after) {
			if err != nil {
				yield(event.Event{}, wrap("read", d.path, err))
				return
			}
			if !yield(r.event(), nil) {
				return
			}
		}
	}
}

// rows yields the rows of a query for pages of a chat, after the Seq from.
func (d *DB) rows(ctx context.Context, query, chat string, from int64) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		var page []row
		for more := true; more; {
			var err error
			if page, more, err = d.page(ctx, page[:0], query, chat, from); err != nil {
				yield(row{}, err)
				return
			}
			for _, r := range page {
				if err := ctx.Err(); err != nil { // the caller may spend long on a page
					yield(row{}, err)
					return
				}
				if !yield(r, nil) {
					return
				}
				from = r.seq
			}
		}
	}
}

// page fills an empty page with rows, and reports whether there may be more.
func (d *DB) page(ctx context.Context, page []row, query, chat string, after int64) (_ []row, more bool, err error) {
	rows, err := d.read.QueryContext(ctx, query, chat, after, pageEvents)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	for size := 0; size <= pageBytes; {
		if !rows.Next() {
			return page, len(page) == pageEvents, rows.Err()
		}
		page = append(page, row{})
		r := &page[len(page)-1]
		if err := rows.Scan(&r.seq, &r.time, &r.chat, &r.turn, &r.typ, &r.key, &r.body, &r.crc); err != nil {
			return nil, false, err
		}
		size += len(r.body)
	}
	return page, true, nil
}

const keyQuery = `SELECT seq FROM event WHERE chat = ? AND key = ? AND key <> ''`

// Keyed returns the Seq of the chat's event with this [event.Key], or 0.
func (d *DB) Keyed(ctx context.Context, chat event.Chat, key string) (int64, error) {
	seq, err := value[int64](ctx, d.read, keyQuery, string(chat), key)
	return seq, wrap("read", d.path, err)
}

// OpenTurns returns the turns of the chat that have begun and not ended, oldest first. It reads no
// event.
func (d *DB) OpenTurns(ctx context.Context, chat event.Chat) (turns []int64, err error) {
	turns, err = collect(ctx, d.read, scanOne[int64], `SELECT turn FROM open_turn WHERE chat = ? ORDER BY turn`, string(chat))
	return turns, wrap("read", d.path, err)
}

// Last returns the Seq of the newest event of a chat, or with "" of the journal, or 0 if there is
// none.
func (d *DB) Last(ctx context.Context, chat event.Chat) (int64, error) {
	query := `SELECT coalesce(max(seq), 0) FROM event WHERE chat = ?`
	if chat == "" {
		query = `SELECT coalesce(max(seq), 0) FROM event WHERE ? = ''`
	}
	seq, err := value[int64](ctx, d.read, query, string(chat))
	return seq, wrap("read", d.path, err)
}

// Chats returns all chats by name. Its time depends on the number of chats and open turns, not of
// events.
func (d *DB) Chats(ctx context.Context) ([]ChatInfo, error) {
	chats, err := collect(ctx, d.read, func(scan scanner) (c ChatInfo, err error) {
		err = scan(&c.Chat, &c.Last, milliseconds{&c.Time})
		return c, err
	}, `WITH RECURSIVE name (chat) AS (
			SELECT min(chat) FROM event
			UNION ALL
			SELECT (SELECT min(e.chat) FROM event e WHERE e.chat > name.chat) FROM name WHERE name.chat IS NOT NULL
		)
		SELECT chat, seq, time FROM name JOIN event USING (chat)
		WHERE seq = (SELECT max(e.seq) FROM event e WHERE e.chat = name.chat)
		ORDER BY chat`)
	if err != nil {
		return nil, wrap("list chats in", d.path, err)
	}
	index := make(map[event.Chat]int, len(chats))
	for i, c := range chats {
		index[c.Chat] = i
	}
	type openTurn struct {
		chat event.Chat
		turn int64
	}
	open, err := collect(ctx, d.read, func(scan scanner) (o openTurn, err error) {
		err = scan(&o.chat, &o.turn)
		return o, err
	}, `SELECT chat, turn FROM open_turn ORDER BY turn`)
	if err != nil {
		return nil, wrap("list chats in", d.path, err)
	}
	for _, o := range open {
		if i, ok := index[o.chat]; ok { // otherwise the chat began between the two queries
			chats[i].Open = append(chats[i].Open, o.turn)
		}
	}
	return chats, nil
}

// ChatsOf returns the chats whose names begin with prefix, sorted.
func (d *DB) ChatsOf(ctx context.Context, prefix string) (names []event.Chat, err error) {
	all, err := d.Chats(ctx)
	for _, c := range all {
		if strings.HasPrefix(string(c.Chat), prefix) {
			names = append(names, c.Chat)
		}
	}
	return names, err
}
