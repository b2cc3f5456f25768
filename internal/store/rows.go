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

// rowTable is a table whose rows are changed like files: each change is kept with what the row was before, in the log of
// changes, under a name such as "fact/12".
type rowTable struct {
	read  func(ctx context.Context, from querier, key string) (content []byte, err error)               // nil: there is none
	write func(ctx context.Context, tx transaction, key string, content []byte) (now string, err error) // nil removes it; newRow makes one
	what  func(content []byte) string                                                                   // in a line, for people
	// widens reports whether somebody may do more once the row is then and not now; nil: never.
	widens func(now, then []byte) bool
	// byHob says what hob itself has done since a time so that the row is now, "" where somebody else did; nil: hob does nothing.
	byHob func(now []byte, since time.Time) string
}

// newRow is the key of a row that is made by a write, which returns the one that it got.
const newRow = "0"

// rowTables are the tables whose rows can be taken back, by the first word of the names.
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

// inWords is the what of a table whose rows are values of T. What cannot be read is the zero value.
func inWords[T any](what func(T) string) func(content []byte) string {
	return func(content []byte) string {
		var row T
		_ = json.Unmarshal(content, &row)
		return what(row)
	}
}

// appears reports whether there is a row then and none now; disappears is the reverse.
func appears(now, then []byte) bool    { return now == nil && then != nil }
func disappears(now, then []byte) bool { return now != nil && then == nil }

// numbered is the read of a table whose rows people name by a number, and numberedWrite the write.
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

// tableOf returns the table of a row's name, and its key there.
func (d *DB) tableOf(name string) (rowTable, string, error) {
	kind, key, _ := strings.Cut(name, "/")
	table, known := d.rowTables()[kind]
	if !known || key == "" || key == newRow {
		return table, "", errNoName(name)
	}
	return table, key, nil
}

// ErrRowChanged says that a row is not what it was when it was looked at.
var ErrRowChanged = errors.New("it was changed at the same moment")

// RowError says why a row cannot be as it was.
type RowError struct{ Why string }

func (e *RowError) Error() string { return e.Why }

// Row returns the state of the row of that name; the zero state is none.
func (c *Changes) Row(ctx context.Context, name string) (event.FileState, error) {
	table, key, err := c.db.tableOf(name)
	if err != nil {
		return event.FileState{}, err
	}
	content, err := table.read(ctx, c.db.read, key)
	return event.RowState(content), wrap("read a row of", c.db.path, err)
}

// Widens reports whether somebody may do more once a change of a row is taken back than they may now.
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
			return true, nil //nolint:nilerr // it cannot be taken back, and nobody knows what it was
		}
	}
	return table.widens(now, then), nil
}

// ByHob says what hob itself has done to a row since a change of it, such as "it was told already"; "" is nothing.
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

// SetRow puts content in the place of the row change.Path, nil for none, and keeps the change, all in one transaction. The row
// must be as change.Before says, else the error is [ErrRowChanged]. One that may not be so now is a [*RowError]. It returns the
// change as it is kept.
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

// keepRow keeps in tx that a row has changed there.
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

// editRow changes one row in tx, and keeps that. [newRow] makes one. Nothing is kept where nothing changes.
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
	if content != nil { // as the table has it, which may have filled in its number
		if content, err = table.read(ctx, tx, key); err != nil {
			return "", event.Change{}, err
		}
	}
	made, err := c.noteRow(ctx, tx, kind+"/"+key, old, content, cause)
	return key, made, err
}

// noteRow keeps in tx that a person has changed the row of a name, which was old.
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

// pruneEvery is how many changes of rows there are to one look at the limits: a row is small.
const pruneEvery = 64
