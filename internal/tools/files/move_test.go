package files_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/files/changes"
	"hob/internal/tools/files/filestest"
	"hob/internal/tools/files/tree"
	"hob/internal/tools/toolstest"
)

func TestMoveFile_Success(t *testing.T) {
	w, m := filestest.NewKept(t)
	w.Put("ws/may.txt", "rent")
	old := time.Date(2020, 2, 3, 4, 5, 6, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(w.Dir, "may.txt"), old, old); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(w.Dir, "may.txt"), 0o640); err != nil {
		t.Fatal(err)
	}
	before := w.Tree()
	res, err := w.Call("move_file", `{"path":"may.txt","to":"bills/2026/"}`)
	did := w.Did("moved", "bills/2026/may.txt", "rent", "from may.txt")
	did.From = "may.txt"
	did.Change = 1
	toolstest.IsResult(t, res, err, tools.Result{
		Text: "moved may.txt to bills/2026/may.txt, 4 bytes", Data: `{"from":"may.txt","path":"bills/2026/may.txt","bytes":4}`,
		Effects: []event.Effect{did},
	})
	if differs := w.Files.CompareEffect(t.Context(), did); differs != "" {
		t.Errorf("the receipt is held against the disk: it %s", differs)
	}
	if diff := cmp.Diff(filestest.Node{Mode: 0o640, Content: "rent"}, w.Tree()["ws/bills/2026/may.txt"]); diff != "" {
		t.Error(diff)
	}
	info, err := os.Stat(filepath.Join(w.Dir, "bills/2026/may.txt"))
	if err != nil || !info.ModTime().Equal(old) {
		t.Errorf("it was changed at %v, %v", info.ModTime(), err)
	}
	// The two changes are one for undo, with the folders that were made.
	if last := changes.LastCall(m.List(), ""); len(last) != 2 {
		t.Errorf("the last call is %v", last)
	}
	w.Undo(m, changes.Options{}, changes.LastCall(m.List(), "")...)
	if diff := cmp.Diff(before, w.Tree()); diff != "" {
		t.Errorf("taken back (-want +got):\n%s", diff)
	}
	w.Put("ws/d/x", "")
	w.Link("d", "ws/way")
	for _, c := range []struct{ args, text string }{
		{`{"path":"may.txt","to":"june.txt"}`, "moved may.txt to june.txt, 4 bytes"},
		{`{"path":"june.txt","to":"d"}`, "moved june.txt to d/june.txt, 4 bytes"},
		{`{"path":"d/june.txt","to":"."}`, "moved d/june.txt to june.txt, 4 bytes"},
		{`{"path":"june.txt","to":"way"}`, "moved june.txt to way/june.txt, 4 bytes"},
		{`{"path":"way/june.txt","to":"~/a b"}`, `moved way/june.txt to "a b", 4 bytes`},
		{`{"path":"a b","to":"` + w.Dir + `/new/"}`, `moved "a b" to "new/a b", 4 bytes`},
	} {
		if got := w.Text("move_file", c.args); got != c.text {
			t.Errorf("%s: %s, want %s", c.args, got, c.text)
		}
	}
}

func TestMoveFile_BadArguments(t *testing.T) {
	w, _ := filestest.NewKept(t)
	w.Put("ws/f", "x")
	for _, c := range []struct{ name, args, code, words string }{
		{"nothing", `{}`, event.CodeRequiredField, "path: is required"},
		{"nowhere", `{"path":"f"}`, event.CodeRequiredField, "to: is required"},
		{"empty", `{"path":"f","to":""}`, event.CodeRequiredField, "the path is empty"},
		{"a folder", `{"path":"./","to":"g"}`, event.CodeInvalidValue, "is the name of a folder"},
		{"out", `{"path":"f","to":"../g"}`, event.CodePathTraversal, "leads out of the workspace"},
		{"from outside", `{"path":"../f","to":"g"}`, event.CodePathTraversal, "leads out of the workspace"},
		{"a name of hob's", `{"path":"f","to":".hob-tmp-1"}`, event.CodeInvalidValue, "hob's own"},
		{"a result", `{"path":"out:7","to":"g"}`, event.CodeInvalidValue, "out:7"},
		{"to a result", `{"path":"f","to":"out:7"}`, event.CodeInvalidValue, "out:7"},
	} {
		t.Run(c.name, func(t *testing.T) { w.Fails("move_file", c.args, c.code, c.words) })
	}
}

