package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What a ledger promises.
func TestLedger(t *testing.T) {
	for _, c := range []struct {
		name string
		test func(*testing.T, *Ledger)
	}{
		{"a line is begun once and then added to", lines},
		{"a line is that of a day, a reason and a host", separate},
		{"all of a batch or nothing", wholeBatch},
		{"what is older than ninety days goes", forgets},
		{"a thousand names in a day push nothing out", crowd},
		{"an ended context ends a call", ledgerCancelled},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, mustOpen(t, newPath(t)).Ledger()) })
	}
}

// noon is a moment on a day of the tests.
func noon(day int) time.Time { return time.Date(2026, 3, day, 12, 0, 0, 0, time.UTC) }

func contact(reason, host string, at time.Time) Contact {
	return Contact{Reason: reason, Host: host, First: at, Last: at}
}

func beginContact(t *testing.T, l *Ledger, c Contact) {
	t.Helper()
	if err := l.Begin(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

func addContacts(t *testing.T, l *Ledger, all ...Contact) {
	t.Helper()
	if err := l.Add(t.Context(), all); err != nil {
		t.Fatal(err)
	}
}

func contactsIn(t *testing.T, l *Ledger, since time.Time) []Contact {
	t.Helper()
	all, err := l.Since(t.Context(), since)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func lines(t *testing.T, l *Ledger) {
	at := noon(1)
	begun := contact("fetch", "page.example:443", at)
	begun.Connections, begun.Sent = 7, 7 // nothing has happened yet, whatever it says
	beginContact(t, l, begun)
	want := []Contact{contact("fetch", "page.example:443", at)}
	if diff := cmp.Diff(want, contactsIn(t, l, time.Time{})); diff != "" {
		t.Fatalf("begun (-want +got):\n%s", diff)
	}
	more := Contact{Reason: "fetch", Host: "page.example:443", Address: "203.0.114.1", First: at.Add(time.Second), Last: at.Add(time.Minute),
		Connections: 1, Sent: 300, Received: 1 << 40}
	addContacts(t, l, more)
	beginContact(t, l, contact("fetch", "page.example:443", at.Add(time.Hour)))
	again := Contact{Reason: "fetch", Host: "page.example:443", First: at.Add(time.Hour), Last: at.Add(time.Hour), Refused: 2, Why: "loopback"}
	addContacts(t, l, again)
	want = []Contact{{Reason: "fetch", Host: "page.example:443", Address: "203.0.114.1", First: at, Last: at.Add(time.Hour),
		Connections: 1, Sent: 300, Received: 1 << 40, Refused: 2, Why: "loopback"}}
	if diff := cmp.Diff(want, contactsIn(t, l, time.Time{})); diff != "" {
		t.Errorf("added to (-want +got):\n%s", diff)
	}
}

func separate(t *testing.T, l *Ledger) {
	all := []Contact{
		contact("command", "a.example:443", noon(1)), contact("fetch", "a.example:443", noon(1)), contact("fetch", "a.example:443", noon(2)),
		contact("fetch", "a.example:80", noon(1)), contact("fetch", "b.example:443", noon(1)),
	}
	for i := range all {
		all[i].Connections = int64(i + 1)
	}
	addContacts(t, l, all...)
	if diff := cmp.Diff(all, contactsIn(t, l, time.Time{})); diff != "" {
		t.Errorf("contacts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(all[2:3], contactsIn(t, l, noon(2))); diff != "" {
		t.Errorf("contacts since the second day (-want +got):\n%s", diff)
	}
	if got := contactsIn(t, l, noon(2).Add(time.Millisecond)); got != nil {
		t.Errorf("contacts since then: %v", got)
	}
}

func wholeBatch(t *testing.T, l *Ledger) {
	addContacts(t, l)
	if err := l.Add(t.Context(), []Contact{contact("fetch", "a.example:443", noon(1)), contact("", "b.example:443", noon(1))}); err == nil {
		t.Error("a contact without a reason was taken")
	}
	if got := contactsIn(t, l, time.Time{}); got != nil {
		t.Errorf("half a batch is kept: %v", got)
	}
}

func forgets(t *testing.T, l *Ledger) {
	beginContact(t, l, contact("fetch", "old.example:443", noon(1)))
	beginContact(t, l, contact("fetch", "kept.example:443", noon(2)))
	beginContact(t, l, contact("fetch", "new.example:443", noon(1+90)))
	var hosts []string
	for _, c := range contactsIn(t, l, time.Time{}) {
		hosts = append(hosts, c.Host)
	}
	if diff := cmp.Diff([]string{"kept.example:443", "new.example:443"}, hosts); diff != "" {
		t.Errorf("hosts (-want +got):\n%s", diff)
	}
}

func crowd(t *testing.T, l *Ledger) {
	addContacts(t, l, contact("fetch", "before.example:443", noon(1)))
	var many []Contact
	for i := range 1200 {
		c := contact("fetch", fmt.Sprintf("n%04d.example:443", i), noon(2))
		c.Connections = 1
		many = append(many, c)
	}
	addContacts(t, l, many...)
	addContacts(t, l, many[0]) // one that was there keeps its line
	beginContact(t, l, contact("ollama", "127.0.0.1:11434", noon(2)))
	got := map[string]int64{}
	for _, c := range contactsIn(t, l, time.Time{}) {
		got[c.Host] = c.Connections
	}
	if len(got) != 1+1000+1+1 || got[OtherHosts] != 200 || got["n0000.example:443"] != 2 {
		t.Errorf("there are %d lines, %d other hosts, %d connections to the first", len(got), got[OtherHosts], got["n0000.example:443"])
	}
	for _, host := range []string{"before.example:443", "127.0.0.1:11434"} {
		if _, ok := got[host]; !ok {
			t.Errorf("%s was pushed out", host)
		}
	}
}

func ledgerCancelled(t *testing.T, l *Ledger) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Begin(ctx, contact("fetch", "a.example:443", noon(1))); err == nil {
		t.Error("a line was begun")
	}
	if err := l.Add(ctx, []Contact{contact("fetch", "a.example:443", noon(1))}); err == nil {
		t.Error("something was added")
	}
	if got := contactsIn(t, l, time.Time{}); got != nil {
		t.Errorf("there is %v", got)
	}
}

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
	if err := db.Ledger().Begin(t.Context(), Contact{Reason: "fetch", Host: "a.example:443", First: now, Last: now}); err != nil {
		t.Fatal(err)
	}
	if got, err := other.Ledger().Since(t.Context(), now); len(got) != 1 || err != nil {
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
		if err := db.Ledger().Add(t.Context(), all); err != nil {
			t.Fatal(err)
		}
	}
	got, err := db.Ledger().Since(t.Context(), time.Time{})
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
