package notes_test

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
	"hob/internal/skills/notes"
	"hob/internal/store"
	"hob/internal/store/storetest"
	"hob/internal/tools"
	"hob/internal/tools/files"
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
	said  *store.Changes
	day   time.Time
}

func newWorld(t *testing.T, adjust ...func(*files.Config)) *world {
	t.Helper()
	db := storetest.Open(t, time.Now)
	w := &world{t: t, ctx: t.Context(), dir: t.TempDir(), day: time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC), said: db.Changes(store.Limits{})}
	cfg := files.Config{Dir: w.dir, Log: w.said, Origins: db.Origins()}
	for _, f := range adjust {
		f(&cfg)
	}
	var err error
	if w.files, err = files.New(cfg); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.files.Close() })
	w.skill = notes.New(w.files, func() time.Time { return w.day })
	return w
}

// from is the world in a turn with that label.
func (w world) from(l event.Label) *world {
	w.ctx = tools.WithCaller(w.ctx, tools.Caller{Chat: "main", Turn: 1, Label: l})
	return &w
}

func strange() event.Label { return event.Label{Untrusted: true, Source: "web:page.example"} }

func (w *world) call(tool string, args map[string]string) (tools.Result, error) {
	w.t.Helper()
	raw, err := json.Marshal(args)
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
func (w *world) must(tool string, args map[string]string) tools.Result {
	w.t.Helper()
	res, err := w.call(tool, args)
	if err != nil {
		w.t.Fatalf("%s %v: %v", tool, args, err)
	}
	return res
}

func (w *world) add(text, topic string) tools.Result {
	w.t.Helper()
	return w.must("note_add", map[string]string{"text": text, "topic": topic})
}

func (w *world) find(query, topic string) string {
	w.t.Helper()
	return w.must("note_find", map[string]string{"query": query, "topic": topic}).Text
}

// fails calls a tool that must fail with a code, and returns what it says.
func (w *world) fails(tool string, args map[string]string, code string) string {
	w.t.Helper()
	res, err := w.call(tool, args)
	e := (*tools.Error)(nil)
	if !errors.As(err, &e) || e.Code != code || len(res.Effects) > 0 {
		w.t.Fatalf("%s %v: %+v, %v; want the code %s", tool, args, res, err, code)
	}
	return e.Message + "; " + e.Suggestion
}

func (w *world) page(name string) string {
	w.t.Helper()
	raw, err := os.ReadFile(filepath.Join(w.dir, "notes", name))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(raw)
}

func (w *world) write(name, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Join(w.dir, "notes"), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.dir, "notes", name), []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}
