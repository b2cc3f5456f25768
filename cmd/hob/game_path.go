package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"hob/internal/exit"
)

// readGameFile reads a file that was named on the command line, or standard input for "-".
func (a *program) readGameFile(path string) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(a.stdin)
	}
	data, err := os.ReadFile(path)
	if err == nil {
		return data, nil
	}
	var why *fs.PathError
	info, _ := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, exit.Errorf(exit.Usage, "there is no file %s: name an export of hob's or a save", path)
	case info != nil && info.IsDir():
		return nil, exit.Errorf(exit.Usage, "%s is a folder: name an export of hob's or a save in it", path)
	case errors.Is(err, fs.ErrPermission):
		return nil, exit.Errorf(exit.Usage, "%s may not be read: change its mode, or name another file", path)
	case errors.As(err, &why):
		return nil, exit.Errorf(exit.Failed, "read %s: %v", path, why.Err)
	}
	return nil, err
}

// checkTarget refuses what no file can be written to, before there is anything to write.
func checkTarget(path string) error {
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

// writeWhole writes a file whole or not at all: what is there stays until the new one is complete. What is no plain file, such as a pipe,
// is written as it comes.
func writeWhole(path string, write func(io.Writer) error) error {
	if err := checkTarget(path); err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		if mode = info.Mode().Perm(); !info.Mode().IsRegular() {
			return writeThrough(path, write)
		}
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".hob-save-*")
	if err != nil {
		return notWritten(path, err)
	}
	err = write(f)
	if err == nil {
		err = notWritten(path, errors.Join(f.Chmod(mode), f.Sync()))
	}
	if closed := f.Close(); err == nil {
		err = notWritten(path, closed)
	}
	if err == nil {
		err = notWritten(path, os.Rename(f.Name(), path))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// writeThrough writes to what is no plain file.
func writeThrough(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return notWritten(path, err)
	}
	if err := write(f); err != nil {
		return errors.Join(err, f.Close())
	}
	return notWritten(path, f.Close())
}

// notWritten says why a file could not be written, without the name that it had meanwhile.
func notWritten(path string, err error) error {
	var why *fs.PathError
	var link *os.LinkError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &why):
		err = why.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return exit.Errorf(exit.Failed, "write %s: %v", path, err)
}
