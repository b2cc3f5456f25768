package store

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"hob/internal/event"

	"github.com/google/go-cmp/cmp"
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
	grants, err := db.Grants().InForce(t.Context())
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
	long := strings.Repeat("long", 10_000) // so that it takes more pages than are free
	var marks []string
	for i := range 20 {
		marks = append(marks, fmt.Sprint("/w/", i, long))
	}
	_, err = db.Grants().Add(t.Context(), event.Grant{Tool: "t", Path: "/" + long})
	wantFileError(t, err, ErrFull, "make room")
	_, err = db.Requests().Begin(t.Context(), "main", "1", long)
	wantFileError(t, err, ErrFull, "make room")
	wantFileError(t, db.Origins().Mark(t.Context(), marks, event.Label{Untrusted: true}), ErrFull, "make room")
	wantFileError(t, db.AppendAudit(t.Context(), event.Audit{Status: statusOK}, event.Audit{Status: statusOK, Error: long}), ErrFull, "make room")
	if got := inStep(t, db); got != calls {
		t.Errorf("%d calls, want %d", got, calls)
	}
	if got, err := db.Origins().All(t.Context()); len(got) > 0 || err != nil {
		t.Errorf("%d paths are marked, %v", len(got), err)
	}
	run(t, db, "PRAGMA max_page_count = 4000")
	if _, err := db.Append(t.Context(), callBatch(n)...); err != nil {
		t.Error(err)
	}
	if r, err := db.Requests().Begin(t.Context(), "main", "1", "h"); r.Known || err != nil {
		t.Errorf("%+v, %v", r, err)
	}
	inStep(t, db)
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
