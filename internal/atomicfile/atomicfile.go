// Package atomicfile writes a file whole or not at all.
//
// The new file is written beside the old one, under a name that begins with ".hob-", and is renamed over it once its bytes are on
// the disk; then the folder is brought to the disk, too. So a reader sees the old file or the new one, also after a
// crash. A process that is killed before the rename leaves the new file behind.
//
// [Write] is for a file that a person named: it follows a link, keeps the file's mode, and writes through a pipe or a device.
// [Replace] is for a file of hob's own, whose mode the caller knows. Neither has a lock: of two writers at once the last one wins.
// Whoever reads a file, changes it and writes it holds [LockFolder] meanwhile.
package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Write writes the file at path with write. A new file can be read by all. An error of write comes back as it is, and the old file
// stays; others say "write PATH" and why.
func Write(path string, write func(io.Writer) error) error {
	target, mode := path, fs.FileMode(0o644)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		target = real
	}
	if info, err := os.Stat(target); err == nil {
		if mode = info.Mode().Perm(); !info.Mode().IsRegular() {
			return writeThrough(target, write)
		}
	}
	var failed error
	err := Replace(target, mode, func(f *os.File) error {
		failed = write(f)
		return failed
	})
	if failed != nil {
		return err
	}
	return WriteError(target, err)
}

// Replace writes a new file of that mode with write, and renames it over path. It follows no link. Where it fails, the file at path
// is the old one, unless only the folder could not be brought to the disk.
func Replace(path string, mode fs.FileMode, write func(*os.File) error) error {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, ".hob-*")
	if err != nil {
		return fmt.Errorf("make new file: %w", err)
	}
	err = write(f)
	if err == nil {
		err = wrap("write new file", errors.Join(f.Chmod(mode), f.Sync()))
	}
	if closed := f.Close(); err == nil {
		err = wrap("write new file", closed)
	}
	if err == nil {
		err = wrap("replace file", os.Rename(f.Name(), path))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return wrap("replace file", syncFolder(dir))
}

// ReplaceText is [Replace] for a text.
func ReplaceText(path string, mode fs.FileMode, text string) error {
	return Replace(path, mode, func(f *os.File) error {
		_, err := f.WriteString(text)
		return err
	})
}

// LockFolder waits until nobody else holds the lock of a folder, and holds it until unlock. The folder is locked and not the file,
// which is replaced. The lock is the kernel's: it ends with the process.
func LockFolder(dir string) (unlock func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("lock folder: %w", err)
	}
	err = syscall.EINTR
	for errors.Is(err, syscall.EINTR) {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock folder: %w", err), f.Close())
	}
	return func() { _ = f.Close() }, nil
}

// WriteError says that a file could not be written, without the name that it had meanwhile.
func WriteError(path string, err error) error {
	var file *fs.PathError
	var link *os.LinkError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &file):
		err = file.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return fmt.Errorf("write %s: %w", path, err)
}

// writeThrough writes to a pipe or a device.
func writeThrough(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return WriteError(path, err)
	}
	if err := write(f); err != nil {
		return errors.Join(err, f.Close())
	}
	return WriteError(path, f.Close())
}

// syncFolder brings the names in a folder to the disk. A folder that may be written but not read, or a file system that cannot do
// this, is no error: the rename stands.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}

func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}
