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

// Limits bound what [Changes] stores. A zero field means the default.
type Limits struct {
	Bytes   int64         // of stored contents; default 256 MB
	Age     time.Duration // of contents; default 90 days
	Changes int64         // in the list; default 10,000
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

// Changes stores changes of files, and the contents that they replaced, so that they can be undone.
// Each content is stored once, however often it was replaced, and compressed if that saves room. If
// the limits are exceeded, the contents replaced longest ago are removed first, and their changes
// stay in the list as lost. Nothing is removed while changes are undone. It is safe for concurrent
// use, also by several processes.
type Changes struct {
	db     *DB
	limits Limits
}

// ErrNotKept says that a content is not stored, or no longer.
var ErrNotKept = errors.New("the content is not kept any more")

// Changes returns the store of changes, with limits.
func (d *DB) Changes(l Limits) *Changes { return &Changes{db: d, limits: l.withDefaults()} }

// Keep makes durable that a change is about to happen, with the content that it replaces. The
// content is nil if there is none or it is too large to store. Keep fills in ID and Time, and
// begins the Fate. An undo removes no contents, so that a series of undos finds what it needs: call
// [Changes.Prune] after it.
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

// keepImage stores a content, or records that one more change uses it.
func keepImage(ctx context.Context, tx transaction, id int64, sum, image []byte) error {
	if n, err := rowsAffected(tx.ExecContext(ctx, `UPDATE image SET used = ? WHERE sum = ?`, id, sum)); err != nil || n > 0 {
		return err
	}
	data := pack(image)
	_, err := tx.ExecContext(ctx, `INSERT INTO image (sum, used, stored, size, data) VALUES (?, ?, ?, ?, ?)`,
		sum, id, len(data), len(image), data)
	return err
}

// Settle records whether a change happened. A change that happened stays so.
func (c *Changes) Settle(ctx context.Context, id int64, happened bool) error {
	stage := event.StageVoid
	if happened {
		stage = event.StageMade
	}
	_, err := c.db.exec(ctx, `UPDATE change SET stage = ? WHERE id = ? AND stage <> ?`,
		string(stage), id, string(event.StageMade))
	return wrap("settle a change in", c.db.path, err)
}

// Image returns the content with this SHA-256, in hexadecimal. Its error may be [ErrNotKept].
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

// Prune removes contents and changes beyond the limits.
func (c *Changes) Prune(ctx context.Context) error {
	return wrap("prune changes in", c.db.path, c.db.transact(ctx, func(tx transaction) error { return c.prune(ctx, tx) }))
}

// prune keeps the content of the newest change, however large it is.
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
	n, err := rowsAffected(tx.ExecContext(ctx, `DELETE FROM image WHERE used <= ?`, gone)) // used by no later change
	if err == nil && n > 0 {
		err = countPruning(ctx, tx)
	}
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM change WHERE id <= (SELECT max(id) FROM change) - ?`, c.limits.Changes)
	return err
}
