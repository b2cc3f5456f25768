package store

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/event"
)

// callBatch is the n-th call that auditForEver makes: with its result and record, and a grant that made way for it.
func callBatch(n int) []Entry {
	id := fmt.Sprint("c", n)
	return []Entry{
		calledEntry(id, "fetch", `1`),
		{Chat: "main", Body: event.Decided{ID: id, Allow: true, By: "ann"}, Grants: []event.Grant{{Tool: "fetch", Host: id + ".example"}}},
		returnedEntry(id, "fetch", `1`, true),
	}
}

// auditForEver makes calls, in turns and outside of them, and prints the first Seq of each that was acknowledged. Unless told is
// nil it makes them for a line of it each.
func auditForEver(ctx context.Context, path string, told *bufio.Reader) error {
	db, err := Open(ctx, path, time.Now)
	if err != nil {
		return err
	}
	defer db.Close()
	from, err := db.Last(ctx, "")
	if err != nil {
		return err
	}
	for n := 1; ; n++ {
		if told != nil {
			if _, err := told.ReadString('\n'); err != nil {
				return err
			}
		}
		events, err := db.Append(ctx, callBatch(int(from)+n)...)
		if err == nil {
			err = db.AppendAudit(ctx, event.Audit{Tool: "outside", Status: statusOK})
		}
		if err != nil {
			return err
		}
		fmt.Println(events[0].Seq, n)
	}
}

