package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"hob/internal/event"
)

const changeColumns = `SELECT c.id, c.time, c.by, c.chat, c.turn, c.tool, c.undoes, c.part, c.what, c.path, c.folders, c.before, c.after, c.stage,
	i.sum IS NULL FROM change AS c LEFT JOIN image AS i ON i.sum = c.image `

// Since returns the changes after a number, newest first, without those that did not happen; 0 is
// all. Their Fate says whether they were undone.
func (c *Changes) Since(ctx context.Context, number int64) ([]event.Change, error) {
	list, err := collect(ctx, c.db.read, scanChange, changeColumns+`WHERE c.stage <> ? AND c.id > ? ORDER BY c.id DESC LIMIT ?`,
		string(event.StageVoid), number, c.limits.Changes)
	if err != nil {
		return nil, wrap("list changes in", c.db.path, err)
	}
	var fates event.Fates
	for i := range list {
		fates.Complete(&list[i])
	}
	return list, nil
}

// of returns the changes of one path, newest first, without those that did not happen.
func (c *Changes) of(ctx context.Context, path string) ([]event.Change, error) {
	list, err := changesOf(ctx, c.db.read, path)
	return list, wrap("list changes in", c.db.path, err)
}

func changesOf(ctx context.Context, from querier, path string) ([]event.Change, error) {
	return collect(ctx, from, scanChange, changeColumns+`WHERE c.path = ? AND c.stage <> ? ORDER BY c.id DESC`,
		path, string(event.StageVoid))
}

func scanChange(scan scanner) (ch event.Change, err error) {
	var before, after string
	var noImage bool
	err = scan(&ch.ID, milliseconds{&ch.Time}, &ch.By, &ch.Chat, &ch.Turn, &ch.Tool, &ch.Undoes, &ch.Part, &ch.What,
		&ch.Path, &ch.Folders, &before, &after, &ch.Stage, &noImage)
	if err != nil {
		return ch, err
	}
	err = errors.Join(json.Unmarshal([]byte(before), &ch.Before), json.Unmarshal([]byte(after), &ch.After))
	if err != nil {
		return ch, fmt.Errorf("read change %d: %w", ch.ID, err)
	}
	ch.Lost = noImage && ch.Before.HasContent()
	return ch, nil
}
