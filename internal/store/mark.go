package store

import (
	"context"
	"errors"
	"fmt"
)

const markQuery = `INSERT INTO mark (reader, seq) VALUES (?, ?)
	ON CONFLICT (reader) DO UPDATE SET seq = excluded.seq WHERE excluded.seq > mark.seq`

// Mark implements [Journal]. It is durable when it returns.
func (d *DB) Mark(ctx context.Context, reader string, seq int64) error {
	if reader == "" {
		return errors.New("mark: the reader has no name")
	}
	if seq < 0 {
		return fmt.Errorf("mark %s: %d is negative", reader, seq)
	}
	_, err := d.exec(ctx, markQuery, reader, seq)
	return wrap("mark "+reader+" in", d.path, err)
}

// Marked implements [Journal].
func (d *DB) Marked(ctx context.Context, reader string) (int64, error) {
	seq, err := value[int64](ctx, d.read, `SELECT seq FROM mark WHERE reader = ?`, reader)
	return seq, wrap("read mark of "+reader+" in", d.path, err)
}
