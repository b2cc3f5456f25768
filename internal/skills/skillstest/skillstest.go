// Package skillstest is a workspace with a skill in it, for the tests of skills that keep what they know in files.
package skillstest

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/skills"
	"hob/internal/skills/pages"
	"hob/internal/store"
	"hob/internal/store/storetest"
	"hob/internal/tools"
	"hob/internal/tools/files"
)

// T is a test, of rapid's or of the standard library.
type T interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
	Errorf(string, ...any)
}

// World is a workspace with a skill in it.
type World struct {
	T       T
	Context context.Context // of the calls
	Dir     string
	Log     *store.Changes
	Files   *files.FileTool
	Skill   skills.Skill
	folder  string // that the skill keeps
}

// New makes a world with a skill that keeps a folder of the workspace.
func New(t *testing.T, folder string, skill func(pages.Files) skills.Skill, adjust ...func(*files.Config)) *World {
	t.Helper()
	db := storetest.Open(t, time.Now)
	w := &World{T: t, Context: t.Context(), Dir: t.TempDir(), Log: db.Changes(store.Limits{}), folder: folder}
	cfg := files.Config{Dir: w.Dir, Log: w.Log, Origins: db.Origins()}
	for _, f := range adjust {
		f(&cfg)
	}
	var err error
	if w.Files, err = files.New(cfg); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Files.Close() })
	w.Skill = skill(w.Files)
	return w
}

// From is the world in a turn with that label.
func (w World) From(l event.Label) *World {
	w.Context = tools.WithCaller(w.Context, tools.Caller{Chat: "main", Turn: 1, Label: l})
	return &w
}

// Call calls a tool of the skill.
func (w *World) Call(tool string, args any) (tools.Result, error) {
	w.T.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		w.T.Fatal(err)
	}
	for _, t := range w.Skill.Tools {
		if t.Name() == tool {
			return tools.Call(w.Context, t, raw)
		}
	}
	w.T.Fatalf("there is no tool %s", tool)
	return tools.Result{}, nil
}

// Must calls a tool that must succeed.
func (w *World) Must(tool string, args any) tools.Result {
	w.T.Helper()
	res, err := w.Call(tool, args)
	if err != nil {
		w.T.Fatalf("%s %v: %v", tool, args, err)
	}
	return res
}

// Fails calls a tool that must fail with a code and have done nothing, and returns its error.
func (w *World) Fails(tool string, args any, code string) *tools.Error {
	w.T.Helper()
	res, err := w.Call(tool, args)
	e := (*tools.Error)(nil)
	if !errors.As(err, &e) || e.Code != code || len(res.Effects) > 0 {
		w.T.Fatalf("%s %v: %+v, %v; want the code %s", tool, args, res, err, code)
	}
	return e
}

// Page returns a file of the skill's folder, "" where there is none.
func (w *World) Page(name string) string {
	w.T.Helper()
	raw, err := os.ReadFile(filepath.Join(w.Dir, w.folder, name))
	if err != nil && !os.IsNotExist(err) {
		w.T.Fatal(err)
	}
	return string(raw)
}

// Write writes a file of the skill's folder beside the tools' back.
func (w *World) Write(name, text string) {
	w.T.Helper()
	if err := os.MkdirAll(filepath.Join(w.Dir, w.folder), 0o755); err != nil {
		w.T.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.Dir, w.folder, name), []byte(text), 0o644); err != nil {
		w.T.Fatal(err)
	}
}
