package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

const markQuery = `INSERT INTO mark (reader, seq) VALUES (?, ?)
	ON CONFLICT (reader) DO UPDATE SET seq = excluded.seq WHERE excluded.seq > mark.seq`

// Mark implements [Journal]. It is durable when it returns.
func (d *DB) Mark(ctx context.Context, reader string, seq int64) error {
	if err := checkMark(reader, seq); err != nil {
		return err
	}
	_, err := d.exec(ctx, markQuery, reader, seq)
	if err != nil {
		return failure("mark "+reader+" in", d.path, err)
	}
	return nil
}

// Marked implements [Journal].
func (d *DB) Marked(ctx context.Context, reader string) (seq int64, err error) {
	err = d.read.QueryRowContext(ctx, `SELECT seq FROM mark WHERE reader = ?`, reader).Scan(&seq)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, failure("read mark of "+reader+" in", d.path, err)
	}
	return seq, nil
}

func checkMark(reader string, seq int64) error {
	if reader == "" {
		return errors.New("mark: the reader has no name")
	}
	if seq < 0 {
		return fmt.Errorf("mark %s: %d is negative", reader, seq)
	}
	return nil
}
