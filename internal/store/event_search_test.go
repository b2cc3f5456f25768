package store

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hob/internal/event"
)

// One event that cannot be read does not close the rest of its chat to a search.
func TestSearchPassesOverUnreadableEvents(t *testing.T) {
	db := mustOpen(t, newPath(t))
	append1(t, db, "needle one")
	run(t, db, `INSERT INTO event VALUES (2, 5000, 'main', 1, 'dreamt', '', '{"text":"needle"}', NULL)`)
	run(t, db, `INSERT INTO event VALUES (3, 6000, 'main', 1, 'noted', '', '{"text":"needle', NULL)`)
	append1(t, db, "needle four")
	found, err := db.Search(t.Context(), "main", "needle", 10)
	if err != nil || len(found) != 2 || found[0].Seq != 4 || found[1].Seq != 1 {
		t.Errorf("Search = %v, %v", found, err)
	}
}

// A search of a closed journal says that it failed instead of finding nothing.
func TestSearchOfAClosedJournal(t *testing.T) {
	db := mustOpen(t, newPath(t))
	append1(t, db, "needle")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if found, err := db.Search(t.Context(), "main", "needle", 10); err == nil {
		t.Errorf("Search = %v and no error", found)
	}
}

// BenchmarkSearch looks through a chat of 10,000 events, half of them results of 2 KiB, for what is not there.
func BenchmarkSearch(b *testing.B) {
	db, err := Open(b.Context(), filepath.Join(b.TempDir(), "hob.db"), time.Now)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	var entries []Entry
	for i := range 5_000 {
		entries = append(entries,
			Entry{Chat: "main", Body: event.Said{InputID: fmt.Sprint(i), Text: "what is the weather like?"}},
			Entry{Chat: "main", Turn: 1, Body: event.Returned{Text: strings.Repeat("Schön und kühl. ", 128)}})
	}
	if _, err := db.Append(b.Context(), entries...); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := db.Search(b.Context(), "main", "needle", 10); err != nil {
			b.Fatal(err)
		}
	}
}
