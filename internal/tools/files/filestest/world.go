// Package filestest is for tests of the file tools and of the packages below them: a workspace with the folder around it, a log of
// changes and a store of origins that can fail.
package filestest

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/linux"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/toolstest"
)

// World is a workspace and the folder around it, in which nothing may ever change.
type World struct {
	T     *testing.T
	Base  string // holds the workspace "ws" and the outside world
	Dir   string // the workspace
	Files *files.FileTool

	once sync.Once
	made []tools.Tool // of Files
}

// New makes a world.
func New(t *testing.T, adjust ...func(*files.Config)) *World {
	t.Helper()
	w := &World{T: t, Base: t.TempDir()}
	w.Dir = filepath.Join(w.Base, "ws")
	cfg := files.Config{Dir: w.Dir}
	for _, f := range adjust {
		f(&cfg)
	}
	var err error
	if w.Files, err = files.New(cfg); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Files.Close() })
	return w
}

// Put makes a file beside the tools' back. Its path is relative to the folder around the workspace.
func (w *World) Put(path, content string) {
	w.T.Helper()
	full := filepath.Join(w.Base, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		w.T.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		w.T.Fatal(err)
	}
}

func (w *World) Link(target, path string) {
	w.T.Helper()
	if err := os.Symlink(target, filepath.Join(w.Base, path)); err != nil {
		w.T.Fatal(err)
	}
}

// Tool returns the tool of that name. They are made once: it takes longer than most calls do.
func (w *World) Tool(name string) tools.Tool {
	w.once.Do(func() { w.made = w.Files.Tools() })
	for _, t := range w.made {
		if t.Name() == name {
			return t
		}
	}
	return nil
}

func (w *World) Call(tool, args string) (tools.Result, error) {
	w.T.Helper()
	t := w.Tool(tool)
	if t == nil {
		w.T.Fatalf("there is no tool %s", tool)
	}
	return tools.Call(w.T.Context(), t, json.RawMessage(args))
}

// Text calls a tool that must succeed.
func (w *World) Text(tool, args string) string {
	w.T.Helper()
	res, err := w.Call(tool, args)
	if err != nil {
		w.T.Fatalf("%s %s: %v", tool, args, err)
	}
	return res.Text
}

// Fails calls a tool that must fail with the code and some words of the message, and change nothing.
func (w *World) Fails(tool, args, code, words string) {
	w.T.Helper()
	before := w.Tree()
	res, err := w.Call(tool, args)
	toolstest.IsError(w.T, err, code, words)
	if res.Text != "" || len(res.Effects) != 0 {
		w.T.Errorf("%s %s failed and still has the result %+v", tool, args, res)
	}
	if diff := cmp.Diff(before, w.Tree()); diff != "" {
		w.T.Errorf("%s %s failed and changed something (-before +after):\n%s", tool, args, diff)
	}
}

// Node is a file, folder or link as it is on the disk.
type Node struct {
	Mode    fs.FileMode
	Content string // of a file; the target of a link
}

// Tree returns everything in and around the workspace.
func (w *World) Tree() map[string]Node {
	w.T.Helper()
	nodes := map[string]Node{}
	err := filepath.WalkDir(w.Base, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		n := Node{Mode: info.Mode()}
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
		rel, err := filepath.Rel(w.Base, path)
		nodes[rel] = n
		return err
	})
	if err != nil {
		w.T.Fatal(err)
	}
	return nodes
}

// Content returns a file's content, "" for a file that is not there.
func (w *World) Content(path string) string { return w.Tree()[path].Content }

// Special makes what is no regular file, by mkfifo or the like.
func (w *World) Special(path string, mknod func(string) error) {
	w.T.Helper()
	if err := mknod(filepath.Join(w.Base, path)); err != nil {
		w.T.Fatal(err)
	}
}

// Did is the receipt for a file of the workspace that was written.
func (w *World) Did(kind, path, content, detail string) event.Effect {
	return event.Effect{
		Kind: kind, Target: path, Detail: detail,
		Path: filepath.Join(w.Dir, path), Bytes: int64(len(content)), Sum: fmt.Sprintf("%x", sha256.Sum256([]byte(content))),
	}
}

// Swap exchanges two names again and again while do runs.
func (w *World) Swap(a, b string, do func()) {
	w.T.Helper()
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if err := linux.Renameat2(unix.AT_FDCWD, filepath.Join(w.Base, a), unix.AT_FDCWD, filepath.Join(w.Base, b), linux.Exchange); err != nil {
				w.T.Error(err)
				return
			}
		}
	})
	defer wg.Wait()
	defer close(stop)
	do()
}
