package files_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/files/changes"
	"hob/internal/tools/files/filestest"
	"hob/internal/tools/files/tree"
	"hob/internal/tools/toolstest"
)

func TestDeleteFile_Success(t *testing.T) {
	w, _ := filestest.NewKept(t)
	w.Put("ws/d/f", "text")
	w.Put("ws/stays", "text")
	w.Put("outside", "text")
	w.Link("stays", "ws/way")
	w.Link("../outside", "ws/out")
	w.Link("nowhere", "ws/dangling")
	if err := os.Link(filepath.Join(w.Base, "outside"), filepath.Join(w.Dir, "hard")); err != nil {
		t.Fatal(err)
	}
	res, err := w.Call("delete_file", `{"path":"d/f"}`)
	toolstest.IsResult(t, res, err, tools.Result{
		Text: "deleted d/f, 4 bytes", Data: `{"path":"d/f","bytes":4}`,
		Effects: []event.Effect{{Kind: "deleted", Target: "d/f", Detail: "4 bytes", Path: filepath.Join(w.Dir, "d/f"), Bytes: 4, Change: 1}},
	})
	// Of a link the link goes, also where it leads out; of several names of a file the one.
	for path, text := range map[string]string{
		"way": "deleted way, a link", "out": "deleted out, a link", "dangling": "deleted dangling, a link",
		"hard": "deleted hard, 4 bytes",
	} {
		if got := w.Text("delete_file", `{"path":"`+path+`"}`); got != text {
			t.Errorf("%s: %s", path, got)
		}
	}
	left := []string{}
	for name := range w.Tree() {
		left = append(left, name)
	}
	if diff := cmp.Diff([]string{".", "outside", "ws", "ws/d", "ws/stays"}, slices.Sorted(slices.Values(left))); diff != "" {
		t.Error(diff)
	}
}

func TestDeleteFile_BadArguments(t *testing.T) {
	w, _ := filestest.NewKept(t)
	w.Put("ws/sub/f", "x")
	for _, c := range []struct{ name, args, code, words string }{
		{"nothing", `{}`, event.CodeRequiredField, "path: is required"},
		{"empty path", `{"path":""}`, event.CodeRequiredField, "the path is empty"},
		{"unknown", `{"path":"sub/f","recursive":true}`, event.CodeInvalidValue, "recursive: unknown argument"},
		{"the workspace", `{"path":"."}`, event.CodeInvalidValue, "is the name of a folder"},
		{"the workspace by a slash", `{"path":"./"}`, event.CodeInvalidValue, "is the name of a folder"},
		{"the workspace by its path", `{"path":"` + w.Dir + `"}`, event.CodeInvalidValue, "is the name of a folder"},
		{"home", `{"path":"~"}`, event.CodeInvalidValue, "is the name of a folder"},
		{"the trap of RemoveAll", `{"path":"sub/.."}`, event.CodeInvalidValue, "is the name of a folder"},
		{"the trap, deeper", `{"path":"sub/x/../.."}`, event.CodeInvalidValue, "is the name of a folder"},
		{"a folder by its dot", `{"path":"sub/."}`, event.CodeInvalidValue, "is the name of a folder"},
		{"a file with a slash", `{"path":"sub/f/"}`, event.CodeInvalidValue, "is the name of a folder"},
		{"out and in", `{"path":"a/../../ws/sub/f"}`, event.CodePathTraversal, "leads out of the workspace"},
		{"a name of hob's", `{"path":".hob-tmp-1"}`, event.CodeInvalidValue, "hob's own"},
		{"a result", `{"path":"out:7"}`, event.CodeInvalidValue, "out:7"},
	} {
		t.Run(c.name, func(t *testing.T) { w.Fails("delete_file", c.args, c.code, c.words) })
	}
}

