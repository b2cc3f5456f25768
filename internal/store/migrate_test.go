package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"hob/internal/event"

	"github.com/google/go-cmp/cmp"
)

// testdata/schema-N.sql is a journal with a few rows as a hob with schema N left it. Whoever adds a migration N+1 adds the
// dump of schema N and never touches it again.
func TestEverySchemaMigrates(t *testing.T) {
	migrations, err := migrationsOf(migrationFiles)
	if err != nil {
		t.Fatal(err)
	}
	want := []event.Event{
		{Seq: 1, Time: time.UnixMilli(1700000000123).UTC(), Chat: "main", Turn: 1,
			Body: event.Said{InputID: "a", From: "ann", Text: "Grüße 🧙"}},
		{Seq: 2, Time: time.UnixMilli(1700000001000).UTC(), Chat: "main", Turn: 1, Body: event.Replied{Text: "Hello.\x00"}},
		{Seq: 3, Time: time.UnixMilli(1700000002000).UTC(), Chat: "main", Turn: 1, Body: event.Ended{Reason: event.Done, Steps: 1}},
		{Seq: 7, Time: time.UnixMilli(1700000003000).UTC(), Chat: "telegram/1", Turn: 7, Body: event.Said{InputID: "a", Text: "open"}},
	}
	for version := 1; version <= len(migrations); version++ {
		t.Run(fmt.Sprint("from schema ", version), func(t *testing.T) {
			path := newPath(t)
			load(t, path, fmt.Sprintf("testdata/schema-%d.sql", version))
			db := mustOpen(t, path)
			check := func() {
				t.Helper()
				var got []event.Event
				for e, err := range db.Since(t.Context(), "", 0) {
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, e)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("events (-want +got)\n%s", diff)
				}
			}
			check()
			chats, err := db.Chats(t.Context())
			if diff := cmp.Diff([]ChatInfo{{Chat: "main", Last: 3, Time: want[2].Time},
				{Chat: "telegram/1", Last: 7, Time: want[3].Time, Open: []int64{7}}}, chats); diff != "" || err != nil {
				t.Errorf("chats: %v (-want +got)\n%s", err, diff)
			}
			if seq, err := db.Marked(t.Context(), "terminal"); seq != 3 || err != nil {
				t.Errorf("Marked = %d, %v", seq, err)
			}
			if value, err := db.Settings().Get(t.Context(), "model"); value != "qwen3:4b" || err != nil {
				t.Errorf("Setting = %q, %v", value, err)
			}
			if _, err := db.Append(t.Context(), Entry{Chat: "main", Body: event.Said{InputID: "a"}}); !errors.Is(err, ErrDuplicate) {
				t.Errorf("a key of the old journal is free: %v", err)
			}
			next, err := db.Append(t.Context(), Entry{Chat: "main", Body: event.Noted{}})
			if err != nil || next[0].Seq != 10 { // 8 and 9 were used before
				t.Errorf("the next event is %v, %v", next, err)
			}
		})
	}
}

// What came before bots were told apart is of the bot that runs at the update. What was dealt with is known by its number, and what
// was not by what it says.
func TestArrivalsOfAnOldJournal(t *testing.T) {
	path := newPath(t)
	load(t, path, "testdata/schema-7.sql")
	db, err := Open(t.Context(), path, func() time.Time { return time.UnixMilli(1700000009000) })
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	update := func(bot, id int64, raw string) event.Update {
		return event.Update{Platform: "telegram", Bot: bot, ID: id, Raw: []byte(raw), State: event.UpdateNew}
	}
	for _, c := range []struct {
		update event.Update
		fresh  bool
	}{
		{update(42, 900, `{"update_id":900}`), false}, {update(42, 900, `{"update_id":900,"message":{}}`), false},
		{update(42, 901, `{ "update_id": 901 }`), false}, {update(42, 901, `{"update_id":901,"message":{}}`), true},
		{update(42, 902, `{"update_id":902}`), true}, {update(43, 900, `{"update_id":900}`), true},
	} {
		fresh, err := db.Deliveries().Receive(t.Context(), []event.Update{c.update})
		if err != nil || (len(fresh) == 1) != c.fresh {
			t.Errorf("%+v: %v, %v", c.update, fresh, err)
		}
	}
	undone, err := db.Deliveries().Undone(t.Context(), "telegram")
	if err != nil || len(undone) != 4 || undone[0].ID != 901 || undone[0].Hash != "" || undone[0].Bot != 42 {
		t.Errorf("undone are %+v, %v", undone, err)
	}
}

