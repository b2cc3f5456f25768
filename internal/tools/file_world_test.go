package tools_test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/tools"
)

// fileWorld is a workspace and the folder around it, in which nothing may ever change.
type fileWorld struct {
	t    *testing.T
	base string // holds the workspace "ws" and the outside world
	dir  string // the workspace
	file *tools.FileTool
}

func newFileWorld(t *testing.T, adjust ...func(*tools.FileConfig)) *fileWorld {
	t.Helper()
	w := &fileWorld{t: t, base: t.TempDir()}
	w.dir = filepath.Join(w.base, "ws")
	cfg := tools.FileConfig{Dir: w.dir}
	for _, f := range adjust {
		f(&cfg)
	}
	var err error
	if w.file, err = tools.NewFileTool(cfg); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.file.Close() })
	return w
}

// put makes a file beside the tools' back. Its path is relative to the folder around the workspace.
func (w *fileWorld) put(path, content string) {
	w.t.Helper()
	full := filepath.Join(w.base, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *fileWorld) link(target, path string) {
	w.t.Helper()
	if err := os.Symlink(target, filepath.Join(w.base, path)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *fileWorld) call(tool, args string) (tools.Result, error) {
	w.t.Helper()
	for _, t := range w.file.Tools() {
		if t.Name() == tool {
			return tools.Call(w.t.Context(), t, json.RawMessage(args))
		}
	}
	w.t.Fatalf("there is no tool %s", tool)
	return tools.Result{}, nil
}

// text calls a tool that must succeed.
func (w *fileWorld) text(tool, args string) string {
	w.t.Helper()
	res, err := w.call(tool, args)
	if err != nil {
		w.t.Fatalf("%s %s: %v", tool, args, err)
	}
	return res.Text
}

// fails calls a tool that must fail with the code and some words of the message, and change nothing.
func (w *fileWorld) fails(tool, args, code, words string) {
	w.t.Helper()
	before := w.tree()
	res, err := w.call(tool, args)
	isError(w.t, err, code, words)
	if res.Text != "" || len(res.Effects) != 0 {
		w.t.Errorf("%s %s failed and still has the result %+v", tool, args, res)
	}
	if diff := cmp.Diff(before, w.tree()); diff != "" {
		w.t.Errorf("%s %s failed and changed something (-before +after):\n%s", tool, args, diff)
	}
}

// isError checks the code of a typed error and that its message and suggestion hold words.
func isError(t *testing.T, err error, code, words string) {
	t.Helper()
	e := (*tools.Error)(nil)
	if !errors.As(err, &e) {
		t.Errorf("error is %v, want a *tools.Error of code %s", err, code)
		return
	}
	if said := e.Message + "; " + e.Suggestion; e.Code != code || !strings.Contains(said, words) {
		t.Errorf("error is %s %q, want %s with %q", e.Code, said, code, words)
	}
	want := map[string]string{
		event.CodeRequiredField: event.TypeValidation, event.CodeInvalidFormat: event.TypeValidation,
		event.CodeInvalidValue: event.TypeValidation, event.CodePathTraversal: event.TypePermission,
		event.CodePermissionDenied: event.TypePermission, event.CodeReadOnly: event.TypePermission,
		event.CodeFileNotFound: event.TypeNotFound, event.CodeDirNotFound: event.TypeNotFound,
		event.CodeTimeout: event.TypeTimeout, event.CodeCancelled: event.TypeExecution,
		event.CodeToolNotFound: event.TypeNotFound,
	}
	if typ := want[code]; typ != "" && e.Type != typ {
		t.Errorf("error %s has the type %s, want %s", e.Code, e.Type, typ)
	}
}

// node is a file, folder or link as it is on the disk.
type node struct {
	Mode    fs.FileMode
	Content string // of a file; the target of a link
}

// tree returns everything in and around the workspace.
func (w *fileWorld) tree() map[string]node {
	w.t.Helper()
	nodes := map[string]node{}
	err := filepath.WalkDir(w.base, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		n := node{Mode: info.Mode()}
		switch {
		case info.Mode().IsRegular() && info.Size() < 1<<20:
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			n.Content = string(raw)
		case info.Mode()&fs.ModeSymlink != 0:
			if n.Content, err = os.Readlink(path); err != nil {
				return err
			}
		}
		rel, err := filepath.Rel(w.base, path)
		nodes[rel] = n
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return nodes
}

// content returns a file's content, "" for a file that is not there.
func (w *fileWorld) content(path string) string { return w.tree()[path].Content }

// mkfifo and the like make what is no regular file.
func (w *fileWorld) special(path string, mknod func(string) error) {
	w.t.Helper()
	if err := mknod(filepath.Join(w.base, path)); err != nil {
		w.t.Fatal(err)
	}
}

// did is the receipt for a file of the workspace that was written.
func (w *fileWorld) did(kind, path, content, detail string) event.Effect {
	return event.Effect{
		Kind: kind, Target: path, Detail: detail,
		Path: filepath.Join(w.dir, path), Bytes: int64(len(content)), Sum: fmt.Sprintf("%x", sha256.Sum256([]byte(content))),
	}
}

func sorted(list []string) []string {
	slices.Sort(list)
	return list
}
