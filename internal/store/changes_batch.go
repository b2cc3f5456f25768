package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"hob/internal/event"
)

// pruningsKey is the setting that counts how often contents were removed.
const pruningsKey = "changes/prunings"

func countPruning(ctx context.Context, tx transaction) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO setting (key, value) VALUES (?, '1')
		ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1`, pruningsKey)
	return err
}

// Mark returns the number of the newest change, 0 if there is none, and a text that changes
// whenever contents are removed.
func (c *Changes) Mark(ctx context.Context) (newest int64, pruned string, err error) {
	newest, err = value[int64](ctx, c.db.read, `SELECT coalesce(max(id), 0) FROM change`)
	if err != nil {
		return 0, "", wrap("read the newest change in", c.db.path, err)
	}
	pruned, err = c.db.Settings().Get(ctx, pruningsKey)
	return newest, pruned, err
}

// KeepImages makes contents durable before they may be changed, all or none. They are stored as
// long as those that the next change replaces.
func (c *Changes) KeepImages(ctx context.Context, images [][]byte) error {
	err := c.db.transact(ctx, func(tx transaction) error {
		next, err := value[int64](ctx, tx, `SELECT coalesce(max(id), 0) + 1 FROM change`)
		if err != nil {
			return err
		}
		for _, image := range images {
			sum := sha256.Sum256(image)
			if err := keepImage(ctx, tx, next, sum[:], image); err != nil {
				return err
			}
		}
		return nil
	})
	return wrap("keep contents in", c.db.path, err)
}

// Record makes durable that the changes of one call happened, whose old contents were stored
// before. It returns those that it recorded, with their numbers, in the same order: it leaves out
// changes whose content is no longer stored. After an error it has recorded none.
func (c *Changes) Record(ctx context.Context, changes []event.Change) (made []event.Change, err error) {
	err = c.db.transact(ctx, func(tx transaction) error {
		now := c.db.now()
		for _, change := range changes {
			sum, err := hex.DecodeString(change.Before.Sum)
			if err != nil {
				return fmt.Errorf("find a content: %w", err)
			}
			if !change.Before.HasContent() {
				sum = nil
			} else if n, err := value[int](ctx, tx, `SELECT count(*) FROM image WHERE sum = ?`, sum); err != nil {
				return err
			} else if n == 0 {
				continue
			}
			change.Time, change.Stage = now, event.StageMade
			if len(made) > 0 {
				change.Part = made[0].ID
			}
			if change.ID, err = insertChange(ctx, tx, change, sum); err != nil {
				return err
			}
			made = append(made, change)
		}
		if len(made) == 0 {
			return nil
		}
		last := made[len(made)-1].ID // contents replaced by one call are removed together
		for _, change := range made {
			sum, _ := hex.DecodeString(change.Before.Sum)
			if _, err := tx.ExecContext(ctx, `UPDATE image SET used = ? WHERE sum = ? AND used < ?`, last, sum, last); err != nil {
				return err
			}
		}
		return c.prune(ctx, tx)
	})
	if err != nil {
		return nil, wrap("record changes in", c.db.path, err)
	}
	return made, nil
}

func insertChange(ctx context.Context, tx transaction, c event.Change, sum []byte) (int64, error) {
	before, err := json.Marshal(c.Before)
	if err != nil {
		return 0, err
	}
	after, err := json.Marshal(c.After)
	if err != nil {
		return 0, err
	}
	return lastInsertID(tx.ExecContext(ctx,
		`INSERT INTO change (time, by, chat, turn, tool, undoes, part, what, path, folders, before, after, image, stage)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		c.Time.UnixMilli(), c.By, string(c.Chat), c.Turn, c.Tool, c.Undoes, c.Part, c.What, c.Path, c.Folders,
		string(before), string(after), sum, string(c.Stage)))
}
