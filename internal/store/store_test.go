package store_test

import (
	"path/filepath"
	"testing"
	"time"

	"hob/internal/store"
	"hob/internal/store/storetest"
	"hob/internal/tools/files/origins"
)

var (
	_ storetest.Lists    = (*store.DB)(nil)
	_ storetest.Lists    = (*store.Memory)(nil)
	_ storetest.Searches = (*store.DB)(nil)
	_ storetest.Searches = (*store.Memory)(nil)
	_ storetest.Settings = (*store.DB)(nil)
	_ storetest.Settings = (*store.Memory)(nil)
	_ storetest.Audited  = (*store.DB)(nil)
	_ storetest.Audited  = (*store.Memory)(nil)
	_ storetest.Grants   = (*store.DB)(nil)
	_ storetest.Grants   = (*store.Memory)(nil)

	_ origins.Store = (*store.DB)(nil)
)

func TestMemory(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Journal { return store.NewMemory(time.Now) })
}

func TestDB(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Journal { return openDB(t, filepath.Join(t.TempDir(), "hob.db")) })
}

func TestChanges(t *testing.T) {
	storetest.RunChanges(t, func(t *testing.T, now func() time.Time) storetest.Changes {
		db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "hob.db"), now)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		return db.Changes(store.Limits{Bytes: 3000, Age: time.Hour, Changes: 10})
	})
}

func TestLedger(t *testing.T) {
	storetest.RunLedger(t, func(t *testing.T) storetest.Ledger { return openDB(t, filepath.Join(t.TempDir(), "hob.db")) })
}

func TestOrigins(t *testing.T) {
	storetest.RunOrigins(t, func(t *testing.T) storetest.Origins { return openDB(t, filepath.Join(t.TempDir(), "hob.db")) })
}

func TestRequests(t *testing.T) {
	storetest.RunRequests(t, func(t *testing.T, now func() time.Time) storetest.Requests {
		db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "hob.db"), now)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		return db
	})
}

func TestRequestsInMemory(t *testing.T) {
	storetest.RunRequests(t, func(_ *testing.T, now func() time.Time) storetest.Requests { return store.NewMemory(now) })
}

func TestPost(t *testing.T) {
	storetest.RunPost(t, func(t *testing.T, now func() time.Time) storetest.Post {
		db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "hob.db"), now)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		return db
	})
}

func TestPostInMemory(t *testing.T) {
	storetest.RunPost(t, func(_ *testing.T, now func() time.Time) storetest.Post { return store.NewMemory(now) })
}

// openDB opens a journal for as long as a test runs.
func openDB(t *testing.T, path string) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), path, time.Now)
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
