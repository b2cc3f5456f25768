package store_test

import (
	"errors"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/store"

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

	for _, n := range []event.Noted{{ID: "reminder/1/1", Text: "x"}, {ID: "digest/reminder/2/1", Text: "x"}, {ID: "consent/1", Text: "x"}, {Text: "reminder/"}} {
		if _, err := db.Append(t.Context(), store.Entry{Chat: "main", Body: n}); err != nil {
			t.Fatal(err)
		}
	}
	now := time.Now()
	if written, err := all.Written(t.Context(), now.Add(-time.Hour)); err != nil || len(written) != 1 || len(written["main"]) != 2 {
		t.Errorf("Written = %v, %v: want two in main", written, err)
	}
	if written, err := all.Written(t.Context(), now.Add(time.Hour)); err != nil || len(written) != 0 {
		t.Errorf("Written in an hour = %v, %v", written, err)
	}

	ben, ann := event.Party{Platform: "telegram", ID: "2"}, event.Party{Platform: "cli", ID: "ann"}
	for _, answer := range []string{"", "yes", "mute"} {
		if answer != "" {
			if n, err := all.SetConsent(t.Context(), ben, ann, answer); err != nil || n == 0 {
				t.Fatal(n, err)
			}
		}
		if got, err := all.Consent(t.Context(), ben, ann); err != nil || got != answer {
			t.Errorf("Consent = %q, %v, want %q", got, err, answer)
		}
	}
}

// What was held is told later than it was due, until somebody changes when that is: Held and Digest are of one Due.
func TestReminders_Held(t *testing.T) {
	all := openMemory(t).Reminders()
	at := time.Date(2026, 11, 25, 17, 0, 0, 0, time.UTC)
	r, err := all.Add(t.Context(), event.Reminder{Chat: "main", State: event.ReminderOpen, When: event.When{Zone: "UTC"}, Due: at})
	if err != nil {
		t.Fatal(err)
	}
	change := func(change func(*event.Reminder)) event.Reminder {
		t.Helper()
		changed, err := all.Change(t.Context(), r.ID, func(r *event.Reminder) error { change(r); return nil })
		if err != nil {
			t.Fatal(err)
		}
		return changed
	}
	wantNext := func(want time.Time) {
		t.Helper()
		next, err := all.NextDue(t.Context())
		due, failed := all.Due(t.Context(), want, 9)
		early, broken := all.Due(t.Context(), want.Add(-time.Millisecond), 9)
		if err = errors.Join(err, failed, broken); err != nil || !next.Equal(want) || len(due) != 1 || len(early) != 0 {
			t.Errorf("next is %v, want %v; due then %v, before %v; %v", next, want, due, early, err)
		}
	}
	held := func(r *event.Reminder) { r.Held, r.Digest = at.Add(time.Hour), "d" }
	wantNext(at)
	change(held)
	wantNext(at.Add(time.Hour))
	if got := change(func(r *event.Reminder) { r.Text = "other" }); got.Digest != "d" || got.Held.IsZero() {
		t.Errorf("other words: %+v", got)
	}
	for name, moved := range map[string]func(*event.Reminder){
		"another time":  func(r *event.Reminder) { r.Due = at.Add(time.Minute) },
		"another state": func(r *event.Reminder) { r.State = event.ReminderCancelled },
	} {
		change(func(r *event.Reminder) { r.State, r.Due = event.ReminderOpen, at })
		change(held)
		if got := change(moved); got.Digest != "" || !got.Held.IsZero() {
			t.Errorf("%s: %+v", name, got)
		}
	}
	change(func(r *event.Reminder) { r.State, r.Due, r.Held = event.ReminderOpen, at.Add(2*time.Hour), at })
	wantNext(at.Add(2 * time.Hour))
	change(func(r *event.Reminder) { r.Due, r.Held = time.Time{}, at })
	if next, err := all.NextDue(t.Context()); err != nil || !next.IsZero() {
		t.Errorf("one that is not told again is told at %v, %v", next, err)
	}
}
