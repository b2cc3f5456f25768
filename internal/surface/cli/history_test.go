package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHistoryIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	h, err := OpenHistory(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []string{"one", "two\nlines \\n", "two\nlines \\n", " ", strings.Repeat("x", maxHistoryEntry+1), "three"} {
		if err := h.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"one", "two\nlines \\n", "three"}
	back, err := OpenHistory(path)
	if diff := cmp.Diff(want, back.Entries()); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}

	// A crash within a line costs that line only, and two processes do not mix theirs.
	raw, _ := os.ReadFile(path)
	os.WriteFile(path, append(raw, "cut of"...), 0o600)
	os.Chmod(path, 0o644)
	a, _ := OpenHistory(path)
	b, _ := OpenHistory(path)
	a.Add("from a")
	b.Add("from b")
	back, err = OpenHistory(path)
	if diff := cmp.Diff(append(want, "cut of", "from a", "from b"), back.Entries()); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode became %v, %v", info.Mode(), err)
	}
}

func TestHistoryIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	h, _ := OpenHistory(path)
	for i := range 2*maxHistory + 10 {
		if err := h.Add(fmt.Sprint("entry ", i)); err != nil {
			t.Fatal(err)
		}
	}
	raw, _ := os.ReadFile(path)
	if n := strings.Count(string(raw), "\n"); n > 2*maxHistory {
		t.Errorf("the file has %d lines", n)
	}
	h, err := OpenHistory(path)
	if got := h.Entries(); err != nil || len(got) != maxHistory || got[maxHistory-1] != fmt.Sprint("entry ", 2*maxHistory+9) {
		t.Errorf("%d entries, the last %q, %v", len(got), got[len(got)-1], err)
	}
	os.WriteFile(path, []byte(strings.Repeat("y", maxHistoryFile)+"\nlast\n"), 0o600)
	if h, err = OpenHistory(path); err != nil || !cmp.Equal(h.Entries(), []string{"last"}) {
		t.Errorf("of a huge file: %d entries, %v", len(h.Entries()), err)
	}
}

func TestAHistoryThatCannotBeKeptIsToldOnce(t *testing.T) {
	if _, err := OpenHistory(t.TempDir()); err == nil {
		t.Error("a folder is taken for a history")
	}
	h := &History{path: filepath.Join(t.TempDir(), "no", "history")}
	if err := h.Add("one"); err == nil || !strings.HasPrefix(err.Error(), "keep history:") {
		t.Error(err)
	}
	if err := h.Add("two"); err != nil || len(h.Entries()) != 2 {
		t.Errorf("%v, %q", err, h.Entries())
	}
}