// inStep checks that every call has its record and its grant, and that nothing else does, and returns how many there are.
func inStep(t *testing.T, db *DB) int {
	t.Helper()
	if got := verified(t, db, ""); got.Problem != "" {
		t.Fatalf("%+v", got)
	}
	grants, err := db.Grants(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{}
	for e, err := range db.Since(t.Context(), "", 0) {
		if err != nil {
			t.Fatal(err)
		}
		switch b := e.Body.(type) {
		case event.Decided:
			want[b.ID+".example"]++
		case event.Returned:
			want["a result"]++
		}
	}
	got := map[string]int{}
	for _, g := range grants {
		got[g.Host]++
	}
	records, err := db.Audits(t.Context(), AuditFilter{Tool: "fetch"})
	if got["a result"] = len(records); err != nil {
		t.Fatal(err)
	}
	if len(records) == 0 {
		delete(got, "a result")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("grants and records (-want +got)\n%s", diff)
	}
	return len(records)
}

// A process is killed while it makes calls: every call has its record, every decision its grants.
func TestKilledWhileAuditing(t *testing.T) {
	path := newPath(t)
	acked := map[int64]int{}
	for round := range 15 {
		p := start(t, "audit", path, nil)
		for range 1 + round*11%29 {
			seq, n, ok := parseAck(p.line())
			if !ok {
				t.Fatalf("round %d: the child printed %q", round, p.lines.Text())
			}
			acked[seq] = n
		}
		p.cmd.Process.Kill()
		if failure := p.acknowledged(acked); failure != "" {
			t.Fatalf("round %d: %s", round, failure)
		}
		p.kill()
		db := mustOpen(t, path)
		if calls := inStep(t, db); calls < len(acked) || calls > len(acked)+round+1 {
			t.Fatalf("round %d: %d calls, and %d were acknowledged", round, calls, len(acked))
		}
		outside, err := db.Audits(t.Context(), AuditFilter{Tool: "outside"})
		if err != nil || len(outside) < len(acked) { // a kill loses nothing, though nobody waited for the disk
			t.Fatalf("round %d: %d records of calls outside of turns, %v", round, len(outside), err)
		}
		if round%3 > 0 {
			db.Close()
		}
	}
	t.Logf("%d calls", len(acked))
}

// Two processes record calls at once, in turns and outside of them: it is one chain. The child has always some calls to make, and
// never so many that this process waits for its turn for seconds: SQLite's locks know no queue.
func TestTwoProcessesAudit(t *testing.T) {
	db := mustOpen(t, newPath(t))
	p := start(t, "audit when told", db.Path(), nil)
	for range 3 {
		p.say("one more")
	}
	for n := range 25 {
		if _, _, ok := parseAck(p.line()); !ok {
			t.Fatalf("the child printed %q", p.lines.Text())
		}
		p.say("one more")
		id := fmt.Sprint("mine", n)
		_, err := db.Append(t.Context(), calledEntry(id, "other", `1`), returnedEntry(id, "other", `1`, true))
		if err = errors.Join(err, db.AppendAudit(t.Context(), event.Audit{Tool: "mine", Status: statusOK})); err != nil {
			t.Fatal(err)
		}
	}
	p.kill()
	if got := verified(t, db, ""); got.Problem != "" || got.Calls < 4*25 {
		t.Errorf("%+v", got)
	}
}

// On a full disk nothing is half there, and it goes on when there is room.
func TestNoRoomForState(t *testing.T) {
	db := mustOpen(t, newPath(t))
	run(t, db, "PRAGMA max_page_count = 60")
	var err error
	n := 0
	for ; err == nil && n < 10_000; n++ {
		_, err = db.Append(t.Context(), callBatch(n)...)
	}
	wantFileError(t, err, ErrFull, "make room")
	calls := inStep(t, db)
	if calls != n-1 {
		t.Errorf("%d calls are there, and %d were acknowledged", calls, n-1)
	}
	long := strings.Repeat("long", 1500) // so that it takes a page
	var marks []string
	for i := range 20 {
		marks = append(marks, fmt.Sprint("/w/", i, long))
	}
	_, err = db.AddGrant(t.Context(), event.Grant{Tool: "t", Path: "/" + long})
	wantFileError(t, err, ErrFull, "make room")
	_, err = db.BeginRequest(t.Context(), "main", "1", long)
	wantFileError(t, err, ErrFull, "make room")
	wantFileError(t, db.MarkOrigins(t.Context(), marks, event.Label{Untrusted: true}), ErrFull, "make room")
	wantFileError(t, db.AppendAudit(t.Context(), event.Audit{Status: statusOK}, event.Audit{Status: statusOK, Error: long}), ErrFull, "make room")
	if got := inStep(t, db); got != calls {
		t.Errorf("%d calls, want %d", got, calls)
	}
	if got, err := db.Origins(t.Context()); len(got) > 0 || err != nil {
		t.Errorf("%d paths are marked, %v", len(got), err)
	}
	run(t, db, "PRAGMA max_page_count = 4000")
	if _, err := db.Append(t.Context(), callBatch(n)...); err != nil {
		t.Error(err)
	}
	if r, err := db.BeginRequest(t.Context(), "main", "1", "h"); r.Known || err != nil {
		t.Errorf("%+v, %v", r, err)
	}
	inStep(t, db)
}

// Where too many paths are marked a mark is widened, and none is lost.
func TestOriginsAreBounded(t *testing.T) {
	db := mustOpen(t, newPath(t))
	untrusted, private := event.Label{Untrusted: true, Source: "web:a"}, event.Label{Private: true}
	both := event.Label{Untrusted: true, Private: true, Source: "web:a"}
	for _, step := range []struct {
		path string
		from event.Label
		want map[string]event.Label
	}{
		{"/w/a/1", untrusted, map[string]event.Label{"/w/a/1": untrusted}},
		{"/w/a/2", private, map[string]event.Label{"/w/a/1": untrusted, "/w/a/2": private}},
		{"/v/3", private, map[string]event.Label{"/w/a/1": untrusted, "/w/a/2": private, "/v/3": private}},
		{"/v/3", untrusted, map[string]event.Label{"/w/a/1": untrusted, "/w/a/2": private, "/v/3": both}},
		{"/w/a/deep/4", private, map[string]event.Label{"/w/a": both, "/v/3": both}}, // the nearest folder with marks below it
		{"/w/ab/5", private, map[string]event.Label{"/w/a": both, "/v/3": both, "/w/ab/5": private}},
		{"/w/ab/5/6", untrusted, map[string]event.Label{"/w/a": both, "/v/3": both, "/w/ab/5": both}}, // a folder that is marked
		{"/v/x", untrusted, map[string]event.Label{"/w/a": both, "/v": both, "/w/ab/5": both}},        // one for one
		{"/u/7", private, map[string]event.Label{"/": both}},
		{"/u/8", private, map[string]event.Label{"/": both, "/u/8": private}},
	} {
		if err := db.markOrigins(t.Context(), []string{step.path}, step.from, 3); err != nil {
			t.Fatal(err)
		}
		got, err := db.Origins(t.Context())
		if diff := cmp.Diff(step.want, got); diff != "" || err != nil {
			t.Fatalf("after %s: %v (-want +got)\n%s", step.path, err, diff)
		}
	}
}

// Whatever is marked and forgotten in whatever order, a path has at least the labels that it and its folders were given
// since they were last forgotten, and there are never more marks than there may be.
func TestNoMarkIsLost(t *testing.T) {
	db := mustOpen(t, newPath(t))
	paths := rapid.StringMatching(`(/(a|b|c|\x01)){1,4}`)
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		if err := db.ForgetOrigins(ctx, []string{"/"}); err != nil {
			t.Fatal(err)
		}
		most := rapid.IntRange(1, 6).Draw(t, "most")
		given := map[string]event.Label{}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			some := rapid.SliceOfN(paths, 1, 3).Draw(t, "paths")
			if rapid.IntRange(0, 4).Draw(t, "forget") == 0 {
				if err := db.ForgetOrigins(ctx, some); err != nil {
					t.Fatal(err)
				}
				maps.DeleteFunc(given, func(p string, _ event.Label) bool {
					return slices.ContainsFunc(some, func(gone string) bool { return p == gone || strings.HasPrefix(p, gone+"/") })
				})
				continue
			}
			from := event.Label{Untrusted: rapid.Bool().Draw(t, "untrusted"), Private: rapid.Bool().Draw(t, "private"),
				Source: rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "source")}
			if err := db.markOrigins(ctx, some, from, most); err != nil {
				t.Fatal(err)
			}
			for _, p := range some {
				given[p] = given[p].Join(from)
			}
			checkMarks(t, db, given, most)
		}
	})
}

