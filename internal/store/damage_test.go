package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/sandbox/sandboxtest"
)

// What a crash, a bad disk or a careless hand may leave, and what Open makes of it. The files are as a kill leaves them: the
// first 30 events in the
// database, the next 30 in the log only. (Where the name says "folded", all are in the database, and the last 30 in the log, too.)
func TestDamage(t *testing.T) {
	crashed, folded := crashedFiles(t, false), crashedFiles(t, true)
	everything := 60
	for _, c := range []struct {
		name   string
		spoil  func(files)
		events int    // that are there after Open
		damage string // or a part of what Open says
	}{
		{"a kill", func(f files) {}, everything, ""},
		{"a kill in the middle of a write to the log",
			func(f files) { f["-wal"] = append(f["-wal"], f["-wal"][32:2000]...) }, everything, ""},
		{"a power cut that lost the index", func(f files) { delete(f, "-shm") }, everything, ""},
		{"a power cut that tore the end of the log",
			func(f files) { delete(f, "-shm"); f["-wal"] = f["-wal"][:len(f["-wal"])-100] }, everything - 1, ""},
		{"a power cut that left an old index", func(f files) { clear(f["-shm"][:136]) }, everything, ""},
		{"an index of another log", func(f files) { f["-shm"] = otherIndex(t) }, everything, ""},

		{"folded: a kill", func(f files) {}, everything, ""},
		{"folded: the log is gone", func(f files) { delete(f, "-wal") }, everything, ""},
		{"folded: the log's first bytes are spoilt", func(f files) { clear(f["-wal"][:8]) }, everything, ""},
		{"folded: a bit in the log is flipped", func(f files) { f["-wal"][32+7*4120+1000] ^= 4 }, 0, "only the first 7 are"},

		{"the log is gone", func(f files) { delete(f, "-wal") }, 0, "-wal is missing"},
		{"the log is empty", func(f files) { f["-wal"] = nil }, 0, "only the first 0 are"},
		{"the log is cut off", func(f files) { f["-wal"] = f["-wal"][:5*4120] }, 0, "only the first 4 are"},
		{"the log's first bytes are spoilt", func(f files) { clear(f["-wal"][:8]) }, 0, "only the first 0 are"},
		{"a bit in the log is flipped", func(f files) { f["-wal"][32+7*4120+1000] ^= 4 }, 0, "only the first 7 are"},
		{"the file is gone", func(f files) { delete(f, "") }, 0, "its newest events are still in"},
		{"the file is empty", func(f files) { f[""] = nil }, 0, "it is empty"},
		{"the file is empty, and nothing else is there",
			func(f files) { f[""] = nil; delete(f, "-wal"); delete(f, "-shm") }, 0, "it is empty"},
		{"the file's beginning is cut off", func(f files) { f[""] = f[""][:60] }, 0, "it is cut off"},
		{"the file's end is cut off", func(f files) { f[""] = f[""][:3*4096]; delete(f, "-shm"); delete(f, "-wal") }, 0, "malformed"},
		{"pages are spoilt", func(f files) { spoilPages(f[""]) }, 0, ""},
		{"the file is something else", func(f files) { f[""] = []byte(strings.Repeat("garbage ", 1000)) }, 0, ""},
		{"the file is something else, and nothing else is there", func(f files) {
			f[""] = []byte(strings.Repeat("garbage ", 1000))
			delete(f, "-wal")
			delete(f, "-shm")
		}, 0, "not a database"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := crashed.clone()
			if strings.HasPrefix(c.name, "folded: ") {
				f = folded.clone()
			}
			c.spoil(f)
			path := newPath(t)
			f.write(t, path)
			db, err := Open(t.Context(), path, time.Now)
			if c.events > 0 {
				if err != nil {
					t.Fatal(err)
				}
				defer db.Close()
				var want []string
				for i := range c.events {
					want = append(want, line(i))
				}
				if diff := cmp.Diff(want, texts(t, db)); diff != "" {
					t.Errorf("events (-want +got)\n%s", diff)
				}
				append1(t, db, "it goes on")
				return
			}
			wantFileError(t, err, ErrDamaged, "hob journal dump")
			if !strings.Contains(err.Error(), c.damage) {
				t.Errorf("the sentence is %q, want %q in it", err, c.damage)
			}
			for _, beside := range []string{"", "-wal"} { // SQLite may rebuild its index, but nothing that holds events
				if want := f[beside]; want != nil {
					got, err := os.ReadFile(path + beside)
					if err != nil || !slices.Equal(got, want) {
						t.Errorf("Open changed hob.db%s: %v", beside, err)
					}
				}
			}
		})
	}
}

