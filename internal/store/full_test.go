package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hob/internal/sandbox/sandboxtest"
)

// SQLite is told that the file may not grow.
func TestNoRoomForPages(t *testing.T) {
	db := mustOpen(t, newPath(t))
	run(t, db, "PRAGMA max_page_count = 40")
	acked := map[int64]int{}
	err := appendUntil(t.Context(), db, acked)
	wantFileError(t, err, ErrFull, "make room")
	verify(t, db, acked, 0)
	run(t, db, "PRAGMA max_page_count = 4000")
	events, err := db.Append(t.Context(), batch(1000)...)
	if err != nil {
		t.Fatal(err)
	}
	acked[events[0].Seq] = 1000
	verify(t, db, acked, 0)
	db.Close()
	verify(t, mustOpen(t, db.path), acked, 0)
}

// The kernel cuts writes off in the middle of the log.
func TestFileSizeLimit(t *testing.T) {
	path := newPath(t)
	acked := map[int64]int{}
	for range 3 { // the second and third child find the log that the one before could not write on
		p := start(t, "limited", path, nil)
		failure := p.acknowledged(acked)
		p.kill()
		if !strings.Contains(failure, ErrDisk.Error()) && !strings.Contains(failure, ErrFull.Error()) {
			t.Fatalf("the child ended with %q", failure)
		}
	}
	if len(acked) < 20 {
		t.Errorf("only %d batches were acknowledged", len(acked))
	}
	db := mustOpen(t, path)
	verify(t, db, acked, 3)
	append1(t, db, "it goes on")
}

// A file system is full for real. It takes a kernel that lets the test mount one; where it does not, the two tests above are
// what there is.
func TestSmallDisk(t *testing.T) {
	inMountNamespace(t, "small disk")
}

// inMountNamespace has a child do something where it may mount file systems, if there is such a place.
func inMountNamespace(t *testing.T, do string) {
	t.Helper()
	attr := sandboxtest.OwnMounts()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	probe, err := os.StartProcess(exe, []string{exe, "-test.run=^$"}, &os.ProcAttr{Sys: attr})
	if err != nil {
		t.Logf("no mount namespace here: %v", err)
		return
	}
	probe.Wait()
	p := start(t, do, t.TempDir(), attr)
	switch got := p.line(); {
	case strings.HasPrefix(got, "no mount"):
		t.Log(got)
	case got != "all is well":
		t.Error(got)
	}
}

func onSmallDisk(ctx context.Context, dir string) error {
	if err := sandboxtest.MountTmpfs(dir, "size=1m,mode=700"); err != nil {
		fmt.Println("no mount:", err)
		return nil
	}
	path, ballast := filepath.Join(dir, "hob.db"), filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 256<<10), 0o600); err != nil {
		return err
	}
	db, err := Open(ctx, path, time.Now)
	if err != nil {
		return err
	}
	acked := map[int64]int{}
	if err := appendUntil(ctx, db, acked); !errors.Is(err, ErrFull) {
		return fmt.Errorf("append on a full disk: %w", err)
	}
	if err := sameSeqs(ctx, db, acked); err != nil {
		return fmt.Errorf("on the full disk: %w", err)
	}
	if err := db.Close(); err != nil {
		return err
	}
	if full, err := Open(ctx, path, time.Now); err == nil {
		if err := errors.Join(sameSeqs(ctx, full, acked), full.Close()); err != nil {
			return fmt.Errorf("opened on the full disk: %w", err)
		}
	} else if !errors.Is(err, ErrFull) {
		return fmt.Errorf("open on the full disk: %w", err)
	}
	if err := os.Remove(ballast); err != nil {
		return err
	}
	if db, err = Open(ctx, path, time.Now); err != nil {
		return err
	}
	events, err := db.Append(ctx, batch(1)...)
	if err != nil {
		return fmt.Errorf("append when there is room again: %w", err)
	}
	acked[events[0].Seq] = 1
	if err := errors.Join(sameSeqs(ctx, db, acked), db.Check(ctx), db.Close()); err != nil {
		return err
	}
	fmt.Println("all is well")
	return nil
}

// appendUntil appends batches until that fails.
func appendUntil(ctx context.Context, db *DB, acked map[int64]int) error {
	for n := 1; n < 10000; n++ {
		events, err := db.Append(ctx, batch(n)...)
		if err != nil {
			return err
		}
		acked[events[0].Seq] = n
	}
	return errors.New("it never failed")
}

// sameSeqs tells whether the journal holds exactly the acknowledged batches.
func sameSeqs(ctx context.Context, db *DB, acked map[int64]int) error {
	var got, want []int64
	for e, err := range db.Since(ctx, "", 0) {
		if err != nil {
			return err
		}
		got = append(got, e.Seq)
	}
	for _, seq := range slices.Sorted(maps.Keys(acked)) {
		want = append(want, seq, seq+1, seq+2)
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("events %v are there, want %v", got, want)
	}
	return nil
}

func run(t *testing.T, db *DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.write.ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
}

// wantFileError checks that err is a *FileError for the reason, and one sentence that says what to do.
func wantFileError(t *testing.T, err, reason error, advice string) {
	t.Helper()
	var file *FileError
	if !errors.As(err, &file) || !errors.Is(err, reason) {
		t.Fatalf("the error is %v, want a *FileError that is %q", err, reason)
	}
	text := err.Error()
	if !strings.Contains(text, file.Path) || !strings.Contains(text, advice) || strings.ContainsAny(text, "\n\x00") {
		t.Errorf("the sentence is %q, want the path and %q in it", text, advice)
	}
	if file.Op == "" || !strings.HasPrefix(text, file.Op) {
		t.Errorf("the sentence is %q, it does not say what was tried", text)
	}
}
