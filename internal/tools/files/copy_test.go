package files_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
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

func TestCopyFile_Success(t *testing.T) {
	w, m := filestest.NewKept(t)
	w.Put("ws/may.txt", "rent")
	if err := os.Chmod(filepath.Join(w.Dir, "may.txt"), 0o640); err != nil {
		t.Fatal(err)
	}
	before := w.Tree()
	res, err := w.Call("copy_file", `{"path":"may.txt","to":"bills/2026/"}`)
	did := w.Did("copied", "bills/2026/may.txt", "rent", "from may.txt")
	did.From = "may.txt"
	did.Change = 1
	toolstest.IsResult(t, res, err, tools.Result{
		Text: "copied may.txt to bills/2026/may.txt, 4 bytes", Data: `{"from":"may.txt","path":"bills/2026/may.txt","bytes":4}`,
		Effects: []event.Effect{did},
	})
	if differs := w.Files.CompareEffect(t.Context(), did); differs != "" {
		t.Errorf("the receipt is held against the disk: it %s", differs)
	}
	for _, path := range []string{"ws/bills/2026/may.txt", "ws/may.txt"} {
		if diff := cmp.Diff(filestest.Node{Mode: 0o640, Content: "rent"}, w.Tree()[path]); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
	w.Undo(m, changes.Options{}, changes.LastCall(m.List(), "")...)
	if diff := cmp.Diff(before, w.Tree()); diff != "" {
		t.Errorf("taken back (-want +got):\n%s", diff)
	}
	w.Link("may.txt", "ws/way")
	if got := w.Text("copy_file", `{"path":"way","to":"june.txt"}`); got != "copied way to june.txt, 4 bytes" || w.Content("ws/june.txt") != "rent" {
		t.Errorf("of a link: %s, %q", got, w.Content("ws/june.txt"))
	}
}

func TestCopyFile_BadArguments(t *testing.T) {
	w, _ := filestest.NewKept(t)
	w.Put("ws/f", "x")
	for _, c := range []struct{ name, args, code, words string }{
		{"nothing", `{}`, event.CodeRequiredField, "path: is required"},
		{"nowhere", `{"path":"f"}`, event.CodeRequiredField, "to: is required"},
		{"a folder", `{"path":"./","to":"g"}`, event.CodeInvalidValue, "is the name of a folder"},
		{"out", `{"path":"f","to":"../g"}`, event.CodePathTraversal, "leads out of the workspace"},
		{"from outside", `{"path":"../f","to":"g"}`, event.CodePathTraversal, "leads out of the workspace"},
		{"a name of hob's", `{"path":"f","to":".hob-tmp-1"}`, event.CodeInvalidValue, "hob's own"},
		{"a result", `{"path":"out:7","to":"g"}`, event.CodeInvalidValue, "out:7"},
	} {
		t.Run(c.name, func(t *testing.T) { w.Fails("copy_file", c.args, c.code, c.words) })
	}
}

// closedAndOpen is a world with a folder that is open for reading alone, with a file that stays closed.
func closedAndOpen(t *testing.T) (w *filestest.World, docs string) {
	w, _ = filestest.NewKept(t, func(c *files.Config) {
		docs = filepath.Join(filepath.Dir(c.Dir), "docs")
		if err := os.MkdirAll(docs, 0o755); err != nil {
			t.Fatal(err)
		}
		c.Grants = []tree.Grant{{Dir: docs, Write: false}}
		c.Deny = []string{filepath.Join(docs, "token")}
	})
	w.Put("docs/token", "t0ken")
	w.Put("docs/f", "x")
	w.Put("ws/f", "x")
	w.Put("ws/g", "y")
	w.Put("ws/d/f", "z")
	w.Put("ws/.git/config", "x")
	w.Put("outside/f", "x")
	w.Link("../outside", "ws/up")
	w.Special("ws/fifo", func(p string) error { return unix.Mkfifo(p, 0o644) })
	if err := os.Link(filepath.Join(docs, "token"), filepath.Join(w.Dir, "hard")); err != nil {
		t.Fatal(err)
	}
	return w, docs
}

func TestCopyFile_Errors(t *testing.T) {
	w, docs := closedAndOpen(t)
	if err := os.WriteFile(filepath.Join(w.Dir, "large"), make([]byte, tree.MaxFile+1), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, path, to, code, words string }{
		{"missing", "ff", "h", event.CodeFileNotFound, "there is no file ff"},
		{"a folder", "d", "h", event.CodeInvalidValue, "d is a folder"},
		{"special", "fifo", "h", event.CodeInvalidValue, "fifo is a named pipe"},
		{"over a file", "f", "g", event.CodeInvalidValue, "g exists already; nothing was copied; give it another name"},
		{"over itself", "f", ".", event.CodeInvalidValue, "f exists already"},
		{"into a file", "f", "g/", event.CodeInvalidValue, "a part of its path is a file"},
		{"out by a link", "f", "up/", event.CodePermissionDenied, "goes through a link that leaves"},
		{"in by a link", "up/f", "h", event.CodePermissionDenied, "goes through a link that leaves"},
		{"outside", "/etc/passwd", "h", event.CodePermissionDenied, "is outside of the workspace"},
		{"into git", "f", ".git/hooks/", event.CodePermissionDenied, "belongs to git"},
		{"to what is read only", "f", docs + "/h", event.CodeReadOnly, "open for reading only"},
		{"hob's own by another name", "hard", "h", event.CodePermissionDenied, "belongs to hob itself"},
		{"too large", "large", "h", event.CodeInvalidValue, "large has 16777217 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w.Fails("copy_file", `{"path":"`+c.path+`","to":"`+c.to+`"}`, c.code, c.words)
		})
	}
}