// A page that was spoilt after a clean end shows when it is read, at the latest.
func TestSpoiltPageOfACleanFile(t *testing.T) {
	path := newPath(t)
	db := mustOpen(t, path)
	for i := range 60 {
		append1(t, db, line(i))
	}
	db.Close()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	spoilPages(data)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if db, err = Open(t.Context(), path, time.Now); err != nil {
		wantFileError(t, err, ErrDamaged, "hob journal dump")
		return
	}
	defer db.Close()
	wantFileError(t, db.Check(t.Context()), ErrDamaged, "hob journal dump")
	for _, err = range db.Since(t.Context(), "", 0) {
	}
	wantFileError(t, err, ErrDamaged, "hob journal dump")
	_, err = db.Append(t.Context(), Entry{Chat: "main", Body: event.Noted{}})
	wantFileError(t, err, ErrDamaged, "hob journal dump")
}

func TestAnotherProgramsDatabase(t *testing.T) {
	path := newPath(t)
	pool, err := connect(path, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pool.ExecContext(t.Context(), "CREATE TABLE bookmarks (url TEXT)"); err != nil {
		t.Fatal(err)
	}
	pool.Close()
	before, _ := os.ReadFile(path)
	_, err = Open(t.Context(), path, time.Now)
	wantFileError(t, err, ErrForeign, "another file")
	if after, _ := os.ReadFile(path); !slices.Equal(before, after) {
		t.Error("Open changed it")
	}
}

func TestNotWritable(t *testing.T) {
	path := newPath(t)
	db := mustOpen(t, path)
	append1(t, db, "one")
	db.Close()
	open := func() (err error) {
		asNobody(t, path, func() {
			if db, err = Open(t.Context(), path, time.Now); err == nil {
				db.Close()
			}
		})
		return err
	}
	chmod(t, path, 0o444)
	wantFileError(t, open(), ErrReadOnly, "let the user with id")
	chmod(t, path, 0o666)
	if err := os.WriteFile(path+"-wal", []byte("root ran it once"), 0); err != nil {
		t.Fatal(err)
	}
	wantFileError(t, open(), ErrReadOnly, "let the user with id")
	if err := os.Remove(path + "-wal"); err != nil {
		t.Fatal(err)
	}
	chmod(t, filepath.Dir(path), 0o555)
	wantFileError(t, open(), ErrReadOnly, "let the user with id")
	if err := os.Remove(path); os.Geteuid() == 0 && err != nil {
		t.Fatal(err)
	} else if err == nil {
		wantFileError(t, open(), ErrReadOnly, "let the user with id")
	}
	chmod(t, filepath.Dir(path), 0o755)
}

func TestADirectoryIsNoJournal(t *testing.T) {
	_, err := Open(t.Context(), t.TempDir(), time.Now)
	if !errors.Is(err, syscall.EISDIR) {
		t.Errorf("Open of a directory = %v", err)
	}
}

func line(i int) string { return fmt.Sprint("event ", i, " ", strings.Repeat("x", 300)) }

// files are a journal's files by what their names end with: "", "-wal", "-shm".
type files map[string][]byte

func readFiles(t *testing.T, path string) files {
	t.Helper()
	f := files{}
	for _, end := range []string{"", "-wal", "-shm"} {
		data, err := os.ReadFile(path + end)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if err == nil {
			f[end] = data
		}
	}
	return f
}

func (f files) clone() files {
	c := files{}
	for end, data := range f {
		c[end] = slices.Clone(data)
	}
	return c
}

func (f files) write(t *testing.T, path string) {
	t.Helper()
	for end, data := range f {
		if err := os.WriteFile(path+end, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// crashedFiles copies the files from under an open journal of 60 events: nothing else is what a kill leaves. The last 30
// are in the log, and if they are to be folded, in the database, too.
func crashedFiles(t *testing.T, folded bool) files {
	t.Helper()
	db := mustOpen(t, newPath(t))
	for i := range 60 {
		if i == 30 {
			run(t, db, "PRAGMA wal_checkpoint(TRUNCATE)")
		}
		append1(t, db, line(i))
	}
	if folded {
		run(t, db, "PRAGMA wal_checkpoint(FULL)")
	}
	f := readFiles(t, db.path)
	if len(f) != 3 {
		t.Fatal("the journal does not lie in three files")
	}
	return f
}

func otherIndex(t *testing.T) []byte { return crashedFiles(t, false)["-shm"] }

// spoilPages overwrites all pages of a database but the first, which has the schema.
func spoilPages(data []byte) {
	for i := 4096; i < len(data); i++ {
		data[i] = byte(i * 7)
	}
}

func chmod(t *testing.T, path string, mode fs.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// asNobody runs do with the rights of an ordinary user on files: root may write where it likes.
func asNobody(t *testing.T, path string, do func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		do()
		return
	}
	for dir := filepath.Dir(path); dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && info.Mode()&0o055 != 0o055 {
			chmod(t, dir, info.Mode().Perm()|0o055)
		}
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := sandboxtest.Setfsuid(65534); err != nil {
		t.Fatal(err)
	}
	defer sandboxtest.Setfsuid(0)
	do()
}
