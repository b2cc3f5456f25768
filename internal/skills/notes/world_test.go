package notes_test

import (
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/skills"
	"hob/internal/skills/notes"
	"hob/internal/skills/pages"
	"hob/internal/skills/skillstest"
	"hob/internal/tools"
	"hob/internal/tools/files"
)

// world is a workspace with the skill in it.
type world struct {
	skillstest.World
	day time.Time
}

func newWorld(t *testing.T, adjust ...func(*files.Config)) *world {
	t.Helper()
	w := &world{day: time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)}
	w.World = *skillstest.New(t, "notes", func(f pages.Files) skills.Skill { return notes.New(f, func() time.Time { return w.day }) }, adjust...)
	return w
}

// from is the world in a turn with that label.
func (w world) from(l event.Label) *world {
	w.World = *w.From(l)
	return &w
}

func strange() event.Label { return event.Label{Untrusted: true, Source: "web:page.example"} }

func (w *world) add(text, topic string) tools.Result {
	w.T.Helper()
	return w.Must("note_add", map[string]string{"text": text, "topic": topic})
}

func (w *world) find(query, topic string) string {
	w.T.Helper()
	return w.Must("note_find", map[string]string{"query": query, "topic": topic}).Text
}

// fails calls a tool that must fail with a code, and returns what it says.
func (w *world) fails(tool string, args map[string]string, code string) string {
	w.T.Helper()
	e := w.Fails(tool, args, code)
	return e.Message + "; " + e.Suggestion
}
