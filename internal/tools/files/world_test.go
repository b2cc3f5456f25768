package files_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/toolstest"
)

// fileWorld is a workspace and the folder around it, in which nothing may ever change.
type fileWorld struct {
	t    *testing.T
	base string // holds the workspace "ws" and the outside world
	dir  string // the workspace
	file *files.Workspace

	once sync.Once
	made []tools.Tool // of file
}

func newFileWorld(t *testing.T, adjust ...func(*files.Config)) *fileWorld {
	t.Helper()
	w := &fileWorld{t: t, base: t.TempDir()}
	w.dir = filepath.Join(w.base, "ws")
	cfg := files.Config{Dir: w.dir}
	for _, f := range adjust {
		f(&cfg)
	}
	var err error
	if w.file, err = files.New(cfg); err != nil {
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

// tool returns the tool of that name. They are made once: it takes longer than most calls do.
func (w *fileWorld) tool(name string) tools.Tool {
	w.once.Do(func() { w.made = w.file.Tools() })
	for _, t := range w.made {
		if t.Name() == name {
			return t
		}
	}
	return nil
}

func (w *fileWorld) call(tool, args string) (tools.Result, error) {
	w.t.Helper()
	t := w.tool(tool)
	if t == nil {
		w.t.Fatalf("there is no tool %s", tool)
	}
	return tools.Call(w.t.Context(), t, json.RawMessage(args))
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
	toolstest.IsError(w.t, err, code, words)
	if res.Text != "" || len(res.Effects) != 0 {
		w.t.Errorf("%s %s failed and still has the result %+v", tool, args, res)
	}
	if diff := cmp.Diff(before, w.tree()); diff != "" {
		w.t.Errorf("%s %s failed and changed something (-before +after):\n%s", tool, args, diff)
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
