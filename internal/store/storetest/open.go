package storetest

import (
	"path/filepath"
	"testing"
	"time"

	"hob/internal/store"
)

// Open opens a new journal on the disk for as long as a test runs.
func Open(t testing.TB, now func() time.Time) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db"), now)
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
