package store_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/store"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// result is what a call returned, with its record.
func result(chat event.Chat, id, tool, status string) store.Entry {
	return store.Entry{Chat: chat, Turn: 1, Body: event.Returned{ID: id, Tool: tool, OK: status == "ok", DurationMS: 7},
		Audit: &event.Audit{Status: status, Source: "built-in", ArgsHash: "aa"}}
}

func audits(t *testing.T, j journal, f store.AuditFilter) []event.Audit {
	t.Helper()
	got, err := j.Audits(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// chained checks that records, the newest first, are a chain from the first on, and that each has the hash that the
// package store tells of.
func chained(t *testing.T, newestFirst []event.Audit) {
	t.Helper()
	for i, a := range newestFirst {
		want := event.Audit{ID: int64(len(newestFirst) - i)}
		if i+1 < len(newestFirst) {
			want.Prev = newestFirst[i+1].Hash
		}
		bare := a
		bare.Hash = ""
		raw, err := json.Marshal(bare)
		sum := sha256.Sum256(raw)
		want.Hash = hex.EncodeToString(sum[:])
		if diff := cmp.Diff(want, event.Audit{ID: a.ID, Prev: a.Prev, Hash: a.Hash}); diff != "" || err != nil {
			t.Errorf("record %d: %v (-want +got)\n%s", a.ID, err, diff)
		}
	}
}

func recordOfResult(t *testing.T, j journal) {
	plain := result("main", "c1", "fetch", "denied")
	plain.Body = event.Returned{ID: "c1", Tool: "fetch", Rule: "no-net", Text: "no", DurationMS: 1}
	record := event.Audit{ // whatever it says of what the entry tells
		ID: 9, Time: time.Unix(1, 0), Chat: "other", Session: "main/1", Turn: 4, CallID: "x", User: "ann", Platform: "cli", Tool: "y",
		Source: "built-in", ArgsHash: "aa", DurationMS: 9, Status: "denied", Error: "not allowed", Rule: "z", Tokens: 12,
		Repairs: []string{"quotes"}, Prev: "p", Hash: "h",
	}
	plain.Audit = &record
	events := add(t, j, said("main", "1"), plain, noted("main", 1, "between"), result("main", "c2", "write_file", "ok"))
	isSame(t, events, all(t, j.Since(t.Context(), "", 0)))
	want := []event.Audit{
		{ID: 2, Time: events[3].Time, Chat: "main", Turn: 1, CallID: "c2", Tool: "write_file", Source: "built-in", ArgsHash: "aa",
			DurationMS: 7, Status: "ok"},
		{ID: 1, Time: events[1].Time, Chat: "main", Session: "main/1", Turn: 1, CallID: "c1", User: "ann", Platform: "cli", Tool: "fetch",
			Source: "built-in", ArgsHash: "aa", DurationMS: 1, Status: "denied", Error: "not allowed", Rule: "no-net", Tokens: 12,
			Repairs: []string{"quotes"}},
	}
	got := audits(t, j, store.AuditFilter{})
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(event.Audit{}, "Prev", "Hash")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if record.ID != 9 || record.Tool != "y" {
		t.Errorf("the caller's record was changed: %+v", record)
	}
}

func oddRecords(t *testing.T, j grantingDB) {
	at := time.Date(2026, 5, 6, 7, 8, 9, 123456789, time.FixedZone("", 3600))
	odds := []event.Audit{
		{Time: at, Chat: "cli", Session: odd, CallID: odd, User: odd, Platform: odd, Tool: odd, Source: odd, ArgsHash: odd, DurationMS: 1 << 60,
			Status: odd, Error: odd, Rule: odd, Tokens: -1, Repairs: []string{odd, ""}},
		{Time: at, Status: "ok", Error: "not \xff\xfe UTF-8", Repairs: []string{}},
		{Status: "failed"},
	}
	if err := j.AppendAudit(t.Context(), odds...); err != nil {
		t.Fatal(err)
	}
	if err := j.AppendAudit(t.Context()); err != nil {
		t.Errorf("no records at all: %v", err)
	}
	add(t, j, result("main", "c1", odd, "ok"))
	got := audits(t, j, store.AuditFilter{})
	chained(t, got)
	if len(got) != 4 {
		t.Fatalf("there are %d records", len(got))
	}
	want := odds[0]
	want.ID, want.Time = 1, time.Date(2026, 5, 6, 6, 8, 9, 123000000, time.UTC)
	if diff := cmp.Diff(want, got[3], cmpopts.IgnoreFields(event.Audit{}, "Prev", "Hash")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got[3].Time.Location() != time.UTC || got[2].Error != "not \ufffd\ufffd UTF-8" || got[2].Repairs != nil {
		t.Errorf("%v, %+v", got[3].Time, got[2])
	}
	if got[1].Time.Before(at) || got[1].Time.Nanosecond()%1e6 != 0 {
		t.Errorf("a record without a time was made at %v", got[1].Time)
	}
}

func noRecords(t *testing.T, j grantingDB) {
	first := add(t, j, said("main", "1"))
	ok := result("main", "c", "t", "ok")
	of := func(body event.Body, status string) store.Entry {
		return store.Entry{Chat: "main", Turn: 1, Body: body, Audit: &event.Audit{Status: status}}
	}
	for name, batch := range map[string][]store.Entry{
		"a key is taken":                    {ok, said("main", "1")},
		"another entry is none":             {ok, {Chat: "main"}},
		"a record of what is no result":     {ok, of(event.Called{ID: "c"}, "ok")},
		"a record that denies what was":     {ok, of(event.Returned{OK: true}, "failed")},
		"a record that claims what was not": {ok, of(event.Returned{}, "ok")},
		"a record without a status":         {ok, of(event.Returned{}, "")},
	} {
		if got, err := j.Append(t.Context(), batch...); err == nil {
			t.Errorf("%s: Append = %v, want an error", name, got)
		}
	}
	if err := j.AppendAudit(t.Context(), event.Audit{Status: "ok"}, event.Audit{}); err == nil {
		t.Error("a record without a status was taken")
	}
	isSame(t, first, all(t, j.Since(t.Context(), "", 0)))
	if got := audits(t, j, store.AuditFilter{}); len(got) > 0 {
		t.Errorf("there are records of nothing: %v", got)
	}
}

func pickedRecords(t *testing.T, j grantingDB) {
	add(t, j, result("main", "1", "fetch", "ok"), result("main2", "2", "fetch", "denied"), result("main", "3", "write_file", "denied"))
	future := time.Now().Add(time.Hour)
	if err := j.AppendAudit(t.Context(), event.Audit{Time: future, Tool: "fetch", Status: "ok"}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		filter store.AuditFilter
		want   []int64
	}{
		{store.AuditFilter{}, []int64{4, 3, 2, 1}},
		{store.AuditFilter{Limit: 2}, []int64{4, 3}},
		{store.AuditFilter{Limit: 9}, []int64{4, 3, 2, 1}},
		{store.AuditFilter{Chat: "main"}, []int64{3, 1}},
		{store.AuditFilter{Chat: "mai"}, nil},
		{store.AuditFilter{Tool: "fetch"}, []int64{4, 2, 1}},
		{store.AuditFilter{Status: "denied", Limit: 1}, []int64{3}},
		{store.AuditFilter{Chat: "main", Tool: "fetch", Status: "ok"}, []int64{1}},
		{store.AuditFilter{Since: future}, []int64{4}},
		{store.AuditFilter{Since: future.Add(time.Millisecond)}, nil},
	} {
		var got []int64
		for _, a := range audits(t, j, c.filter) {
			got = append(got, a.ID)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%+v (-want +got)\n%s", c.filter, diff)
		}
	}
}

func ownRecords(t *testing.T, j grantingDB) {
	entry := result("main", "c", "t", "ok")
	entry.Audit.Repairs = []string{"mine"}
	add(t, j, entry)
	entry.Audit.Repairs[0] = "spoilt"
	for range 2 {
		got := audits(t, j, store.AuditFilter{})
		chained(t, got)
		if got[0].Repairs[0] != "mine" {
			t.Errorf("the record holds %q", got[0].Repairs)
		}
		got[0].Repairs[0] = "spoilt"
	}
}

func auditCancelled(t *testing.T, j grantingDB) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := j.AppendAudit(ctx, event.Audit{Status: "ok"}); !errors.Is(err, context.Canceled) {
		t.Errorf("AppendAudit = %v", err)
	}
	if _, err := j.Audits(ctx, store.AuditFilter{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Audits = %v", err)
	}
	if got := audits(t, j, store.AuditFilter{}); len(got) > 0 {
		t.Errorf("there is %v", got)
	}
}

func oneChain(t *testing.T, j grantingDB) {
	const who, times = 6, 20
	var wait sync.WaitGroup
	for w := range who {
		wait.Go(func() {
			for n := range times {
				id := fmt.Sprint(w, "/", n)
				_, err := j.Append(t.Context(), result("main", id, "t", "ok"), result("main", id+"b", "t", "failed"))
				if err = errors.Join(err, j.AppendAudit(t.Context(), event.Audit{Status: "ok"})); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	got := audits(t, j, store.AuditFilter{})
	if len(got) != who*times*3 {
		t.Errorf("there are %d records", len(got))
	}
	chained(t, got)
}
