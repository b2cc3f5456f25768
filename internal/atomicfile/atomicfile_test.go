package atomicfile_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/atomicfile"
)

// text returns a function that writes text.
func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// folder returns the files in a folder, with their text and mode. A link is its target.
func folder(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if e.Type()&fs.ModeSymlink != 0 {
			to, err := os.Readlink(path)
			if err != nil {
				t.Fatal(err)
			}
			all[e.Name()] = "-> " + to
			continue
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = info.Mode().String() + " " + string(raw)
	}
	return all
}

// A new file can be read by all, an old one keeps its mode, and a link stays a link.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	old, link := filepath.Join(dir, "old"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(old, []byte("before"), 0o640), os.Chmod(old, 0o640), os.Symlink("old", link)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(atomicfile.Write(filepath.Join(dir, "new"), text("one")), atomicfile.Write(link, text("two"))); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"new": "-rw-r--r-- one", "old": "-rw-r----- two", "link": "-> old"}
	if diff := cmp.Diff(want, folder(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// A write that fails leaves the old file, and nothing beside it. Its error is the caller's.
func TestWrite_Fails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := atomicfile.Write(path, text("before")); err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	err := atomicfile.Write(path, func(w io.Writer) error { return errors.Join(text("half")(w), stop) })
	if !errors.Is(err, stop) || err.Error() != "stop" {
		t.Errorf("the error is %v", err)
	}
	if diff := cmp.Diff(map[string]string{"file": "-rw-r--r-- before"}, folder(t, dir)); diff != "" {
		t.Error(diff)
	}
	for path, want := range map[string]string{filepath.Join(dir, "no", "file"): "no such file or directory", filepath.Join(path, "file"): "not a directory"} {
		if err := atomicfile.Write(path, text("")); err == nil || err.Error() != "write "+path+": "+want {
			t.Errorf("the error is %v", err)
		}
	}
}

// A pipe is written through: it is there before, and it is there after.
func TestWrite_Through(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	got := make(chan string)
	go func() {
		raw, _ := os.ReadFile(path)
		got <- string(raw)
	}()
	if err := atomicfile.Write(path, text("one\ntwo\n")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		t.Fatalf("afterwards it is %v, %v", info, err)
	}
	if raw := <-got; raw != "one\ntwo\n" {
		t.Errorf("%q came through", raw)
	}
}

// Replace gives the mode that it was called with, and replaces a link itself.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := os.Symlink("elsewhere", path); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Replace(path, 0o600, func(f *os.File) error { return text("own")(f) }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"file": "-rw------- own"}, folder(t, dir)); diff != "" {
		t.Error(diff)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Replace(filepath.Join(dir, "folder"), 0o600, func(*os.File) error { return nil }); err == nil {
		t.Error("a folder was replaced")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".hob-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
