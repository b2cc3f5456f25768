package store

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
)

// A copy has the rows of the journal with their numbers, while others write, and nothing beside it; where there is a file already
// nothing is touched.
func TestCopy(t *testing.T) {
	db := mustOpen(t, newPath(t))
	for i := range 60 {
		append1(t, db, line(i))
	}
	to := filepath.Join(t.TempDir(), "copy.db")
	if err := db.Copy(t.Context(), to); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(to); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := db.Copy(t.Context(), to); err == nil {
		t.Error("a copy takes the place of another")
	}
	other := mustOpen(t, to)
	seqs := func(db *DB) (all []int64) {
		for e, err := range db.Since(t.Context(), "", 0) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, e.Seq)
		}
		return all
	}
	if diff := cmp.Diff(seqs(db), seqs(other)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(texts(t, db), texts(t, other)); diff != "" {
		t.Error(diff)
	}
	if left, err := os.ReadDir(filepath.Dir(to)); err != nil || left[0].Name() != "copy.db" {
		t.Errorf("%v, %v", left, err)
	}
}

// Paths of changes, marks and grants move with their folders. Where a mark or a grant is there already, the two become one.
func TestRebase(t *testing.T) {
	db := mustOpen(t, newPath(t))
	changes, origins, grants := db.Changes(Limits{}), db.Origins(), db.Grants()
	for _, p := range []string{"/old/ws/a", "/else/b"} {
		if _, err := changes.Keep(t.Context(), event.Change{Path: p}, nil); err != nil {
			t.Fatal(err)
		}
	}
	for p, l := range map[string]event.Label{
		"/old/ws": {Untrusted: true, Source: "x"}, "/old/ws/\xff": {Private: true, Source: "y"}, "/new/ws": {Private: true, Source: "x"},
	} {
		if err := origins.Mark(t.Context(), []string{p}, l); err != nil {
			t.Fatal(err)
		}
	}
	for _, g := range []event.Grant{{Tool: "t", Path: "/old/ws/d"}, {Tool: "t", Path: "/new/ws/d"}, {Tool: "t", Path: "/old/ws/e"}, {Tool: "t", Host: "h"}} {
		mustGrant(t, db, g)
	}
	moved := func(path string) string {
		if rest, ok := cutFolder(path, "/old/ws"); ok {
			return "/new/ws" + rest
		}
		return path
	}
	n, err := db.Rebase(t.Context(), moved)
	if n != 5 || err != nil {
		t.Errorf("Rebase = %d, %v", n, err)
	}
	list, err := changes.Since(t.Context(), 0)
	list = slices.DeleteFunc(list, event.Change.IsRow) // of the grants
	if err != nil || len(list) != 2 || list[0].Path != "/else/b" || list[1].Path != "/new/ws/a" {
		t.Errorf("%+v, %v", list, err)
	}
	marks, err := origins.All(t.Context())
	want := map[string]event.Label{"/new/ws": {Untrusted: true, Private: true, Source: "x"}, "/new/ws/\xff": {Private: true, Source: "y"}}
	if diff := cmp.Diff(want, marks); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	var paths []string
	in, err := grants.InForce(t.Context())
	for _, g := range in {
		paths = append(paths, g.Path+g.Host)
	}
	if diff := cmp.Diff([]string{"/new/ws/d", "/new/ws/e", "h"}, paths); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
}

func cutFolder(path, folder string) (rest string, ok bool) {
	if len(path) < len(folder) || path[:len(folder)] != folder {
		return "", false
	}
	rest = path[len(folder):]
	return rest, rest == "" || rest[0] == '/'
}

// All that a damaged file still holds is found, and the rest is said.
func TestSalvage(t *testing.T) {
	crashed := crashedFiles(t, false)
	for name, c := range map[string]struct {
		spoil func(files)
		least int // events that are there still
	}{
		"nothing":         {func(files) {}, 60},
		"the log is gone": {func(f files) { delete(f, "-wal") }, 30},
		"a flipped bit":   {func(f files) { f["-wal"][32+7*4120+1000] ^= 4 }, 30},
		"cut off":         {func(f files) { f[""] = f[""][:len(f[""])-2*4096]; delete(f, "-wal") }, 1},
		"pages":           {func(f files) { delete(f, "-wal"); clear(f[""][len(f[""])-2*4096:]) }, 5},
	} {
		t.Run(name, func(t *testing.T) {
			f := crashed.clone()
			c.spoil(f)
			path := newPath(t)
			f.write(t, path)
			read, lost := 0, 0
			for e, err := range Salvage(t.Context(), path, "", t.TempDir()) {
				if err != nil {
					if lost++; lost == 1 {
						t.Log(err)
					}
				} else if _, unreadable := e.Body.(event.Unreadable); !unreadable {
					read++
				}
			}
			t.Logf("%d are read, %d are not", read, lost)
			if read < c.least || name == "nothing" && lost > 0 {
				t.Errorf("%d are read, %d are not", read, lost)
			}
			for suffix, want := range f {
				if got, err := os.ReadFile(path + suffix); err != nil || string(got) != string(want) {
					t.Errorf("the file%s was changed: %v", suffix, err)
				}
			}
		})
	}
}
