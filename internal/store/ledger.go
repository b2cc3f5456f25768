package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"time"
)

// What the ledger keeps: so many days, lines in all, and hosts that one reason may have in one day. The last bound keeps
// somebody who has a thousand names asked for from pushing out what was there before.
const (
	ledgerDays  = 90
	ledgerLines = 20_000
	ledgerHosts = 1000
)

// OtherHosts stands in the ledger for the hosts of a day and reason that came after the first thousand.
const OtherHosts = "(other hosts)"

const day = 24 * time.Hour

// Contact is a line of the ledger: what happened in one day (UTC) with one host, for one reason.
type Contact struct {
	Reason      string // such as "ollama"
	Host        string // "host:port" as it was asked for
	Address     string // that was connected to, or refused, last; "" while none was
	First, Last time.Time
	Connections int64
	Sent        int64 // bytes
	Received    int64
	Refused     int64  // attempts
	Why         string // the last attempt was refused
}

func (c Contact) day() int64 { return c.Last.Unix() / int64(day/time.Second) }

// BeginContact makes durable that there is a line for the host, reason and day of c, which counts nothing yet. A line
// that is there stays as it is, and costs no writing.
func (d *DB) BeginContact(ctx context.Context, c Contact) error {
	var there int
	err := d.write.QueryRowContext(ctx, `SELECT 1 FROM contact WHERE day = ? AND reason = ? AND host = ?`,
		c.day(), c.Reason, c.Host).Scan(&there)
	if errors.Is(err, sql.ErrNoRows) {
		c.Connections, c.Sent, c.Received, c.Refused = 0, 0, 0, 0
		err = d.transact(ctx, func(tx *sql.Tx) error { return addContact(ctx, tx, c) })
	}
	if err != nil {
		return failure("record a contact in", d.path, err)
	}
	return nil
}

// AddContacts adds to the lines of these contacts, all or none; it makes those that are not there. It is durable with the
// next thing that is, and at the latest when the journal is closed: a power cut may lose it, a kill may not.
func (d *DB) AddContacts(ctx context.Context, all []Contact) error {
	err := d.lazyTransact(ctx, func(tx *sql.Tx) error {
		for _, c := range all {
			if err := addContact(ctx, tx, c); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return failure("record contacts in", d.path, err)
	}
	return nil
}

// lazyTransact runs do in one transaction that does not wait for the disk. It goes to the log behind all that was committed
// before, so a power cut that loses it loses nothing that came earlier.
func (d *DB) lazyTransact(ctx context.Context, do func(tx *sql.Tx) error) error {
	return d.lazily(ctx, func(conn *sql.Conn) error {
		tx, err := conn.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		if err := do(tx); err != nil {
			_ = tx.Rollback() // its error says nothing that err does not
			return err
		}
		return tx.Commit()
	})
}

// lazily runs do on the writer, whose commits meanwhile do not wait for the disk.
func (d *DB) lazily(ctx context.Context, do func(*sql.Conn) error) (err error) {
	if d.unusable != nil {
		return d.unusable
	}
	conn, err := d.write.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "PRAGMA synchronous = NORMAL"); err != nil {
		return err
	}
	defer func() {
		if _, failed := conn.ExecContext(context.WithoutCancel(ctx), "PRAGMA synchronous = FULL"); failed != nil {
			_ = conn.Raw(func(any) error { return driver.ErrBadConn }) // events are never written by this connection
			err = errors.Join(err, failed)
		}
	}()
	return errors.Join(do(conn), d.InPlace())
}

// addContact adds to a line, and makes it where there is none.
func addContact(ctx context.Context, tx *sql.Tx, c Contact) error {
	done, err := tx.ExecContext(ctx, `
		UPDATE contact SET address = iif(?1 <> '', ?1, address), first = min(first, ?2), last = max(last, ?3),
			connections = connections + ?4, sent = sent + ?5, received = received + ?6, refused = refused + ?7,
			why = iif(?8 <> '', ?8, why)
		WHERE day = ?9 AND reason = ?10 AND host = ?11`,
		c.Address, c.First.UnixMilli(), c.Last.UnixMilli(), c.Connections, c.Sent, c.Received, c.Refused, c.Why, c.day(), c.Reason, c.Host)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); n > 0 || err != nil {
		return err
	}
	var lines int
	err = tx.QueryRowContext(ctx, `SELECT count(*) FROM contact WHERE day = ? AND reason = ?`, c.day(), c.Reason).Scan(&lines)
	if err != nil {
		return err
	}
	if lines >= ledgerHosts && c.Host != OtherHosts {
		c.Host, c.Address = OtherHosts, ""
		return addContact(ctx, tx, c)
	}
	if lines == 0 {
		if err := forgetContacts(ctx, tx, c.day()); err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO contact (day, reason, host, address, first, last, connections, sent, received, refused, why)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		c.day(), c.Reason, c.Host, c.Address, c.First.UnixMilli(), c.Last.UnixMilli(), c.Connections, c.Sent, c.Received, c.Refused, c.Why)
	return err
}

// forgetContacts makes room for a new day.
func forgetContacts(ctx context.Context, tx *sql.Tx, today int64) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM contact WHERE day <= ?`, today-ledgerDays); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM contact WHERE day < ? AND day <= (
		SELECT day FROM contact ORDER BY day DESC LIMIT 1 OFFSET ?)`, today, ledgerLines)
	return err
}

// Contacts returns the lines whose last contact was at since or later, by reason, host and day.
func (d *DB) Contacts(ctx context.Context, since time.Time) ([]Contact, error) {
	rows, err := d.read.QueryContext(ctx, `
		SELECT reason, host, address, first, last, connections, sent, received, refused, why
		FROM contact WHERE last >= ? ORDER BY reason, host, day`, since.UnixMilli())
	if err != nil {
		return nil, failure("read contacts in", d.path, err)
	}
	defer rows.Close()
	var all []Contact
	for rows.Next() {
		var c Contact
		var first, last int64
		if err := rows.Scan(&c.Reason, &c.Host, &c.Address, &first, &last, &c.Connections, &c.Sent, &c.Received, &c.Refused, &c.Why); err != nil {
			return nil, failure("read contacts in", d.path, err)
		}
		c.First, c.Last = time.UnixMilli(first).UTC(), time.UnixMilli(last).UTC()
		all = append(all, c)
	}
	if err := rows.Err(); err != nil {
		return nil, failure("read contacts in", d.path, err)
	}
	return all, nil
}
