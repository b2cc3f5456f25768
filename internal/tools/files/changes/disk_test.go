package changes_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/changes"
	"hob/internal/tools/files/origins"
	"hob/internal/tools/files/tree"
)

// writerIn is a Writer in dir whose temporary files save writes.
func writerIn(t *testing.T, dir string, save func(*os.File, []byte) error) (*tree.Tree, *changes.Writer) {
	t.Helper()
	open, err := tree.Open(tree.Config{Dir: dir, Save: save})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { open.Close() })
	return open, changes.New(open, nil, origins.New(open, nil, nil))
}

// A disk that fills up in the middle of a write leaves the old file as it was, and nothing else.
func TestWriteOnFullDisk(t *testing.T) {
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
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "notes.md"), []byte("the old content"), 0o644); err != nil {
				t.Fatal(err)
			}
			open, w := writerIn(t, dir, save)
			for name, content := range map[string]string{"notes.md": "new content", "a/b/new.md": "new"} {
				p, bad := open.ResolveFile(name)
				if bad != nil {
					t.Fatal(bad)
				}
				_, bad = w.Write(t.Context(), p, "write_file", true, func(*tree.Existing) ([]byte, *tools.Error) { return []byte(content), nil })
				want := &tools.Error{
					Type: event.TypeStorage, Code: event.CodeExecutionFailed,
					Message: name + ": the disk is full; nothing was changed",
				}
				if diff := cmp.Diff(want, bad); diff != "" {
					t.Errorf("%s: %s", name, diff)
				}
			}
			left, err := os.ReadDir(dir)
			if err != nil || len(left) != 1 {
				t.Errorf("the folder holds %v, %v", left, err)
			}
			if got, err := os.ReadFile(filepath.Join(dir, "notes.md")); err != nil || string(got) != "the old content" {
				t.Errorf("the file holds %q, %v", got, err)
			}
		})
	}
}

// A file that somebody else makes while hob makes it is theirs.
func TestCreateBesideAnother(t *testing.T) {
	dir := t.TempDir()
	open, w := writerIn(t, dir, func(temp *os.File, content []byte) error {
		if err := os.WriteFile(filepath.Join(dir, "f"), []byte("theirs"), 0o644); err != nil {
			return err
		}
		return tree.SaveAll(temp, content)
	})
	_, bad := w.Write(t.Context(), open.At("f"), "write_file", true, func(old *tree.Existing) ([]byte, *tools.Error) {
		if old != nil {
			t.Error("there is a file already")
		}
		return []byte("ours"), nil
	})
	want := &tools.Error{
		Type: event.TypeValidation, Code: event.CodeInvalidValue, Message: "f exists already",
		Suggestion: "use edit_file to change a part of it, or mode append or overwrite",
	}
	if diff := cmp.Diff(want, bad); diff != "" {
		t.Error(diff)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "f")); err != nil || string(got) != "theirs" {
		t.Errorf("the file holds %q, %v", got, err)
	}
}
