package store

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"hob/internal/event"
)

// rowTable is a table whose rows have an undo, like files: each change is in the log of changes
// with the row's former content, under a name such as "fact/12".
type rowTable struct {
	read  func(ctx context.Context, from querier, key string) (content []byte, err error)               // nil: there is no such row
	write func(ctx context.Context, tx transaction, key string, content []byte) (now string, err error) // nil removes the row; newRow creates one
	what  func(content []byte) string                                                                   // a line for people
	// widens reports whether then gives somebody more rights than now; nil: never.
	widens func(now, then []byte) bool
	// byHob says what hob itself did since a time that led to the row now, or "" if somebody else
	// did; nil: never.
	byHob func(now []byte, since time.Time) string
}

// newRow is the key for a write that creates a row, and returns its real key.
const newRow = "0"

// rowTables are the tables whose rows can be undone, by the first word of their names.
func (d *DB) rowTables() map[string]rowTable {
	return map[string]rowTable{
		"fact":     {read: numbered(readFact), write: numberedWrite(writeFact), what: inWords(whatFact)},
		"reminder": {read: numbered(readReminder), write: numberedWrite(writeReminder), what: inWords(whatReminder), byHob: whatHappened},
		"grant":    {read: numbered(readGrant), write: numberedWrite(d.writeGrant), what: inWords(event.Grant.String), widens: appears},
		"person":   {read: readPerson, write: writePerson, what: inWords(whatPerson), widens: rises},
		"consent":  {read: readConsent, write: d.writeConsent, widens: consents},
		"tool":     {read: readSwitch, write: writeSwitch, widens: disappears},
	}
}

// inWords makes the what of a table from a function of T. An unreadable row counts as the zero
// value.
func inWords[T any](what func(T) string) func(content []byte) string {
	return func(content []byte) string {
		var row T
		_ = json.Unmarshal(content, &row)
		return what(row)
	}
}

// appears reports whether a row exists then and not now; disappears is the reverse.
func appears(now, then []byte) bool    { return now == nil && then != nil }
func disappears(now, then []byte) bool { return now != nil && then == nil }

// numbered makes the read of a table with numbers as keys, and numberedWrite the write.
func numbered(read func(context.Context, querier, int64) ([]byte, error)) func(context.Context, querier, string) ([]byte, error) {
	return func(ctx context.Context, from querier, key string) ([]byte, error) {
		id, err := strconv.ParseInt(key, 10, 64)
		if err != nil {
			return nil, errNoName(key)
		}
		return read(ctx, from, id)
	}
}

func numberedWrite(write func(context.Context, transaction, int64, []byte) (int64, error)) func(context.Context, transaction, string, []byte) (string, error) {
	return func(ctx context.Context, tx transaction, key string, content []byte) (string, error) {
		id, err := strconv.ParseInt(key, 10, 64)
		if err != nil {
			return "", errNoName(key)
		}
		id, err = write(ctx, tx, id, content)
		return strconv.FormatInt(id, 10), err
	}
}

func errNoName(name string) error { return fmt.Errorf("%q is no name of a row", name) }

// tableOf returns the table for a row's name, and the key in it.
func (d *DB) tableOf(name string) (rowTable, string, error) {
	kind, key, _ := strings.Cut(name, "/")
	table, known := d.rowTables()[kind]
	if !known || key == "" || key == newRow {
		return table, "", errNoName(name)
	}
	return table, key, nil
}

// ErrRowChanged says that a row changed since it was read.
var ErrRowChanged = errors.New("it was changed at the same moment")

// RowError says why a row cannot be restored.
type RowError struct{ Why string }

func (e *RowError) Error() string { return e.Why }

// Row returns the state of the row of that name; the zero state means that there is none.
func (c *Changes) Row(ctx context.Context, name string) (event.FileState, error) {
	table, key, err := c.db.tableOf(name)
	if err != nil {
		return event.FileState{}, err
	}
	content, err := table.read(ctx, c.db.read, key)
	return event.RowState(content), wrap("read a row of", c.db.path, err)
}

