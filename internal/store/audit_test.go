package store

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
)

// argsHash is the hash of arguments in these tests.
func argsHash(args json.RawMessage) (string, error) {
	if string(args) == `"bad"` {
		return "", errors.New("no arguments")
	}
	sum := sha256.Sum256(args)
	return hex.EncodeToString(sum[:]), nil
}

func calledEntry(id, tool, args string) Entry {
	return Entry{Chat: "main", Turn: 1, Body: event.Called{ID: id, Tool: tool, Args: json.RawMessage(args)}}
}

// returnedEntry is the result of a call with these arguments, and its record.
func returnedEntry(id, tool, args string, ok bool) Entry {
	status, rule := statusOK, ""
	if !ok {
		status, rule = "denied", "no-net"
	}
	hash, _ := argsHash(json.RawMessage(args))
	return Entry{Chat: "main", Turn: 1, Body: event.Returned{ID: id, Tool: tool, OK: ok, Rule: rule, DurationMS: 5},
		Audit: &event.Audit{Session: "main/1", User: "ann", Platform: "cli", Source: "built-in", ArgsHash: hash, Status: status,
			Error: "e", Tokens: 9, Repairs: []string{"r"}}}
}

// audited returns a journal with six records, of the events 4, 5, none, 8, 10 and none.
func audited(t *testing.T) *DB {
	t.Helper()
	db := mustOpen(t, newPath(t))
	outside := event.Audit{Chat: "cli", Session: "cli", Tool: "read_file", ArgsHash: "aa", Status: statusOK}
	for _, batch := range [][]Entry{
		{{Chat: "main", Body: event.Said{}}, calledEntry("c1", "a", `1`), calledEntry("c2", "b", `2`)},
		{returnedEntry("c1", "a", `1`, true), returnedEntry("c2", "b", `2`, true)},
		nil,
		{calledEntry("c3", "fetch", `3`), {Chat: "main", Turn: 1, Body: event.Noted{}}, returnedEntry("c3", "fetch", `3`, false)},
		{calledEntry("c1", "a", `4`)}, // its ID is free again
		{returnedEntry("c1", "a", `4`, true)},
		nil,
	} {
		_, err := db.Append(t.Context(), batch...)
		if batch == nil {
			err = db.AppendAudit(t.Context(), outside)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// rechain gives all records the hashes of what they say now.
func rechain(t *testing.T, db *DB) {
	t.Helper()
	all, err := db.Audits(t.Context(), AuditFilter{})
	if err != nil {
		t.Fatal(err)
	}
	prev := ""
	for i := len(all) - 1; i >= 0; i-- {
		all[i].Prev = prev
		if prev, err = auditHash(all[i]); err != nil {
			t.Fatal(err)
		}
		run(t, db, `UPDATE audit SET prev = ?, hash = ? WHERE id = ?`, all[i].Prev, prev, all[i].ID)
	}
}

func verified(t *testing.T, db *DB, head string) AuditReport {
	t.Helper()
	report, err := db.VerifyAudit(t.Context(), head, argsHash)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestAuditIsWhole(t *testing.T) {
	if got := verified(t, mustOpen(t, newPath(t)), ""); got != (AuditReport{}) {
		t.Errorf("of an empty journal: %+v", got)
	}
	db := audited(t)
	all, err := db.Audits(t.Context(), AuditFilter{})
	if err != nil {
		t.Fatal(err)
	}
	want := AuditReport{Calls: 6, Head: all[0].Hash}
	for _, head := range []string{"", all[0].Hash, all[3].Hash, all[5].Hash} {
		if diff := cmp.Diff(want, verified(t, db, head)); diff != "" {
			t.Errorf("with the head %q (-want +got)\n%s", head, diff)
		}
	}
}

// What somebody may do to the file with SQLite's own means, and how it shows. In the cases of "anew" all hashes were made
// again afterwards, so that only the journal shows it.
func TestTamperedAudit(t *testing.T) {
	const again = `INSERT INTO audit SELECT 7, seq, time, chat, session_id, turn, call_id, user, platform, tool_name, source, args_hash,
		duration_ms, status, error, rule, tokens, repairs, prev, hash FROM audit WHERE id = 5`
	for _, c := range []struct {
		name, sql string
		want      string // in the problem
		id, seq   int64
	}{
		{"the newest is cut off", `DELETE FROM audit WHERE id = 6`, "missing at the end: there are 5, and 6 were written", 5, 0},
		{"the tail is cut off", `DELETE FROM audit WHERE id >= 4`, "missing at the end", 3, 0},
		{"the tail is cut off, and the count", `DELETE FROM audit WHERE id >= 5; UPDATE sqlite_sequence SET seq = 4 WHERE name = 'audit'`,
			"event 10, the result of a call of a, has no record", 0, 10},
		{"the first is gone", `DELETE FROM audit WHERE id = 1`, "does not follow record 0", 2, 5},
		{"one in the middle is gone", `DELETE FROM audit WHERE id = 3`, "record 4 does not follow record 2", 4, 8},
		{"all are gone", `DELETE FROM audit`, "there are 0, and 6 were written", 0, 0},
		{"all are gone, and the count", `DELETE FROM audit; DELETE FROM sqlite_sequence WHERE name = 'audit'`, "event 4", 0, 4},
		{"one before the first", `UPDATE audit SET id = -1 WHERE id = 1`, "record -1 does not follow record 0", -1, 4},
		{"two change places", `UPDATE audit SET id = 9 WHERE id = 1; UPDATE audit SET id = 1 WHERE id = 2; UPDATE audit SET id = 2 WHERE id = 9`,
			"record 1 does not name the one before it", 1, 5},
		{"one is there twice", again, "does not name the one before it", 7, 10},
		{"repairs are garbage", `UPDATE audit SET repairs = '[' WHERE id = 4`, "record 4 cannot be read", 4, 8},
		{"an earlier one is wrong than the one that cannot be read", `UPDATE audit SET repairs = '[' WHERE id = 4; UPDATE audit SET user = '' WHERE id = 2`,
			"record 2 is not what was written", 2, 5},
		{"it is told to begin later", `UPDATE setting SET value = '5' WHERE key = 'audit/begin'`, "record 1 is of event 4, which is no result", 1, 4},
		{"it is not told when it began", `DELETE FROM setting WHERE key = 'audit/begin'`, "is not told any more", 0, 0},

		{"anew: one in the middle is gone", `DELETE FROM audit WHERE id = 2; UPDATE audit SET id = id - 1 WHERE id > 2;
			UPDATE sqlite_sequence SET seq = 5 WHERE name = 'audit'`, "event 5, the result of a call of b, has no record", 0, 5},
		{"anew: two change places", `UPDATE audit SET id = 9 WHERE id = 1; UPDATE audit SET id = 1 WHERE id = 2; UPDATE audit SET id = 2 WHERE id = 9`,
			"event 4", 0, 4},
		{"anew: one is there twice", again, "record 7 is of event 10, and an earlier one is of event 10", 7, 10},
		{"anew: one of no event", again + `; UPDATE audit SET seq = 11 WHERE id = 7`, "record 7 is of event 11, which is no result", 7, 11},
		{"anew: one of another event", `UPDATE audit SET seq = 7 WHERE id = 4`, "record 4 is of event 7, which is no result", 4, 7},
		{"anew: one as if outside of a turn", `UPDATE audit SET seq = 0 WHERE id = 4`, "event 8", 0, 8},
		{"anew: its chat", `UPDATE audit SET chat = 'other' WHERE id = 4`, "than event 8, of which it is: its place", 4, 8},
		{"anew: its turn", `UPDATE audit SET turn = 2 WHERE id = 4`, "its place", 4, 8},
		{"anew: its time", `UPDATE audit SET time = time + 1 WHERE id = 4`, "its time", 4, 8},
		{"anew: its call", `UPDATE audit SET call_id = 'c9' WHERE id = 4`, "the call", 4, 8},
		{"anew: its tool", `UPDATE audit SET tool_name = 'a' WHERE id = 4`, "the tool", 4, 8},
		{"anew: its status", `UPDATE audit SET status = 'ok' WHERE id = 4`, "how it ended", 4, 8},
		{"anew: its rule", `UPDATE audit SET rule = '' WHERE id = 4`, "the rule", 4, 8},
		{"anew: its duration", `UPDATE audit SET duration_ms = 6 WHERE id = 4`, "how long it took", 4, 8},
		{"anew: its arguments", `UPDATE audit SET args_hash = 'aa' WHERE id = 4`, "the arguments", 4, 8},

		{"the journal: a result is gone", `DELETE FROM event WHERE seq = 5`, "record 2 is of event 5, which is no result", 2, 5},
		{"the journal: the last result is gone", `DELETE FROM event WHERE seq = 10`, "record 5 is of event 10, which is no result", 5, 10},
		{"the journal: a result is something else", `UPDATE event SET type = 'noted', body = '{}' WHERE seq = 5`, "record 2 is of event 5", 2, 5},
		{"the journal: a result is garbage", `UPDATE event SET body = '{' WHERE seq = 5`, "event 5 is a result that cannot be read", 0, 5},
		{"the journal: one more result", `INSERT INTO event VALUES (11, 0, 'main', 1, 'returned', '', '{"tool":"x"}', NULL)`,
			"event 11, the result of a call of x, has no record", 0, 11},
		{"the journal: one more result in another chat", `INSERT INTO event VALUES (11, 0, 'new', 1, 'returned', '', '{}', NULL)`, "event 11", 0, 11},
		{"the journal: a call is gone", `DELETE FROM event WHERE seq = 3`, "there is no such call", 2, 5},
		{"the journal: a call is garbage", `UPDATE event SET body = '{' WHERE seq = 3`, "there is no such call", 2, 5},
		{"the journal: a call had other arguments", `UPDATE event SET body = json_set(body, '$.args', 7), crc = NULL WHERE seq = 3`, "the arguments", 2, 5},
		{"the journal: a call had no arguments", `UPDATE event SET body = json_set(body, '$.args', 'bad'), crc = NULL WHERE seq = 3`, "the arguments", 2, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := audited(t)
			run(t, db, c.sql)
			if strings.HasPrefix(c.name, "anew: ") {
				rechain(t, db)
			}
			got := verified(t, db, "")
			if !strings.Contains(got.Problem, c.want) || got.Problem == "" || got.ID != c.id || got.Seq != c.seq {
				t.Errorf("VerifyAudit = %+v, want %q, of record %d and event %d", got, c.want, c.id, c.seq)
			}
		})
	}
}

// No column of a record can be changed without its showing.
func TestEveryFieldOfARecordIsHeld(t *testing.T) {
	db := audited(t)
	var columns []string
	for name := range strings.SplitSeq(auditColumns, ",") {
		columns = append(columns, strings.TrimSpace(name))
	}
	for _, name := range columns {
		value := `value || 'x'`
		switch name {
		case "id", "seq", "time", "turn", "duration_ms", "tokens":
			value = `value + 100`
		case "repairs":
			value = `'["other"]'`
		}
		run(t, db, `UPDATE audit SET `+name+` = `+strings.ReplaceAll(value, "value", name)+` WHERE id = 4`)
		if got := verified(t, db, ""); got.Problem == "" {
			t.Errorf("%s was changed, and nothing shows it", name)
		}
		db.Close()
		db = audited(t)
	}
	if len(columns) != 20 {
		t.Errorf("there are %d columns", len(columns))
	}
}

// What the journal does not know and hashes that were made again do not show, a head does that was kept elsewhere.
func TestAHeadKeptElsewhere(t *testing.T) {
	for name, sql := range map[string]string{
		"who it was":        `UPDATE audit SET user = 'bob' WHERE id = 4`,
		"the newest is cut": `DELETE FROM audit WHERE id = 6; UPDATE sqlite_sequence SET seq = 5 WHERE name = 'audit'`,
	} {
		db := audited(t)
		head := verified(t, db, "").Head
		run(t, db, sql)
		rechain(t, db)
		if got := verified(t, db, ""); got.Problem != "" {
			t.Errorf("%s: %+v", name, got)
		}
		if got := verified(t, db, head); !strings.Contains(got.Problem, "no record has the hash "+head) {
			t.Errorf("%s, with a head: %+v", name, got)
		}
	}
}

// A tail that was cut off stays missed, whatever is recorded after it.
func TestACutTailStaysMissed(t *testing.T) {
	db := audited(t)
	run(t, db, `DELETE FROM audit WHERE id = 6`)
	if err := db.AppendAudit(t.Context(), event.Audit{Status: statusOK}); err != nil {
		t.Fatal(err)
	}
	if got := verified(t, db, ""); !strings.Contains(got.Problem, "record 7 does not follow record 5") {
		t.Errorf("%+v", got)
	}
}

// Many pages of records and events are walked, and what is wrong in a late one is found.
func TestLongAudit(t *testing.T) {
	db := mustOpen(t, newPath(t))
	for range 3 {
		var entries []Entry
		for n := range 150 {
			id := fmt.Sprint(n)
			entries = append(entries, calledEntry(id, "a", `1`), Entry{Chat: "main", Body: event.Noted{}}, returnedEntry(id, "a", `1`, true))
		}
		if _, err := db.Append(t.Context(), entries...); err != nil {
			t.Fatal(err)
		}
	}
	if got := verified(t, db, ""); got.Calls != 450 || got.Problem != "" {
		t.Errorf("%+v", got)
	}
	run(t, db, `UPDATE event SET body = json_set(body, '$.tool', 'b'), crc = NULL WHERE seq = 3 * 400`)
	if got := verified(t, db, ""); got.ID != 400 || !strings.Contains(got.Problem, "the tool") {
		t.Errorf("%+v", got)
	}
}

// Whoever verifies while calls are made sees nothing half.
func TestVerifyBesideAWriter(t *testing.T) {
	db := audited(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := range 200 {
			id := fmt.Sprint("n", n)
			if _, err := db.Append(t.Context(), calledEntry(id, "a", `1`), returnedEntry(id, "a", `1`, true)); err != nil {
				t.Error(err)
			}
		}
	}()
	for over := false; !over; {
		select {
		case <-done:
			over = true
		default:
		}
		if got := verified(t, db, ""); got.Problem != "" {
			t.Fatalf("%+v", got)
		}
	}
	if got := verified(t, db, ""); got.Calls != 206 {
		t.Errorf("%+v", got)
	}
}

// Verifying what cannot be read is an error, and no clean report.
func TestVerifyFails(t *testing.T) {
	db := audited(t)
	db.Close()
	if got, err := db.VerifyAudit(t.Context(), "", argsHash); err == nil || got != (AuditReport{}) {
		t.Errorf("VerifyAudit = %+v, %v", got, err)
	}
}

// The calls of a journal from before there were records are not missed; those after it are.
func TestAuditOfAnOldJournal(t *testing.T) {
	path := newPath(t)
	load(t, path, "testdata/schema-3.sql")
	pool, err := connect(path, "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = pool.ExecContext(t.Context(), `
		INSERT INTO event VALUES (10, 0, 'main', 1, 'called', '', '{"id":"c1","tool":"a","args":1}');
		INSERT INTO event VALUES (11, 0, 'main', 1, 'returned', '', '{"id":"c1","tool":"a","ok":true}');
		INSERT INTO event VALUES (12, 0, 'main', 1, 'returned', '', '{');
		INSERT INTO event VALUES (13, 0, 'main', 1, 'called', '', '{"id":"c2","tool":"a","args":2}')`)
	if err := errors.Join(err, pool.Close()); err != nil {
		t.Fatal(err)
	}
	db := mustOpen(t, path)
	if got := verified(t, db, ""); got != (AuditReport{}) {
		t.Errorf("as it was migrated: %+v", got)
	}
	if _, err := db.Append(t.Context(), returnedEntry("c2", "a", `2`, true)); err != nil { // called before, returned after
		t.Fatal(err)
	}
	if got := verified(t, db, ""); got.Calls != 1 || got.Problem != "" {
		t.Errorf("with a call: %+v", got)
	}
	bare := returnedEntry("c2", "a", `2`, true)
	bare.Audit = nil
	if _, err := db.Append(t.Context(), bare); err != nil {
		t.Fatal(err)
	}
	if got := verified(t, db, ""); got.Seq != 15 || got.Problem == "" {
		t.Errorf("with a call without a record: %+v", got)
	}
}

// What a hob with schema 4 wrote is read as it was meant, and hashed as it was hashed then.
func TestStateOfSchema4(t *testing.T) {
	path := newPath(t)
	load(t, path, "testdata/schema-4.sql")
	at := func(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
	db, err := Open(t.Context(), path, func() time.Time { return at(1700000004000) })
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const newest = "d31b9c2745d538376f76e80eeaaec1e0403f02a1ef1259877ceb2a3bf23fa628"
	if diff := cmp.Diff(AuditReport{Calls: 2, Head: newest}, verified(t, db, newest)); diff != "" {
		t.Errorf("audit (-want +got)\n%s", diff)
	}
	records, err := db.Audits(t.Context(), AuditFilter{Limit: 1})
	want := []event.Audit{{ID: 2, Time: at(1700000003500), Chat: "main", Session: "main/1", Turn: 1, CallID: "c1", User: "ann", Platform: "cli",
		Tool: "write_file", Source: "built-in", ArgsHash: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a", DurationMS: 12,
		Status: "denied", Error: "not allowed: Grüße", Rule: "ask-outside", Tokens: 812, Repairs: []string{"quotes"},
		Prev: "c2c96c3fa8aa0c4b7bf505b448b13939f0a5d935f75e1ffbc34994435647325c", Hash: newest}}
	if diff := cmp.Diff(want, records); diff != "" || err != nil {
		t.Errorf("records: %v (-want +got)\n%s", err, diff)
	}
	grants, err := db.Grants().All(t.Context())
	if diff := cmp.Diff([]GrantRecord{
		{Grant: event.Grant{ID: 1, Time: at(1700000003100), By: "ann", Tool: "fetch", Host: "example.org"}},
		{Grant: event.Grant{ID: 2, Time: at(1700000003200), By: "ann", Tool: "write_file", Path: "/home/ann/notes"}, Revoked: at(1700000003300)},
	}, grants); diff != "" || err != nil {
		t.Errorf("grants: %v (-want +got)\n%s", err, diff)
	}
	if g, err := db.Grants().Add(t.Context(), event.Grant{Tool: "t", Host: "h"}); g.ID != 4 || err != nil {
		t.Errorf("the next grant is %+v, %v", g, err)
	}
	origins, err := db.Origins().Of(t.Context(), []string{"/home/ann/page.\xff"})
	if origins["/home/ann/page.\xff"] != (event.Label{Untrusted: true, Source: "web:example.org"}) || err != nil {
		t.Errorf("origins: %v, %v", origins, err)
	}
	before, _ := db.Version(t.Context())
	if err := db.Settings().Delete(t.Context(), "model"); err != nil {
		t.Fatal(err)
	}
	if after, err := db.Version(t.Context()); before < 12 || after != before+1 || err != nil {
		t.Errorf("the version was %d, and is %d, %v", before, after, err)
	}
	r, err := db.Requests().Begin(t.Context(), "main", "r1", "aa")
	if diff := cmp.Diff(Request{Known: true, Done: true, Outcome: json.RawMessage(`{"ok":true}`)}, r); diff != "" || err != nil {
		t.Errorf("request: %v (-want +got)\n%s", err, diff)
	}
}
