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
	mine bool // db was opened for the ledger alone
	gone bool // the state is, and a ledger made anew in its place would be no ledger of it
}

// ledgerWait is how long an entry in the ledger may take: as long as the journal waits for another hob.
const ledgerWait = 10 * time.Second

// NewEgress returns the way out for a journal, whose ledger goes there. The configuration has all else of the gate.
func NewEgress(journal string, cfg egress.GateConfig) *Egress {
	w := &Egress{path: journal}
	cfg.Ledger = w
	w.Gate = egress.NewGate(cfg)
	return w
}

// Ollama returns the dialer for the hosts of the configuration, which are URLs.
func (w *Egress) Ollama(hosts []string) (*egress.Dialer, error) {
	servers := make([]string, 0, len(hosts))
	for _, h := range hosts {
		u, err := url.Parse(h)
		if err != nil {
			return nil, err
		}
		servers = append(servers, u.Host)
	}
	return w.Only("ollama", servers...)
}

// OpenJournal opens the journal, for a hob that keeps it open until leave.
func (w *Egress) OpenJournal(ctx context.Context) (*store.DB, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.shut(); err != nil {
		return nil, err
	}
	db, err := store.Open(ctx, w.path, time.Now)
	w.db = db
	return db, err
}

// LeaveJournal writes what was counted before whoever opened the journal closes it.
func (w *Egress) LeaveJournal() {
	_ = w.Flush() // what could not be written is tried again at the end, and told then
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.mine {
		w.db = nil
	}
}

// Abandon has nothing recorded any more, and so nobody contacted.
func (w *Egress) Abandon() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.gone = true
}

func (w *Egress) abandoned() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.gone
}

// End closes the way out. Its error says what the ledger lacks.
func (w *Egress) End() error {
	if w == nil {
		return nil
	}
	err := w.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	return errors.Join(err, w.shut())
}

// shut closes the journal if it was opened for the ledger. The caller holds mu.
func (w *Egress) shut() error {
	if !w.mine {
		return nil
	}
	db := w.db
	w.db, w.mine = nil, false
	return db.Close()
}

// record does something with the ledger.
func (w *Egress) record(do func(context.Context, *store.DB) error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), ledgerWait)
	defer cancel()
	if w.db == nil {
		db, err := store.Open(ctx, w.path, time.Now)
		if err != nil {
			return err
		}
		w.db, w.mine = db, true
	}
	return do(ctx, w.db)
}

// Begin implements [egress.Ledger].
func (w *Egress) Begin(c egress.Contact) error {
	if w.abandoned() {
		return store.ErrGone
	}
	return w.record(func(ctx context.Context, db *store.DB) error { return db.Ledger().Begin(ctx, store.Contact(c)) })
}

// Add implements [egress.Ledger].
func (w *Egress) Add(all []egress.Contact) error {
	if w.abandoned() {
		return nil
	}
	kept := make([]store.Contact, 0, len(all))
	for _, c := range all {
		kept = append(kept, store.Contact(c))
	}
	return w.record(func(ctx context.Context, db *store.DB) error { return db.Ledger().Add(ctx, kept) })
}

// PrivacyCheck is the reason under which hob's own attempts to get out stand in the ledger.
const PrivacyCheck = "privacy check"
