package files

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/tools"
)

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
			f, err := New(Config{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if err := f.WriteFile("notes.md", "the old content"); err != nil {
				t.Fatal(err)
			}
			f.save = save
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
	f, err := New(Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.save = func(temp *os.File, content []byte) error {
		if err := os.WriteFile(filepath.Join(dir, "f"), []byte("theirs"), 0o644); err != nil {
			return err
		}
		return saveAll(temp, content)
	}
	_, err = f.write(t.Context(), writeArgs{Path: "f", Content: "ours", Mode: "create"})
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

// On a folder that ignores case a new name would silently take the place of another file.
func TestTwinOf(t *testing.T) {
	for _, c := range []struct {
		base  string
		names []string
		want  string
	}{
		{"readme.md", []string{"x", "README.md"}, "README.md"},
		{"readme.md", []string{"README.md", "readme.md"}, ""},
		{"readme.md", []string{"x"}, ""},
	} {
		if got := twinOf(c.base, c.names); got != c.want {
			t.Errorf("twinOf(%q, %q) = %q, want %q", c.base, c.names, got, c.want)
		}
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
