package files_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/race"
	"hob/internal/tools/files"
	"hob/internal/tools/files/filestest"
	"hob/internal/tools/toolstest"
)

// A file that becomes a named pipe between the look and the opening holds nobody up.
func TestReadFile_SwappedForAPipe(t *testing.T) {
	w := filestest.New(t)
	w.Put("ws/f", "text")
	w.Special("ws/fifo", func(p string) error { return unix.Mkfifo(p, 0o644) })
	w.Swap("ws/f", "ws/fifo", func() {
		for range 3000 {
			text, err := w.Files.ReadFile("f")
			if err == nil && text == "text" {
				continue
			}
			toolstest.IsError(t, err, event.CodeInvalidValue, "f is a named pipe, not a file")
		}
	})
}

func TestEditFile_SwappedForAPipe(t *testing.T) {
	w := filestest.New(t)
	w.Put("ws/f", "text")
	w.Special("ws/fifo", func(p string) error { return unix.Mkfifo(p, 0o644) })
	w.Swap("ws/f", "ws/fifo", func() {
		for range 2000 {
			_, err := w.Call("edit_file", `{"path":"f","old_string":"zzz","new_string":""}`)
			toolstest.IsError(t, err, event.CodeInvalidValue, "f")
		}
	})
}

// A folder that becomes a link to the outside and back again leads nobody out, for reading, writing or listing.
func TestFiles_SwappedForALink(t *testing.T) {
	w := filestest.New(t)
	w.Put("ws/d/f", "mine")
	w.Put("outside/f", "secret")
	w.Link("../outside", "ws/link")
	w.Swap("ws/d", "ws/link", func() {
		for range 1000 {
			if text, err := w.Files.ReadFile("d/f"); err == nil && text != "mine" {
				t.Fatalf("read %q", text)
			}
			_ = w.Files.WriteFile("d/f", "mine")
			_ = w.Files.WriteFile("d/new/g", "mine")
			if res, err := w.Call("search_files", `{"pattern":"secret"}`); err == nil && !strings.HasPrefix(res.Text, "no match") {
				t.Fatalf("found %q", res.Text)
			}
		}
	})
	outside := map[string]string{}
	for path, n := range w.Tree() {
		if strings.HasPrefix(path, "outside/") {
			outside[path] = n.Content
		}
	}
	if len(outside) != 1 || outside["outside/f"] != "secret" {
		t.Errorf("outside there is %v", outside)
	}
}

// A file that becomes a link while it is written is not written through to where the link leads.
func TestWriteFile_SwappedForALink(t *testing.T) {
	w := filestest.New(t)
	w.Put("ws/f", "mine")
	w.Put("outside", "secret")
	w.Link("../outside", "ws/link")
	w.Swap("ws/f", "ws/link", func() {
		for range 500 {
			_, _ = w.Call("write_file", `{"path":"f","content":"x","mode":"append"}`)
		}
	})
	if got := w.Content("outside"); got != "secret" {
		t.Errorf("outside there is %q", got)
	}
}

// The workspace is open also when it lies in a folder that is denied, as it does in hob's own state.
func TestFiles_WorkspaceInTheStateFolder(t *testing.T) {
	w := filestest.New(t, func(c *files.Config) { c.Deny = []string{filepath.Dir(c.Dir)} })
	w.Text("write_file", `{"path":"a/f","content":"x"}`)
	if got := w.Text("read_file", `{"path":"a/f"}`); got != "x" {
		t.Error(got)
	}
}

// What is too large or too deep is cut, and the cut says so.
func TestFiles_Bounds(t *testing.T) {
	race.Skip(t, "one goroutine reads a lot")
	w := filestest.New(t)
	w.Put("ws/big", strings.Repeat("line\n", 17<<20/5))
	if got := w.Text("read_file", `{"path":"big","offset":3355440}`); !strings.HasSuffix(got,
		"lines 3355440-3355443 of 3355444; this is the end; only the first 16777216 of 17825790 bytes can be read; use run_command for the rest]") {
		t.Errorf("%q", got)
	}
	if _, err := w.Files.ReadFile("big"); err == nil {
		t.Error("ReadFile reads a part and does not say so")
	}
	w.Fails("edit_file", `{"path":"big","old_string":"line","new_string":"x","replace_all":true}`, event.CodeInvalidValue, "17825790 bytes, and 16777216 is the most")
	w.Put("ws/"+strings.Repeat("d/", 80)+"f", "x")
	if got := w.Text("list_files", `{"path":"d","recursive":true}`); !strings.HasSuffix(got, "64 items; there are more than could be counted") {
		t.Errorf("%q", got[max(0, len(got)-100):])
	}
}
