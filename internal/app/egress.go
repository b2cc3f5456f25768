package app

import (
	"context"
	"errors"
	"net/url"
	"sync"
	"time"

	"hob/internal/egress"
	"hob/internal/store"
)

// Egress is the one way out of this process, and what was contacted through it. The ledger is in the journal: in that of
// the hob that this process is, else in one that is opened when the first contact has to be recorded.
type Egress struct {
	*egress.Gate
	path string

	mu   sync.Mutex
	db   *store.DB
	ownsJournal bool // db was opened for the ledger alone
	abandoned bool // the state is, and a ledger made anew in its place would be no ledger of it
}

// ledgerWait is how long an entry in the ledger may take: as long as the journal waits for another hob.
const ledgerTimeout = 10 * time.Second

// NewEgress returns the way out for a journal, whose ledger goes there. The configuration has all else of the gate.
func NewEgress(journal string, cfg egress.GateConfig) *Egress {
	w := &Egress{path: journal}
	cfg.Ledger = w
	w.Gate = egress.NewGate(cfg)
	return w
}

// Ollama returns the dialer for the hosts of the configuration, which are URLs.
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

// OpenJournal opens the journal, for a hob that keeps it open until leave.
func (e *Egress) OpenJournal(ctx context.Context) (*store.DB, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.closeOwnJournal(); err != nil {
		return nil, err
	}
	db, err := store.Open(ctx, e.path, time.Now)
	e.db = db
	return db, err
}

// LeaveJournal writes what was counted before whoever opened the journal closes it.
func (e *Egress) DetachJournal() {
	_ = e.Flush() // what could not be written is tried again at the end, and told then
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.ownsJournal {
		e.db = nil
	}
}

// Abandon has nothing recorded any more, and so nobody contacted.
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

// End closes the way out. Its error says what the ledger lacks.
func (e *Egress) End() error {
	if e == nil {
		return nil
	}
	err := e.Close()
	e.mu.Lock()
	defer e.mu.Unlock()
	return errors.Join(err, e.closeOwnJournal())
}

// shut closes the journal if it was opened for the ledger. The caller holds mu.
func (e *Egress) closeOwnJournal() error {
	if !e.ownsJournal {
		return nil
	}
	db := e.db
	e.db, e.ownsJournal = nil, false
	return db.Close()
}

// record does something with the ledger.
func (e *Egress) withLedger(do func(context.Context, *store.DB) error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), ledgerTimeout)
	defer cancel()
	if e.db == nil {
		db, err := store.Open(ctx, e.path, time.Now)
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
	kept := make([]store.Contact, 0, len(all))
	for _, c := range all {
		kept = append(kept, store.Contact(c))
	}
	return e.withLedger(func(ctx context.Context, db *store.DB) error { return db.Ledger().Add(ctx, kept) })
}

// PrivacyCheck is the reason under which hob's own attempts to get out stand in the ledger.
const PrivacyCheckReason = "privacy check"
