package files_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/files/filestest"
	"hob/internal/tools/toolstest"
)

func TestListFiles_Success(t *testing.T) {
	w := filestest.New(t)
	w.Put("ws/b.md", strings.Repeat("x", 1536))
	w.Put("ws/a/deep/.git/config", "x")
	w.Put("ws/a/deep/er", "")
	w.Put("ws/.hidden", "x")
	w.Put("ws/with\nline", "")
	w.Put("ws/with blank", "")
	w.Put("secret/s", "x")
	w.Link("..", "ws/a/loop")
	w.Link("../secret", "ws/out")
	w.Special("ws/fifo", func(p string) error { return unix.Mkfifo(p, 0o644) })
	if err := os.Mkdir(filepath.Join(w.Dir, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}

	t.Run("list_dir-01", func(t *testing.T) {
		res, err := w.Call("list_files", `{"path":"."}`)
		toolstest.IsResult(t, res, err, tools.Result{
			Text: `DIR  a/
FILE b.md (1.5 kB)
DIR  empty/
FILE fifo (a named pipe)
FILE out (a link)
FILE "with\nline" (0 B)
FILE "with blank" (0 B)
7 items`,
			Data:  `{"dir":".","count":7,"items":["a/","b.md","empty/","fifo","out","with\nline","with blank"]}`,
			Label: event.Label{Private: true, Source: "file:."},
		})
	})
	for _, c := range []struct{ name, args, want string }{
		{"list_dir-02, -07 and -10", `{"path":"a","recursive":true}`, "DIR  deep/\nFILE deep/er (0 B)\nFILE loop (a link)\n3 items"},
		{"hidden too", `{"path":"a/deep","recursive":true,"include_hidden":true}`, "DIR  .git/\nFILE .git/config (1 B)\nFILE er (0 B)\n3 items"},
		{"list_dir-08", `{"path":"empty"}`, "0 items"},
		{"a hidden folder by its name", `{"path":"a/deep/.git"}`, "FILE config (1 B)\n1 item"},
		{"absolute", `{"path":"` + w.Dir + `/a/deep/"}`, "FILE er (0 B)\n1 item"},
		{"through a link inside", `{"path":"a/loop/empty"}`, "0 items"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, w.Text("list_files", c.args)); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("ListFiles", func(t *testing.T) {
		got, err := w.Files.ListFiles("a")
		if diff := cmp.Diff([]string{"deep/", "loop"}, got); diff != "" || err != nil {
			t.Error(diff, err)
		}
		if got, err := w.Files.ListFiles("empty"); err != nil || got == nil || len(got) != 0 {
			t.Errorf("an empty folder lists as %#v, %v", got, err)
		}
	})
}

// A folder that is too long for the model is counted to its end, and the cut says so.
func TestListFiles_Long(t *testing.T) {
	w := filestest.New(t, func(c *files.Config) { c.Share = func() int { return 1024 } })
	for i := range 300 {
		w.Put(fmt.Sprintf("ws/f%03d", i), "")
	}
	got := w.Text("list_files", `{"path":"."}`)
	if len(got) > 1024 || !strings.HasSuffix(got, "\n300 items; the first 51 are shown; list a folder of it to see more") {
		t.Errorf("%d bytes that end in %q", len(got), got[max(0, len(got)-100):])
	}
	if again := w.Text("list_files", `{"path":"."}`); again != got {
		t.Error("the second list is another")
	}
}

func TestListFiles_BadArguments(t *testing.T) {
	w := filestest.New(t)
	for _, c := range []struct{ name, args, code, words string }{
		{"list_dir-04/empty", `{"path":""}`, event.CodeRequiredField, "the path is empty"},
		{"list_dir-04/none", `{}`, event.CodeRequiredField, "path: is required"},
		{"list_dir-11", `{"path":".","depth":2}`, event.CodeInvalidValue, "depth: unknown argument; the arguments are path, recursive, include_hidden"},
		{"wrong type", `{"path":".","recursive":1}`, event.CodeInvalidFormat, "recursive: must be a boolean, not 1"},
	} {
		t.Run(c.name, func(t *testing.T) { w.Fails("list_files", c.args, c.code, c.words) })
	}
}

func TestListFiles_Errors(t *testing.T) {
	w := filestest.New(t)
	w.Put("ws/notes/f", "x")
	w.Put("secret/f", "x")
	w.Link("../secret", "ws/out")
	for _, c := range []struct{ name, args, code, words string }{
		{"list_dir-04/file", `{"path":"notes/f"}`, event.CodeInvalidValue, "notes/f is no folder; use read_file"},
		{"list_dir-04/missing", `{"path":"note"}`, event.CodeDirNotFound, "there is no folder note; did you mean notes?"},
		{"list_dir-05", `{"path":"/etc"}`, event.CodePermissionDenied, "/etc is outside of the workspace"},
		{"up", `{"path":".."}`, event.CodePathTraversal, "leads out of the workspace"},
		{"link out", `{"path":"out"}`, event.CodePermissionDenied, "goes through a link that leaves"},
	} {
		t.Run(c.name, func(t *testing.T) { w.Fails("list_files", c.args, c.code, c.words) })
	}
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := tools.Call(ctx, w.Files.Tools()[2], json.RawMessage(`{"path":"."}`))
		toolstest.IsError(t, err, event.CodeCancelled, "list_files was cancelled before it began")
	})
}

func TestListFiles_UnchangedState(t *testing.T) {
	w := filestest.New(t)
	w.Put("ws/a/b", "x")
	before := w.Tree()
	w.Text("list_files", `{"path":".","recursive":true,"include_hidden":true}`)
	if diff := cmp.Diff(before, w.Tree()); diff != "" {
		t.Error(diff)
	}
}
