package store_test

import (
	"path/filepath"
	"testing"
	"time"

	"hob/internal/store"
	"hob/internal/tools/files/origins"
)

var _ origins.Store = (*store.Origins)(nil)

// openDB opens a new journal for as long as a test runs.
func openDB(t *testing.T, now func() time.Time) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "hob.db"), now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// openMemory opens a journal in memory for as long as a test runs.
func openMemory(t *testing.T) *store.DB {
	t.Helper()
	db, err := store.OpenMemory(t.Context(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}
