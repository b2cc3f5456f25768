package app

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"sync"
	"time"

	"hob/internal/commands"
	"hob/internal/config"
	"hob/internal/egress"
	"hob/internal/lists"
	"hob/internal/store"
)

// Egress is the only way out of this process. It records each contact in the ledger, which is part
// of the journal. If no [App] has the journal open, Egress opens it for the first contact that it
// records.
type Egress struct {
	*egress.Gate
	path string

	mu          sync.Mutex
	db          *store.DB
	ownsJournal bool   // db was opened for the ledger alone
	abandoned   bool   // the state was deleted; the ledger must not create a new journal in its place
	unguard     func() // undoes keepFromOwn; nil: nothing to undo
}

// ledgerTimeout limits one write to the ledger. It is as long as the journal waits for another
// process.
const ledgerTimeout = 10 * time.Second

// NewEgress returns an Egress whose ledger is in the journal at a path. It sets cfg.Ledger; the
// caller sets the rest.
func NewEgress(journal string, cfg egress.GateConfig) *Egress {
	w := &Egress{path: journal}
	cfg.Ledger = w
	w.Gate = egress.NewGate(cfg)
	return w
}

// keepFromOwn bars every dialer from the addresses at which hob itself listens by a configuration,
// and replaces the bar of an earlier one. Another process may be the one that listens. hob serve
// also bars its other addresses.
func (e *Egress) keepFromOwn(cfg config.Config) {
	listens := lists.Map(cfg.Listens(), func(at netip.AddrPort) net.Addr { return net.TCPAddrFromAddrPort(at) })
	unguard := e.KeepFrom(listens, cfg.Page.Target())
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.unguard != nil {
		e.unguard()
	}
	e.unguard = unguard
}

// Ollama returns the dialer for the Ollama servers at these URLs.
func (e *Egress) Ollama(hosts []string) (*egress.Dialer, error) {
	servers := make([]string, 0, len(hosts))
	for _, h := range hosts {
		u, err := url.Parse(h)
		if err != nil {
			return nil, err
		}
		servers = append(servers, u.Host)
	}
	return e.Only("ollama", servers...)
}

// OpenStore opens a journal: [store.Open], or [store.OpenAlone].
type OpenStore func(ctx context.Context, path string, now func() time.Time) (*store.DB, error)

// OpenJournal opens the journal for an App, which keeps it open until [Egress.DetachJournal].
func (e *Egress) OpenJournal(ctx context.Context, open OpenStore) (*store.DB, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.closeOwnJournal(); err != nil {
		return nil, err
	}
	db, err := open(ctx, e.path, time.Now)
	e.db = db
	return db, err
}

// DetachJournal writes the counts that are pending, before the App closes the journal.
func (e *Egress) DetachJournal() {
	_ = e.Flush() // End tries again, and returns the error
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.ownsJournal {
		e.db = nil
	}
}

// Abandon stops recording. From then on every connection is refused.
func (e *Egress) Abandon() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.abandoned = true
}

func (e *Egress) isAbandoned() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.abandoned
}

// End closes all connections and the ledger. Its error says which entries the ledger lacks.
func (e *Egress) End() error {
	if e == nil {
		return nil
	}
	err := e.Close()
	e.mu.Lock()
	defer e.mu.Unlock()
	return errors.Join(err, e.closeOwnJournal())
}

// closeOwnJournal closes the journal if it was opened for the ledger alone. The caller holds mu.
func (e *Egress) closeOwnJournal() error {
	if !e.ownsJournal {
		return nil
	}
	db := e.db
	e.db, e.ownsJournal = nil, false
	return db.Close()
}

// withLedger calls do with the journal, and opens that if necessary.
func (e *Egress) withLedger(do func(context.Context, *store.DB) error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), ledgerTimeout)
	defer cancel()
	if e.db == nil {
		db, err := store.OpenAlone(ctx, e.path, time.Now)
		if err != nil {
			return err
		}
		e.db, e.ownsJournal = db, true
	}
	return do(ctx, e.db)
}

// Begin implements [egress.Ledger].
func (e *Egress) Begin(c egress.Contact) error {
	if e.isAbandoned() {
		return store.ErrGone
	}
	return e.withLedger(func(ctx context.Context, db *store.DB) error { return db.Ledger().Begin(ctx, store.Contact(c)) })
}

// Add implements [egress.Ledger].
func (e *Egress) Add(all []egress.Contact) error {
	if e.isAbandoned() {
		return nil
	}
	kept := lists.Map(all, func(c egress.Contact) store.Contact { return store.Contact(c) })
	return e.withLedger(func(ctx context.Context, db *store.DB) error { return db.Ledger().Add(ctx, kept) })
}

// PrivacyCheckReason is the ledger's reason for the connections that the privacy check attempts.
const PrivacyCheckReason = commands.PrivacyCheckReason