// Widens reports whether the undo of a change of a row gives somebody more rights than they have
// now.
func (c *Changes) Widens(ctx context.Context, change event.Change) (bool, error) {
	table, key, err := c.db.tableOf(change.Path)
	if err != nil || table.widens == nil {
		return false, err
	}
	now, err := table.read(ctx, c.db.read, key)
	if err != nil {
		return false, wrap("read a row of", c.db.path, err)
	}
	var then []byte
	if change.Before.HasContent() {
		if then, err = c.Image(ctx, change.Before.Sum); err != nil {
			return true, nil //nolint:nilerr // assume so: it cannot be undone, and its content is unknown
		}
	}
	return table.widens(now, then), nil
}

// ByHob says what hob itself did to a row since a change of it, such as "it was told already", or
// "".
func (c *Changes) ByHob(ctx context.Context, change event.Change) (string, error) {
	table, key, err := c.db.tableOf(change.Path)
	if err != nil || table.byHob == nil {
		return "", nil //nolint:nilerr // the row of a story is in no table
	}
	now, err := table.read(ctx, c.db.read, key)
	if err != nil || now == nil || event.RowState(now).Same(change.After) {
		return "", wrap("read a row of", c.db.path, err)
	}
	return table.byHob(now, change.Time), nil
}

// SetRow replaces the row change.Path by content, or removes it for nil, and records the change,
// all in one transaction. If the row is not as change.Before says, the error is [ErrRowChanged]; if
// the content is not allowed now, it is a [*RowError]. It returns the change as recorded.
func (c *Changes) SetRow(ctx context.Context, change event.Change, content []byte) (event.Change, error) {
	table, key, err := c.db.tableOf(change.Path)
	if err != nil {
		return event.Change{}, err
	}
	made, was := event.Change{}, event.FileState{}
	err = c.db.transact(ctx, func(tx transaction) error {
		old, err := table.read(ctx, tx, key)
		if was = event.RowState(old); err != nil || !was.Same(change.Before) {
			return err
		}
		if _, err = table.write(ctx, tx, key, content); err == nil {
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
	if refused := (*RowError)(nil); errors.As(err, &refused) {
		return event.Change{}, refused
	}
	if err != nil {
		return event.Change{}, wrap("change a row of", c.db.path, err)
	}
	return made, nil
}

// keepRow records in tx that a row has changed.
func (c *Changes) keepRow(ctx context.Context, tx transaction, change event.Change, old, content []byte) (event.Change, error) {
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

// editRow changes one row in tx, and records that. The key [newRow] creates one. If nothing
// changes, it records nothing.
func (c *Changes) editRow(ctx context.Context, tx transaction, kind, key string, content []byte, cause event.Cause) (string, event.Change, error) {
	table := c.db.rowTables()[kind]
	var old []byte
	var err error
	if key != newRow {
		if old, err = table.read(ctx, tx, key); err != nil || bytes.Equal(old, content) && (old == nil) == (content == nil) {
			return key, event.Change{}, err
		}
	}
	if key, err = table.write(ctx, tx, key, content); err != nil {
		return "", event.Change{}, err
	}
	if content != nil { // the table may have filled in the number
		if content, err = table.read(ctx, tx, key); err != nil {
			return "", event.Change{}, err
		}
	}
	made, err := c.noteRow(ctx, tx, kind+"/"+key, old, content, cause)
	return key, made, err
}

// noteRow records in tx that a person changed the row of a name from old to content.
func (c *Changes) noteRow(ctx context.Context, tx transaction, name string, old, content []byte, cause event.Cause) (event.Change, error) {
	table, _, err := c.db.tableOf(name)
	if err != nil {
		return event.Change{}, err
	}
	if cause.What == "" && table.what != nil {
		shown := content
		if shown == nil {
			shown = old
		}
		cause.What = table.what(shown)
	}
	made, err := c.keepRow(ctx, tx, event.Change{Cause: cause, Path: name}, old, content)
	if err == nil && made.ID%pruneEvery == 0 {
		err = c.prune(ctx, tx)
	}
	return made, err
}

// pruneEvery is how many changes of rows pass between two checks of the limits: a row is small.
const pruneEvery = 64
