package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/tools/files"
)

// labelOf is the label of a file that is opened by a path, relative to the folder that holds the workspace.
func (w marked) labelOf(path string, before ...func()) (event.Label, bool) {
	w.t.Helper()
	file, err := os.OpenFile(filepath.Join(w.base, path), os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	defer file.Close()
	for _, change := range before {
		change()
	}
	return w.file.Origins().LabelOf(w.t.Context(), file)
}

// A file of the workspace has its own mark by whatever path it is opened; what only looks like one is none.
func TestLabelOf(t *testing.T) {
	ours, theirs := event.Label{Private: true}, event.Label{Private: true, Untrusted: true}
	w := newMarked(t, func(c *files.Config) { c.Deny = []string{filepath.Join(c.Dir, "d/closed")} })
	for _, path := range []string{"ws/mine", "ws/theirs", "ws/d/mine", "ws/d/theirs", "ws/named/mine", "ws/d/closed/mine", "out/mine", "ws-not/mine", "ws/gone", "ws/moved"} {
		w.put(path, "x")
	}
	w.mark("theirs", "d/theirs", "named/"+nameMark, "gone", "moved")
	w.link(filepath.Join(w.base, "out/mine"), "ws/out")
	w.link(filepath.Join(w.base, "out"), "ws/way")
	w.link("theirs", "ws/link")
	w.link(filepath.Join(w.base, "ws/theirs"), "out/in")
	w.link(filepath.Join(w.base, "ws/mine"), "out/ours")
	w.special("ws/fifo", func(p string) error { return unix.Mkfifo(p, 0o600) })
	for _, c := range []struct {
		path string
		want event.Label
		ok   bool
	}{
		{"ws/mine", ours, true}, {"ws/d/mine", ours, true}, {"ws/../ws/d/../mine", ours, true}, {"out/ours", ours, true},
		{"ws/theirs", theirs, true}, {"ws/d/theirs", theirs, true}, {"ws/link", theirs, true}, {"out/in", theirs, true}, {"ws/named/mine", theirs, true},
		{path: "out/mine"}, {path: "ws/out"}, {path: "ws/way/mine"}, {path: "ws-not/mine"}, {path: "ws/fifo"}, {path: "ws/d"}, {path: "ws"}, {path: "ws/d/closed/mine"},
	} {
		got, ok := w.labelOf(c.path)
		got.Source = ""
		if diff := cmp.Diff(c.want, got); diff != "" || ok != c.ok {
			t.Errorf("%s: %t\n%s", c.path, ok, diff)
		}
	}
	for name, change := range map[string]func() error{
		"ws/gone":  func() error { return os.Remove(filepath.Join(w.dir, "gone")) },
		"ws/moved": func() error { return os.Rename(filepath.Join(w.dir, "moved"), filepath.Join(w.base, "out/moved")) },
	} {
		if got, ok := w.labelOf(name, func() {
			if err := change(); err != nil {
				t.Fatal(err)
			}
		}); ok {
			t.Errorf("%s, which is not there any more, is %+v", name, got)
		}
	}
	w.o.fail(errors.New("no"))
	if got, ok := w.labelOf("ws/mine"); !ok || !got.Untrusted {
		t.Errorf("what cannot be found out is taken for the household's: %+v, %t", got, ok)
	}
	if got, ok := newFileWorld(t).file.Origins().LabelOf(t.Context(), os.Stdin); ok {
		t.Errorf("standard input is %+v", got)
	}
}
