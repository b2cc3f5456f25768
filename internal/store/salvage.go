package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"hob/internal/event"
)

// maxHole is the longest gap of unreadable numbers to search, if the last number is unknown.
const maxHole = 100_000

// Salvage yields, in order, the readable events of a journal that may be damaged, and an error for
// each unreadable row; chat "" is all chats. It works on a copy in the folder dir, so the journal
// does not change. It does not check whether a hob uses the journal.
func Salvage(ctx context.Context, path string, chat event.Chat, dir string) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		pool, err := salvagePool(path, dir)
		if err != nil {
			yield(event.Event{}, wrap("salvage", path, err))
			return
		}
		defer pool.Close()
		last, known := lastSeq(ctx, pool)
		hole := int64(0)
		for seq := int64(1); seq <= last || !known && hole < maxHole; seq++ {
			r, err := salvageRow(ctx, pool, seq)
			switch {
			case ctx.Err() != nil:
				yield(event.Event{}, wrap("salvage", path, ctx.Err()))
				return
			case errors.Is(err, sql.ErrNoRows):
				hole++
				continue
			case err != nil:
				hole++
				if !yield(event.Event{Seq: seq}, fmt.Errorf("event %d: %w", seq, err)) {
					return
				}
				continue
			}
			hole = 0
			if (chat == "" || r.chat == string(chat)) && !yield(r.event(), nil) {
				return
			}
		}
	}
}

// salvagePool opens a copy of the journal and its log. SQLite reads the log as far as it is intact.
func salvagePool(path, dir string) (*sql.DB, error) {
	to := filepath.Join(dir, "journal.db")
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(path+suffix, to+suffix); err != nil && !(suffix != "" && errors.Is(err, fs.ErrNotExist)) {
			return nil, err
		}
	}
	return connect(to, strings.Replace(commonOptions, "&_defensive=1", "", 1)+existingOnly+"&_pragma=writable_schema(1)") // without this, SQLite refuses a truncated file
}

func copyFile(from, to string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Close())
}

// lastSeq returns the last number given to an event, if that can be determined.
func lastSeq(ctx context.Context, pool *sql.DB) (seq int64, known bool) {
	seq, known, _ = find(ctx, pool, scanOne[int64], `SELECT seq FROM sqlite_sequence WHERE name = 'event'`)
	if known {
		return seq, true
	}
	seq, known, _ = find(ctx, pool, scanOne[int64], `SELECT coalesce(max(seq), 0) FROM event`)
	return seq, known
}

// salvageRow reads one row. A journal from before schema 8 has no checksums.
func salvageRow(ctx context.Context, pool *sql.DB, seq int64) (r row, err error) {
	scan := []any{&r.seq, &r.time, &r.chat, &r.turn, &r.typ, &r.key, &r.body}
	err = pool.QueryRowContext(ctx, columns+`WHERE seq = ?`, seq).Scan(append(scan, &r.crc)...)
	if code := reasonOf(err); err != nil && code == nil && !errors.Is(err, sql.ErrNoRows) {
		err = pool.QueryRowContext(ctx, `SELECT seq, time, chat, turn, type, key, body FROM event WHERE seq = ?`, seq).Scan(scan...)
	}
	return r, err
}
