package lists_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/skills"
	"hob/internal/skills/lists"
	"hob/internal/store"
	"hob/internal/store/storetest"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/files/changes"
)

// reporter is what testing.T and rapid.T have in common.
type reporter interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
	Errorf(string, ...any)
}

// world is a workspace with the skill in it.
type world struct {
	t     reporter
	ctx   context.Context
	dir   string
	files *files.FileTool
	skill skills.Skill
	log   *store.Changes
}

// args are the arguments of a call.
type args map[string]any

func newWorld(t *testing.T, adjust ...func(*files.Config)) *world {
	t.Helper()
	db := storetest.Open(t, time.Now)
	w := &world{t: t, ctx: t.Context(), dir: t.TempDir(), log: db.Changes(store.Limits{})}
	cfg := files.Config{Dir: w.dir, Log: w.log, Origins: db.Origins()}
	for _, f := range adjust {
		f(&cfg)
	}
	var err error
	if w.files, err = files.New(cfg); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.files.Close() })
	w.skill = lists.New(w.files)
	return w
}

// from is the world in a turn with that label.
func (w world) from(l event.Label) *world {
	w.ctx = tools.WithCaller(w.ctx, tools.Caller{Chat: "main", Turn: 1, Label: l})
	return &w
}

func (w *world) call(tool string, in args) (tools.Result, error) {
	w.t.Helper()
	raw, err := json.Marshal(in)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, t := range w.skill.Tools {
		if t.Name() == tool {
			return tools.Call(w.ctx, t, raw)
		}
	}
	w.t.Fatalf("there is no tool %s", tool)
	return tools.Result{}, nil
}

// must calls a tool that must succeed.
func (w *world) must(tool string, in args) tools.Result {
	w.t.Helper()
	res, err := w.call(tool, in)
	if err != nil {
		w.t.Fatalf("%s %v: %v", tool, in, err)
	}
	return res
}

// says calls a tool that must succeed with those words, and change so many files.
func (w *world) says(want string, effects int, tool string, in args) {
	w.t.Helper()
	if res := w.must(tool, in); res.Text != want || len(res.Effects) != effects {
		w.t.Errorf("%s %v: %q with %d effects, want %q with %d", tool, in, res.Text, len(res.Effects), want, effects)
	}
}

// fails calls a tool that must fail with a code and those words, and change nothing.
func (w *world) fails(code, want, tool string, in args) {
	w.t.Helper()
	before := w.changes()
	res, err := w.call(tool, in)
	e := (*tools.Error)(nil)
	if !errors.As(err, &e) || e.Code != code || len(res.Effects) > 0 {
		w.t.Fatalf("%s %v: %+v, %v; want the code %s", tool, in, res, err, code)
	}
	if got := e.Message + ": " + e.Suggestion; got != want {
		w.t.Errorf("%s %v: %q, want %q", tool, in, got, want)
	}
	if after := w.changes(); len(after) != len(before) {
		w.t.Errorf("%s %v changed something: %v", tool, in, after)
	}
}

// changes returns all changes, the newest first.
func (w *world) changes() []event.Change {
	w.t.Helper()
	all, err := w.log.Since(w.ctx, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

// undo takes back the newest change that is in force.
func (w *world) undo() {
	w.t.Helper()
	all := w.changes()
	last := changes.LastCall(all, "")
	if len(last) != 1 {
		w.t.Fatalf("the last call made %d changes", len(last))
	}
	if _, err := w.files.Changes().Undo(w.ctx, all, slices.Clone(last), changes.Options{}); err != nil {
		w.t.Fatal(err)
	}
}

// page returns a file of the folder lists, "" where there is none.
func (w *world) page(name string) string {
	w.t.Helper()
	raw, err := os.ReadFile(filepath.Join(w.dir, "lists", name))
	if err != nil && !os.IsNotExist(err) {
		w.t.Fatal(err)
	}
	return string(raw)
}

func (w *world) write(name, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Join(w.dir, "lists"), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.dir, "lists", name), []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}
