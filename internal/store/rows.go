package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"hob/internal/event"
)

// rowTable is a table whose rows are changed like files: each change is kept with what the row was before, in the log of
// changes, under a name such as "fact/12".
type rowTable struct {
	read  func(ctx context.Context, from querier, id int64) (content []byte, err error)  // nil: there is none
	write func(ctx context.Context, tx *sql.Tx, id int64, content []byte) (int64, error) // nil removes it; 0 is a new one
}

// rowTables are the tables whose rows can be taken back, by the first word of the names.
func rowTables() map[string]rowTable {
	return map[string]rowTable{
		"fact": {readFact, writeFact},
	}
}

// tableOf returns the table of a row's name, and its number there.
func tableOf(name string) (rowTable, int64, error) {
	kind, number, _ := strings.Cut(name, "/")
	table, known := rowTables()[kind]
	id, err := strconv.ParseInt(number, 10, 64)
	if !known || err != nil {
		return table, 0, fmt.Errorf("%q is no name of a row", name)
	}
	return table, id, nil
}

// ErrRowChanged says that a row is not what it was when it was looked at.
var ErrRowChanged = errors.New("it was changed at the same moment")

// Row returns the state of the row of that name; the zero state is none.
func (c *Changes) Row(ctx context.Context, name string) (event.FileState, error) {
	table, id, err := tableOf(name)
	if err != nil {
		return event.FileState{}, err
	}
	content, err := table.read(ctx, c.db.read, id)
	return event.RowState(content), wrap("read a row of", c.db.path, err)
}

// SetRow puts content in the place of the row change.Path, nil for none, and keeps the change, all in one transaction. The row
// must be as change.Before says, else the error is [ErrRowChanged]. It returns the change as it is kept.
func (c *Changes) SetRow(ctx context.Context, change event.Change, content []byte) (event.Change, error) {
	table, id, err := tableOf(change.Path)
	if err != nil {
		return event.Change{}, err
	}
	made, was := event.Change{}, event.FileState{}
	err = c.db.transact(ctx, func(tx *sql.Tx) error {
		old, err := table.read(ctx, tx, id)
		if was = event.RowState(old); err != nil || !was.Same(change.Before) {
			return err
		}
		if _, err = table.write(ctx, tx, id, content); err == nil {
			made, err = c.keepRow(ctx, tx, change, old, content)
		}
		if err == nil && change.Undoes == 0 {
			err = c.prune(ctx, tx)
		}
		return err
	})
	if err == nil && !was.Same(change.Before) {
		err = ErrRowChanged
	}
	if err != nil {
		return event.Change{}, wrap("change a row of", c.db.path, err)
	}
	return made, nil
}

// keepRow keeps in tx that a row has changed there.
func (c *Changes) keepRow(ctx context.Context, tx *sql.Tx, change event.Change, old, content []byte) (event.Change, error) {
	change.Time, change.Stage = c.db.now(), event.StageMade
	change.Before, change.After = event.RowState(old), event.RowState(content)
	var sum []byte
	if old != nil {
		sum, _ = hex.DecodeString(change.Before.Sum)
	}
	var err error
	if change.ID, err = insertChange(ctx, tx, change, sum); err == nil && old != nil {
		err = keepImage(ctx, tx, change.ID, sum, old)
	}
	return change, err
}

// editRow changes one row in tx, and keeps that. A number of 0 makes a new row. Nothing is kept where nothing changes.
func (c *Changes) editRow(ctx context.Context, tx *sql.Tx, kind string, id int64, content []byte, cause event.Cause) (int64, event.Change, error) {
	table := rowTables()[kind]
	var old []byte
	var err error
	if id != 0 {
		if old, err = table.read(ctx, tx, id); err != nil || bytes.Equal(old, content) && (old == nil) == (content == nil) {
			return id, event.Change{}, err
		}
	}
	if id, err = table.write(ctx, tx, id, content); err != nil {
		return 0, event.Change{}, err
	}
	if content != nil { // as the table has it, which may have filled in its number
		if content, err = table.read(ctx, tx, id); err != nil {
			return 0, event.Change{}, err
		}
	}
	made, err := c.keepRow(ctx, tx, event.Change{Cause: cause, Path: fmt.Sprintf("%s/%d", kind, id)}, old, content)
	return id, made, err
}
