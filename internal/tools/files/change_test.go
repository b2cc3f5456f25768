package files_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/filestest"
	"hob/internal/tools/toolstest"
)

func TestChange(t *testing.T) {
	w, m := filestest.NewKept(t)
	w.Put("ws/mark.md", "\ufeffone")
	w.Link("mark.md", "ws/link.md")
	w.Put("ws/latin.md", "\xe9t\xe9")
	var seen string
	add := func(text string) (string, error) { seen = text; return text + "+", nil }
	for _, c := range []struct{ path, kind, before, after string }{
		{"new/deep.md", "wrote", "", "+"}, {"new/deep.md", "edited", "+", "++"}, {"mark.md", "edited", "one", "\ufeffone+"}, {"link.md", "edited", "one+", ""},
	} {
		res, err := w.Files.Change(t.Context(), c.path, "note_add", add)
		if err != nil || seen != c.before || len(res.Effects) != 1 || res.Effects[0].Kind != c.kind {
			t.Errorf("%s: saw %q, %+v, %v", c.path, seen, res, err)
		}
		if raw, err := os.ReadFile(filepath.Join(w.Dir, c.path)); c.after != "" && (err != nil || string(raw) != c.after) {
			t.Errorf("%s holds %q, %v", c.path, raw, err)
		}
	}
	if n := len(m.Changes); n == 0 || m.Changes[n-1].Tool != "note_add" {
		t.Errorf("for undo are kept %+v", m.Changes)
	}

	before := w.Tree()
	mine := errors.New("my own")
	if _, err := w.Files.Change(t.Context(), "gone/x.md", "note_add", func(string) (string, error) { return "", mine }); !errors.Is(err, mine) {
		t.Error(err)
	}
	res, err := w.Files.Change(t.Context(), "gone/x.md", "note_add", func(text string) (string, error) { return text, nil })
	if err != nil || len(res.Effects) > 0 {
		t.Errorf("nothing to write: %+v, %v", res, err)
	}
	for path, code := range map[string]string{
		"latin.md": event.CodeInvalidFormat, "../x": event.CodePathTraversal, "new": event.CodeInvalidValue, "": event.CodeRequiredField, "out:7": event.CodeInvalidValue,
		".git/config": event.CodePermissionDenied,
	} {
		_, err := w.Files.Change(t.Context(), path, "note_add", add)
		toolstest.IsError(t, err, code, "")
	}
	if diff := cmp.Diff(before, w.Tree()); diff != "" {
		t.Errorf("failed and changed something (-before +after):\n%s", diff)
	}
}

// What strangers wrote stays theirs, whoever loads or changes it.
func TestChangeLabels(t *testing.T) {
	w := filestest.NewMarked(t)
	ctx := tools.WithCaller(t.Context(), tools.Caller{Chat: "main", Turn: 1, Label: filestest.Strange()})
	change := func(ctx context.Context, path string) tools.Result {
		t.Helper()
		res, err := w.Files.Change(ctx, path, "note_add", func(text string) (string, error) { return text + "x", nil })
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	if l := change(t.Context(), "own.md").Label; l != (event.Label{Private: true, Source: "file:own.md"}) {
		t.Errorf("an own file has the label %+v", l)
	}
	change(ctx, "theirs.md")
	w.Link("theirs.md", "ws/link.md")
	for _, path := range []string{"theirs.md", "link.md"} {
		text, l, err := w.Files.Load(t.Context(), path)
		if err != nil || !strings.HasPrefix(text, "x") || !l.Untrusted || !l.Private {
			t.Errorf("%s: %q, %+v, %v", path, text, l, err)
		}
		if l := change(t.Context(), path).Label; !l.Untrusted {
			t.Errorf("%s has the label %+v", path, l)
		}
	}
	if text, l, err := w.Files.Load(t.Context(), "own.md"); err != nil || text != "x" || l.Untrusted || !l.Private {
		t.Errorf("%q, %+v, %v", text, l, err)
	}
	_, l, err := w.Files.Load(t.Context(), "their.md")
	toolstest.IsError(t, err, event.CodeFileNotFound, "theirs.md")
	if !l.Untrusted {
		t.Errorf("an error that names theirs has the label %+v", l)
	}
	w.Put("ws/binary.md", "\x00")
	_, _, err = w.Files.Load(t.Context(), "binary.md")
	toolstest.IsError(t, err, event.CodeInvalidFormat, "no text")
	_, _, err = w.Files.Load(t.Context(), "../x")
	toolstest.IsError(t, err, event.CodePathTraversal, "")
}
