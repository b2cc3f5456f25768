package blobs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/tree"
)

// A disk that fills up costs the result and nothing else: no half of it is ever there, and when there is room again
// things go on.
func TestStore_OnFullDisk(t *testing.T) {
	dir := t.TempDir()
	o, err := New(Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	ctx := tools.WithCaller(t.Context(), tools.Caller{Chat: "main"})
	if _, err := o.Put(ctx, "one", event.Label{}); err != nil {
		t.Fatal(err)
	}
	for name, save := range map[string]func(*os.File, []byte) error{
		"nothing fits": func(f *os.File, _ []byte) error {
			return &os.PathError{Op: "write", Path: f.Name(), Err: unix.ENOSPC}
		},
		"half fits": func(f *os.File, content []byte) error {
			if _, err := f.Write(content[:len(content)/2]); err != nil {
				return err
			}
			return &os.PathError{Op: "write", Path: f.Name(), Err: unix.ENOSPC}
		},
	} {
		t.Run(name, func(t *testing.T) {
			o.save = save
			handle, err := o.Put(ctx, "a longer text", event.Label{})
			if handle != "" || !errors.Is(err, unix.ENOSPC) || !strings.HasPrefix(err.Error(), "keep a result: ") {
				t.Errorf("Put = %q, %v", handle, err)
			}
			if left, err := filepath.Glob(filepath.Join(dir, "*", "*")); err != nil || len(left) != 2 {
				t.Errorf("the folder holds %v, %v", left, err)
			}
			if text, _, bad := o.Open(ctx, "out:1"); text != "one" || bad != nil {
				t.Errorf("out:1 is %q, %v", text, bad)
			}
		})
	}
	o.save = tree.SaveAll
	if handle, err := o.Put(ctx, "two", event.Label{}); handle != "out:2" || err != nil {
		t.Errorf("when there is room again: %q, %v", handle, err)
	}
}

// The folder is taken away, or the name is, while a result is being written.
func TestStore_TornAway(t *testing.T) {
	dir := t.TempDir()
	o, err := New(Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	ctx := tools.WithCaller(t.Context(), tools.Caller{Chat: "main"})
	folder := filepath.Join(dir, folderOf("main"))
	o.save = func(f *os.File, content []byte) error {
		return errors.Join(tree.SaveAll(f, content), os.WriteFile(filepath.Join(folder, "1.txt"), []byte("theirs"), 0o600))
	}
	if handle, err := o.Put(ctx, "ours", event.Label{}); handle != "out:2" || err != nil {
		t.Errorf("where the next name is taken meanwhile: %q, %v", handle, err)
	}
	if text, _, bad := o.Open(ctx, "out:1"); text != "theirs" || bad != nil {
		t.Errorf("out:1 is %q, %v", text, bad)
	}
	o.save = func(f *os.File, content []byte) error {
		return errors.Join(tree.SaveAll(f, content), os.RemoveAll(dir))
	}
	if handle, err := o.Put(ctx, "lost", event.Label{}); handle != "" || err == nil {
		t.Errorf("where the folder goes meanwhile: %q, %v", handle, err)
	}
	o.save = tree.SaveAll
	handle, err := o.Put(ctx, "again", event.Label{})
	if err != nil {
		t.Fatal(err)
	}
	if text, _, bad := o.Open(ctx, handle); text != "again" || bad != nil || handle == "out:1" || handle == "out:2" {
		t.Errorf("%s is %q, %v", handle, text, bad)
	}
}

// A file that a power cut left empty is a result that is gone, not one that said nothing.
func TestStore_TornFile(t *testing.T) {
	dir := t.TempDir()
	o, err := New(Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	ctx := tools.WithCaller(t.Context(), tools.Caller{Chat: "main"})
	if _, err := o.Put(ctx, "one", event.Label{}); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, folderOf("main"), "1.txt"), 0); err != nil {
		t.Fatal(err)
	}
	if text, _, bad := o.Open(ctx, "out:1"); text != "" || bad == nil || bad.Message != "out:1 is no longer kept: call the tool again" {
		t.Errorf("%q, %v", text, bad)
	}
}

// The numbers end before they would no longer be those of handles.
func TestStore_LastNumber(t *testing.T) {
	dir := t.TempDir()
	o, err := New(Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	ctx := tools.WithCaller(t.Context(), tools.Caller{Chat: "main"})
	folder := filepath.Join(dir, folderOf("main"))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, fileOf(maxNumber-1)), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	handle, err := o.Put(ctx, "the last", event.Label{})
	if text, _, bad := o.Open(ctx, handle); err != nil || bad != nil || text != "the last" {
		t.Errorf("%s is %q, %v, %v", handle, text, err, bad)
	}
	if handle, err := o.Put(ctx, "one more", event.Label{}); handle != "" || err == nil {
		t.Errorf("Put = %q, %v", handle, err)
	}
	if left, err := filepath.Glob(filepath.Join(folder, tree.TempPrefix+"*")); err != nil || len(left) != 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}
