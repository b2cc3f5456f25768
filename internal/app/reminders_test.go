package app

import (
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/skills/reminders"
	"hob/internal/store"
)

// Who opens the prompt reads what was told meanwhile and is not done, in that chat and within a day, or later where nobody was shown it.
func TestToldReminders(t *testing.T) {
	dir := t.TempDir()
	env := map[string]string{"HOB_STATE_DIR": dir, "HOME": dir, "HOB_CONFIG": filepath.Join(dir, "none.toml")}
	s, err := (&Loader{Env: func(name string) string { return env[name] }, Stderr: io.Discard}).Load()
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := s.ToldReminders(t.Context(), "main"); len(got) > 0 {
		t.Errorf("without a journal: %q", got)
	}
	db, err := store.Open(t.Context(), s.JournalPath(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []event.Reminder{
		{Chat: "main", Text: "call Ana", Unseen: 1, Last: time.Now(), Seq: 41},
		{Chat: "main", Text: "to come"},
		{Chat: "other", Text: "elsewhere", Unseen: 1, Last: time.Now()},
		{Chat: "main", Text: "long ago", Unseen: 1, Last: time.Now().Add(-48 * time.Hour), Seq: 42},
		{Chat: "main", Text: "never shown", Unseen: 1, Last: time.Now().Add(-48 * time.Hour), Seq: 43},
		{Chat: "main", Timer: true, Unseen: 1, Last: time.Now(), Seq: 44, When: event.When{Start: time.Now().UTC().Add(4 * time.Minute).Format(event.StartLayout)}},
	} {
		r.State, r.When.Zone = event.ReminderOpen, "UTC"
		if _, err := db.Reminders().Add(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s.NoteShown(t.Context(), "main", 42)
	s.NoteShown(t.Context(), "main", 42) // again changes nothing
	s.NoteShown(t.Context(), "telegram/7", 43)
	got, seqs := s.ToldReminders(t.Context(), "main")
	if len(got) != 3 || !strings.HasPrefix(got[0], "⏰ call Ana (told ") || !strings.HasSuffix(got[0], "; /reminder 1 done)") || !strings.HasPrefix(got[1], "⏰ never shown (told ") || !strings.HasPrefix(got[2], "⏰ timer of 4 min (told ") {
		t.Errorf("got %q", got)
	}
	if !slices.Equal(seqs, []int64{41, 43, 44}) {
		t.Errorf("they are the notes %v", seqs)
	}
}

// A reminder is delivered once Telegram has given its message a number, or a terminal has shown it. What was asked for at the terminal is
// on the owner's Telegram, too. What a browser has shown nobody knows.
func TestDelivered(t *testing.T) {
	s := &Environment{}
	db, err := store.OpenMemory(t.Context(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.People().AllowPerson(t.Context(), event.Person{Platform: "telegram", ID: 7, Name: "Ana", Level: event.Owner}); err != nil {
		t.Fatal(err)
	}
	seq := map[event.Chat]int64{}
	for _, chat := range []event.Chat{"main", "telegram/7"} {
		events, err := db.Append(t.Context(), store.Entry{Chat: chat, Body: event.Noted{ID: "reminder/1/1/5", Text: "⏰ tea"}})
		if err != nil {
			t.Fatal(err)
		}
		seq[chat] = events[0].Seq
	}
	is := func(chat event.Chat, want reminders.Delivery) {
		t.Helper()
		if got := s.delivery(t.Context(), db, chat, seq[chat]); got != want {
			t.Errorf("in %s it is %q, want %q", chat, got, want)
		}
	}
	set := func(chat event.Chat, state event.SendState) {
		t.Helper()
		send, err := db.Deliveries().BeginSend(t.Context(), chat, seq[chat], 0)
		if err != nil {
			t.Fatal(err)
		}
		send.State = state
		if err := db.Deliveries().SetSend(t.Context(), send, "", 0); err != nil {
			t.Fatal(err)
		}
	}
	is("main", reminders.Waits)
	is("telegram/7", reminders.NotDelivered)
	s.Page.Listen = "127.0.0.1:1"
	is("main", "")
	is("telegram/7", reminders.NotDelivered)
	s.Page.Listen = ""
	set("telegram/7", event.SendRefused)
	is("telegram/7", reminders.Refused)
	is("main", reminders.Waits)
	set("telegram/7", event.SendSent)
	is("telegram/7", reminders.Delivered)
	is("main", reminders.Delivered)
	set("telegram/7", event.SendHeld)
	is("main", reminders.Waits)
	set("main", event.SendSent)
	is("main", reminders.Delivered)
}
