package lists_test

import (
	"slices"
	"testing"

	"hob/internal/event"
	"hob/internal/skills/lists"
	"hob/internal/skills/skillstest"
	"hob/internal/tools/files"
	"hob/internal/tools/files/changes"
)

// world is a workspace with the skill in it.
type world struct{ skillstest.World }

func newWorld(t *testing.T, adjust ...func(*files.Config)) *world {
	t.Helper()
	return &world{*skillstest.New(t, "lists", lists.New, adjust...)}
}

// args are the arguments of a call.
type args map[string]any

// says calls a tool that must succeed with those words, and change so many files.
func (w *world) says(want string, effects int, tool string, in args) {
	w.T.Helper()
	if res := w.Must(tool, in); res.Text != want || len(res.Effects) != effects {
		w.T.Errorf("%s %v: %q with %d effects, want %q with %d", tool, in, res.Text, len(res.Effects), want, effects)
	}
}

// fails calls a tool that must fail with a code and those words, and change nothing.
func (w *world) fails(code, want, tool string, in args) {
	w.T.Helper()
	before := w.changes()
	e := w.Fails(tool, in, code)
	if got := e.Message + ": " + e.Suggestion; got != want {
		w.T.Errorf("%s %v: %q, want %q", tool, in, got, want)
	}
	if after := w.changes(); len(after) != len(before) {
		w.T.Errorf("%s %v changed something: %v", tool, in, after)
	}
}

// changes returns all changes, the newest first.
func (w *world) changes() []event.Change {
	w.T.Helper()
	all, err := w.Log.Since(w.Context, 0)
	if err != nil {
		w.T.Fatal(err)
	}
	return all
}

// undo takes back the newest change that is in force.
func (w *world) undo() {
	w.T.Helper()
	all := w.changes()
	last := changes.LastCall(all, "")
	if len(last) != 1 {
		w.T.Fatalf("the last call made %d changes", len(last))
	}
	if _, err := w.Files.Changes().Undo(w.Context, all, slices.Clone(last), changes.Options{}); err != nil {
		w.T.Fatal(err)
	}
}
