package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"
)

// What is prepared is used again, and never while its rows are read.
func TestStatementsAreKept(t *testing.T) {
	ctx := t.Context()
	pool, err := connect(filepath.Join(t.TempDir(), "db"), writerOptions+"&mode=rwc")
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if _, err := pool.ExecContext(ctx, `CREATE TABLE n (n INTEGER)`); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if _, err := pool.ExecContext(ctx, `INSERT INTO n (n) VALUES (?)`, i); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 { // each row asks for all of them with the same words, on the one connection that there is
		if got, err := pairs(ctx, pool); err != nil || got != "00 01 02 10 11 12 20 21 22 " {
			t.Fatalf("%q, %v", got, err)
		}
	}
	for i := range maxStatements / 2 {
		var n int
		if err := pool.QueryRowContext(ctx, fmt.Sprintf(`SELECT %d`, i)).Scan(&n); err != nil || n != i {
			t.Fatal(n, err)
		}
	}
	kept := 0
	err = raw(ctx, pool, func(k *cachingConn) {
		for _, s := range k.statements {
			if s.Stmt != nil {
				kept++
			}
			if s.inUse {
				t.Error("what is not read any more is still lent")
			}
		}
		if len(k.statements) > maxStatements {
			t.Errorf("%d statements are known", len(k.statements))
		}
	})
	if err != nil || kept != 2 {
		t.Errorf("%d statements are kept, %v", kept, err)
	}
	if _, err := pool.ExecContext(ctx, `ALTER TABLE n ADD COLUMN m INTEGER DEFAULT 7`); err != nil { // what is kept follows
		t.Fatal(err)
	}
	if got, err := pairs(ctx, pool); err != nil || got != "00 01 02 10 11 12 20 21 22 " {
		t.Errorf("after the table was changed: %q, %v", got, err)
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, err := pool.ExecContext(stopped, `INSERT INTO n (n) VALUES (?)`, 9); err == nil {
		t.Error("a stopped context inserts")
	}
}

// However many queries are asked once or twice, as those are whose words hang on how much is asked for, what is asked again and again is
// kept, and what nobody has asked for longest is let go.
func TestStatementsThatAreUsedStay(t *testing.T) {
	ctx := t.Context()
	pool, err := connect(filepath.Join(t.TempDir(), "db"), writerOptions+"&mode=rwc")
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	ask := func(query string) {
		t.Helper()
		var n int
		if err := pool.QueryRowContext(ctx, query).Scan(&n); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 3 * maxStatements {
		for range 1 + i%2 {
			ask(fmt.Sprintf(`SELECT %d`, i))
		}
		if i%10 == 0 {
			ask(`SELECT -1`)
		}
	}
	ask(`SELECT -2`)
	ask(`SELECT -2`)
	err = raw(ctx, pool, func(k *cachingConn) {
		for _, query := range []string{`SELECT -1`, `SELECT -2`, fmt.Sprintf(`SELECT %d`, 3*maxStatements-1)} {
			if s := k.statements[query]; s == nil || s.Stmt == nil {
				t.Errorf("%s is not kept", query)
			}
		}
		if _, known := k.statements[`SELECT 1`]; known || len(k.statements) != maxStatements {
			t.Errorf("%d are kept, what was used long ago among them: %v", len(k.statements), known)
		}
	})
	if err != nil {
		t.Error(err)
	}
}

func pairs(ctx context.Context, pool *sql.DB) (all string, err error) {
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return "", err
	}
	defer func() { _ = tx.Rollback() }()
	err = each(ctx, tx, func(a int) error {
		return each(ctx, tx, func(b int) error {
			if all += fmt.Sprintf("%d%d ", a, b); len(all) > 100 {
				return errors.New("rows come again and again")
			}
			return nil
		})
	})
	return all, err
}

func each(ctx context.Context, tx *sql.Tx, do func(n int) error) error {
	rows, err := tx.QueryContext(ctx, `SELECT n FROM n ORDER BY n`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var n int
		if err := rows.Scan(&n); err != nil {
			return err
		}
		if err := do(n); err != nil {
			return err
		}
	}
	return rows.Err()
}

func raw(ctx context.Context, pool *sql.DB, do func(k *cachingConn)) error {
	c, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Raw(func(c any) error {
		do(c.(*cachingConn))
		return nil
	})
}

// A pragma takes effect while it is prepared, and SQLite prepares it anew for each use: what is not to wait for the disk does
// not, and what must wait does, again and again.
func TestPragmasTakeEffectEachTime(t *testing.T) {
	ctx := t.Context()
	d, err := Open(ctx, filepath.Join(t.TempDir(), "db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for range 4 {
		var during, after int
		err := d.lazily(ctx, func(c *sql.Conn) error { return c.QueryRowContext(ctx, "PRAGMA synchronous").Scan(&during) })
		if err != nil {
			t.Fatal(err)
		}
		if err := d.write.QueryRowContext(ctx, "PRAGMA synchronous").Scan(&after); err != nil || during != 1 || after != 2 {
			t.Fatalf("synchronous is %d and %d, %v", during, after, err)
		}
	}
}
