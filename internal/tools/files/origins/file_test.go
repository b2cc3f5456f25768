package origins_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/tools/files"
	"hob/internal/tools/files/filestest"
)

// labelOf is the label of a file that is opened by a path, relative to the folder that holds the workspace.
func labelOf(w filestest.Marked, path string, before ...func()) (event.Label, bool) {
	w.T.Helper()
	file, err := os.OpenFile(filepath.Join(w.Base, path), os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		w.T.Fatal(err)
	}
	defer file.Close()
	for _, change := range before {
		change()
	}
	return w.Files.Origins().LabelOf(w.T.Context(), file)
}

// A file of the workspace has its own mark by whatever path it is opened; what only looks like one is none.
func TestLabelOf(t *testing.T) {
	ours, theirs := event.Label{Private: true}, event.Label{Private: true, Untrusted: true}
	w := filestest.NewMarked(t, func(c *files.Config) { c.Deny = []string{filepath.Join(c.Dir, "d/closed")} })
	for _, path := range []string{"ws/mine", "ws/theirs", "ws/d/mine", "ws/d/theirs", "ws/named/mine", "ws/d/closed/mine", "out/mine", "ws-not/mine", "ws/gone", "ws/moved"} {
		w.Put(path, "x")
	}
	w.Mark("theirs", "d/theirs", "named/"+filestest.NameMark, "gone", "moved")
	w.Link(filepath.Join(w.Base, "out/mine"), "ws/out")
	w.Link(filepath.Join(w.Base, "out"), "ws/way")
	w.Link("theirs", "ws/link")
	w.Link(filepath.Join(w.Base, "ws/theirs"), "out/in")
	w.Link(filepath.Join(w.Base, "ws/mine"), "out/ours")
	w.Special("ws/fifo", func(p string) error { return unix.Mkfifo(p, 0o600) })
	for _, c := range []struct {
		path string
		want event.Label
		ok   bool
	}{
		{"ws/mine", ours, true}, {"ws/d/mine", ours, true}, {"ws/../ws/d/../mine", ours, true}, {"out/ours", ours, true},
		{"ws/theirs", theirs, true}, {"ws/d/theirs", theirs, true}, {"ws/link", theirs, true}, {"out/in", theirs, true}, {"ws/named/mine", theirs, true},
		{path: "out/mine"}, {path: "ws/out"}, {path: "ws/way/mine"}, {path: "ws-not/mine"}, {path: "ws/fifo"}, {path: "ws/d"}, {path: "ws"}, {path: "ws/d/closed/mine"},
	} {
		got, ok := labelOf(w, c.path)
		got.Source = ""
		if diff := cmp.Diff(c.want, got); diff != "" || ok != c.ok {
			t.Errorf("%s: %t\n%s", c.path, ok, diff)
		}
	}
	for name, change := range map[string]func() error{
		"ws/gone":  func() error { return os.Remove(filepath.Join(w.Dir, "gone")) },
		"ws/moved": func() error { return os.Rename(filepath.Join(w.Dir, "moved"), filepath.Join(w.Base, "out/moved")) },
	} {
		if got, ok := labelOf(w, name, func() {
			if err := change(); err != nil {
				t.Fatal(err)
			}
		}); ok {
			t.Errorf("%s, which is not there any more, is %+v", name, got)
		}
	}
	w.Origins.Fail(errors.New("no"))
	if got, ok := labelOf(w, "ws/mine"); !ok || !got.Untrusted {
		t.Errorf("what cannot be found out is taken for the household's: %+v, %t", got, ok)
	}
	if got, ok := filestest.New(t).Files.Origins().LabelOf(t.Context(), os.Stdin); ok {
		t.Errorf("standard input is %+v", got)
	}
}
