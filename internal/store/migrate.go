package store

import (
	"cmp"
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migrationsOf returns the contents of the files in order: the nth, counted from 1, turns schema
// n-1 into schema n.
func migrationsOf(files fs.FS) ([]string, error) {
	names, err := fs.Glob(files, "migrations/*.sql")
	if err != nil {
		return nil, fmt.Errorf("list migrations: %w", err)
	}
	slices.SortFunc(names, cmp.Compare[string])
	var migrations []string
	for i, name := range names {
		if want := fmt.Sprintf("migrations/%04d.sql", i+1); name != want {
			return nil, fmt.Errorf("list migrations: found %s instead of %s", name, want)
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("read migration: %w", err)
		}
		migrations = append(migrations, string(text))
	}
	return migrations, nil
}

// create builds a journal under another name and links it to path, so that path has none or a whole
// one. If another process was faster, its journal counts.
func create(ctx context.Context, path string, migrations []string) error {
	build := func(file string) error {
		pool, err := connect(file, builderOptions)
		if err != nil {
			return err
		}
		err = upgrade(ctx, pool, 0, migrations)
		if err == nil {
			_, err = pool.ExecContext(ctx, "PRAGMA journal_mode = WAL")
		}
		return errors.Join(err, pool.Close())
	}
	err := buildBeside(path, build)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// buildBeside builds a file under another name, makes it durable, and links it to path, where
// nothing may be.
func buildBeside(path string, build func(file string) error) (err error) {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, filepath.Base(path)+".new-*") // mode 0600, which SQLite also gives to its files beside it
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(f.Name())) }()
	if err := f.Close(); err != nil {
		return err
	}
	if err := build(f.Name()); err != nil {
		return err
	}
	if err := syncPath(f.Name()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), path); err != nil {
		return err
	}
	return syncPath(dir)
}

// copyTime is the format of the time in the name of a copy made before a migration.
const copyTime = "20060102T150405Z"

// migrate brings an existing journal to the newest schema, after it has made a copy.
func (d *DB) migrate(ctx context.Context, version int, migrations []string) error {
	if version == len(migrations) {
		return nil
	}
	kept, err := d.backup(ctx, fmt.Sprintf("%s.v%d-%s.bak", d.path, version, d.now().UTC().Format(copyTime)))
	if err != nil {
		return fmt.Errorf("keep a copy before migrating: %w", err)
	}
	pool, err := connect(d.path, migratorOptions)
	if err != nil {
		return errors.Join(err, os.Remove(kept))
	}
	if err = upgrade(ctx, pool, version, migrations); err != nil && isAt(ctx, pool, version) {
		err = errors.Join(err, os.Remove(kept)) // the journal is unchanged, and the next start tries again
	}
	return errors.Join(err, pool.Close())
}

// isAt reports whether a journal certainly has this schema.
func isAt(ctx context.Context, pool *sql.DB, version int) bool {
	var is int
	return pool.QueryRowContext(context.WithoutCancel(ctx), "PRAGMA user_version").Scan(&is) == nil && is == version
}

// upgrade runs the migrations after a schema version, each in its own transaction.
func upgrade(ctx context.Context, pool *sql.DB, version int, migrations []string) error {
	for next := version + 1; next <= len(migrations); next++ {
		if err := applyMigration(ctx, pool, next, migrations[next-1]); err != nil {
			return fmt.Errorf("migrate to schema %d: %w", next, err)
		}
	}
	return nil
}

func applyMigration(ctx context.Context, pool *sql.DB, next int, migration string) error {
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // no effect after Commit
	var version int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version >= next {
		return nil // another process was faster
	}
	if _, err := tx.ExecContext(ctx, migration); err != nil {
		return err
	}
	var table string
	err = tx.QueryRowContext(ctx, `SELECT "table" FROM pragma_foreign_key_check`).Scan(&table)
	if err == nil {
		return fmt.Errorf("table %s refers to rows that are gone", table)
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", next)); err != nil {
		return err
	}
	return tx.Commit()
}

// backup copies the journal to a new file: path, or path-2, path-3 and so on if there are several
// in one second. An existing copy is always whole. It returns the path of the copy.
func (d *DB) backup(ctx context.Context, path string) (as string, err error) {
	vacuum := func(file string) error {
		_, err := d.write.ExecContext(ctx, "VACUUM INTO ?", file)
		return err
	}
	as, err = path, buildBeside(path, vacuum)
	for n := 2; errors.Is(err, fs.ErrExist) && n < 100; n++ {
		as = fmt.Sprintf("%s-%d", path, n)
		err = buildBeside(as, vacuum)
	}
	return as, err
}

// syncPath makes the content of a file, or the names in a folder, durable.
func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
