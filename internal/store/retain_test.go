package store

import (
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Of the copies from before migrations the newest stay, whatever else lies there.
func TestPruneCopies(t *testing.T) {
	path := newPath(t)
	db := mustOpen(t, path)
	others := []string{".v9-20300101T000000Z.bak.txt", ".v9.bak", ".bak", ".vx-20300101T000000Z.bak", ".v9-20300101T000000Z.bak-x", ".restore.v1"}
	kept := []string{".v10-20260301T000000Z.bak", ".v10-20260301T000000Z.bak-2"}
	gone := []string{".v2-20251231T000000Z.bak", ".v9-20260102T000000Z.bak", ".v9-20260102T000000Z.bak-3", ".v9-20260102T000000Z.bak-10"}
	for _, all := range [][]string{others, kept, gone} {
		for _, suffix := range all {
			if err := os.WriteFile(path+suffix, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	var want []string
	for _, suffix := range gone {
		want = append(want, path+suffix)
	}
	removed, err := db.PruneCopies(2)
	if diff := cmp.Diff(want, removed); diff != "" || err != nil {
		t.Errorf("removed: %v (-want +got)\n%s", err, diff)
	}
	for _, suffix := range append(others, kept...) {
		if _, err := os.Stat(path + suffix); err != nil {
			t.Error(err)
		}
	}
	if removed, err := db.PruneCopies(2); removed != nil || err != nil {
		t.Errorf("a second time: %v, %v", removed, err)
	}
}

// Pruning takes nothing from what was said and done.
func TestPruneKeepsTheAudit(t *testing.T) {
	db := mustOpen(t, newPath(t))
	append1(t, db, "words")
	if _, err := db.Deliveries().BeginSend(t.Context(), "c", 1, 0); err != nil {
		t.Fatal(err)
	}
	before := texts(t, db)
	if _, err := db.Deliveries().Prune(t.Context(), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, texts(t, db)); diff != "" {
		t.Error(diff)
	}
}
