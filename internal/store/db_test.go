package store

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"hob/internal/event"

	"github.com/google/go-cmp/cmp"
)

func TestReopen(t *testing.T) {
	path := newPath(t)
	db := mustOpen(t, path)
	append1(t, db, "one")
	if err := errors.Join(db.Mark(t.Context(), "r", 1), db.Settings().Set(t.Context(), "k", "v"), db.Close()); err != nil {
		t.Fatal(err)
	}
	db = mustOpen(t, path)
	append1(t, db, "two")
	if diff := cmp.Diff([]string{"one", "two"}, texts(t, db)); diff != "" {
		t.Errorf("events (-want +got)\n%s", diff)
	}
	if seq, err := db.Marked(t.Context(), "r"); seq != 1 || err != nil {
		t.Errorf("Marked = %d, %v", seq, err)
	}
	if value, err := db.Settings().Get(t.Context(), "k"); value != "v" || err != nil {
		t.Errorf("Setting = %q, %v", value, err)
	}
}

// A transaction that panics leaves nothing, and no transaction open for the next one.
func TestTransactionPanics(t *testing.T) {
	db := mustOpen(t, newPath(t))
	func() {
		defer func() { _ = recover() }()
		_ = db.transact(t.Context(), func(tx transaction) error {
			if _, err := tx.ExecContext(t.Context(), "INSERT INTO setting (key, value) VALUES ('k', 'v')"); err != nil {
				t.Error(err)
			}
			panic("no")
		})
	}()
	append1(t, db, "one")
	if value, err := db.Settings().Get(t.Context(), "k"); value != "" || err != nil {
		t.Errorf("Setting = %q, %v", value, err)
	}
}

// What every connection is set to; a misspelt pragma would be taken in silence.
func TestConnections(t *testing.T) {
	db := mustOpen(t, newPath(t))
	const full, off = "2", "0"
	for _, c := range []struct {
		name string
		pool *sql.DB
		want map[string]string
	}{
		{"the writer", db.write, map[string]string{"journal_mode": "wal", "synchronous": full, "foreign_keys": "1", "busy_timeout": "5000",
			"query_only": off, "cache_size": "-1024", "mmap_size": off, "temp_store": "2", "journal_size_limit": "4194304"}},
		{"a reader", db.read, map[string]string{"journal_mode": "wal", "busy_timeout": "5000", "query_only": "1", "cache_size": "-512",
			"mmap_size": off}},
	} {
		got := map[string]string{}
		for pragma := range c.want {
			var value string
			if err := c.pool.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&value); err != nil {
				t.Fatal(err)
			}
			got[pragma] = value
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
	}
	if _, err := db.read.ExecContext(t.Context(), "DELETE FROM mark"); err == nil {
		t.Error("a reader may write")
	}
}

func TestTimeIsTheConstructors(t *testing.T) {
	at := time.Date(1969, 7, 20, 20, 17, 40, 123999999, time.FixedZone("", -5*3600))
	db, err := Open(t.Context(), newPath(t), func() time.Time { return at })
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	events, err := db.Append(t.Context(), Entry{Chat: "main", Body: event.Noted{}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := events[0].Time, time.Date(1969, 7, 21, 1, 17, 40, 123000000, time.UTC); got != want {
		t.Errorf("the event happened at %v, want %v", got, want)
	}
}

// Nobody else reads what a household says.
func TestModes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "state", "hob.db")
	db := mustOpen(t, path)
	append1(t, db, "one")
	got := map[string]fs.FileMode{}
	for _, p := range []string{path, path + "-wal", path + "-shm", filepath.Dir(path), filepath.Dir(filepath.Dir(path))} {
		info, err := os.Stat(p)
		if err != nil {
			t.Fatal(err)
		}
		got[filepath.Base(p)] = info.Mode().Perm()
	}
	want := map[string]fs.FileMode{"hob.db": 0o600, "hob.db-wal": 0o600, "hob.db-shm": 0o600, "state": 0o700, "new": 0o700}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("modes (-want +got)\n%s", diff)
	}
	db.Close()
	if left, err := os.ReadDir(filepath.Dir(path)); len(left) != 1 || err != nil {
		t.Errorf("after a clean end there are %v, %v", left, err)
	}
}

func TestOddPaths(t *testing.T) {
	for _, name := range []string{"a b", "q?mode=ro", "h#x", "p%41%00", "ü🧙", "'\"", "file:x", "a\nb"} {
		path := filepath.Join(t.TempDir(), name, name)
		db := mustOpen(t, path)
		append1(t, db, name)
		db.Close()
		if _, err := os.Stat(path); err != nil {
			t.Errorf("the journal is not at its path: %v", err)
		}
		if diff := cmp.Diff([]string{name}, texts(t, mustOpen(t, path))); diff != "" {
			t.Errorf("%q (-want +got)\n%s", name, diff)
		}
	}
	if _, err := Open(t.Context(), "nul\x00", time.Now); err == nil {
		t.Error("a path with a NUL was opened")
	}
}

