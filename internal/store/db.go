package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"
)

// Options of the connections. The page caches (in KiB) bound the journal's memory: the writer
// touches the ends of a few trees, and readers mostly follow the end of one. A checkpoint truncates
// the write-ahead log to 4 MiB.
//
// Each text has a pragma only once, because the driver sorts them.
const (
	commonOptions = "_pragma=busy_timeout(5000)&_pragma=mmap_size(0)&_pragma=temp_store(MEMORY)" +
		"&_txlock=immediate&_defensive=1&_dqs=0"
	writerOptions = commonOptions + "&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)" +
		"&_pragma=journal_size_limit(4194304)&_pragma=cache_size(-1024)"
	readerOptions    = commonOptions + "&_pragma=query_only(1)&_pragma=cache_size(-512)"
	migratorOptions  = commonOptions + "&_pragma=synchronous(FULL)&_pragma=foreign_keys(0)" // foreign keys cannot be switched inside a transaction
	builderOptions   = commonOptions + "&_pragma=synchronous(OFF)&_pragma=journal_mode(MEMORY)&_pragma=foreign_keys(0)"
	existingOnly     = "&mode=rw" // do not recreate a journal that is gone
	inspectorOptions = commonOptions + "&mode=ro&_pragma=cache_size(-512)"
	readers          = 2 // connections for reading; a page takes well under a millisecond
)

// DB is the journal and the small state in one file; see the package comment. It is safe for concurrent use.
type DB struct {
	path  string
	now   func() time.Time
	write *sql.DB // one connection
	read  *sql.DB

	file     os.FileInfo // the file at path when it was opened
	unusable error       // why nothing can be written; nil: writable
	lacks    string      // what cannot be read, see Lacks
}

// Open opens the journal at path. If there is none, it creates it and its folders. now gives events
// their time. A journal that was not closed cleanly is checked first, which reads all of it. If the
// file cannot be used, the error is a *[FileError].
func Open(ctx context.Context, path string, now func() time.Time) (*DB, error) {
	return openNewest(ctx, path, now, readers)
}

// OpenAlone is Open for a short-lived process: reading and writing share one connection, because
// each takes half a millisecond to open.
func OpenAlone(ctx context.Context, path string, now func() time.Time) (*DB, error) {
	return openNewest(ctx, path, now, 0)
}

func openNewest(ctx context.Context, path string, now func() time.Time, readers int) (*DB, error) {
	migrations, err := migrationsOf(migrationFiles)
	if err != nil {
		return nil, err
	}
	return open(ctx, path, now, migrations, readers)
}

// OpenMemory opens a new journal in memory, which is gone once closed. now gives events their time.
func OpenMemory(ctx context.Context, now func() time.Time) (*DB, error) {
	migrations, err := migrationsOf(migrationFiles)
	if err != nil {
		return nil, err
	}
	const path = ":memory:"
	pool, err := connect(path, builderOptions)
	if err != nil {
		return nil, wrap("open", path, err)
	}
	if err := upgrade(ctx, pool, 0, migrations); err != nil {
		return nil, errors.Join(wrap("open", path, err), pool.Close())
	}
	return &DB{path: path, now: now, write: pool, read: pool}, nil // another connection would see a journal of its own
}

