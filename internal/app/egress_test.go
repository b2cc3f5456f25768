package app

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/egress"
	"hob/internal/store"
)

// newTestEgress is an Egress with a journal of its own.
func newTestEgress(t *testing.T) *Egress {
	t.Helper()
	w := NewEgress(filepath.Join(t.TempDir(), "state", "journal.db"), egress.GateConfig{})
	t.Cleanup(func() {
		if err := w.End(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// The journal is opened for the first contact, not earlier.
func TestTheLedgerOpensTheJournalWhenItIsNeeded(t *testing.T) {
	fake := httptest.NewServer(http.NotFoundHandler())
	defer fake.Close()
	w := newTestEgress(t)
	d, err := w.Ollama([]string{fake.URL})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(w.path); !os.IsNotExist(err) {
		t.Errorf("a journal is there before it is needed: %v", err)
	}
	visit(t, d, fake.URL)
	if _, err := os.Stat(w.path); err != nil {
		t.Error(err)
	}
	// A hob that begins now, as hob run does, has the journal to itself; the ledger goes on in it.
	db, err := w.OpenJournal(t.Context(), store.Open)
	if err != nil {
		t.Fatal(err)
	}
	if w.ownsJournal {
		t.Error("the ledger still has a journal of its own")
	}
	visit(t, d, fake.URL)
	w.DetachJournal()
	if diff := cmp.Diff(map[string]int64{"ollama": 2}, connections(t, db)); diff != "" {
		t.Errorf("connections (-want +got):\n%s", diff)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	// What comes later is recorded, too.
	visit(t, d, fake.URL)
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	db, err = store.Open(t.Context(), w.path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if diff := cmp.Diff(map[string]int64{"ollama": 3}, connections(t, db)); diff != "" {
		t.Errorf("connections at the end (-want +got):\n%s", diff)
	}
}

func visit(t *testing.T, d *egress.Dialer, url string) {
	t.Helper()
	tr := &http.Transport{DialContext: d.DialContext, DisableKeepAlives: true}
	resp, err := (&http.Client{Transport: tr}).Get(url + "/api/version")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
}

func connections(t *testing.T, db *store.DB) map[string]int64 {
	t.Helper()
	var none struct{ store.Contact }
	all, err := db.Ledger().Since(t.Context(), none.First)
	if err != nil {
		t.Fatal(err)
	}
	sum := map[string]int64{}
	for _, c := range all {
		sum[c.Reason] += c.Connections
	}
	return sum
}
