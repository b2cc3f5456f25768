package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"hob/internal/event"
)

// Limits bound what [Changes] keeps. A zero field means the usual.
type Limits struct {
	Bytes   int64         // of contents as they are stored; usually 256 MB
	Age     time.Duration // of contents; usually 90 days
	Changes int64         // that are listed; usually 10,000
}

func (l Limits) withDefaults() Limits {
	if l.Bytes <= 0 {
		l.Bytes = 256_000_000
	}
	if l.Age <= 0 {
		l.Age = 90 * 24 * time.Hour
	}
	if l.Changes <= 0 {
		l.Changes = 10_000
	}
	return l
}

// Changes remembers changes of files and the contents that they replaced, so that they can be taken back. Contents are
// kept once, however often they were replaced, and compressed where that saves room. Where there are too many, those
// that were replaced longest ago go first, and their changes stay listed as lost. Nothing goes while changes are taken
// back. It is safe for concurrent use, also by several processes.
type Changes struct {
	db     *DB
	limits Limits
}

// ErrNotKept says that a content is not there, or not any more.
var ErrNotKept = errors.New("the content is not kept any more")

// Changes returns the changes that d remembers.
func (d *DB) Changes(l Limits) *Changes { return &Changes{db: d, limits: l.withDefaults()} }

// Keep makes durable that a change is about to happen, with the content it replaces; nil where there is none or it is too
// large to be kept. Its ID and Time are filled in here, its Fate begins. A change that takes another back removes
// nothing, so that a series of them finds what it needs: call [Changes.Prune] after it.
func (c *Changes) Keep(ctx context.Context, change event.Change, image []byte) (id int64, err error) {
	var sum []byte
	if image != nil {
		hash := sha256.Sum256(image)
		if sum = hash[:]; hex.EncodeToString(sum) != change.Before.Sum {
			return 0, fmt.Errorf("keep a change of %s: the content is not what it says", change.Path)
		}
	}
	err = c.db.transact(ctx, func(tx transaction) error {
		change.Time, change.Stage = c.db.now(), event.StageBegun
		if id, err = insertChange(ctx, tx, change, sum); err != nil {
			return err
		}
		if image != nil {
			if err := keepImage(ctx, tx, id, sum, image); err != nil {
				return err
			}
		}
		if change.Undoes != 0 {
			return nil
		}
		return c.prune(ctx, tx)
	})
	if err != nil {
		return 0, wrap("keep a change in", c.db.path, err)
	}
	return id, nil
}

// keepImage stores a content, or remembers that a change uses it, too.
func keepImage(ctx context.Context, tx transaction, id int64, sum, image []byte) error {
	if n, err := rowsAffected(tx.ExecContext(ctx, `UPDATE image SET used = ? WHERE sum = ?`, id, sum)); err != nil || n > 0 {
		return err
	}
	data := pack(image)
	_, err := tx.ExecContext(ctx, `INSERT INTO image (sum, used, stored, size, data) VALUES (?, ?, ?, ?, ?)`,
		sum, id, len(data), len(image), data)
	return err
}

// Settle records whether a change has happened. One that has happened stays so.
func (c *Changes) Settle(ctx context.Context, id int64, happened bool) error {
	stage := event.StageVoid
	if happened {
		stage = event.StageMade
	}
	_, err := c.db.exec(ctx, `UPDATE change SET stage = ? WHERE id = ? AND stage <> ?`,
		string(stage), id, string(event.StageMade))
	return wrap("settle a change in", c.db.path, err)
}

// Image returns the content with that SHA-256, in hexadecimal; else an error that may be [ErrNotKept].
func (c *Changes) Image(ctx context.Context, sum string) ([]byte, error) {
	key, err := hex.DecodeString(sum)
	if err != nil {
		return nil, fmt.Errorf("find a content: %w", err)
	}
	var size int
	var data []byte
	err = c.db.read.QueryRowContext(ctx, `SELECT size, data FROM image WHERE sum = ?`, key).Scan(&size, &data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNotKept
	}
	if err == nil {
		data, err = unpack(data, size)
	}
	if hash := sha256.Sum256(data); err == nil && hex.EncodeToString(hash[:]) != sum {
		err = &damage{"a content that was kept has changed"}
	}
	if err != nil {
		return nil, wrap("read a content in", c.db.path, err)
	}
	return data, nil
}

// Prune removes contents and changes that are past the limits.
func (c *Changes) Prune(ctx context.Context) error {
	return wrap("prune changes in", c.db.path, c.db.transact(ctx, func(tx transaction) error { return c.prune(ctx, tx) }))
}

// prune keeps what the newest change uses, however large that is.
func (c *Changes) prune(ctx context.Context, tx transaction) error {
	gone, err := value[int64](ctx, tx, `SELECT max(
			(SELECT coalesce(max(id), 0) FROM change WHERE time < ?1),
			(SELECT coalesce(max(id), 0) FROM change) - ?2,
			iif((SELECT sum(stored) FROM image) > ?3, -- it is rarely, and the rest takes a hundred times as long
				coalesce((SELECT used FROM (SELECT used, sum(stored) OVER (ORDER BY used DESC) AS total FROM image)
					WHERE total > ?3 AND used < (SELECT max(used) FROM image) ORDER BY used DESC LIMIT 1), 0), 0))`,
		c.db.now().Add(-c.limits.Age).UnixMilli(), c.limits.Changes, c.limits.Bytes)
	if err != nil {
		return err
	}
	n, err := rowsAffected(tx.ExecContext(ctx, `DELETE FROM image WHERE used <= ?`, gone)) // by no later change
	if err == nil && n > 0 {
		err = countPruning(ctx, tx)
	}
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM change WHERE id <= (SELECT max(id) FROM change) - ?`, c.limits.Changes)
	return err
}
