package store

import (
	"context"
	"time"
)

// Limits of the ledger: days, lines in all, and hosts of one reason in one day. The last limit
// keeps a flood of a thousand names from pushing out older entries.
const (
	ledgerDays  = 90
	ledgerLines = 20_000
	ledgerHosts = 1000
)

// OtherHosts stands for the hosts of a day and reason after the first thousand.
const OtherHosts = "(other hosts)"

const day = 24 * time.Hour

// Contact is a line of the ledger: one day (UTC), one host, one reason.
type Contact struct {
	Reason      string // such as "ollama"
	Host        string // "host:port" as it was requested
	Address     string // the last address that was connected to, or refused; "" before that
	First, Last time.Time
	Connections int64
	Sent        int64 // bytes
	Received    int64
	Refused     int64  // refused attempts
	Why         string // why the last attempt was refused
}

func (c Contact) day() int64 { return c.Last.Unix() / int64(day/time.Second) }

// Ledger stores the contacted hosts: table contact. It is safe for concurrent use.
type Ledger struct{ db *DB }

// Ledger returns the store of contacted hosts.
func (d *DB) Ledger() *Ledger { return &Ledger{d} }

// Begin makes durable that a line exists for the host, reason and day of c, with counts of zero. An
// existing line stays, and costs no write.
func (l *Ledger) Begin(ctx context.Context, c Contact) error {
	_, there, err := find(ctx, l.db.write, scanOne[int], `SELECT 1 FROM contact WHERE day = ? AND reason = ? AND host = ?`,
		c.day(), c.Reason, c.Host)
	if err == nil && !there {
		c.Connections, c.Sent, c.Received, c.Refused = 0, 0, 0, 0
		err = l.db.transact(ctx, func(tx transaction) error { return addContact(ctx, tx, c) })
	}
	return wrap("record a contact in", l.db.path, err)
}

// Add adds to the lines of these contacts, all or none, and creates missing lines. It becomes
// durable with the next durable write, at the latest when the journal is closed: a power cut may
// lose it, a kill may not.
func (l *Ledger) Add(ctx context.Context, all []Contact) error {
	err := l.db.lazyTransact(ctx, func(tx transaction) error {
		for _, c := range all {
			if err := addContact(ctx, tx, c); err != nil {
				return err
			}
		}
		return nil
	})
	return wrap("record contacts in", l.db.path, err)
}

// addContact adds to a line, or creates it.
func addContact(ctx context.Context, tx transaction, c Contact) error {
	n, err := rowsAffected(tx.ExecContext(ctx, `
		UPDATE contact SET address = iif(?1 <> '', ?1, address), first = min(first, ?2), last = max(last, ?3),
			connections = connections + ?4, sent = sent + ?5, received = received + ?6, refused = refused + ?7,
			why = iif(?8 <> '', ?8, why)
		WHERE day = ?9 AND reason = ?10 AND host = ?11`,
		c.Address, c.First.UnixMilli(), c.Last.UnixMilli(), c.Connections, c.Sent, c.Received, c.Refused, c.Why, c.day(), c.Reason, c.Host))
	if n > 0 || err != nil {
		return err
	}
	lines, err := value[int](ctx, tx, `SELECT count(*) FROM contact WHERE day = ? AND reason = ?`, c.day(), c.Reason)
	if err != nil {
		return err
	}
	if lines >= ledgerHosts && c.Host != OtherHosts {
		c.Host, c.Address = OtherHosts, ""
		return addContact(ctx, tx, c)
	}
	if lines == 0 {
		if err := pruneContacts(ctx, tx, c.day()); err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO contact (day, reason, host, address, first, last, connections, sent, received, refused, why)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		c.day(), c.Reason, c.Host, c.Address, c.First.UnixMilli(), c.Last.UnixMilli(), c.Connections, c.Sent, c.Received, c.Refused, c.Why)
	return err
}

// pruneContacts makes room for a new day.
func pruneContacts(ctx context.Context, tx transaction, today int64) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM contact WHERE day <= ?`, today-ledgerDays); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM contact WHERE day < ? AND day <= (
		SELECT day FROM contact ORDER BY day DESC LIMIT 1 OFFSET ?)`, today, ledgerLines)
	return err
}

// Since returns the lines with a last contact at since or later, by reason, host and day.
func (l *Ledger) Since(ctx context.Context, since time.Time) ([]Contact, error) {
	all, err := collect(ctx, l.db.read, func(scan scanner) (c Contact, err error) {
		err = scan(&c.Reason, &c.Host, &c.Address, milliseconds{&c.First}, milliseconds{&c.Last},
			&c.Connections, &c.Sent, &c.Received, &c.Refused, &c.Why)
		return c, err
	}, `SELECT reason, host, address, first, last, connections, sent, received, refused, why
		FROM contact WHERE last >= ? ORDER BY reason, host, day`, since.UnixMilli())
	return all, wrap("read contacts in", l.db.path, err)
}
