package files_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/changes"
	"hob/internal/tools/files/filestest"
	"hob/internal/tools/toolstest"
)

func TestMakeFolder_Success(t *testing.T) {
	w, m := filestest.NewKept(t)
	before := w.Tree()
	res, err := w.Call("make_folder", `{"path":"recipes/soups/"}`)
	toolstest.IsResult(t, res, err, tools.Result{
		Text: "made the folder recipes/soups/", Data: `{"path":"recipes/soups/"}`,
		Effects: []event.Effect{{Kind: "made", Target: "recipes/soups/", Path: filepath.Join(w.Dir, "recipes/soups"), Change: 1}},
	})
	made := w.Tree()
	if diff := cmp.Diff(filestest.Node{Mode: fs.ModeDir | 0o755}, made["ws/recipes/soups"]); diff != "" {
		t.Error(diff)
	}
	// It is taken back with the one above it, and comes again.
	undone := w.Undo(m, changes.Options{}, 1)
	if diff := cmp.Diff(before, w.Tree()); diff != "" {
		t.Errorf("taken back (-want +got):\n%s", diff)
	}
	w.Undo(m, changes.Options{}, undone[0].By.ID)
	if diff := cmp.Diff(made, w.Tree()); diff != "" {
		t.Errorf("made again (-want +got):\n%s", diff)
	}
	// What has something in it stays.
	w.Put("ws/recipes/soups/leek.md", "leek")
	w.Undo(m, changes.Options{}, m.InForce()...)
	if got := w.Content("ws/recipes/soups/leek.md"); got != "leek" {
		t.Errorf("what was put into it holds %q", got)
	}
}

func TestMakeFolder_BadArguments(t *testing.T) {
	w, _ := filestest.NewKept(t)
	for _, c := range []struct{ name, args, code, words string }{
		{"nothing", `{}`, event.CodeRequiredField, "path: is required"},
		{"empty", `{"path":""}`, event.CodeRequiredField, "the path is empty"},
		{"the workspace", `{"path":"."}`, event.CodeInvalidValue, "exists already"},
		{"out", `{"path":"../g"}`, event.CodePathTraversal, "leads out of the workspace"},
		{"a name of hob's", `{"path":".hob-tmp-1"}`, event.CodeInvalidValue, "hob's own"},
		{"a result", `{"path":"out:7"}`, event.CodeInvalidValue, "out:7"},
	} {
		t.Run(c.name, func(t *testing.T) { w.Fails("make_folder", c.args, c.code, c.words) })
	}
}

func TestMakeFolder_Errors(t *testing.T) {
	w, docs := closedAndOpen(t)
	for _, c := range []struct{ name, path, code, words string }{
		{"a folder", "d", event.CodeInvalidValue, "d exists already"},
		{"a file", "f", event.CodeInvalidValue, "f exists already"},
		{"in a file", "f/e", event.CodeInvalidValue, "a part of its path is a file"},
		{"out by a link", "up/e", event.CodePermissionDenied, "goes through a link that leaves"},
		{"outside", "/tmp/e", event.CodePermissionDenied, "is outside of the workspace"},
		{"in git", ".git/hooks", event.CodePermissionDenied, "belongs to git"},
		{"a git", "new/.git", event.CodePermissionDenied, "belongs to git"},
		{"in what is read only", docs + "/e", event.CodeReadOnly, "open for reading only"},
	} {
		t.Run(c.name, func(t *testing.T) { w.Fails("make_folder", `{"path":"`+c.path+`"}`, c.code, c.words) })
	}
}

// A folder that cannot be kept for undo is not made, nor are those above it.
func TestMakeFolder_UnchangedState(t *testing.T) {
	w, m := filestest.NewKept(t)
	before := w.Tree()
	m.Failing = errors.New("the disk is full")
	w.Fails("make_folder", `{"path":"a/b"}`, event.CodeExecutionFailed, "could not be kept for undo")
	if diff := cmp.Diff(before, w.Tree()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The name that a stranger gave a folder is marked, and those above it.
func TestMakeFolder_Origins(t *testing.T) {
	w := filestest.NewMarked(t)
	w.Must(filestest.Strange(), "make_folder", `{"path":"a/b"}`)
	w.Must(event.Label{}, "make_folder", `{"path":"mine"}`)
	if diff := cmp.Diff([]string{"a/" + filestest.NameMark, "a/b/" + filestest.NameMark}, w.Now()); diff != "" {
		t.Errorf("marks (-want +got):\n%s", diff)
	}
}
