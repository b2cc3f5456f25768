package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"strconv"

	"hob/internal/event"
)

// AuditReport is the result of [DB.VerifyAudit].
type AuditReport struct {
	Calls   int    // number of recorded calls
	Head    string // Hash of the newest record, "" if there is none
	Problem string // the first problem, in a sentence; "" if none
	ID      int64  // of the record with the problem, 0 if none
	Seq     int64  // of the event with the problem, 0 if none
}

// flaw is a fault in the records.
type flaw struct {
	what    string
	id, seq int64
}

func (f *flaw) Error() string { return f.what }

// VerifyAudit checks the records of calls against each other and against the journal. No record may
// be missing, changed, duplicated or moved, and every result since the audit began must have
// exactly one matching record. hash computes the ArgsHash of a call's arguments. If head is not "",
// one of the records must have that Hash.
//
// Whoever can write to the file can rewrite all of it, records and journal. Only a head that is
// stored elsewhere reveals that.
//
// It checks what existed when it began, and reads in pages: memory is bounded, and nothing is
// locked.
func (d *DB) VerifyAudit(ctx context.Context, head string, hash func(args json.RawMessage) (string, error)) (AuditReport, error) {
	var report AuditReport
	end, err := d.auditEnd(ctx, &report)
	if err == nil {
		err = d.walkRecords(ctx, end, head, hash)
	}
	var found *flaw
	if errors.As(err, &found) {
		report.Problem, report.ID, report.Seq = found.what, found.id, found.seq
	} else if err != nil {
		return AuditReport{}, wrap("verify the records of calls in", d.path, err)
	}
	return report, nil
}

// auditEnd is how far a verification goes.
type auditEnd struct {
	begin int64 // Seq of the last event without a record
	seq   int64 // Seq of the newest event
	id    int64 // id of the newest record
	given int64 // the last id given to a record
}

func (d *DB) auditEnd(ctx context.Context, report *AuditReport) (end auditEnd, err error) {
	var begin string
	err = d.read.QueryRowContext(ctx, `SELECT
			coalesce((SELECT value FROM setting WHERE key = ?), ''),
			coalesce((SELECT max(seq) FROM event), 0),
			coalesce((SELECT max(id) FROM audit), 0),
			coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'audit'), 0),
			(SELECT count(*) FROM audit),
			coalesce((SELECT hash FROM audit ORDER BY id DESC LIMIT 1), '')`, auditBegin).
		Scan(&begin, &end.seq, &end.id, &end.given, &report.Calls, &report.Head)
	if err != nil {
		return end, err
	}
	if end.begin, err = strconv.ParseInt(begin, 10, 64); err != nil {
		return end, &flaw{what: fmt.Sprintf("since when calls are recorded is not told any more: the setting %s is %q", auditBegin, begin)}
	}
	return end, nil
}

// walkRecords returns the first *flaw that it finds.
func (d *DB) walkRecords(ctx context.Context, end auditEnd, head string, hash func(json.RawMessage) (string, error)) error {
	next, stop := iter.Pull2(d.calls(ctx, end.seq))
	defer stop()
	w := auditVerifier{hash: hash, next: next, begin: end.begin, args: map[callKey]json.RawMessage{}}
	seen := head == ""
	for after := int64(math.MinInt64); ; {
		page, err := d.auditRows(ctx, `WHERE id > ? AND id <= ? ORDER BY id LIMIT ?`, after, end.id, pageEvents)
		if bad := (*flaw)(nil); err != nil && !errors.As(err, &bad) {
			return err
		}
		for _, r := range page { // the readable ones first
			if err := w.record(r.Audit, r.seq); err != nil {
				return err
			}
			seen = seen || r.Hash == head
			after = r.ID
		}
		if err != nil {
			return err
		}
		if len(page) < pageEvents {
			break
		}
	}
	if w.last.id != end.given {
		return &flaw{what: fmt.Sprintf("records are missing at the end: there are %d, and %d were written", w.last.id, end.given), id: w.last.id}
	}
	if e, ok, err := w.result(); err != nil {
		return err
	} else if ok {
		return unrecordedError(e)
	}
	if !seen {
		return &flaw{what: fmt.Sprintf("no record has the hash %s: records were taken out or written anew", head)}
	}
	return nil
}

