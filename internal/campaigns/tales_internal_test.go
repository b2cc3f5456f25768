package campaigns

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"hob/internal/game/tales"
)

// A disk that is full in the middle of a tale keeps no part of it.
func TestATaleOnAFullDisk(t *testing.T) {
	files, err := tales.Example("mill", "en")
	if err != nil {
		t.Fatal(err)
	}
	for n := range files {
		dir, written := t.TempDir(), 0
		full := func(w io.Writer, text string) (int, error) {
			if written < n {
				written++
				return io.WriteString(w, text)
			}
			some, _ := io.WriteString(w, text[:len(text)/2])
			return some, &fs.PathError{Op: "write", Path: files[n].Name, Err: syscall.ENOSPC}
		}
		want := "write " + filepath.Join(dir, files[n].Name) + ": no space left on device"
		if err := TaleFolder(dir).write(files, full); err == nil || err.Error() != want {
			t.Errorf("the error is %v, not %s", err, want)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("with file %d full these are left: %v, %v", n, left, err)
		}
	}
}