func TestRelativePath(t *testing.T) {
	t.Chdir(t.TempDir())
	db := mustOpen(t, "hob.db")
	t.Chdir(t.TempDir())
	append1(t, db, "there") // the connection is only made now
	if !filepath.IsAbs(db.Path()) {
		t.Errorf("Path = %q", db.Path())
	}
	if diff := cmp.Diff([]string{"there"}, texts(t, db)); diff != "" {
		t.Errorf("events (-want +got)\n%s", diff)
	}
}

// An event that cannot be read is told in its place, and what is before and after it is there.
func TestUnreadableEvents(t *testing.T) {
	db := mustOpen(t, newPath(t))
	append1(t, db, "one")
	insert := `INSERT INTO event (seq, time, chat, turn, type, key, body) VALUES `
	run(t, db, insert+`(2, 5000, 'main', 1, 'dreamt', '', '{"of":"sheep"}')`)
	run(t, db, insert+`(3, 6000, 'main', 1, 'noted', '', '{"text":')`)
	append1(t, db, "four")
	run(t, db, insert+`(5, 6000, 'main', 1, 'noted', '', '{"text":"five"}')`) // without a checksum
	for _, text := range []string{"six", "seven", "eight", "nine", "ten"} {
		append1(t, db, text)
	}
	run(t, db, `UPDATE event SET body = '{"text":"SIX"}' WHERE seq = 6`)
	run(t, db, `UPDATE event SET type = 'replied' WHERE seq = 7`)
	run(t, db, `UPDATE event SET (time, body) = (SELECT time, body FROM event WHERE seq = 9) WHERE seq = 8`)
	run(t, db, `UPDATE event SET type = 'dreamt' WHERE seq = 9`)
	run(t, db, `UPDATE event SET body = '{"text":"SIX"}', crc = NULL WHERE seq = 10`)

	var got []string
	for e, err := range db.Since(t.Context(), "", 0) {
		switch b := e.Body.(type) {
		case event.Noted:
			got = append(got, b.Text)
		case event.Unreadable:
			got = append(got, fmt.Sprintf("%d %s %s %t: %s", e.Seq, e.Chat, b.Of, b.Damaged, b.Reason))
		default:
			t.Error(e, err)
		}
	}
	const altered = "it does not have the checksum with which it was written"
	want := []string{
		"one",
		`2 main dreamt false: this hob does not know the type: it was written by a newer hob`,
		`3 main noted true: unmarshal noted: unexpected end of JSON input`,
		"four", "five",
		"6 main noted true: " + altered,
		"7 main replied true: " + altered,
		"8 main noted true: " + altered,
		`9 main dreamt false: this hob does not know the type: it was written by a newer hob`,
		"SIX",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Whatever of a row is changed is noticed, in all columns and in every bit of the body.
func TestChecksumsCoverAll(t *testing.T) {
	whole := row{seq: 3, time: 1700000000123, turn: 2, chat: "main", typ: "noted", key: "a", body: []byte(`{"text":"Grüße"}`)}
	whole.crc = sql.NullInt64{Int64: int64(whole.checksum()), Valid: true}
	if got, ok := whole.event().Body.(event.Noted); !ok || got.Text != "Grüße" {
		t.Fatalf("%+v", got)
	}
	changes := []func(*row){
		func(r *row) { r.seq++ }, func(r *row) { r.time++ }, func(r *row) { r.turn++ }, func(r *row) { r.chat = "mail" },
		func(r *row) { r.typ = "replied" }, func(r *row) { r.key = "" }, func(r *row) { r.crc.Int64++ },
		func(r *row) { r.chat, r.typ = "mainn", "oted" }, func(r *row) { r.seq, r.turn = r.turn, r.seq },
	}
	for bit := range 8 * len(whole.body) {
		changes = append(changes, func(r *row) {
			r.body = bytes.Clone(r.body)
			r.body[bit/8] ^= 1 << (bit % 8)
		})
	}
	for k := range whole.body {
		changes = append(changes, func(r *row) { r.body, r.crc.Valid = r.body[:k], false }) // which shows without a checksum, too
	}
	for i, change := range changes {
		r := whole
		change(&r)
		if got, ok := r.event().Body.(event.Unreadable); !ok || got.Damaged == (r.typ == "oted") {
			t.Errorf("change %d is read as %+v", i, r.event().Body)
		}
	}
}

// A Seq that was used is not used again, or a reader's mark would hide a new event.
func TestSeqIsNotUsedTwice(t *testing.T) {
	db := mustOpen(t, newPath(t))
	append1(t, db, "one")
	append1(t, db, "two")
	run(t, db, "DELETE FROM event WHERE seq = 2")
	append1(t, db, "three")
	if last, err := db.Last(t.Context(), ""); last != 3 || err != nil {
		t.Errorf("Last = %d, %v, want 3", last, err)
	}
}

// Hobs that start at once on nothing get one and the same journal.
func TestCreatedAtOnce(t *testing.T) {
	path := newPath(t)
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			db, err := Open(t.Context(), path, time.Now)
			if err != nil {
				t.Error(err)
				return
			}
			defer db.Close()
			if _, err := db.Append(t.Context(), Entry{Chat: "main", Body: event.Noted{Text: fmt.Sprint(i)}}); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if got := texts(t, mustOpen(t, path)); len(got) != 8 {
		t.Errorf("events %v, want one of each", got)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 3 {
		t.Errorf("there are %v, %v", left, err)
	}
}

// A reader that stops to think keeps nobody from folding the log.
func TestReadersLockNothing(t *testing.T) {
	db := mustOpen(t, newPath(t))
	for i := range 3 {
		append1(t, db, fmt.Sprint(i))
	}
	for range db.Since(t.Context(), "", 0) {
		var busy, frames, folded int
		err := db.write.QueryRowContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &folded)
		if busy != 0 || err != nil {
			t.Fatalf("the log could not be folded while a reader was at work: %d, %v", busy, err)
		}
	}
}

func TestClosed(t *testing.T) {
	db := mustOpen(t, newPath(t))
	if err := errors.Join(db.Close(), db.Close()); err != nil {
		t.Errorf("Close, twice: %v", err)
	}
	if _, err := db.Append(t.Context(), Entry{Chat: "main", Body: event.Noted{}}); err == nil {
		t.Error("Append on a closed journal worked")
	}
	for _, err := range db.Since(t.Context(), "", 0) {
		if err == nil {
			t.Error("Since on a closed journal worked")
		}
	}
}

// A page of large events holds few of them.
func TestPagesAreBounded(t *testing.T) {
	db := mustOpen(t, newPath(t))
	for range 4 {
		append1(t, db, strings.Repeat("x", pageBytes/2))
	}
	page, more, err := db.page(t.Context(), nil, sinceQuery, "", 0)
	if len(page) != 2 || !more || err != nil {
		t.Errorf("a page of %d large events, more %v, %v; want 2 and more", len(page), more, err)
	}
}

// The walk to the newest events is along seq, and a chat's by its index: no query sorts or reads what it does not need.
func TestQueryPlans(t *testing.T) {
	db := mustOpen(t, newPath(t))
	for query, want := range map[string]string{
		sinceQuery: "SEARCH event USING INTEGER PRIMARY KEY (rowid>?)",
		chatQuery:  "SEARCH event USING INDEX event_by_chat (chat=? AND seq>?)",
	} {
		var id, parent, unused int
		var plan string
		err := db.read.QueryRowContext(t.Context(), "EXPLAIN QUERY PLAN "+query, "main", 0, 1).Scan(&id, &parent, &unused, &plan)
		if plan != want || err != nil {
			t.Errorf("%s\nis done by %q, %v, want %q", query, plan, err, want)
		}
	}
}

// What a durable append of a 300 byte event costs, on the disk that TMPDIR is on. Most of it is the disk's.
func BenchmarkAppend(b *testing.B) {
	db, err := Open(b.Context(), filepath.Join(b.TempDir(), "hob.db"), time.Now)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	entry := Entry{Chat: "main", Body: event.Noted{Text: line(1)[:290]}}
	for b.Loop() {
		if _, err := db.Append(b.Context(), entry); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "hob.db")
	for b.Loop() {
		db, err := Open(b.Context(), path, time.Now)
		if err != nil {
			b.Fatal(err)
		}
		db.Close()
	}
}

func BenchmarkSince(b *testing.B) {
	db, err := Open(b.Context(), filepath.Join(b.TempDir(), "hob.db"), time.Now)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	entries := make([]Entry, 10000)
	for i := range entries {
		entries[i] = Entry{Chat: "main", Body: event.Noted{Text: line(i)[:290]}}
	}
	if _, err := db.Append(b.Context(), entries...); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for _, err := range db.Chat(b.Context(), "main", 0) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/10000, "µs/event")
}