// calls yields the calls and results up to a Seq.
func (d *DB) calls(ctx context.Context, until int64) iter.Seq2[event.Event, error] {
	const query = columns + `WHERE ?1 = '' AND type IN ('called', 'returned') AND seq > ?2 ORDER BY seq LIMIT ?3`
	return func(yield func(event.Event, error) bool) {
		for r, err := range d.rows(ctx, query, "", math.MinInt64) {
			if err != nil {
				yield(event.Event{}, err)
				return
			}
			if r.seq > until || !yield(r.event(), nil) {
				return
			}
		}
	}
}

// callKey identifies a call that has no result yet.
type callKey struct {
	chat event.Chat
	turn int64
	id   string
}

// auditVerifier walks along the records and the journal in parallel.
type auditVerifier struct {
	hash  func(args json.RawMessage) (string, error)
	next  func() (event.Event, error, bool) // the next call or result
	begin int64
	args  map[callKey]json.RawMessage // of the calls without a result
	last  chain
	seq   int64 // of the last record with an event
}

// result returns the next result that needs a record.
func (w *auditVerifier) result() (e event.Event, ok bool, err error) {
	for {
		e, err, ok := w.next()
		switch {
		case !ok:
			return e, false, nil
		case err != nil:
			return e, false, err
		}
		if lost, unreadable := e.Body.(event.Unreadable); unreadable {
			if lost.Of == (event.Returned{}).Type() && e.Seq > w.begin {
				return e, false, &flaw{what: fmt.Sprintf("event %d is a result that cannot be read", e.Seq), seq: e.Seq}
			}
			continue // a call: only its result has a record
		}
		if c, called := e.Body.(event.Called); called {
			w.args[callKey{e.Chat, e.Turn, c.ID}] = c.Args
		} else if e.Seq > w.begin {
			return e, true, nil
		} else {
			delete(w.args, callKey{e.Chat, e.Turn, e.Body.(event.Returned).ID})
		}
	}
}

// record checks a record against the one before it and against its event.
func (w *auditVerifier) record(a event.Audit, seq int64) error {
	wrong := func(format string, args ...any) error {
		return &flaw{fmt.Sprintf("record %d ", a.ID) + fmt.Sprintf(format, args...), a.ID, seq}
	}
	if a.ID != w.last.id+1 {
		return wrong("does not follow record %d: what was between them is missing", w.last.id)
	}
	if a.Prev != w.last.hash {
		return wrong("does not name the one before it: one of the two was changed")
	}
	hash, err := auditHash(a)
	if err != nil || hash != a.Hash {
		return wrong("is not what was written: it does not have its hash")
	}
	w.last = chain{a.ID, a.Hash}
	if seq == 0 {
		return nil
	}
	if seq <= w.seq {
		return wrong("is of event %d, and an earlier one is of event %d", seq, w.seq)
	}
	w.seq = seq
	e, ok, err := w.result()
	switch {
	case err != nil:
		return err
	case !ok, e.Seq > seq:
		return wrong("is of event %d, which is no result of a call since calls are recorded", seq)
	case e.Seq < seq:
		return unrecordedError(e)
	}
	if what := w.difference(a, e); what != "" {
		return wrong("says something else than event %d, of which it is: %s", seq, what)
	}
	return nil
}

func unrecordedError(e event.Event) error {
	r, _ := e.Body.(event.Returned)
	return &flaw{what: fmt.Sprintf("event %d, the result of a call of %s, has no record", e.Seq, r.Tool), seq: e.Seq}
}

// difference names the field in which a record contradicts a result, or "".
func (w *auditVerifier) difference(a event.Audit, e event.Event) string {
	r, _ := e.Body.(event.Returned)
	of := callKey{e.Chat, e.Turn, r.ID}
	args, called := w.args[of]
	delete(w.args, of)
	switch {
	case a.Chat != e.Chat || a.Turn != e.Turn:
		return "its place"
	case !a.Time.Equal(e.Time):
		return "its time"
	case a.CallID != r.ID:
		return "the call"
	case a.Tool != r.Tool:
		return "the tool"
	case (a.Status == statusOK) != r.OK:
		return "how it ended"
	case r.Rule != "" && a.Rule != r.Rule:
		return "the rule"
	case a.DurationMS != r.DurationMS:
		return "how long it took"
	case !called:
		return "there is no such call"
	}
	if hash, err := w.hash(args); err != nil || hash != a.ArgsHash {
		return "the arguments"
	}
	return ""
}
