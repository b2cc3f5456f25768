package store

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"hob/internal/event"

	"github.com/google/go-cmp/cmp"
)

// A process is killed in the middle of appending, again and again, on the same file.
func TestKilledWhileAppending(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	path := newPath(t)
	acked := map[int64]int{}
	for round := range 25 {
		p := start(t, "append", path, nil)
		for range round * round % 97 {
			seq, n, ok := parseAck(p.line())
			if !ok {
				t.Fatalf("round %d: the child printed %q", round, p.lines.Text())
			}
			acked[seq] = n
		}
		p.cmd.Process.Kill()
		if failure := p.acknowledged(acked); failure != "" { // what was printed before the kill
			t.Fatalf("round %d: %s", round, failure)
		}
		p.kill()

		db := mustOpen(t, path)
		verify(t, db, acked, round+1) // in every round one batch may have been on its way
		if round%3 > 0 {              // else the next child finds what this reader leaves
			db.Close()
		}
	}
	if len(acked) < 500 {
		t.Errorf("only %d batches were acknowledged", len(acked))
	}
}

// The same while the journal is being built: the next hob gets a whole one.
func TestKilledWhileCreating(t *testing.T) {
	for round := range 20 {
		dir := t.TempDir()
		p := start(t, "append", filepath.Join(dir, "hob.db"), nil)
		for found := false; !found; { // as soon as anything is there
			names, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			found = len(names) > round%3
		}
		p.cmd.Process.Kill()
		acked := map[int64]int{}
		if failure := p.acknowledged(acked); failure != "" {
			t.Fatal(failure)
		}
		p.kill()
		verify(t, mustOpen(t, filepath.Join(dir, "hob.db")), acked, 1)
	}
}

// Another process writes: readers go on, a writer waits until it is done.
func TestTwoProcesses(t *testing.T) {
	db := mustOpen(t, newPath(t))
	append1(t, db, "before")
	other := start(t, "write", db.Path(), nil)
	if got := other.line(); got != "holding" {
		t.Fatalf("the child printed %q", got)
	}

	if last, err := db.Last(t.Context(), ""); last != 1 || err != nil {
		t.Errorf("a reader beside a writer: Last = %d, %v", last, err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := db.Append(t.Context(), Entry{Chat: "main", Body: event.Noted{Text: "after"}})
		done <- err
	}()
	if value, err := db.Settings().Get(t.Context(), "held"); value != "" || err != nil {
		t.Errorf("what the other has not committed is there: %q, %v", value, err)
	}
	select {
	case err := <-done:
		t.Fatalf("Append did not wait: %v", err)
	default:
	}
	other.say("go on")
	if err := <-done; err != nil {
		t.Errorf("Append, after the other was done: %v", err)
	}
	if value, err := db.Settings().Get(t.Context(), "held"); value != "yes" || err != nil {
		t.Errorf("what the other committed is not there: %q, %v", value, err)
	}
}

// A journal may be open twice in one process. The kernel drops a process's locks on a file when the process closes it anywhere;
// if opening or closing the second did that, another process would take itself for the last one, and the log for its own.
func TestOpenTwiceInOneProcess(t *testing.T) {
	first := mustOpen(t, newPath(t))
	append1(t, first, "one")
	before := locks(t)
	if len(before) != 2 { // on hob.db and hob.db-shm
		t.Fatalf("the kernel knows of these locks: %q", before)
	}
	second := mustOpen(t, first.path)
	append1(t, second, "two")
	second.Close()
	if diff := cmp.Diff(before, locks(t)); diff != "" {
		t.Errorf("locks (-want +got)\n%s", diff)
	}
	append1(t, first, "three")
	if diff := cmp.Diff([]string{"one", "two", "three"}, texts(t, first)); diff != "" {
		t.Errorf("events (-want +got)\n%s", diff)
	}
}

// locks returns what the kernel says of this process's locks on files. (/proc/locks has everybody's, and is read in pieces: one that
// comes or goes meanwhile makes another one appear twice, or not at all.)
func locks(t *testing.T) (locks []string) {
	t.Helper()
	files, err := filepath.Glob("/proc/self/fdinfo/*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it was closed meanwhile
		}
		for line := range strings.Lines(string(text)) {
			if words := strings.Fields(line); len(words) > 2 && words[0] == "lock:" {
				locks = append(locks, strings.Join(words[2:], " "))
			}
		}
	}
	slices.Sort(locks)
	return slices.Compact(locks) // each is told of every descriptor of its file
}

// The files are looked at while another writes and folds the log: nothing may seem lost.
func TestLookingBesideAWriter(t *testing.T) {
	db := mustOpen(t, newPath(t))
	append1(t, db, "so that there is an index")
	index, err := syscall.Open(db.path+"-shm", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 300 {
			if _, err := db.Append(t.Context(), batch(i)...); err != nil {
				t.Error(err)
			}
			if i%10 == 0 {
				if _, err := db.write.ExecContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
					t.Error(err)
				}
			}
		}
	}()
	for looks := 0; ; looks++ {
		if err := compareIndex(index, db.path+"-wal"); err != nil {
			t.Fatal(err)
		}
		select {
		case <-done:
			if looks < 10 {
				t.Errorf("only %d looks", looks)
			}
			return
		default:
		}
	}
}

// A writer that does not get its turn says so.
func TestBusy(t *testing.T) {
	db := mustOpen(t, newPath(t))
	tx, err := db.write.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	impatient, err := connect(db.path, "_txlock=immediate&_pragma=busy_timeout(0)")
	if err != nil {
		t.Fatal(err)
	}
	other := &DB{path: db.path, now: time.Now, write: impatient, read: db.read}
	defer impatient.Close()
	_, err = other.Append(t.Context(), Entry{Chat: "main", Body: event.Noted{}})
	wantFileError(t, err, ErrBusy, "wait for it")
}

func append1(t *testing.T, db *DB, text string) {
	t.Helper()
	if _, err := db.Append(t.Context(), Entry{Chat: "main", Body: event.Noted{Text: text}}); err != nil {
		t.Fatal(err)
	}
}

func texts(t *testing.T, db *DB) (texts []string) {
	t.Helper()
	for e, err := range db.Since(t.Context(), "", 0) {
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, fmt.Sprint(e.Body.(event.Noted).Text))
	}
	return texts
}
