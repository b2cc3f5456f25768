package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"hob/internal/event"
)

// Schema returns the schema number of the journals that this hob writes.
func Schema() (int, error) {
	migrations, err := migrationsOf(migrationFiles)
	return len(migrations), err
}

// Copy writes the journal as of one moment to a new file of mode 0600. Others may write meanwhile.
// The copy is a single file, with the same rows and numbers. After an error there is no file.
func (d *DB) Copy(ctx context.Context, path string) (err error) {
	how := inspectorOptions
	if log, err := os.Stat(d.path + "-wal"); d.unusable != nil && (err != nil || log.Size() == 0) {
		how += "&immutable=1" // SQLite cannot create its files beside it
	}
	from, err := connect(d.path, how)
	if err != nil {
		return wrap("copy", d.path, err)
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("copy the journal: %w", err)
	}
	err = f.Close()
	if err == nil {
		_, err = from.ExecContext(ctx, "VACUUM INTO ?", path)
	}
	if err == nil {
		err = errors.Join(syncPath(path), syncPath(filepath.Dir(path)))
	}
	if err != nil {
		return errors.Join(wrap("copy", d.path, err), os.Remove(path))
	}
	return nil
}

// Rebase updates the absolute paths in the journal, those of changes, marks and grants, after their
// files moved. moved returns the new path for an old one. It returns the number of changed rows.
// Events and records of calls stay as they are.
func (d *DB) Rebase(ctx context.Context, moved func(path string) string) (changed int, err error) {
	err = d.transact(ctx, func(tx transaction) error {
		for _, rebase := range []func(context.Context, transaction, func(string) string) (int, error){rebaseChanges, rebaseOrigins, rebaseGrants} {
			n, err := rebase(ctx, tx, moved)
			if err != nil {
				return err
			}
			changed += n
		}
		return nil
	})
	return changed, wrap("rebase paths in", d.path, err)
}

// pathRow is a row with a path.
type pathRow struct {
	id   int64
	path string
}

func scanPath(scan scanner) (r pathRow, err error) {
	err = scan(&r.id, &r.path)
	return r, err
}

func rebaseChanges(ctx context.Context, tx transaction, moved func(string) string) (n int, err error) {
	rows, err := collect(ctx, tx, scanPath, `SELECT id, path FROM change`)
	if err != nil {
		return 0, err
	}
	for _, r := range rows {
		if to := moved(r.path); to != r.path {
			if _, err := tx.ExecContext(ctx, `UPDATE change SET path = ? WHERE id = ?`, to, r.id); err != nil {
				return 0, err
			}
			n++
		}
	}
	return n, nil
}

// rebaseOrigins joins a moved mark with one that exists there.
func rebaseOrigins(ctx context.Context, tx transaction, moved func(string) string) (n int, err error) {
	type mark struct {
		path  []byte
		label event.Label
	}
	marks, err := collect(ctx, tx, func(scan scanner) (m mark, err error) {
		err = scan(&m.path, &m.label.Untrusted, &m.label.Private, &m.label.Source)
		return m, err
	}, `SELECT path, untrusted, private, source FROM origin`)
	if err != nil {
		return 0, err
	}
	for _, m := range marks {
		if moved(string(m.path)) == string(m.path) {
			continue
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM origin WHERE path = ?`, m.path); err != nil {
			return 0, err
		}
		n++
	}
	for _, m := range marks {
		to := moved(string(m.path))
		if to == string(m.path) {
			continue
		}
		there, err := joinOrigin(ctx, tx, to, m.label)
		if err == nil && !there {
			err = putOrigin(ctx, tx, to, m.label)
		}
		if err != nil {
			return 0, err
		}
	}
	return n, nil
}

// rebaseGrants revokes a grant that would exist twice.
func rebaseGrants(ctx context.Context, tx transaction, moved func(string) string) (n int, err error) {
	rows, err := collect(ctx, tx, scanPath, `SELECT id, path FROM granted WHERE path <> '' ORDER BY revoked IS NULL, id`)
	if err != nil {
		return 0, err
	}
	for _, r := range rows {
		to := moved(r.path)
		if to == r.path {
			continue
		}
		was, err := readGrant(ctx, tx, r.id)
		if err != nil {
			return 0, err
		}
		fits, err := rowsAffected(tx.ExecContext(ctx, `UPDATE OR IGNORE granted SET path = ? WHERE id = ?`, to, r.id))
		if err == nil && fits == 0 {
			_, err = tx.ExecContext(ctx, `UPDATE granted SET path = ?1, revoked = time WHERE id = ?2`, to, r.id)
		}
		if err == nil {
			err = rebaseGrantChange(ctx, tx, r.id, was)
		}
		if err != nil {
			return 0, err
		}
		n++
	}
	return n, nil
}

// rebaseGrantChange updates the recorded change of a grant to the grant's new path, so that it can
// still be undone.
func rebaseGrantChange(ctx context.Context, tx transaction, id int64, was []byte) error {
	now, err := readGrant(ctx, tx, id)
	if err != nil || was == nil || now == nil {
		return err
	}
	from, err := json.Marshal(event.RowState(was))
	if err != nil {
		return err
	}
	to, err := json.Marshal(event.RowState(now))
	if err == nil {
		_, err = tx.ExecContext(ctx, `UPDATE change SET after = ? WHERE path = ? AND after = ?`, string(to), fmt.Sprintf("grant/%d", id), string(from))
	}
	return err
}
