package store

import (
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"
)

// A contact is written without waiting for the disk; events are never.
func TestTheWriterWaitsForTheDiskAgain(t *testing.T) {
	db := mustOpen(t, newPath(t))
	level := func() (n int) {
		t.Helper()
		if err := db.write.QueryRowContext(t.Context(), "PRAGMA synchronous").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	const normal, full = 1, 2
	during := 0
	for name, do := range map[string]func(*sql.Conn) error{
		"a success": func(c *sql.Conn) error {
			return c.QueryRowContext(t.Context(), "PRAGMA synchronous").Scan(&during)
		},
		"a failure": func(*sql.Conn) error { return errors.New("no") },
	} {
		_ = db.lazily(t.Context(), do)
		if got := level(); got != full {
			t.Errorf("after %s synchronous is %d", name, got)
		}
	}
	if during != normal {
		t.Errorf("meanwhile synchronous is %d", during)
	}
}

// What was begun survives a kill: it is in the file before the call returns, for whoever opens it next.
func TestABegunContactIsThereForOthers(t *testing.T) {
	path := newPath(t)
	db, other := mustOpen(t, path), mustOpen(t, path)
	now := time.UnixMilli(1700000000000).UTC()
	if err := db.BeginContact(t.Context(), Contact{Reason: "fetch", Host: "a.example:443", First: now, Last: now}); err != nil {
		t.Fatal(err)
	}
	if got, err := other.Contacts(t.Context(), now); len(got) != 1 || err != nil {
		t.Errorf("another sees %v, %v", got, err)
	}
}

// The oldest days go first where there are too many lines, and never today's.
func TestTheLedgerIsBounded(t *testing.T) {
	db := mustOpen(t, newPath(t))
	first := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	for d := range 30 {
		var all []Contact
		for i := range ledgerHosts {
			at := first.AddDate(0, 0, d)
			all = append(all, Contact{Reason: "fetch", Host: fmt.Sprintf("%d.example:443", i), First: at, Last: at})
		}
		if err := db.AddContacts(t.Context(), all); err != nil {
			t.Fatal(err)
		}
	}
	got, err := db.Contacts(t.Context(), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	last := map[time.Time]int{}
	for _, c := range got {
		last[c.Last]++
	}
	if len(got) > ledgerLines+ledgerHosts || last[first.AddDate(0, 0, 29)] != ledgerHosts || last[first] != 0 {
		t.Errorf("%d lines, %d of the last day, %d of the first", len(got), last[first.AddDate(0, 0, 29)], last[first])
	}
}