// A copy that cannot be kept for undo is not made, nor are its folders.
func TestCopyFile_UnchangedState(t *testing.T) {
	w, m := filestest.NewKept(t)
	w.Put("ws/f", "x")
	before := w.Tree()
	m.Failing = errors.New("the disk is full")
	w.Fails("copy_file", `{"path":"f","to":"a/b/"}`, event.CodeExecutionFailed, "could not be kept for undo")
	if diff := cmp.Diff(before, w.Tree()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What strangers had a hand in is marked in the copy, too, whoever copies it; what is copied beside it does not become theirs.
func TestCopyFile_Origins(t *testing.T) {
	w := filestest.NewMarked(t)
	w.Put("ws/mine", "x")
	w.Must(filestest.Strange(), "write_file", `{"path":"theirs","content":"y"}`)
	w.Link("theirs", "ws/way")
	w.Must(event.Label{}, "copy_file", `{"path":"theirs","to":"new/"}`)
	w.Must(event.Label{}, "copy_file", `{"path":"way","to":"new/by-link"}`)
	w.Must(event.Label{}, "copy_file", `{"path":"mine","to":"new/"}`)
	if diff := cmp.Diff([]string{"new/by-link", "new/theirs", "theirs"}, w.Now()); diff != "" {
		t.Errorf("marks (-want +got):\n%s", diff)
	}
	if !w.Stranger("read_file", `{"path":"new/theirs"}`) || w.Stranger("read_file", `{"path":"new/mine"}`) {
		t.Error("the labels of what is read are not those of the files")
	}
	w.Origins.Fail(errors.New("the disk is full"))
	if _, err := w.As(event.Label{}, "copy_file", `{"path":"new/theirs","to":"t"}`); err == nil || !strings.Contains(err.Error(), "it is not known where its content comes from") {
		t.Errorf("%v", err)
	}
}

// A copy changes the folder that it comes to, and no other.
func TestCopyFile_Capabilities(t *testing.T) {
	var docs string
	w, _ := filestest.NewKept(t, func(c *files.Config) {
		docs = filepath.Join(filepath.Dir(c.Dir), "docs")
		if err := os.MkdirAll(docs, 0o755); err != nil {
			t.Fatal(err)
		}
		c.Grants = []tree.Grant{{Dir: docs, Write: true}}
	})
	w.Put("ws/f", "x")
	w.Put("docs/g", "y")
	for _, c := range []struct {
		tool, args string
		want       tools.Capabilities
		is         string
	}{
		{"copy_file", `{"path":"f","to":"d/"}`, tools.Writes, filepath.Join(w.Dir, "d/f")},
		{"copy_file", `{"path":"f","to":"` + docs + `"}`, tools.Writes | tools.Outside, filepath.Join(docs, "f")},
		{"copy_file", `{"path":"` + docs + `/g","to":"."}`, tools.Writes, filepath.Join(w.Dir, "g")},
		{"make_folder", `{"path":"d/"}`, tools.Writes, filepath.Join(w.Dir, "d")},
		{"make_folder", `{"path":"` + docs + `/d/"}`, tools.Writes | tools.Outside, filepath.Join(docs, "d")},
	} {
		tool := w.Tool(c.tool)
		if got := tools.CapabilitiesOf(t.Context(), tool, json.RawMessage(c.args)); got != c.want {
			t.Errorf("%s %s may %s", c.tool, c.args, got.Words())
		}
		if all, ok := tools.ResourcesOf(tool, json.RawMessage(c.args)); !ok || len(all) != 1 || all[0].Path != c.is {
			t.Errorf("%s %s touches %v", c.tool, c.args, all)
		}
	}
}
