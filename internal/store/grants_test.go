package store

import (
	"context"
	"errors"
	"testing"
	"time"

	"hob/internal/event"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// What grants promise, but for those that go with a decision: see storetest.
func TestGrants(t *testing.T) {
	for _, c := range []struct {
		name string
		test func(*testing.T, *DB)
	}{
		{"a grant is in force until it is revoked", grantAndRevoke},
		{"grants that are none", noGrants},
		{"what is written shows in the version", versions},
		{"an ended context grants nothing", grantsCancelled},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, mustOpen(t, newPath(t))) })
	}
}

// inForce checks which grants are in force.
func inForce(t *testing.T, db *DB, want ...event.Grant) {
	t.Helper()
	got, err := db.Grants().InForce(t.Context())
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
		t.Errorf("grants: %v (-want +got)\n%s", err, diff)
	}
}

func mustGrant(t *testing.T, db *DB, g event.Grant) event.Grant {
	t.Helper()
	got, err := db.Grants().Add(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func grantAndRevoke(t *testing.T, db *DB) {
	inForce(t, db)
	web := mustGrant(t, db, event.Grant{Tool: "fetch", Host: "example.org", By: "ann", ID: 77, Time: time.Unix(5, 0)})
	if web.ID != 1 || web.Time.Nanosecond()%1e6 != 0 || web.Time.Location() != time.UTC || time.Since(web.Time) > time.Hour {
		t.Errorf("the grant came back as %+v", web)
	}
	folder := mustGrant(t, db, event.Grant{Tool: "write_file", Path: "/home/ann/no tes\n", By: "ann"})
	port := mustGrant(t, db, event.Grant{Tool: "fetch", Host: "example.org:8080"})
	inForce(t, db, web, folder, port)
	if again := mustGrant(t, db, event.Grant{Tool: "fetch", Host: "example.org", By: "bob"}); again != web {
		t.Errorf("granted again: %+v, want %+v", again, web)
	}
	inForce(t, db, web, folder, port)
	for id, want := range map[int64]bool{folder.ID: true, 0: false, 99: false} {
		if was, err := db.Grants().Revoke(t.Context(), id); was != want || err != nil {
			t.Errorf("Revoke(%d) = %t, %v", id, was, err)
		}
	}
	inForce(t, db, web, port)
	if was, err := db.Grants().Revoke(t.Context(), folder.ID); was || err != nil {
		t.Errorf("revoked again: %t, %v", was, err)
	}
	anew := mustGrant(t, db, event.Grant{Tool: "write_file", Path: folder.Path, By: "bob"})
	if anew.ID <= port.ID || anew.By != "bob" {
		t.Errorf("granted after it was revoked: %+v", anew)
	}
	inForce(t, db, web, port, anew)
	ever, err := db.Grants().All(t.Context())
	if err != nil || len(ever) != 4 || ever[1].Revoked.Before(folder.Time) {
		t.Fatalf("All = %v, %v", ever, err)
	}
	ever[1].Revoked = time.Time{}
	if diff := cmp.Diff([]GrantRecord{{Grant: web}, {Grant: folder}, {Grant: port}, {Grant: anew}}, ever); diff != "" {
		t.Errorf("all grants (-want +got)\n%s", diff)
	}
}

func noGrants(t *testing.T, db *DB) {
	for name, g := range map[string]event.Grant{
		"no tool":             {Host: "a.example"},
		"everything":          {Tool: "fetch"},
		"a host and a folder": {Tool: "fetch", Host: "a.example", Path: "/w"},
		"a relative folder":   {Tool: "write_file", Path: "w"},
		"a folder elsewhere":  {Tool: "write_file", Path: "/w/../etc"},
		"a slash too many":    {Tool: "write_file", Path: "/w/"},
		"not UTF-8":           {Tool: "write_file", Path: "/w/\xff"},
	} {
		if got, err := db.Grants().Add(t.Context(), g); err == nil {
			t.Errorf("%s: Add = %+v, want an error", name, got)
		}
	}
	inForce(t, db)
}

func grantsCancelled(t *testing.T, db *DB) {
	g := mustGrant(t, db, event.Grant{Tool: "fetch", Host: "a.example"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err1 := db.Grants().Add(ctx, event.Grant{Tool: "fetch", Host: "b.example"})
	_, err2 := db.Grants().Revoke(ctx, g.ID)
	_, err3 := db.Grants().InForce(ctx)
	_, err4 := db.Grants().All(ctx)
	for i, err := range []error{err1, err2, err3, err4} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("call %d: %v", i, err)
		}
	}
	inForce(t, db, g)
}

func versions(t *testing.T, db *DB) {
	version := func() int64 {
		t.Helper()
		v, err := db.Version(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	web := event.Grant{Tool: "fetch", Host: "a.example"}
	yes := Entry{Chat: "main", Body: event.Decided{ID: "a", Allow: true}, Grants: []event.Grant{{Tool: "fetch", Host: "b.example"}}}
	for _, c := range []struct {
		name  string
		do    func() error
		shows bool
	}{
		{"a setting is made", func() error { return db.Settings().Set(t.Context(), "k", "v") }, true},
		{"a setting is changed", func() error { return db.Settings().Set(t.Context(), "k", "w") }, true},
		{"a setting is deleted", func() error { return db.Settings().Delete(t.Context(), "k") }, true},
		{"a grant is made", func() error { _, err := db.Grants().Add(t.Context(), web); return err }, true},
		{"a grant that is in force", func() error { _, err := db.Grants().Add(t.Context(), web); return err }, false},
		{"a grant goes with a decision", func() error { _, err := db.Append(t.Context(), yes); return err }, true},
		{"a grant is revoked", func() error { _, err := db.Grants().Revoke(t.Context(), 1); return err }, true},
		{"a grant is revoked again", func() error { _, err := db.Grants().Revoke(t.Context(), 1); return err }, false},
		{"an event", func() error { _, err := db.Append(t.Context(), Entry{Chat: "main", Body: event.Noted{}}); return err }, false},
	} {
		before := version()
		if err := c.do(); err != nil {
			t.Fatal(err)
		}
		if after := version(); (after != before) != c.shows || after < before {
			t.Errorf("%s: the version was %d, and is %d", c.name, before, after)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := db.Version(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Version = %v", err)
	}
}
