package store

import (
	"fmt"
	"testing"
	"time"

	"hob/internal/event"
)

// A reminder that cannot be read keeps no other from being told, and a list of all says that there is one.
func TestReminders_Damaged(t *testing.T) {
	db := mustOpen(t, newPath(t))
	at := time.Date(2026, 11, 25, 17, 0, 0, 0, time.UTC)
	for n := range 3 {
		r := event.Reminder{Chat: "main", State: event.ReminderOpen, When: event.When{Zone: "UTC"}, Text: fmt.Sprint(n), Due: at.Add(time.Duration(n) * time.Minute)}
		if _, err := db.Reminders().Add(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	run(t, db, `UPDATE reminder SET body = '{"id": 1, "te' WHERE id = 1`)
	due, err := db.Reminders().Due(t.Context(), at.Add(time.Hour), 9)
	if err != nil || len(due) != 2 || due[0].Text != "1" {
		t.Errorf("Due = %v, %v: want the other two", due, err)
	}
	if next, err := db.Reminders().NextDue(t.Context()); err != nil || !next.Equal(at.Add(time.Minute)) {
		t.Errorf("NextDue = %v, %v: want that of the second", next, err)
	}
	if all, err := db.Reminders().Open(t.Context()); err == nil {
		t.Errorf("Open = %v: want an error", all)
	}
}
