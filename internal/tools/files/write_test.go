package files_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/files/filestest"
	"hob/internal/tools/toolstest"
)

func TestWriteFile_Success(t *testing.T) {
	t.Run("write_file-01", func(t *testing.T) {
		w := filestest.New(t)
		res, err := w.Call("write_file", `{"path":"a/b/new.md","content":"жду\n"}`)
		toolstest.IsResult(t, res, err, tools.Result{
			Text:    "created a/b/new.md, 7 bytes",
			Data:    `{"path":"a/b/new.md","bytes":7,"created":true}`,
			Effects: []event.Effect{w.Did("wrote", "a/b/new.md", "жду\n", "7 bytes")},
		})
		if diff := cmp.Diff(filestest.Node{Mode: 0o644, Content: "жду\n"}, w.Tree()["ws/a/b/new.md"]); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("write_file-04", func(t *testing.T) {
		w := filestest.New(t)
		w.Put("ws/f", "a long content that was there before")
		if got := w.Text("write_file", `{"path":"f","content":"new","mode":"overwrite"}`); got != "wrote f, 3 bytes" {
			t.Error(got)
		}
		if got := w.Content("ws/f"); got != "new" {
			t.Errorf("the file holds %q", got)
		}
	})
	t.Run("append", func(t *testing.T) { // as >> does, to a file that is not there, too
		w := filestest.New(t)
		w.Text("write_file", `{"path":"log","content":"one\n","mode":"append"}`)
		if got := w.Text("write_file", `{"path":"log","content":"two\n","mode":"append"}`); got != "appended 4 bytes to log, which has 8 now" {
			t.Error(got)
		}
		if got := w.Content("ws/log"); got != "one\ntwo\n" {
			t.Errorf("the file holds %q", got)
		}
	})
	t.Run("append a line in a conversation", func(t *testing.T) { // which by hand is exact
		for name, c := range map[string]struct {
			before, added string
			call          tools.CallRef
			after, says   string
		}{
			"to a line without an end":    {"one", "two\n", tools.CallRef{ID: "1"}, "one\ntwo\n", "appended 5 bytes to log, which has 8 now"},
			"that has no end":             {"one", "two", tools.CallRef{ID: "1"}, "one\ntwo", "appended 4 bytes to log, which has 7 now"},
			"to a line with an end":       {"one\n", "two", tools.CallRef{ID: "1"}, "one\ntwo", "appended 3 bytes to log, which has 7 now"},
			"to a line that ends as such": {"one\r\n", "two", tools.CallRef{ID: "1"}, "one\r\ntwo", "appended 3 bytes to log, which has 8 now"},
			"to an empty file":            {"", "two", tools.CallRef{ID: "1"}, "two", "appended 3 bytes to log, which has 3 now"},
			"by hand":                     {"one", "two", tools.CallRef{}, "onetwo", "appended 3 bytes to log, which has 6 now"},
		} {
			w := filestest.New(t)
			w.Put("ws/log", c.before)
			args, err := json.Marshal(map[string]string{"path": "log", "content": c.added, "mode": "append"})
			if err != nil {
				t.Fatal(err)
			}
			res, err := tools.Call(tools.WithCaller(t.Context(), tools.Caller{Call: c.call}), w.Tool("write_file"), args)
			if err != nil || res.Text != c.says {
				t.Errorf("%s: it says %q, %v", name, res.Text, err)
			}
			if got := w.Content("ws/log"); got != c.after {
				t.Errorf("%s: the file holds %q", name, got)
			}
		}
	})
	t.Run("empty content, odd names, absolute path inside", func(t *testing.T) {
		w := filestest.New(t)
		for _, path := range []string{"empty", "..foo", "a b", "ünïcode", "-rf", w.Dir + "/abs", "x/../y"} {
			args, _ := json.Marshal(map[string]string{"path": path, "content": ""})
			w.Text("write_file", string(args))
		}
		for _, name := range []string{"empty", "..foo", "a b", "ünïcode", "-rf", "abs", "y"} {
			if _, ok := w.Tree()["ws/"+name]; !ok {
				t.Errorf("%s was not written", name)
			}
		}
	})
}

// What a file is apart from its content outlives a change of the content: permissions with the executable bit, a link
// that leads to it, other names it has.
func TestWriteFile_KeepsTheFile(t *testing.T) {
	w := filestest.New(t)
	w.Put("ws/bin/run", "#!/bin/sh\n")
	if err := os.Chmod(filepath.Join(w.Dir, "bin/run"), 0o750); err != nil {
		t.Fatal(err)
	}
	w.Link("bin/run", "ws/link")
	w.Link("bin", "ws/dir")
	w.Put("outside", "shared")
	if err := os.Link(filepath.Join(w.Base, "outside"), filepath.Join(w.Dir, "hard")); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		`{"path":"link","content":"echo 1\n","mode":"append"}`,
		`{"path":"dir/run","content":"echo 2\n","mode":"append"}`,
		`{"path":"hard","content":"mine","mode":"overwrite"}`,
	} {
		w.Text("write_file", args)
	}
	w.Text("edit_file", `{"path":"link","old_string":"echo 1","new_string":"echo 0"}`)
	want := map[string]filestest.Node{
		".":          {Mode: fs.ModeDir | 0o755},
		"outside":    {Mode: 0o644, Content: "shared"},
		"ws":         {Mode: fs.ModeDir | 0o755},
		"ws/bin":     {Mode: fs.ModeDir | 0o755},
		"ws/bin/run": {Mode: 0o750, Content: "#!/bin/sh\necho 0\necho 2\n"},
		"ws/dir":     {Mode: fs.ModeSymlink | 0o777, Content: "bin"},
		"ws/hard":    {Mode: 0o644, Content: "mine"},
		"ws/link":    {Mode: fs.ModeSymlink | 0o777, Content: "bin/run"},
	}
	if diff := cmp.Diff(want, w.Tree()); diff != "" {
		t.Error(diff)
	}
}

func TestWriteFile_KeepsAttributes(t *testing.T) {
	w := filestest.New(t)
	w.Put("ws/f", "x")
	path := filepath.Join(w.Dir, "f")
	if err := unix.Setxattr(path, "user.origin", []byte("letter"), 0); err != nil {
		t.Logf("this file system has no extended attributes (%v): only the write is tested", err)
		w.Text("write_file", `{"path":"f","content":"y","mode":"overwrite"}`)
		return
	}
	w.Text("write_file", `{"path":"f","content":"y","mode":"overwrite"}`)
	value := make([]byte, 10)
	n, err := unix.Getxattr(path, "user.origin", value)
	if err != nil || string(value[:n]) != "letter" {
		t.Errorf("the attribute is %q, %v", value[:max(n, 0)], err)
	}
}

func TestWriteFile_BadArguments(t *testing.T) {
	w := filestest.New(t)
	w.Put("ws/f", "x")
	for _, c := range []struct{ name, args, code, words string }{
		{"write_file-05", `{"path":"f","content":"y","mode":"bogus"}`, event.CodeInvalidValue, `mode: must be one of "create", "append", "overwrite", not "bogus"`},
		{"nothing", `{}`, event.CodeRequiredField, "content: is required; path: is required"},
		{"empty path", `{"path":"","content":"y"}`, event.CodeRequiredField, "the path is empty"},
		{"content of the wrong type", `{"path":"g","content":{"a":1}}`, event.CodeInvalidFormat, `content: must be a string, not {"a":1}`},
		{"unknown", `{"path":"g","content":"","append":true}`, event.CodeInvalidValue, "append: unknown argument"},
		{"twice", `{"path":"g","content":"","path":"h"}`, event.CodeInvalidFormat, "path: stands twice"},
		{"two objects", `{"path":"g","content":""}{}`, event.CodeInvalidFormat, "something after"},
		{"no object", `["g"]`, event.CodeInvalidFormat, `must be a JSON object, not ["g"]`},
		{"name of a folder", `{"path":"new/","content":""}`, event.CodeInvalidValue, "is the name of a folder"},
		{"the workspace", `{"path":".","content":""}`, event.CodeInvalidValue, "is the name of a folder"},
		{"a name of hob's", `{"path":".hob-tmp-1","content":""}`, event.CodeInvalidValue, "hob's own"},
	} {
		t.Run(c.name, func(t *testing.T) { w.Fails("write_file", c.args, c.code, c.words) })
	}
}

func TestWriteFile_Errors(t *testing.T) {
	w := filestest.New(t)
	w.Put("secret", "s3cret")
	w.Put("ws/f", "x")
	w.Put("ws/d/f", "x")
	w.Link("../secret", "ws/out")
	w.Link("../new", "ws/out-new")
	w.Link("..", "ws/up")
	w.Link("nowhere", "ws/dangling")
	w.Link("loop", "ws/loop")
	w.Special("ws/fifo", func(p string) error { return unix.Mkfifo(p, 0o644) })
	for _, c := range []struct{ name, path, mode, code, words string }{
		{"write_file-02", "f", "create", event.CodeInvalidValue, "f exists already; use edit_file"},
		{"write_file-07", "/etc/evil", "create", event.CodePermissionDenied, "is outside of the workspace"},
		{"write_file-08", w.Dir + "/../evil", "create", event.CodePermissionDenied, "is outside of the workspace"},
		{"up", "../evil", "create", event.CodePathTraversal, "leads out of the workspace"},
		{"write_file-13/overwrite", "out", "overwrite", event.CodePermissionDenied, "goes through a link that leaves"},
		{"write_file-13/append", "out", "append", event.CodePermissionDenied, "goes through a link that leaves"},
		{"write_file-13/create", "out-new", "create", event.CodePermissionDenied, "goes through a link that leaves"},
		{"write_file-13/folder", "up/evil", "create", event.CodePermissionDenied, "goes through a link that leaves"},
		{"write_file-13/new folder", "up/new/evil", "create", event.CodePermissionDenied, "goes through a link that leaves"},
		{"link to nothing", "dangling", "overwrite", event.CodeInvalidValue, "is a link to a file that does not exist"},
		{"link to itself", "loop", "overwrite", event.CodeInvalidValue, "too many levels"},
		{"folder", "d", "overwrite", event.CodeInvalidValue, "d is a folder"},
		{"below a file", "f/new", "create", event.CodeInvalidValue, "a part of its path is a file and no folder"},
		{"named pipe", "fifo", "append", event.CodeInvalidValue, "fifo is a named pipe"},
		{"long name", strings.Repeat("x", 300), "create", event.CodeInvalidValue, "name too long"},
	} {
		t.Run(c.name, func(t *testing.T) {
			args, _ := json.Marshal(map[string]string{"path": c.path, "mode": c.mode, "content": "evil"})
			w.Fails("write_file", string(args), c.code, c.words)
		})
	}
	t.Run("too large to append to", func(t *testing.T) {
		if err := os.Truncate(filepath.Join(w.Dir, "f"), 16<<20); err != nil {
			t.Fatal(err)
		}
		w.Fails("write_file", `{"path":"f","mode":"append","content":"y"}`, event.CodeInvalidValue, "16777217 bytes, and 16777216 is the most")
	})
	t.Run("read only", func(t *testing.T) {
		w := filestest.New(t, func(c *files.Config) { c.ReadOnly = true })
		w.Put("ws/f", "x")
		w.Fails("write_file", `{"path":"new","content":"y"}`, event.CodeReadOnly, "open for reading only")
		w.Fails("edit_file", `{"path":"f","old_string":"x","new_string":"y"}`, event.CodeReadOnly, "open for reading only")
		toolstest.IsError(t, w.Files.WriteFile("f", "y"), event.CodeReadOnly, "open for reading only")
	})
}

// Writers take turns: nothing that was reported as written is lost, in one process and among several.
func TestWriteFile_Parallel(t *testing.T) {
	w := filestest.New(t)
	other, err := files.New(files.Config{Dir: w.Dir}) // as another process would have it
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	appendTo := []tools.Tool{w.Files.Tools()[1], other.Tools()[1]}
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			args := fmt.Sprintf(`{"path":"sub/log","mode":"append","content":"line %d\n"}`, i)
			if _, err := tools.Call(t.Context(), appendTo[i%2], json.RawMessage(args)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	got := map[string]bool{}
	for line := range strings.Lines(w.Content("ws/sub/log")) {
		got[line] = true
	}
	for i := range 20 {
		if !got[fmt.Sprintf("line %d\n", i)] {
			t.Errorf("line %d is lost", i)
		}
	}
	if len(got) != 20 || len(w.Tree()) != 4 {
		t.Errorf("%d lines and the files %v", len(got), w.Tree())
	}
}

// Of several that create the same file one does.
func TestWriteFile_ParallelCreate(t *testing.T) {
	w := filestest.New(t)
	var wg sync.WaitGroup
	won := make(chan int, 20)
	for i := range 20 {
		wg.Go(func() {
			if _, err := w.Call("write_file", fmt.Sprintf(`{"path":"a/b/f","content":"%d"}`, i)); err == nil {
				won <- i
			}
		})
	}
	wg.Wait()
	close(won)
	var winners []int
	for i := range won {
		winners = append(winners, i)
	}
	if len(winners) != 1 || w.Content("ws/a/b/f") != fmt.Sprint(winners[0]) {
		t.Errorf("%v say they created the file, which holds %q", winners, w.Content("ws/a/b/f"))
	}
}

// What a killed writer left is hidden from every tool and gone after the next write to its folder.
func TestWriteFile_Leftovers(t *testing.T) {
	w := filestest.New(t)
	w.Put("ws/.hob-tmp-OLD", "half a sen")
	w.Put("ws/f", "sentence")
	if got := w.Text("list_files", `{"path":".","include_hidden":true}`); got != "FILE f (8 B)\n1 item" {
		t.Errorf("listed: %s", got)
	}
	if got := w.Text("search_files", `{"pattern":"sen"}`); got != "f:0: sentence" {
		t.Errorf("found: %s", got)
	}
	w.Text("write_file", `{"path":"g","content":""}`)
	if _, there := w.Tree()["ws/.hob-tmp-OLD"]; there {
		t.Error("it is still there")
	}
}

// A lock that another process keeps holds a writer up; when the caller has waited long enough nothing has changed.
func TestWriteFile_LockedOut(t *testing.T) {
	synctest.Test(t, lockedOut)
}

func lockedOut(t *testing.T) {
	w := filestest.New(t)
	other, err := os.Open(w.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := unix.Flock(int(other.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = tools.Call(ctx, w.Files.Tools()[1], json.RawMessage(`{"path":"f","content":"x"}`))
	toolstest.IsError(t, err, event.CodeTimeout, "nothing was changed")
	if _, there := w.Tree()["ws/f"]; there {
		t.Error("it was written all the same")
	}
	if err := unix.Flock(int(other.Fd()), unix.LOCK_UN); err != nil {
		t.Fatal(err)
	}
	w.Text("write_file", `{"path":"f","content":"x"}`)
}

// A writer has waited long enough when the lock was still kept at its last look, and not because of what a clock shows.
func TestWriteFile_LockedForLong(t *testing.T) {
	for kept, fails := range map[time.Duration]bool{9990 * time.Millisecond: false, time.Minute: true} {
		synctest.Test(t, func(t *testing.T) {
			w := filestest.New(t)
			other, err := os.Open(w.Dir)
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			lock := int(other.Fd())
			if err := unix.Flock(lock, unix.LOCK_EX); err != nil {
				t.Fatal(err)
			}
			free := time.AfterFunc(kept, func() { _ = unix.Flock(lock, unix.LOCK_UN) })
			defer free.Stop()
			_, err = w.Call("write_file", `{"path":"f","content":"x"}`)
			if _, there := w.Tree()["ws/f"]; there == fails {
				t.Errorf("kept for %v: there is a file: %v, %v", kept, there, err)
			}
			if fails {
				toolstest.IsError(t, err, event.CodeExecutionFailed, "another program keeps")
			} else if err != nil {
				t.Errorf("kept for %v: %v", kept, err)
			}
		})
	}
}

func TestWriteFile_UnchangedState(t *testing.T) {
	t.Run("folders made for a write that fails are taken away", func(t *testing.T) {
		w := filestest.New(t)
		w.Fails("write_file", `{"path":"a/b/`+strings.Repeat("x", 300)+`","content":""}`, event.CodeInvalidValue, "name too long")
	})
	t.Run("ReadFile gives back what WriteFile took", func(t *testing.T) {
		w := filestest.New(t)
		if err := w.Files.WriteFile("x/f", "one\r\ntwo"); err != nil {
			t.Fatal(err)
		}
		if err := w.Files.WriteFile("x/f", "three"); err != nil {
			t.Fatal(err)
		}
		if got, err := w.Files.ReadFile("x/f"); err != nil || got != "three" {
			t.Errorf("%q, %v", got, err)
		}
	})
}

// Two names of one file that differ by case only are no sign of such a folder.
func TestTwinsOnAnHonestFolder(t *testing.T) {
	w := filestest.New(t)
	if err := w.Files.WriteFile("notes", "x"); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(w.Dir, "notes"), filepath.Join(w.Dir, "NOTES")); err != nil {
		t.Fatal(err)
	}
	if err := w.Files.WriteFile("notes", "y"); err != nil {
		t.Error(err)
	}
}
