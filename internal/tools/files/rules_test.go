package files_test

import (
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/files/changes"
	"hob/internal/tools/files/filestest"
	"hob/internal/tools/toolstest"
)

// changing are the calls that change a file, by the tool's name.
func changing(path string) map[string]string {
	quoted, _ := json.Marshal(path)
	return map[string]string{
		"write_file":  `{"path":` + string(quoted) + `,"content":"y","mode":"overwrite"}`,
		"edit_file":   `{"path":` + string(quoted) + `,"old_string":"x","new_string":"y"}`,
		"delete_file": `{"path":` + string(quoted) + `}`,
		"move_file":   `{"path":` + string(quoted) + `,"to":"moved"}`,
	}
}

// A path is cleaned before anything is opened by it, and what is no name of a file is refused: cleaned or not, it would be
// a folder, and one way of writing a folder's name has wiped whole trees before.
func TestChanges_UncleanPaths(t *testing.T) {
	w, _ := filestest.NewKept(t)
	w.Put("ws/sub/f", "x")
	w.Put("x", "x")
	for path, want := range map[string]string{
		".": event.CodeInvalidValue, "./": event.CodeInvalidValue, "~": event.CodeInvalidValue, "~/": event.CodeInvalidValue,
		"sub/": event.CodeInvalidValue, "sub/f/": event.CodeInvalidValue, "sub/f/.": event.CodeInvalidValue,
		"sub/..": event.CodeInvalidValue, "sub/../": event.CodeInvalidValue, "sub/f/../..": event.CodeInvalidValue,
		"sub/../sub/..": event.CodeInvalidValue, w.Dir: event.CodeInvalidValue, w.Dir + "/sub/..": event.CodeInvalidValue,
		"..": event.CodePathTraversal, "../x": event.CodePathTraversal, "sub/../../x": event.CodePathTraversal,
		"a/../../x": event.CodePathTraversal, "~/../x": event.CodePathTraversal, "sub/../../ws/sub/f": event.CodePathTraversal,
		w.Dir + "/../x": event.CodePermissionDenied, "/": event.CodePermissionDenied,
	} {
		for tool, args := range changing(path) {
			w.Fails(tool, args, want, "")
		}
	}
	for _, path := range []string{"./sub/f", "sub//f", "sub/./f", "a/../sub/f", "~/sub/f", w.Dir + "/a/../sub/f"} {
		w.Put("ws/sub/f", "x")
		if got := w.Text("edit_file", changing(path)["edit_file"]); got != "edited sub/f in 1 place, 1 bytes" {
			t.Errorf("%s: %s", path, got)
		}
	}
}

// What is in a .git names programs that git starts for whoever uses it next: no tool writes there, by no name. It can be
// taken away.
func TestChanges_GitsOwn(t *testing.T) {
	w, _ := filestest.NewKept(t)
	w.Put("ws/.git/config", "x")
	w.Put("ws/sub/.git/hooks/post-checkout", "x")
	w.Put("ws/tree/.git", "x")
	w.Link(".git", "ws/g")
	w.Link("../.git/config", "ws/sub/settings")
	w.Put("ws/.github/x.yml", "x")
	w.Put("ws/.gitignore", "x")
	before := w.Tree()
	for _, path := range []string{
		".git/config", "./.git/config", w.Dir + "/.git/config", "g/config", "sub/settings", "sub/.git/hooks/post-checkout", "tree/.git",
		".git/new", ".git/commondir", "new/.git/hooks/pre-commit", ".GIT/config", "new/.git",
	} {
		calls := changing(path)
		w.Fails("write_file", calls["write_file"], event.CodePermissionDenied, "belongs to git")
		if _, err := w.Call("edit_file", calls["edit_file"]); err == nil {
			t.Errorf("edit_file wrote %s", path)
		}
	}
	if diff := cmp.Diff(before, w.Tree()); diff != "" {
		t.Errorf("what is there (-before +after):\n%s", diff)
	}
	for _, path := range []string{".github/x.yml", ".gitignore"} {
		w.Text("write_file", changing(path)["write_file"])
	}
	w.Text("delete_file", changing(".git/config")["delete_file"])
}

// What is no regular file is neither opened for long nor replaced nor deleted.
func TestChanges_SpecialFiles(t *testing.T) {
	w, _ := filestest.NewKept(t)
	kinds := map[string]string{"fifo": "a named pipe", "socket": "a socket"}
	w.Special("ws/fifo", func(p string) error { return unix.Mkfifo(p, 0o644) })
	w.Special("ws/socket", func(p string) error {
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: p})
		if err == nil {
			l.SetUnlinkOnClose(false)
			l.Close()
		}
		return err
	})
	if err := unix.Mknod(filepath.Join(w.Dir, "null"), unix.S_IFCHR|0o666, int(unix.Mkdev(1, 3))); err == nil {
		kinds["null"] = "a device"
	} else {
		t.Logf("this user makes no devices (%v): only the others are tried", err)
	}
	for name, kind := range kinds {
		for tool, args := range changing(name) {
			w.Fails(tool, args, event.CodeInvalidValue, name+" is "+kind+", not a file")
		}
	}
}

// hob's own files stay as they are, also by another name of the same file, and so does what is on another mount.
func TestChanges_ClosedPlaces(t *testing.T) {
	var token string
	w, m := filestest.NewKept(t, func(c *files.Config) {
		token = filepath.Join(filepath.Dir(c.Dir), "token")
		c.Deny = []string{token}
	})
	w.Put("token", "x")
	if err := os.Link(token, filepath.Join(w.Dir, "hard")); err != nil {
		t.Fatal(err)
	}
	for tool, args := range changing("hard") {
		w.Fails(tool, args, event.CodePermissionDenied, "hard belongs to hob itself")
	}
	all, err := files.New(files.Config{Dir: "/", Log: m})
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	for tool, args := range changing("proc/self/comm") { // where nothing could be written anyway
		_, err := tools.Call(t.Context(), (&filestest.World{Files: all}).Tool(tool), []byte(args))
		toolstest.IsError(t, err, event.CodePermissionDenied, "is on another mount than the folder that was opened")
	}
	if len(m.List()) > 0 {
		t.Errorf("remembered is %v", m.List())
	}
}

// A file with another name outside is replaced under this name only, and its undo leaves the other alone, too.
func TestChanges_HardLinks(t *testing.T) {
	for _, tool := range []string{"write_file", "edit_file", "delete_file"} {
		w, m := filestest.NewKept(t)
		w.Put("outside", "x")
		if err := os.Link(filepath.Join(w.Base, "outside"), filepath.Join(w.Dir, "hard")); err != nil {
			t.Fatal(err)
		}
		w.Text(tool, changing("hard")[tool])
		w.Undo(m, changes.Options{}, m.InForce()...)
		w.Text("write_file", changing("hard")["write_file"])
		if got := w.Content("outside"); got != "x" {
			t.Errorf("after %s outside there is %q", tool, got)
		}
	}
}
