package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"hob/internal/store"

	"github.com/google/go-cmp/cmp"
)

// Ledger is a journal that keeps who was contacted, too.
type Ledger interface {
	BeginContact(ctx context.Context, c store.Contact) error
	AddContacts(ctx context.Context, all []store.Contact) error
	Contacts(ctx context.Context, since time.Time) ([]store.Contact, error)
}

// RunLedger holds ledgers to their contract. Each call of open returns a new and empty one.
func RunLedger(t *testing.T, open func(t *testing.T) Ledger) {
	for _, c := range []struct {
		name string
		test func(*testing.T, Ledger)
	}{
		{"a line is begun once and then added to", lines},
		{"a line is that of a day, a reason and a host", separate},
		{"all of a batch or nothing", wholeBatch},
		{"what is older than ninety days goes", forgets},
		{"a thousand names in a day push nothing out", crowd},
		{"an ended context ends a call", ledgerCancelled},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}

// noon is a moment on a day of the tests.
func noon(day int) time.Time { return time.Date(2026, 3, day, 12, 0, 0, 0, time.UTC) }

func contact(reason, host string, at time.Time) store.Contact {
	return store.Contact{Reason: reason, Host: host, First: at, Last: at}
}

func begin(t *testing.T, l Ledger, c store.Contact) {
	t.Helper()
	if err := l.BeginContact(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

func addTo(t *testing.T, l Ledger, all ...store.Contact) {
	t.Helper()
	if err := l.AddContacts(t.Context(), all); err != nil {
		t.Fatal(err)
	}
}

func kept(t *testing.T, l Ledger, since time.Time) []store.Contact {
	t.Helper()
	all, err := l.Contacts(t.Context(), since)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func lines(t *testing.T, l Ledger) {
	at := noon(1)
	begun := contact("fetch", "page.example:443", at)
	begun.Connections, begun.Sent = 7, 7 // nothing has happened yet, whatever it says
	begin(t, l, begun)
	want := []store.Contact{contact("fetch", "page.example:443", at)}
	if diff := cmp.Diff(want, kept(t, l, time.Time{})); diff != "" {
		t.Fatalf("begun (-want +got):\n%s", diff)
	}
	more := store.Contact{Reason: "fetch", Host: "page.example:443", Address: "203.0.114.1", First: at.Add(time.Second), Last: at.Add(time.Minute),
		Connections: 1, Sent: 300, Received: 1 << 40}
	addTo(t, l, more)
	begin(t, l, contact("fetch", "page.example:443", at.Add(time.Hour)))
	again := store.Contact{Reason: "fetch", Host: "page.example:443", First: at.Add(time.Hour), Last: at.Add(time.Hour), Refused: 2, Why: "loopback"}
	addTo(t, l, again)
	want = []store.Contact{{Reason: "fetch", Host: "page.example:443", Address: "203.0.114.1", First: at, Last: at.Add(time.Hour),
		Connections: 1, Sent: 300, Received: 1 << 40, Refused: 2, Why: "loopback"}}
	if diff := cmp.Diff(want, kept(t, l, time.Time{})); diff != "" {
		t.Errorf("added to (-want +got):\n%s", diff)
	}
}

func separate(t *testing.T, l Ledger) {
	all := []store.Contact{
		contact("command", "a.example:443", noon(1)), contact("fetch", "a.example:443", noon(1)), contact("fetch", "a.example:443", noon(2)),
		contact("fetch", "a.example:80", noon(1)), contact("fetch", "b.example:443", noon(1)),
	}
	for i := range all {
		all[i].Connections = int64(i + 1)
	}
	addTo(t, l, all...)
	if diff := cmp.Diff(all, kept(t, l, time.Time{})); diff != "" {
		t.Errorf("contacts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(all[2:3], kept(t, l, noon(2))); diff != "" {
		t.Errorf("contacts since the second day (-want +got):\n%s", diff)
	}
	if got := kept(t, l, noon(2).Add(time.Millisecond)); got != nil {
		t.Errorf("contacts since then: %v", got)
	}
}

func wholeBatch(t *testing.T, l Ledger) {
	addTo(t, l)
	if err := l.AddContacts(t.Context(), []store.Contact{contact("fetch", "a.example:443", noon(1)), contact("", "b.example:443", noon(1))}); err == nil {
		t.Error("a contact without a reason was taken")
	}
	if got := kept(t, l, time.Time{}); got != nil {
		t.Errorf("half a batch is kept: %v", got)
	}
}

func forgets(t *testing.T, l Ledger) {
	begin(t, l, contact("fetch", "old.example:443", noon(1)))
	begin(t, l, contact("fetch", "kept.example:443", noon(2)))
	begin(t, l, contact("fetch", "new.example:443", noon(1+90)))
	var hosts []string
	for _, c := range kept(t, l, time.Time{}) {
		hosts = append(hosts, c.Host)
	}
	if diff := cmp.Diff([]string{"kept.example:443", "new.example:443"}, hosts); diff != "" {
		t.Errorf("hosts (-want +got):\n%s", diff)
	}
}

func crowd(t *testing.T, l Ledger) {
	addTo(t, l, contact("fetch", "before.example:443", noon(1)))
	var many []store.Contact
	for i := range 1200 {
		c := contact("fetch", fmt.Sprintf("n%04d.example:443", i), noon(2))
		c.Connections = 1
		many = append(many, c)
	}
	addTo(t, l, many...)
	addTo(t, l, many[0]) // one that was there keeps its line
	begin(t, l, contact("ollama", "127.0.0.1:11434", noon(2)))
	got := map[string]int64{}
	for _, c := range kept(t, l, time.Time{}) {
		got[c.Host] = c.Connections
	}
	if len(got) != 1+1000+1+1 || got[store.OtherHosts] != 200 || got["n0000.example:443"] != 2 {
		t.Errorf("there are %d lines, %d other hosts, %d connections to the first", len(got), got[store.OtherHosts], got["n0000.example:443"])
	}
	for _, host := range []string{"before.example:443", "127.0.0.1:11434"} {
		if _, ok := got[host]; !ok {
			t.Errorf("%s was pushed out", host)
		}
	}
}

func ledgerCancelled(t *testing.T, l Ledger) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.BeginContact(ctx, contact("fetch", "a.example:443", noon(1))); err == nil {
		t.Error("a line was begun")
	}
	if err := l.AddContacts(ctx, []store.Contact{contact("fetch", "a.example:443", noon(1))}); err == nil {
		t.Error("something was added")
	}
	if got := kept(t, l, time.Time{}); got != nil {
		t.Errorf("there is %v", got)
	}
}