func TestDeleteFile_Errors(t *testing.T) {
	var docs string
	w, _ := filestest.NewKept(t, func(c *files.Config) {
		docs = filepath.Join(filepath.Dir(c.Dir), "docs")
		if err := os.MkdirAll(filepath.Join(docs, "state"), 0o755); err != nil {
			t.Fatal(err)
		}
		c.Grants = []tree.Grant{{Dir: docs, Write: true}, {Dir: filepath.Join(docs, "state"), Write: false}}
		c.Deny = []string{filepath.Join(docs, "token"), filepath.Join(docs, "config")}
	})
	w.Put("docs/token", "t0ken")
	w.Put("docs/state/f", "x")
	w.Put("real-config", "x")
	w.Link("../real-config", "docs/config")
	w.Put("ws/d/f", "x")
	w.Put("ws/notes.md", "x")
	w.Put("secret", "x")
	w.Link("..", "ws/up")
	w.Special("ws/fifo", func(p string) error { return unix.Mkfifo(p, 0o644) })
	if err := os.Link(filepath.Join(docs, "token"), filepath.Join(w.Dir, "hard")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, path, code, words string }{
		{"missing", "note.md", event.CodeFileNotFound, "there is no file note.md; did you mean notes.md?"},
		{"in a missing folder", "no/such/f", event.CodeFileNotFound, "there is no file no/such/f"},
		{"folder", "d", event.CodeInvalidValue, "d is a folder"},
		{"link to a folder is a link, what is behind it is not ours", "up/secret", event.CodePermissionDenied, "goes through a link that leaves"},
		{"named pipe", "fifo", event.CodeInvalidValue, "fifo is a named pipe"},
		{"outside", "/etc/passwd", event.CodePermissionDenied, "is outside of the workspace"},
		{"up", "../secret", event.CodePathTraversal, "leads out of the workspace"},
		{"hob's own", docs + "/token", event.CodePermissionDenied, "belongs to hob itself"},
		{"hob's own by another name", "hard", event.CodePermissionDenied, "belongs to hob itself"},
		{"a link to hob's own", docs + "/config", event.CodePermissionDenied, "belongs to hob itself"},
		{"read only", docs + "/state/f", event.CodeReadOnly, "open for reading only"},
		{"below a file", "notes.md/x", event.CodeInvalidValue, "a part of its path is a file"},
	} {
		t.Run(c.name, func(t *testing.T) { w.Fails("delete_file", `{"path":"`+c.path+`"}`, c.code, c.words) })
	}
}

func TestDeleteFile_UnchangedState(t *testing.T) {
	w, m := filestest.NewKept(t)
	w.Put("ws/f", "x")
	w.Put("ws/d/g", "y")
	before := w.Tree()
	w.Fails("delete_file", `{"path":"d"}`, event.CodeInvalidValue, "is a folder")
	w.Text("delete_file", `{"path":"f"}`)
	w.Text("delete_file", `{"path":"d/g"}`)
	w.Undo(m, changes.Options{}, m.InForce()...)
	if diff := cmp.Diff(before, w.Tree()); diff != "" {
		t.Errorf("there and back is not the same: %s", diff)
	}
}

// A link that a killed call had moved aside is gone after the next one.
func TestDeleteFile_Leftovers(t *testing.T) {
	w, _ := filestest.NewKept(t)
	w.Link("nowhere", "ws/.hob-tmp-OLD")
	w.Put("ws/f", "x")
	w.Text("delete_file", `{"path":"f"}`)
	if names, err := os.ReadDir(w.Dir); err != nil || len(names) > 0 {
		t.Errorf("there is %v, %v", names, err)
	}
}

// Whoever can delete a folder as a whole will one day delete the wrong one: no file tool does.
func TestNoToolRemovesTrees(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	looked := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		looked++
		if strings.Contains(string(raw), ".RemoveAll(") {
			t.Errorf("%s calls RemoveAll", name)
		}
	}
	if looked < 10 {
		t.Errorf("only %d files were looked at", looked)
	}
}
