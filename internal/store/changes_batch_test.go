package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hob/internal/event"
)

// deleted is the change that deletes a file with content.
func deleted(path, content string) event.Change {
	sum := sha256.Sum256([]byte(content))
	return event.Change{Cause: event.Cause{Tool: "run_command", What: "rm *"}, Path: path,
		Before: event.FileState{Kind: event.RegFile, Sum: hex.EncodeToString(sum[:])}}
}

// What one call did is remembered as one, but for that whose content is not there.
func TestRecord(t *testing.T) {
	db := mustOpen(t, newPath(t))
	cs := db.Changes(Limits{})
	if newest, pruned, err := cs.Mark(t.Context()); newest != 0 || pruned != "" || err != nil {
		t.Errorf("Mark = %d, %q, %v", newest, pruned, err)
	}
	if err := cs.KeepImages(t.Context(), [][]byte{[]byte("a"), []byte("b"), []byte("a")}); err != nil {
		t.Fatal(err)
	}
	folder := event.Change{Path: "/w/d", Before: event.FileState{Kind: event.Folder, Mode: 0o755}}
	made, err := cs.Record(t.Context(), []event.Change{deleted("/w/x", "never"), deleted("/w/a", "a"), folder, deleted("/w/b", "b")})
	if err != nil {
		t.Fatal(err)
	}
	all, err := cs.Since(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range all {
		got = append(got, fmt.Sprintf("%d %d %d %s %s %s %v", c.ID, c.Part, c.GroupID(), c.Path, c.What, c.Stage, c.Lost))
	}
	want := []string{"3 1 1 /w/b rm * made false", "2 1 1 /w/d  made false", "1 0 1 /w/a rm * made false"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for i := range made {
		if diff := cmp.Diff(made[i], all[2-i], cmpopts.EquateApproxTime(1e9)); diff != "" {
			t.Errorf("what Record returns is not what is remembered (-returned +remembered)\n%s", diff)
		}
	}
	if since, err := cs.Since(t.Context(), 1); len(since) != 2 || err != nil {
		t.Errorf("Since = %v, %v", since, err)
	}
	if newest, _, err := cs.Mark(t.Context()); newest != 3 || err != nil {
		t.Errorf("Mark = %d, %v", newest, err)
	}
}

// Whoever keeps in mind what is kept learns when some of it went.
func TestPruningShows(t *testing.T) {
	db := mustOpen(t, newPath(t))
	cs := db.Changes(Limits{Bytes: 3})
	if err := cs.KeepImages(t.Context(), [][]byte{[]byte("aa"), []byte("bb")}); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, c := range []event.Change{deleted("/w/a", "aa"), deleted("/w/b", "bb")} {
		if _, err := cs.Record(t.Context(), []event.Change{c}); err != nil {
			t.Fatal(err)
		}
		_, pruned, err := cs.Mark(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		seen[pruned] = true
	}
	if len(seen) != 2 {
		t.Errorf("the marks are %v", seen)
	}
	if all, err := cs.Since(t.Context(), 0); err != nil || len(all) != 2 || all[0].Lost || !all[1].Lost {
		t.Errorf("%+v, %v", all, err)
	}
}

// A full disk keeps none of the contents and none of the changes.
func TestNoRoomForABatch(t *testing.T) {
	db := mustOpen(t, newPath(t))
	cs := db.Changes(Limits{})
	run(t, db, "PRAGMA max_page_count = 60")
	var images [][]byte
	var changes []event.Change
	for n := range 2000 {
		sum := sha256.Sum256([]byte{byte(n), byte(n >> 8)})
		images = append(images, []byte(strings.Repeat(hex.EncodeToString(sum[:]), 10)))
		changes = append(changes, event.Change{Path: fmt.Sprintf("/w/"+strings.Repeat("long", 50)+"%d", n), After: event.FileState{Kind: event.Folder}})
	}
	wantFileError(t, cs.KeepImages(t.Context(), images), ErrFull, "make room")
	made, err := cs.Record(t.Context(), changes)
	wantFileError(t, err, ErrFull, "make room")
	if all, err := cs.Since(t.Context(), 0); len(made)+len(all) > 0 || err != nil {
		t.Errorf("%v, %v, %v", made, all, err)
	}
}
