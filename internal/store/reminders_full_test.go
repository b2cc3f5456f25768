package store

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/event"
	"hob/internal/schedule"

	"github.com/google/go-cmp/cmp"
)

// On a full disk nothing is half told. What is due is told as soon as there is room, each reminder once and in order, also where there
// is room for its note and none to record it.
func TestNoRoomForReminders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := mustOpen(t, newPath(t))
		begin := time.Now()
		due := begin.Add(time.Hour)
		long := strings.Repeat("long ", 300) // so that a few take a page
		var want, got []int64
		for n := range 30 {
			r, err := db.Reminders().Add(t.Context(), event.Reminder{
				Chat: "main", State: event.ReminderOpen, When: event.When{Zone: "UTC"}, Text: long, Due: due.Add(time.Duration(n) * time.Millisecond),
			})
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, r.ID)
		}
		pages, err := value[int](t.Context(), db.read, "PRAGMA page_count")
		if err != nil {
			t.Fatal(err)
		}
		run(t, db, fmt.Sprintf("PRAGMA max_page_count = %d", pages))
		_, err = db.Append(t.Context(), Entry{Chat: "other", Body: event.Noted{Text: strings.Repeat(long, 50)}})
		wantFileError(t, err, ErrFull, "make room")

		failed := 0
		s := schedule.New(schedule.Config{
			Store: db.Reminders(), Now: time.Now, Log: slog.New(slog.DiscardHandler),
			Tell: func(ctx context.Context, chat event.Chat, note event.Noted) (int64, error) {
				seq, err := db.Keyed(ctx, chat, event.Key(note))
				if err != nil || seq > 0 {
					return seq, err
				}
				events, err := db.Append(ctx, Entry{Chat: chat, Body: note})
				if err != nil {
					failed++
					return 0, err
				}
				return events[0].Seq, nil
			},
		})
		ctx, cancel := context.WithCancel(context.Background())
		over := make(chan struct{})
		go func() { s.Run(ctx); close(over) }()
		<-time.After(65 * time.Minute)
		for room := range 60 { // a page more every two minutes
			run(t, db, fmt.Sprintf("PRAGMA max_page_count = %d", pages+room))
			<-time.After(2 * time.Minute)
		}
		synctest.Wait()
		cancel()
		<-over
		for e, err := range db.Chat(t.Context(), "main", 0) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, e.Body.(event.Noted).Reminder)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("told (-want +got)\n%s", d)
		}
		all, err := db.Reminders().Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range all {
			if r.Sent != 1 || !r.Due.IsZero() {
				t.Errorf("reminder %d was told %d times and is due %v", r.ID, r.Sent, r.Due)
			}
		}
		if failed == 0 {
			t.Error("the disk was never full for a note: this proves nothing")
		}
	})
}
