package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/store"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Grants is a journal that keeps grants.
type Grants interface {
	store.Journal
	AddGrant(ctx context.Context, g event.Grant) (event.Grant, error)
	RevokeGrant(ctx context.Context, id int64) (bool, error)
	Grants(ctx context.Context) ([]event.Grant, error)
	AllGrants(ctx context.Context) ([]store.Granted, error)
	Version(ctx context.Context) (int64, error)
	Settings
}

func runGrants(t *testing.T, open func(t *testing.T) Grants) {
	for _, c := range []struct {
		name string
		test func(*testing.T, Grants)
	}{
		{"a grant is in force until it is revoked", grantAndRevoke},
		{"grants go with a decision or not at all", decidedGrants},
		{"grants that are none", noGrants},
		{"what is written shows in the version", versions},
		{"an ended context grants nothing", grantsCancelled},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}

// inForce checks which grants are in force.
func inForce(t *testing.T, j Grants, want ...event.Grant) {
	t.Helper()
	got, err := j.Grants(t.Context())
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
		t.Errorf("grants: %v (-want +got)\n%s", err, diff)
	}
}

func mustGrant(t *testing.T, j Grants, g event.Grant) event.Grant {
	t.Helper()
	got, err := j.AddGrant(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func grantAndRevoke(t *testing.T, j Grants) {
	inForce(t, j)
	web := mustGrant(t, j, event.Grant{Tool: "fetch", Host: "example.org", By: "ann", ID: 77, Time: time.Unix(5, 0)})
	if web.ID != 1 || web.Time.Nanosecond()%1e6 != 0 || web.Time.Location() != time.UTC || time.Since(web.Time) > time.Hour {
		t.Errorf("the grant came back as %+v", web)
	}
	folder := mustGrant(t, j, event.Grant{Tool: "write_file", Path: "/home/ann/no tes\n", By: "ann"})
	port := mustGrant(t, j, event.Grant{Tool: "fetch", Host: "example.org:8080"})
	inForce(t, j, web, folder, port)
	if again := mustGrant(t, j, event.Grant{Tool: "fetch", Host: "example.org", By: "bob"}); again != web {
		t.Errorf("granted again: %+v, want %+v", again, web)
	}
	inForce(t, j, web, folder, port)
	for id, want := range map[int64]bool{folder.ID: true, 0: false, 99: false} {
		if was, err := j.RevokeGrant(t.Context(), id); was != want || err != nil {
			t.Errorf("RevokeGrant(%d) = %t, %v", id, was, err)
		}
	}
	inForce(t, j, web, port)
	if was, err := j.RevokeGrant(t.Context(), folder.ID); was || err != nil {
		t.Errorf("revoked again: %t, %v", was, err)
	}
	anew := mustGrant(t, j, event.Grant{Tool: "write_file", Path: folder.Path, By: "bob"})
	if anew.ID <= port.ID || anew.By != "bob" {
		t.Errorf("granted after it was revoked: %+v", anew)
	}
	inForce(t, j, web, port, anew)
	ever, err := j.AllGrants(t.Context())
	if err != nil || len(ever) != 4 || ever[1].Revoked.Before(folder.Time) {
		t.Fatalf("AllGrants = %v, %v", ever, err)
	}
	ever[1].Revoked = time.Time{}
	if diff := cmp.Diff([]store.Granted{{Grant: web}, {Grant: folder}, {Grant: port}, {Grant: anew}}, ever); diff != "" {
		t.Errorf("all grants (-want +got)\n%s", diff)
	}
}

func decidedGrants(t *testing.T, j Grants) {
	there := mustGrant(t, j, event.Grant{Tool: "fetch", Host: "b.example", By: "ann"})
	yes := store.Entry{Chat: "main", Turn: 1, Body: event.Decided{ID: "a", Allow: true, By: "ann"},
		Grants: []event.Grant{{Tool: "fetch", Host: "a.example"}, {Tool: "fetch", Host: "b.example"}, {Tool: "write_file", Path: "/w", By: "bob"}}}
	decided := add(t, j, yes)
	at := decided[0].Time
	want := []event.Grant{there, {ID: 2, Time: at, By: "ann", Tool: "fetch", Host: "a.example"},
		{ID: 3, Time: at, By: "bob", Tool: "write_file", Path: "/w"}}
	inForce(t, j, want...)

	other := []event.Grant{{Tool: "fetch", Host: "c.example"}}
	for name, batch := range map[string][]store.Entry{
		"decided before":  {{Chat: "main", Body: event.Decided{ID: "a", Allow: true}, Grants: other}},
		"a no":            {{Chat: "main", Body: event.Decided{ID: "b"}, Grants: other}},
		"no decision":     {{Chat: "main", Body: event.Noted{}, Grants: other}},
		"one is none":     {{Chat: "main", Body: event.Decided{ID: "c", Allow: true}, Grants: append(other, event.Grant{Tool: "fetch"})}},
		"half of a batch": {{Chat: "main", Body: event.Decided{ID: "d", Allow: true}, Grants: other}, {Chat: "main"}},
	} {
		if got, err := j.Append(t.Context(), batch...); err == nil {
			t.Errorf("%s: Append = %v, want an error", name, got)
		}
	}
	inForce(t, j, want...)
	same(t, decided, all(t, j.Since(t.Context(), "", 0)))
}

func noGrants(t *testing.T, j Grants) {
	for name, g := range map[string]event.Grant{
		"no tool":             {Host: "a.example"},
		"everything":          {Tool: "fetch"},
		"a host and a folder": {Tool: "fetch", Host: "a.example", Path: "/w"},
		"a relative folder":   {Tool: "write_file", Path: "w"},
		"a folder elsewhere":  {Tool: "write_file", Path: "/w/../etc"},
		"a slash too many":    {Tool: "write_file", Path: "/w/"},
		"not UTF-8":           {Tool: "write_file", Path: "/w/\xff"},
	} {
		if got, err := j.AddGrant(t.Context(), g); err == nil {
			t.Errorf("%s: AddGrant = %+v, want an error", name, got)
		}
	}
	inForce(t, j)
}

func grantsCancelled(t *testing.T, j Grants) {
	g := mustGrant(t, j, event.Grant{Tool: "fetch", Host: "a.example"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err1 := j.AddGrant(ctx, event.Grant{Tool: "fetch", Host: "b.example"})
	_, err2 := j.RevokeGrant(ctx, g.ID)
	_, err3 := j.Grants(ctx)
	_, err4 := j.AllGrants(ctx)
	for i, err := range []error{err1, err2, err3, err4} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("call %d: %v", i, err)
		}
	}
	inForce(t, j, g)
}

func versions(t *testing.T, j Grants) {
	version := func() int64 {
		t.Helper()
		v, err := j.Version(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	web := event.Grant{Tool: "fetch", Host: "a.example"}
	yes := store.Entry{Chat: "main", Body: event.Decided{ID: "a", Allow: true}, Grants: []event.Grant{{Tool: "fetch", Host: "b.example"}}}
	for _, c := range []struct {
		name  string
		do    func() error
		shows bool
	}{
		{"a setting is made", func() error { return j.SetSetting(t.Context(), "k", "v") }, true},
		{"a setting is changed", func() error { return j.SetSetting(t.Context(), "k", "w") }, true},
		{"a setting is deleted", func() error { return j.DeleteSetting(t.Context(), "k") }, true},
		{"a grant is made", func() error { _, err := j.AddGrant(t.Context(), web); return err }, true},
		{"a grant that is in force", func() error { _, err := j.AddGrant(t.Context(), web); return err }, false},
		{"a grant goes with a decision", func() error { _, err := j.Append(t.Context(), yes); return err }, true},
		{"a grant is revoked", func() error { _, err := j.RevokeGrant(t.Context(), 1); return err }, true},
		{"a grant is revoked again", func() error { _, err := j.RevokeGrant(t.Context(), 1); return err }, false},
		{"an event", func() error { _, err := j.Append(t.Context(), noted("main", 0, "")); return err }, false},
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
	if _, err := j.Version(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Version = %v", err)
	}
}
