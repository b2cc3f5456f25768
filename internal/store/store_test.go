package store_test

import (
	"testing"
	"time"

	"hob/internal/store"
	"hob/internal/tools/files/origins"
)

var _ origins.Store = (*store.Origins)(nil)

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
