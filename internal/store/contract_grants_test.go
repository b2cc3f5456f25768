package store_test

import (
	"testing"

	"hob/internal/event"
	"hob/internal/store"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// inForce checks which grants are in force.
func inForce(t *testing.T, j journal, want ...event.Grant) {
	t.Helper()
	got, err := j.Grants(t.Context())
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
		t.Errorf("grants: %v (-want +got)\n%s", err, diff)
	}
}

func grantOfDecision(t *testing.T, j journal) {
	decided := add(t, j, store.Entry{Chat: "main", Turn: 1, Body: event.Decided{ID: "a", Allow: true, By: "ann"},
		Grants: []event.Grant{{Tool: "fetch", Host: "a.example"}, {Tool: "write_file", Path: "/w", By: "bob"}}})
	inForce(t, j,
		event.Grant{ID: 1, Time: decided[0].Time, By: "ann", Tool: "fetch", Host: "a.example"},
		event.Grant{ID: 2, Time: decided[0].Time, By: "bob", Tool: "write_file", Path: "/w"})
}

func grantsOfDecisions(t *testing.T, j grantingDB) {
	before := add(t, j, store.Entry{Chat: "main", Turn: 1, Body: event.Decided{ID: "before", Allow: true, By: "ann"},
		Grants: []event.Grant{{Tool: "fetch", Host: "b.example"}}})
	there := event.Grant{ID: 1, Time: before[0].Time, By: "ann", Tool: "fetch", Host: "b.example"}
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
	isSame(t, append(before, decided...), all(t, j.Since(t.Context(), "", 0)))
}