func TestMoveFile_Errors(t *testing.T) {
	var docs string
	w, _ := filestest.NewKept(t, func(c *files.Config) {
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
	w.Link("f", "ws/link")
	w.Link("nowhere", "ws/dangling")
	w.Link("../outside", "ws/up")
	w.Special("ws/fifo", func(p string) error { return unix.Mkfifo(p, 0o644) })
	if err := os.Link(filepath.Join(docs, "token"), filepath.Join(w.Dir, "hard")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.Dir, "large"), make([]byte, tree.MaxFile+1), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, path, to, code, words string }{
		{"missing", "ff", "h", event.CodeFileNotFound, "there is no file ff"},
		{"a folder", "d", "h", event.CodeInvalidValue, "d is a folder"},
		{"a link", "link", "h", event.CodeInvalidValue, "link is a link; move the file that it leads to"},
		{"special", "fifo", "h", event.CodeInvalidValue, "fifo is a named pipe"},
		{"over a file", "f", "g", event.CodeInvalidValue, "g exists already; nothing was moved; give it another name"},
		{"over a file in a folder", "f", "d", event.CodeInvalidValue, "d/f exists already"},
		{"over a link", "f", "dangling", event.CodeInvalidValue, "dangling exists already"},
		{"over itself", "f", ".", event.CodeInvalidValue, "f exists already"},
		{"into a file", "f", "g/", event.CodeInvalidValue, "a part of its path is a file"},
		{"out by a link", "f", "up/", event.CodePermissionDenied, "goes through a link that leaves"},
		{"in by a link", "up/f", "h", event.CodePermissionDenied, "goes through a link that leaves"},
		{"outside", "/etc/passwd", "h", event.CodePermissionDenied, "is outside of the workspace"},
		{"to the outside", "f", "/tmp/h", event.CodePermissionDenied, "is outside of the workspace"},
		{"into git", "f", ".git/hooks/", event.CodePermissionDenied, "belongs to git"},
		{"from what is read only", docs + "/f", "h", event.CodeReadOnly, "open for reading only"},
		{"to what is read only", "f", docs + "/h", event.CodeReadOnly, "open for reading only"},
		{"hob's own by another name", "hard", "h", event.CodePermissionDenied, "belongs to hob itself"},
		{"too large to be kept", "large", "h", event.CodePermissionDenied, "stays where it is: it has 16777217 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w.Fails("move_file", `{"path":"`+c.path+`","to":"`+c.to+`"}`, c.code, c.words)
		})
	}
}