// open opens a journal. With readers 0 the writing connection also reads.
func open(ctx context.Context, path string, now func() time.Time, migrations []string, readers int) (_ *DB, err error) {
	if path, err = filepath.Abs(path); err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	folder, err := openFolder(filepath.Dir(path))
	if err != nil {
		return nil, wrap("open", path, err)
	}
	defer folder.Close()
	if err := checkHalfRestored(path); err != nil {
		return nil, err
	}
	unclean, err := inspect(path)
	if errors.Is(err, os.ErrNotExist) {
		err = create(ctx, path, migrations)
	}
	if err != nil {
		return nil, wrap("open", path, err)
	}
	if unclean {
		if err := checkUnclean(ctx, path); err != nil {
			return nil, wrap("open", path, err)
		}
	}
	d := &DB{path: path, now: now}
	defer func() {
		if err != nil {
			d.Close()
		}
	}()
	if d.file, err = os.Stat(path); err != nil {
		return nil, wrap("open", path, err)
	}
	if d.write, err = connectChecked(path, writerOptions+existingOnly, 1, d.InPlace); err != nil {
		return nil, wrap("open", path, err)
	}
	if d.read = d.write; readers > 0 {
		if d.read, err = connectChecked(path, readerOptions+existingOnly, readers, d.InPlace); err != nil {
			return nil, wrap("open", path, err)
		}
	}
	version, err := d.version(ctx, "open", len(migrations)) // before anything is written to the file
	if err != nil {
		return nil, wrap("open", path, err)
	}
	// The file already says so, unless other tools recovered it.
	if _, err := d.write.ExecContext(ctx, "PRAGMA journal_mode = WAL"); err != nil {
		return nil, wrap("open", path, err)
	}
	if err := d.migrate(ctx, version, migrations); err != nil {
		return nil, wrap("open", path, err)
	}
	return d, nil
}

// version returns the schema of a journal. For the database of another program, or the journal of a
// newer hob, the error is a *[FileError].
func (d *DB) version(ctx context.Context, op string, newest int) (version int, err error) {
	var id int
	row := d.write.QueryRowContext(ctx, "SELECT * FROM pragma_application_id, pragma_user_version")
	if err := row.Scan(&id, &version); err != nil {
		return 0, err
	}
	if id != applicationID {
		return 0, fileError(op, d.path, ErrForeign, "it is the database of another program")
	}
	if version > newest {
		return 0, fileError(op, d.path, ErrNewer, fmt.Sprintf("it has schema %d, this hob knows up to %d", version, newest))
	}
	return version, nil
}

// connect returns a pool of one connection, which is opened at its first use.
func connect(path, how string) (*sql.DB, error) {
	return connectChecked(path, how, 1, func() error { return nil })
}

// connectChecked is connect for a pool that opens connections only as long as check returns nil.
func connectChecked(path, how string, connections int, check func() error) (*sql.DB, error) {
	connector, err := sqlite.NewConnector("file:" + (&url.URL{Path: path}).EscapedPath() + "?" + how)
	if err != nil {
		return nil, err
	}
	pool := sql.OpenDB(cachingConnector{connector, check})
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	return pool, nil
}

// Close waits for reads and writes, and folds the write-ahead log into the file.
func (d *DB) Close() error {
	var errs []error
	for _, pool := range []*sql.DB{d.read, d.write} { // the last connection to close folds the log, so it must be one that may write
		if pool != nil {
			errs = append(errs, pool.Close())
		}
	}
	return wrap("close", d.path, errors.Join(errs...))
}

// Path returns the absolute path of the journal.
func (d *DB) Path() string { return d.path }

// Check reads the whole file, including indexes. If it is damaged, the error is a *[FileError] that
// is [ErrDamaged].
func (d *DB) Check(ctx context.Context) error {
	return wrap("check", d.path, checkPragma(ctx, d.read, "integrity_check(1)"))
}

// checkUnclean checks a journal that was not closed cleanly, without writing to it. A writing
// connection would fold the log into the damaged file when it closes.
func checkUnclean(ctx context.Context, path string) error {
	pool, err := connect(path, inspectorOptions)
	if err != nil {
		return err
	}
	return errors.Join(checkPragma(ctx, pool, "quick_check(1)"), pool.Close())
}

func checkPragma(ctx context.Context, pool *sql.DB, pragma string) error {
	var found string
	if err := pool.QueryRowContext(ctx, "PRAGMA "+pragma).Scan(&found); err != nil {
		return err
	}
	if found != "ok" {
		return &damage{strings.ReplaceAll(strings.TrimSpace(found), "\n", " ")}
	}
	return nil
}

// transact runs do in one durable transaction.
func (d *DB) transact(ctx context.Context, do func(tx transaction) error) error {
	return d.onWriter(ctx, func(conn *sql.Conn) error { return runTx(ctx, conn, do) })
}

