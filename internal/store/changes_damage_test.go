package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
)

// oldContent is a change that replaces content.
func oldContent(content string) event.Change {
	sum := sha256.Sum256([]byte(content))
	return event.Change{Path: "/w/f", Before: event.FileState{Kind: event.RegFile, Sum: hex.EncodeToString(sum[:])}}
}

// A journal of before there were changes begins to remember them.
func TestChangesOfAnOldJournal(t *testing.T) {
	path := newPath(t)
	load(t, path, "testdata/schema-1.sql")
	cs := mustOpen(t, path).Changes(Limits{})
	if all, err := cs.Since(t.Context(), 0); len(all) > 0 || err != nil {
		t.Errorf("List = %v, %v", all, err)
	}
	if id, err := cs.Keep(t.Context(), oldContent("x"), []byte("x")); id != 1 || err != nil {
		t.Errorf("Keep = %d, %v", id, err)
	}
}

// What the first hob that remembered changes wrote is read as it was meant.
func TestChangesOfSchema2(t *testing.T) {
	path := newPath(t)
	load(t, path, "testdata/schema-2.sql")
	cs := mustOpen(t, path).Changes(Limits{})
	file := event.FileState{Kind: event.RegFile, Size: 2, Mode: 0o644,
		Sum: "8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4"}
	want := []event.Change{
		{ID: 5, Time: time.UnixMilli(1700000002600).UTC(), Cause: event.Cause{Chat: "main", Turn: 1, Tool: "delete_file"},
			Path: "/home/ann/notes.md", Before: file, Fate: event.Fate{Stage: event.StageBegun}},
		{ID: 4, Time: time.UnixMilli(1700000002500).UTC(), Cause: event.Cause{Chat: "main", Turn: 1, Tool: "write_file"},
			Path: "/home/ann/notes.md", Folders: 1, After: file, Fate: event.Fate{Stage: event.StageMade}},
	}
	got, err := cs.Since(t.Context(), 0)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	if content, err := cs.Image(t.Context(), file.Sum); string(content) != "hi" || err != nil {
		t.Errorf("the content is %q, %v", content, err)
	}
	if id, err := cs.Keep(t.Context(), oldContent("x"), []byte("x")); id != 6 || err != nil {
		t.Errorf("Keep = %d, %v", id, err)
	}
}

// A full disk keeps nothing of a change, and what was kept stays readable.
func TestNoRoomForContents(t *testing.T) {
	db := mustOpen(t, newPath(t))
	cs := db.Changes(Limits{})
	if _, err := cs.Keep(t.Context(), oldContent("old"), []byte("old")); err != nil {
		t.Fatal(err)
	}
	run(t, db, "PRAGMA max_page_count = 60")
	content := strings.Builder{}
	for i := range 50_000 { // what compresses badly enough
		sum := sha256.Sum256([]byte{byte(i), byte(i >> 8)})
		content.Write(sum[:])
	}
	id, err := cs.Keep(t.Context(), oldContent(content.String()), []byte(content.String()))
	wantFileError(t, err, ErrFull, "make room")
	if id != 0 {
		t.Errorf("its number is %d", id)
	}
	if all, err := cs.Since(t.Context(), 0); len(all) != 1 || err != nil {
		t.Errorf("List = %v, %v", all, err)
	}
	if content, err := cs.Image(t.Context(), oldContent("old").Before.Sum); string(content) != "old" || err != nil {
		t.Errorf("the content is %q, %v", content, err)
	}
}

// A content that was damaged on the disk is never given out as the one that was kept.
func TestDamagedContent(t *testing.T) {
	db := mustOpen(t, newPath(t))
	cs := db.Changes(Limits{})
	long := strings.Repeat("long ", 1000)
	for _, content := range []string{"short", long} {
		if _, err := cs.Keep(t.Context(), oldContent(content), []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	run(t, db, "UPDATE image SET data = CAST('wrong' AS BLOB)")
	for _, content := range []string{"short", long} {
		_, err := cs.Image(t.Context(), oldContent(content).Before.Sum)
		wantFileError(t, err, ErrDamaged, "move it away")
	}
	_, err := cs.Image(t.Context(), oldContent("never").Before.Sum)
	if !errors.Is(err, ErrNotKept) {
		t.Errorf("Image of what was never kept = %v", err)
	}
}

// A process is killed while it keeps contents: what it was told is kept is there, whole.
func TestKilledWhileKeeping(t *testing.T) {
	path := newPath(t)
	acked := map[int64]int{}
	for round := range 15 {
		p := start(t, "keep", path, nil)
		for range 1 + round*7%23 {
			id, n, ok := parseAck(p.line())
			if !ok {
				t.Fatalf("round %d: the child printed %q", round, p.lines.Text())
			}
			acked[id] = n
		}
		p.cmd.Process.Kill()
		if failure := p.acknowledged(acked); failure != "" {
			t.Fatalf("round %d: %s", round, failure)
		}
		p.kill()
		db := mustOpen(t, path)
		cs := db.Changes(Limits{})
		all, err := cs.Since(t.Context(), 0)
		if err != nil || len(all) < len(acked) || len(all) > len(acked)+round+1 {
			t.Fatalf("round %d: %d changes of %d, %v", round, len(all), len(acked), err)
		}
		for id, n := range acked {
			content, err := cs.Image(t.Context(), oldContent(keptContent(n)).Before.Sum)
			if err != nil || string(content) != keptContent(n) {
				t.Fatalf("round %d: change %d has %d bytes, %v", round, id, len(content), err)
			}
		}
		db.Close()
	}
	t.Logf("%d changes", len(acked))
}

func BenchmarkKeep(b *testing.B) {
	db, err := Open(b.Context(), filepath.Join(b.TempDir(), "hob.db"), time.Now)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	cs := db.Changes(Limits{})
	n := 0
	for b.Loop() {
		n++
		content := keptContent(n)
		id, err := cs.Keep(b.Context(), oldContent(content), []byte(content))
		if err == nil {
			err = cs.Settle(b.Context(), id, true)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
