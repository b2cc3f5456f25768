package app

import (
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/store"
)

// Who opens the prompt reads what was told meanwhile and is not done, in that chat and within a day.
func TestToldReminders(t *testing.T) {
	dir := t.TempDir()
	env := map[string]string{"HOB_STATE_DIR": dir, "HOME": dir, "HOB_CONFIG": filepath.Join(dir, "none.toml")}
	s, err := (&Loader{Env: func(name string) string { return env[name] }, Stderr: io.Discard}).Load()
	if err != nil {
		t.Fatal(err)
	}
	if got := s.ToldReminders(t.Context(), "main"); len(got) > 0 {
		t.Errorf("without a journal: %q", got)
	}
	db, err := store.Open(t.Context(), s.JournalPath(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []event.Reminder{
		{Chat: "main", Text: "call Ana", Unseen: 1, Last: time.Now()},
		{Chat: "main", Text: "to come"},
		{Chat: "other", Text: "elsewhere", Unseen: 1, Last: time.Now()},
		{Chat: "main", Text: "long ago", Unseen: 1, Last: time.Now().Add(-48 * time.Hour)},
	} {
		r.State, r.When = event.ReminderOpen, event.When{Zone: "UTC"}
		if _, err := db.Reminders().Add(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	got := s.ToldReminders(t.Context(), "main")
	if len(got) != 1 || !strings.HasPrefix(got[0], "⏰ call Ana (told ") || !strings.HasSuffix(got[0], "; /reminder 1 done)") {
		t.Errorf("got %q", got)
	}
}