// The schema is what the last snapshot says: a migration that was shipped is not edited.
func TestShippedMigrationsStay(t *testing.T) {
	migrations, err := migrationsOf(migrationFiles)
	if err != nil {
		t.Fatal(err)
	}
	path := newPath(t)
	load(t, path, fmt.Sprintf("testdata/schema-%d.sql", len(migrations)))
	if diff := cmp.Diff(schema(t, mustOpen(t, path)), schema(t, mustOpen(t, newPath(t)))); diff != "" {
		t.Errorf("schema (-snapshot +migrations)\n%s", diff)
	}
}

func TestMigration(t *testing.T) {
	path := newPath(t)
	real, err := migrationsOf(migrationFiles)
	if err != nil {
		t.Fatal(err)
	}
	n := len(real)
	now := func() time.Time { return time.Date(2027, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600)) }
	db := mustOpen(t, path)
	append1(t, db, "old")
	db.Close()

	// The parent of a foreign key is rebuilt; what refers to it stays.
	more := append(real, `
		ALTER TABLE event RENAME TO event_old;
		CREATE TABLE event (seq INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, chat TEXT NOT NULL, turn INTEGER NOT NULL,
			type TEXT NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL, crc INTEGER, extra TEXT) STRICT;
		INSERT INTO event SELECT *, 'x' FROM event_old;
		DROP TABLE event_old;`,
		`CREATE TABLE third (x TEXT) STRICT;`)
	broken := append(more[:n+1:n+1], `CREATE TABLE third (x TEXT) STRICT; INSERT INTO nowhere VALUES (1);`)

	_, err = open(t.Context(), path, now, broken, readers)
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("migrate to schema %d", n+2)) || !strings.Contains(err.Error(), "nowhere") {
		t.Fatalf("a migration that fails = %v", err)
	}
	if got := versionOf(t, path); got != n+1 {
		t.Errorf("after the failure the schema is %d, want the last one that worked", got)
	}
	migrated, err := open(t.Context(), path, now, more, readers)
	if err != nil {
		t.Fatal(err)
	}
	defer migrated.Close()
	if diff := cmp.Diff([]string{"old"}, texts(t, migrated)); diff != "" {
		t.Errorf("events (-want +got)\n%s", diff)
	}
	append1(t, migrated, "new")
	again, err := open(t.Context(), path, now, more, readers) // nothing is left to migrate, so nothing is copied
	if err != nil {
		t.Fatal(err)
	}
	again.Close()

	// Before each attempt a copy was kept. Each is a journal of its own, and a hob of its time opens it.
	copies, err := filepath.Glob(path + ".v*")
	slices.SortStableFunc(copies, func(a, b string) int { return len(a) - len(b) }) // v9 before v10
	kept := func(version int) string { return fmt.Sprintf("%s.v%d-20270102T020405Z.bak", path, version) }
	if diff := cmp.Diff([]string{kept(n), kept(n + 1)}, copies); diff != "" || err != nil {
		t.Fatalf("copies: %v (-want +got)\n%s", err, diff)
	}
	if info, err := os.Stat(copies[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy has mode %v, %v", info.Mode(), err)
	}
	if diff := cmp.Diff([]string{"old"}, texts(t, mustOpen(t, copies[0]))); diff != "" {
		t.Errorf("the copy's events (-want +got)\n%s", diff)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.new-*")); len(left) > 0 {
		t.Errorf("%v was left", left)
	}

	_, err = Open(t.Context(), path, time.Now)
	wantFileError(t, err, ErrNewer, "update hob")
	if !strings.Contains(err.Error(), fmt.Sprintf("it has schema %d, this hob knows up to %d", n+2, n)) {
		t.Errorf("the sentence is %q", err)
	}
}

// Hobs of a new version that start at once migrate once.
func TestMigratedAtOnce(t *testing.T) {
	path := newPath(t)
	real, err := migrationsOf(migrationFiles)
	if err != nil {
		t.Fatal(err)
	}
	db := mustOpen(t, path)
	append1(t, db, "old")
	more := append(real, `CREATE TABLE second (x TEXT) STRICT`, `CREATE TABLE third (x TEXT) STRICT`)
	if err := db.migrate(t.Context(), len(real), more); err != nil {
		t.Fatal(err)
	}
	for version := range len(more) { // what one that looked earlier still means to do
		if err := upgrade(t.Context(), db.write, version, more); err != nil {
			t.Errorf("the rest of a migration from %d that another finished: %v", version, err)
		}
	}
	if got := versionOf(t, path); got != len(more) {
		t.Errorf("the schema is %d", got)
	}
}

