package store_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/store/storetest"
	"hob/internal/tools/files/origins"
)

var _ origins.Store = (*store.Origins)(nil)

func TestMemory(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Journal { return store.NewMemory(time.Now) })
}

func TestDB(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Journal { return granting{openDB(t, time.Now)} })
}

// granting is a DB that lists its grants as a journal of storetest does.
type granting struct{ *store.DB }

func (g granting) Grants(ctx context.Context) ([]event.Grant, error) {
	return g.DB.Grants().InForce(ctx)
}

func TestDeliveries(t *testing.T) {
	storetest.RunDeliveries(t, func(t *testing.T, now func() time.Time) storetest.Deliveries {
		db := openDB(t, now)
		return delivering{db.Deliveries(), db}
	})
}

// delivering is deliveries and the journal that they are marked in.
type delivering struct {
	*store.Deliveries
	*store.DB
}

func TestDeliveriesInMemory(t *testing.T) {
	storetest.RunDeliveries(t, func(_ *testing.T, now func() time.Time) storetest.Deliveries { return store.NewMemory(now) })
}

func TestPeople(t *testing.T) {
	storetest.RunPeople(t, func(t *testing.T, now func() time.Time) storetest.People { return openDB(t, now).People() })
}

func TestPeopleInMemory(t *testing.T) {
	storetest.RunPeople(t, func(_ *testing.T, now func() time.Time) storetest.People { return store.NewMemory(now) })
}

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
