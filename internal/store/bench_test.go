package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"hob/internal/event"
)

// What a record of a call adds to a durable append: compare with BenchmarkAppendResult.
func BenchmarkAppendAudit(b *testing.B)  { benchmarkResult(b, true) }
func BenchmarkAppendResult(b *testing.B) { benchmarkResult(b, false) }

func benchDB(b *testing.B) *DB {
	b.Helper()
	db, err := Open(b.Context(), filepath.Join(b.TempDir(), "hob.db"), time.Now)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	return db
}

func benchmarkResult(b *testing.B, audited bool) {
	db := benchDB(b)
	entry := returnedEntry("c1", "fetch", `1`, true)
	entry.Body = event.Returned{ID: "c1", Tool: "fetch", OK: true, Text: line(1)[:290]}
	if !audited {
		entry.Audit = nil
	}
	for b.Loop() {
		if _, err := db.Append(b.Context(), entry); err != nil {
			b.Fatal(err)
		}
	}
}

// What a process reads to learn what another changed: 20 grants, and 20 settings of 100.
func BenchmarkGrantsAndSettings(b *testing.B) {
	db := benchDB(b)
	for i := range 20 {
		if _, err := db.Grants().Add(b.Context(), event.Grant{Tool: "fetch", Host: fmt.Sprint(i, ".example"), By: "ann"}); err != nil {
			b.Fatal(err)
		}
		for k := range 5 {
			if err := db.Settings().Set(b.Context(), fmt.Sprint("tool/"[k:], i), "off"); err != nil {
				b.Fatal(err)
			}
		}
	}
	for b.Loop() {
		grants, err := db.Grants().InForce(b.Context())
		if err != nil || len(grants) != 20 {
			b.Fatal(len(grants), err)
		}
		settings, err := db.Settings().List(b.Context(), "tool/")
		if err != nil || len(settings) != 20 {
			b.Fatal(len(settings), err)
		}
	}
}

// What it asks for to learn whether there is something to read.
func BenchmarkVersion(b *testing.B) {
	db := benchDB(b)
	for b.Loop() {
		if _, err := db.Version(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOriginsOf(b *testing.B) {
	db := benchDB(b)
	var paths []string
	for i := range 50_000 {
		paths = append(paths, fmt.Sprintf("/srv/files/%d/src/%d.go", i%100, i))
	}
	if err := db.Origins().Mark(b.Context(), paths, event.Label{Untrusted: true}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if got, err := db.Origins().Of(b.Context(), paths[7:8]); err != nil || len(got) != 1 {
			b.Fatal(got, err)
		}
	}
}

func BenchmarkMarkOrigin(b *testing.B) {
	db := benchDB(b)
	n := 0
	for b.Loop() {
		n++
		if err := db.Origins().Mark(b.Context(), []string{fmt.Sprint("/home/ann/", n)}, event.Label{Untrusted: true}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkVerifyAudit walks 10,000 calls.
func BenchmarkVerifyAudit(b *testing.B) {
	db := benchDB(b)
	var entries []Entry
	for n := range 10_000 {
		id := fmt.Sprint(n)
		entries = append(entries, calledEntry(id, "a", `1`), returnedEntry(id, "a", `1`, true))
	}
	if _, err := db.Append(b.Context(), entries...); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if got, err := db.VerifyAudit(b.Context(), "", argsHash); err != nil || got.Problem != "" {
			b.Fatal(got, err)
		}
	}
}

// What a change of a file costs where the contents of two thousand are kept.
func BenchmarkKeepAmongMany(b *testing.B) {
	db, n := benchDB(b), 0
	keep := func() {
		n++
		image := fmt.Append(nil, "content ", n)
		sum := sha256.Sum256(image)
		change := event.Change{Path: "a", Before: event.FileState{Sum: hex.EncodeToString(sum[:])}}
		if _, err := db.Changes(Limits{}).Keep(b.Context(), change, image); err != nil {
			b.Fatal(err)
		}
	}
	for range 2000 {
		keep()
	}
	for b.Loop() {
		keep()
	}
}