func TestMoveFile_UnchangedState(t *testing.T) {
	// Where the second change cannot be kept, the first is taken back.
	w, m := filestest.NewKept(t)
	w.Put("ws/f", "x")
	before := w.Tree()
	full := &fullLog{Log: m}
	other, err := files.New(files.Config{Dir: w.Dir, Log: full})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for _, tool := range other.Tools() {
		if tool.Name() == "move_file" {
			_, err = tools.Call(t.Context(), tool, json.RawMessage(`{"path":"f","to":"a/b/"}`))
		}
	}
	if err == nil || !strings.Contains(err.Error(), "f was not changed, because what it is could not be kept for undo") || full.denied != 1 {
		t.Errorf("%v, and %d changes were denied", err, full.denied)
	}
	if diff := cmp.Diff(before, w.Tree()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// There and back, however it is done, is as it was.
	rapid.Check(t, func(r *rapid.T) {
		w, m := filestest.NewKept(t)
		w.Put("ws/a", "alpha")
		w.Put("ws/d/b", "beta")
		before := w.Tree()
		name := rapid.SampledFrom([]string{"a", "d/b", "d/", "d", "e/f/", "e/f/a", "."})
		contents := func() map[string]int {
			all := map[string]int{}
			for _, n := range w.Tree() {
				if n.Mode.IsRegular() {
					all[n.Content]++
				}
			}
			return all
		}
		was := contents()
		for range rapid.IntRange(1, 6).Draw(r, "moves") {
			args, _ := json.Marshal(map[string]string{"path": name.Draw(r, "path"), "to": name.Draw(r, "to")})
			_, _ = w.Call("move_file", string(args))
			if diff := cmp.Diff(was, contents()); diff != "" {
				r.Fatalf("after %s the contents are others (-want +got):\n%s", args, diff)
			}
		}
		w.Undo(m, changes.Options{}, m.InForce()...)
		if diff := cmp.Diff(before, w.Tree()); diff != "" {
			r.Fatalf("there and back is not the same:\n%s", diff)
		}
	})
}

// fullLog keeps no second part of a call.
type fullLog struct {
	*filestest.Log
	denied int
}

func (l *fullLog) Keep(ctx context.Context, c event.Change, content []byte) (int64, error) {
	if c.Part != 0 {
		l.denied++
		return 0, errors.New("the disk is full")
	}
	return l.Log.Keep(ctx, c, content)
}

// What strangers had a hand in stays marked under its new name; what is moved beside it does not become theirs.
func TestMoveFile_Origins(t *testing.T) {
	w := filestest.NewMarked(t)
	w.Put("ws/mine", "x")
	w.Must(filestest.Strange(), "write_file", `{"path":"theirs","content":"y"}`)
	w.Must(event.Label{}, "move_file", `{"path":"theirs","to":"new/"}`)
	w.Must(event.Label{}, "move_file", `{"path":"mine","to":"new/"}`)
	if diff := cmp.Diff([]string{"new/theirs", "theirs"}, w.Now()); diff != "" {
		t.Errorf("marks (-want +got):\n%s", diff)
	}
	if got := w.Origins.Marks[filepath.Join(w.Dir, "new/theirs")]; got.Source != "web:page.lan" {
		t.Errorf("it comes from %+v", got)
	}
	if !w.Stranger("read_file", `{"path":"new/theirs"}`) || w.Stranger("read_file", `{"path":"new/mine"}`) {
		t.Error("the labels of what is read are not those of the files")
	}
	w.Origins.Fail(errors.New("the disk is full"))
	if _, err := w.As(event.Label{}, "move_file", `{"path":"new/theirs","to":"t"}`); err == nil || !strings.Contains(err.Error(), "it is not known where its content comes from") {
		t.Errorf("%v", err)
	}
}

// A move from or to a folder outside of the workspace is a change there, and says so of both names.
func TestMoveFile_Capabilities(t *testing.T) {
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
		path, to string
		want     tools.Capabilities
		is       string
	}{
		{"f", "d/", tools.Writes, filepath.Join(w.Dir, "d/f")},
		{"f", docs, tools.Writes | tools.Outside, filepath.Join(docs, "f")},
		{docs + "/g", ".", tools.Writes | tools.Outside, filepath.Join(w.Dir, "g")},
	} {
		args := json.RawMessage(`{"path":"` + c.path + `","to":"` + c.to + `"}`)
		tool := w.Tool("move_file")
		if got := tools.CapabilitiesOf(t.Context(), tool, args); got != c.want {
			t.Errorf("%s may %s", args, got.Words())
		}
		if all, ok := tools.ResourcesOf(tool, args); !ok || len(all) != 2 || all[1].Path != c.is {
			t.Errorf("%s touches %v", args, all)
		}
	}
	w.Text("move_file", `{"path":"`+docs+`/g","to":"."}`)
	if got := w.Content("ws/g"); got != "y" {
		t.Errorf("it holds %q", got)
	}
}
