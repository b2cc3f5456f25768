package files

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/origins"
	"hob/internal/tools/files/tree"
)

// savingWith is a Tool whose temporary files save writes.
func savingWith(t *testing.T, dir string, save func(*os.File, []byte) error) *Tool {
	t.Helper()
	open, err := tree.Open(tree.Config{Dir: dir, Save: save})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { open.Close() })
	return &Tool{tree: open, origins: origins.New(open, nil, nil)}
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
			f := savingWith(t, dir, save)
			for _, in := range []writeArgs{
				{Path: "notes.md", Content: "new content", Mode: "overwrite"},
				{Path: "notes.md", Content: "more", Mode: "append"},
				{Path: "a/b/new.md", Content: "new", Mode: "create"},
			} {
				_, err := f.write(t.Context(), in)
				want := &tools.Error{
					Type: event.TypeStorage, Code: event.CodeExecutionFailed,
					Message: in.Path + ": the disk is full; nothing was changed",
				}
				if diff := cmp.Diff(error(want), err); diff != "" {
					t.Errorf("%s: %s", in.Mode, diff)
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
	f := savingWith(t, dir, func(temp *os.File, content []byte) error {
		if err := os.WriteFile(filepath.Join(dir, "f"), []byte("theirs"), 0o644); err != nil {
			return err
		}
		return tree.SaveAll(temp, content)
	})
	_, err := f.write(t.Context(), writeArgs{Path: "f", Content: "ours", Mode: "create"})
	want := &tools.Error{
		Type: event.TypeValidation, Code: event.CodeInvalidValue, Message: "f exists already",
		Suggestion: "use edit_file to change a part of it, or mode append or overwrite",
	}
	if diff := cmp.Diff(error(want), err); diff != "" {
		t.Error(diff)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "f")); err != nil || string(got) != "theirs" {
		t.Errorf("the file holds %q, %v", got, err)
	}
}

// Two names of one file that differ by case only are no sign of such a folder.
func TestTwinsOnAnHonestFolder(t *testing.T) {
	dir := t.TempDir()
	f, err := New(Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.WriteFile("notes", "x"); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(dir, "notes"), filepath.Join(dir, "NOTES")); err != nil {
		t.Fatal(err)
	}
	if err := f.WriteFile("notes", "y"); err != nil {
		t.Error(err)
	}
}