// onWriter runs do on the connection that writes.
func (d *DB) onWriter(ctx context.Context, do func(*sql.Conn) error) error {
	if d.unusable != nil {
		return d.unusable
	}
	conn, err := d.write.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := do(conn); err != nil {
		return err
	}
	return d.InPlace()
}

// exec runs one durable statement and returns how many rows it changed.
func (d *DB) exec(ctx context.Context, query string, args ...any) (int64, error) {
	if d.unusable != nil {
		return 0, d.unusable
	}
	n, err := rowsAffected(d.write.ExecContext(ctx, query, args...))
	if err != nil {
		return 0, err
	}
	return n, d.InPlace()
}

// rowsAffected returns the number of rows that a statement changed.
func rowsAffected(done sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

// lastInsertID returns the number of the row that a statement inserted.
func lastInsertID(done sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return done.LastInsertId()
}

// lazyTransact runs do in one transaction that does not wait for the disk. Its log entry follows
// all earlier commits, so a power cut that loses it loses nothing before it.
func (d *DB) lazyTransact(ctx context.Context, do func(tx transaction) error) error {
	return d.lazily(ctx, func(conn *sql.Conn) error { return runTx(ctx, conn, do) })
}

// transaction is a connection on which a transaction runs.
type transaction interface {
	querier
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// runTx runs do in one transaction. It does not use [sql.Tx], which starts a goroutine for itself
// and one for each query.
func runTx(ctx context.Context, conn *sql.Conn, do func(tx transaction) error) error {
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	lasting, committed := context.WithoutCancel(ctx), false
	defer func() { // even if do panics, because the next transaction uses this connection
		if !committed {
			_, _ = conn.ExecContext(lasting, "ROLLBACK") // its error adds nothing to the one before
		}
	}()
	if err := do(conn); err != nil {
		return err
	}
	_, err := conn.ExecContext(lasting, "COMMIT")
	committed = err == nil
	return err
}

// lazily runs do on the writer with commits that do not wait for the disk.
func (d *DB) lazily(ctx context.Context, do func(*sql.Conn) error) error {
	return d.onWriter(ctx, func(conn *sql.Conn) (err error) {
		if _, err := conn.ExecContext(ctx, "PRAGMA synchronous = NORMAL"); err != nil {
			return err
		}
		defer func() {
			if _, failed := conn.ExecContext(context.WithoutCancel(ctx), "PRAGMA synchronous = FULL"); failed != nil {
				_ = conn.Raw(func(any) error { return driver.ErrBadConn }) // no event may be written by this connection
				err = errors.Join(err, failed)
			}
		}()
		return do(conn)
	})
}

// scanner reads the columns of a row.
type scanner func(columns ...any) error

// scanOne reads a row of one column.
func scanOne[T any](scan scanner) (value T, err error) {
	err = scan(&value)
	return value, err
}

// milliseconds scans a column with a time; NULL leaves the time unchanged.
type milliseconds struct{ time *time.Time }

func (m milliseconds) Scan(column any) error {
	switch ms := column.(type) {
	case nil:
		return nil
	case int64:
		*m.time = time.UnixMilli(ms).UTC()
		return nil
	}
	return fmt.Errorf("read a time: it is a %T", column)
}

// querier is a connection, a pool or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// find runs a query and returns the result of read for its first row, and whether there is one.
func find[T any](
	ctx context.Context, from querier, read func(scanner) (T, error), query string, args ...any,
) (found T, known bool, err error) {
	row, err := read(from.QueryRowContext(ctx, query, args...).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return found, false, nil
	}
	if err != nil {
		return found, false, err
	}
	return row, true, nil
}

// value is find for a query of one column. Without a row it returns the zero value.
func value[T any](ctx context.Context, from querier, query string, args ...any) (T, error) {
	found, _, err := find(ctx, from, scanOne[T], query, args...)
	return found, err
}

// collect runs a query and returns the results of read for its rows, up to an error.
func collect[T any](ctx context.Context, from querier, read func(scanner) (T, error), query string, args ...any) (all []T, err error) {
	rows, err := from.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		next, err := read(rows.Scan)
		if err != nil {
			return all, err
		}
		all = append(all, next)
	}
	return all, rows.Err()
}