// A migration that leaves a row without what it refers to is taken back.
func TestMigrationKeepsReferences(t *testing.T) {
	path := newPath(t)
	real, err := migrationsOf(migrationFiles)
	if err != nil {
		t.Fatal(err)
	}
	db := mustOpen(t, path)
	if _, err := db.Append(t.Context(), Entry{Chat: "main", Body: event.Said{}}); err != nil {
		t.Fatal(err)
	}
	db.Close()
	_, err = open(t.Context(), path, time.Now, append(real, `DELETE FROM event`), readers)
	if err == nil || !strings.Contains(err.Error(), "open_turn refers to rows that are gone") {
		t.Errorf("Open = %v", err)
	}
	if last, err := mustOpen(t, path).Last(t.Context(), ""); last != 1 || err != nil {
		t.Errorf("Last = %d, %v", last, err)
	}
}

// A migration that fails at each start leaves no copy at each: the journal is what it was.
func TestFailedMigrationLeavesNoCopy(t *testing.T) {
	path := newPath(t)
	real, err := migrationsOf(migrationFiles)
	if err != nil {
		t.Fatal(err)
	}
	db := mustOpen(t, path)
	append1(t, db, "old")
	db.Close()
	for range 3 {
		if _, err := open(t.Context(), path, time.Now, append(real, "nonsense"), readers); err == nil {
			t.Fatal("it has migrated")
		}
	}
	if copies, err := filepath.Glob(path + ".v*"); err != nil || len(copies) > 0 {
		t.Errorf("%v, %v", copies, err)
	}
	if diff := cmp.Diff([]string{"old"}, texts(t, mustOpen(t, path))); diff != "" {
		t.Errorf("events (-want +got)\n%s", diff)
	}
}

// Without a copy there is no migration.
func TestNoMigrationWithoutCopy(t *testing.T) {
	path := newPath(t)
	db := mustOpen(t, path)
	append1(t, db, "old")
	db.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	calledOff := func() time.Time { cancel(errors.New("called off")); return time.Unix(0, 0) } // asked for the copy's name
	real, err := migrationsOf(migrationFiles)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := open(ctx, path, calledOff, append(real, "CREATE TABLE second (x TEXT) STRICT"), readers); !errors.Is(err, context.Canceled) {
		t.Errorf("Open = %v", err)
	}
	if got := versionOf(t, path); got != len(real) {
		t.Errorf("the schema is %d", got)
	}
}

func TestCopiesDoNotReplaceEachOther(t *testing.T) {
	db := mustOpen(t, newPath(t))
	name := db.path + ".bak"
	for i := range 3 {
		append1(t, db, fmt.Sprint(i))
		if _, err := db.backup(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	for i, path := range []string{name, name + "-2", name + "-3"} {
		if got := texts(t, mustOpen(t, path)); len(got) != i+1 {
			t.Errorf("copy %d holds %q", i, got)
		}
	}
}

func TestMigrationsAreNumbered(t *testing.T) {
	_, err := migrationsOf(fstest.MapFS{"migrations/0001.sql": {}, "migrations/0003.sql": {}})
	if err == nil || !strings.Contains(err.Error(), "found migrations/0003.sql instead of migrations/0002.sql") {
		t.Errorf("a hole in the numbers = %v", err)
	}
}

// load makes a database from SQL text.
func load(t *testing.T, path, text string) {
	t.Helper()
	statements, err := os.ReadFile(text)
	if err != nil {
		t.Fatal(err)
	}
	pool, err := connect(path, "")
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if _, err := pool.ExecContext(t.Context(), string(statements)); err != nil {
		t.Fatal(err)
	}
}

// schema returns what the database's objects are, comments and blanks aside.
func schema(t *testing.T, db *DB) map[string]string {
	t.Helper()
	rows, err := db.read.QueryContext(t.Context(), `SELECT name, sql FROM sqlite_schema WHERE sql <> ''`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	objects := map[string]string{}
	for rows.Next() {
		var name, text string
		if err := rows.Scan(&name, &text); err != nil {
			t.Fatal(err)
		}
		var words []string
		for line := range strings.Lines(text) {
			line, _, _ = strings.Cut(line, "--")
			words = append(words, strings.Fields(line)...)
		}
		objects[name] = strings.Join(words, " ")
	}
	return objects
}

func versionOf(t *testing.T, path string) (version int) {
	t.Helper()
	pool, err := connect(path, "")
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if err := pool.QueryRowContext(t.Context(), "PRAGMA user_version").Scan(&version); err != nil {
		t.Fatal(err)
	}
	return version
}