func checkMarks(t *rapid.T, db *DB, given map[string]event.Label, most int) {
	all, err := db.Origins(context.Background())
	if err != nil || len(all) > most {
		t.Fatalf("%d paths are marked, %v", len(all), err)
	}
	for p, want := range given {
		labels, err := db.OriginsOf(context.Background(), []string{p})
		if err != nil {
			t.Fatal(err)
		}
		var got event.Label
		for _, l := range labels {
			got = got.Join(l)
		}
		if want.Untrusted && !got.Untrusted || want.Private && !got.Private {
			t.Fatalf("%q was given %+v, and has %+v of %v", p, want, got, all)
		}
	}
}

// A mark that is there already costs no writing: the log does not grow.
func TestMarkingAgainWritesNothing(t *testing.T) {
	db := mustOpen(t, newPath(t))
	size := func() (frames int) {
		t.Helper()
		var busy, folded int
		if err := db.write.QueryRowContext(t.Context(), "PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &frames, &folded); err != nil {
			t.Fatal(err)
		}
		return frames
	}
	label := event.Label{Untrusted: true, Source: "web:a"}
	again := func() {
		t.Helper()
		if err := errors.Join(db.MarkOrigins(t.Context(), []string{"/w/a", "/w/b"}, label), db.ForgetOrigins(t.Context(), []string{"/x"})); err != nil {
			t.Fatal(err)
		}
	}
	again()
	before := size()
	again()
	if after := size(); before == 0 || after != before {
		t.Errorf("the log had %d pages, and has %d", before, after)
	}
}

// Ten thousand requests are remembered, and the oldest go first.
func TestRequestsAreBounded(t *testing.T) {
	db, memory := mustOpen(t, newPath(t)), NewMemory(time.Now)
	now := time.Now()
	run(t, db, `WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ?)
		INSERT INTO request (n, time, chat, id, hash) SELECT n, ?, 'main', n, 'h' FROM c`, requestRows, now.UnixMilli())
	for n := range requestRows {
		memory.requests = append(memory.requests, memoryRequest{time: now, chat: "main", id: fmt.Sprint(n + 1), hash: "h"})
	}
	for name, rs := range map[string]interface {
		BeginRequest(ctx context.Context, chat, id, hash string) (Request, error)
	}{"file": db, "memory": memory} {
		for _, c := range []struct {
			id    string
			known bool
		}{{"1", true}, {"new", false}, {"2", true}, {"newer", false}, {"3", true}, {"10000", true}, {"2", false}, {"4", true}, {"1", false}} {
			if r, err := rs.BeginRequest(t.Context(), "main", c.id, "h"); r.Known != c.known || err != nil {
				t.Errorf("%s: request %s: %+v, %v", name, c.id, r, err)
			}
		}
	}
}

// A result and its record are one commit, so that the disk is waited for once.
func TestARecordIsNoCommitOfItsOwn(t *testing.T) {
	db := mustOpen(t, newPath(t))
	commits := func() (n int) {
		t.Helper()
		log, err := os.ReadFile(db.path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		for frame := walHeaderSize; frame < len(log); frame += frameHeaderSize + 4096 {
			if binary.BigEndian.Uint32(log[frame+4:]) > 0 { // the size of the database, in the last frame of a commit
				n++
			}
		}
		return n
	}
	append1(t, db, "so that there is a log")
	before := commits()
	if _, err := db.Append(t.Context(), callBatch(1)...); err != nil {
		t.Fatal(err)
	}
	if n := commits() - before; before != 1 || n != 1 {
		t.Errorf("a call with its record and a grant was %d commits, and an event %d", n, before)
	}
}
