package campaigns

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"hob/internal/atomicfile"
	"hob/internal/exit"
)

// File is a file named on a command line. "-" is standard input.
type File struct {
	Path  string
	Stdin io.Reader
}

// String returns the file's name for a sentence.
func (f File) String() string {
	if f.Path == "-" {
		return "standard input"
	}
	return f.Path
}

// Read reads the file.
func (f File) Read() ([]byte, error) {
	if f.Path == "-" {
		return io.ReadAll(f.Stdin)
	}
	data, err := os.ReadFile(f.Path)
	if err == nil {
		return data, nil
	}
	var why *fs.PathError
	info, _ := os.Stat(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, exit.Errorf(exit.Usage, "there is no file %s: name an export of hob's or a save", f.Path)
	case info != nil && info.IsDir():
		return nil, exit.Errorf(exit.Usage, "%s is a folder: name an export of hob's or a save in it", f.Path)
	case errors.Is(err, fs.ErrPermission):
		return nil, exit.Errorf(exit.Usage, "%s may not be read: change its mode, or name another file", f.Path)
	case errors.As(err, &why):
		return nil, fmt.Errorf("read %s: %w", f.Path, why.Err)
	}
	return nil, err
}

// CheckTarget returns an error for a path that cannot be written. "" is no file.
func CheckTarget(path string) error {
	if path == "" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return exit.Errorf(exit.Usage, "%s is a folder: name a file in it", path)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return exit.Errorf(exit.Usage, "there is no folder %s to write %s in: make it first", filepath.Dir(path), filepath.Base(path))
	}
	return nil
}

// WriteFile writes a file whole or not at all; see [atomicfile.Write].
func WriteFile(path string, write func(io.Writer) error) error {
	if err := CheckTarget(path); err != nil {
		return err
	}
	return atomicfile.Write(path, write)
}
