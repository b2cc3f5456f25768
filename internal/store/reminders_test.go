package store_test

import (
	"errors"
	"testing"
	"time"

	"hob/internal/event"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestReminders(t *testing.T) {
	db := openMemory(t)
	all := db.Reminders()
	at := time.Date(2026, 11, 25, 17, 0, 0, 0, time.UTC)
	add := func(text string, due time.Time) event.Reminder {
		t.Helper()
		r, err := all.Add(t.Context(), event.Reminder{
			Chat: "main", State: event.ReminderOpen, When: event.When{Start: "2026-11-25T18:00:00", Zone: "Europe/Berlin"},
			Text: text, By: event.Party{Platform: "cli", ID: "ann"}, Due: due, Label: event.Label{Untrusted: true, Source: "page"},
		})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	later, first, told := add("later", at.Add(time.Hour)), add("first", at), add("told", time.Time{})
	if got, known, err := all.Get(t.Context(), first.ID); err != nil || !known || cmp.Diff(first, got) != "" {
		t.Errorf("Get = %v, %v:\n%s", known, err, cmp.Diff(first, got))
	}
	if got, err := all.Due(t.Context(), at, 9); err != nil || len(got) != 1 || got[0].ID != first.ID {
		t.Errorf("Due = %v, %v: want the first alone", got, err)
	}
	if next, err := all.NextDue(t.Context()); err != nil || !next.Equal(at) {
		t.Errorf("NextDue = %v, %v", next, err)
	}
	refused := errors.New("no")
	if _, err := all.Change(t.Context(), first.ID, func(r *event.Reminder) error { r.Text = "other"; return refused }); !errors.Is(err, refused) {
		t.Errorf("a change that is refused: %v", err)
	}
	if _, err := all.Change(t.Context(), 99, func(*event.Reminder) error { return nil }); err == nil {
		t.Error("a reminder that is not there was changed")
	}
	if _, err := all.Change(t.Context(), first.ID, func(r *event.Reminder) error { r.State = event.ReminderDone; return nil }); err != nil {
		t.Error(err)
	}
	got, err := all.Open(t.Context())
	if diff := cmp.Diff([]event.Reminder{later, told}, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
		t.Errorf("Open: %v (-want +got)\n%s", err, diff)
	}
	if got, err := all.Recent(t.Context(), 2); err != nil || len(got) != 2 || got[1].ID != first.ID || got[1].Text != "first" {
		t.Errorf("Recent = %v, %v", got, err)
	}

	ben, ann := event.Party{Platform: "telegram", ID: "2"}, event.Party{Platform: "cli", ID: "ann"}
	for _, answer := range []string{"", "yes", "mute"} {
		if answer != "" {
			if err := all.SetConsent(t.Context(), ben, ann, answer); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := all.Consent(t.Context(), ben, ann); err != nil || got != answer {
			t.Errorf("Consent = %q, %v, want %q", got, err, answer)
		}
	}
}
