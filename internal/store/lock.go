package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"hob/internal/retry"
)

// ErrLocked matches every *[LockedError].
var ErrLocked = errors.New("held by another process")

// LockedError says that another process has the lock.
type LockedError struct {
	Path string
	By   string // such as "hob serve (pid 4711)"
}

func (e *LockedError) Error() string { return fmt.Sprintf("lock %s: held by %s", e.Path, e.By) }

// Is makes a LockedError match [ErrLocked].
func (e *LockedError) Is(target error) bool { return target == ErrLocked }

// FileLock is a lock that this process holds.
type FileLock struct{ file, folder *os.File }

// Lock takes the lock at path for who, such as "hob serve". If another process has it, it returns a
// *[LockedError] at once.
//
// The lock is the kernel's (flock), on the folder of path and on the file. It ends with
// [FileLock.Release] or with the process, however that ends. The lock on the folder holds even if
// the file is removed. The file stays; its text, such as "hob serve (pid 4711)", only names the
// holder, and means nothing without one. If others can write to the folder, or the file is no lock
// of this user, the error is a *[FolderError].
func Lock(path, who string) (*FileLock, error) {
	folder, err := openFolder(filepath.Dir(path))
	if err != nil {
		return nil, lockError(path, err)
	}
	free, err := flockFolder(folder)
	if err == nil && !free {
		err = &LockedError{Path: path, By: holderOf(folder, path)}
	}
	if err != nil {
		folder.Close()
		return nil, lockError(path, err)
	}
	for {
		f, err := openLock(folder, path)
		if err == nil {
			var mine bool
			if mine, err = tryLock(f, folder, path, who); mine {
				return &FileLock{f, folder}, nil
			}
			f.Close()
		}
		if err != nil {
			folder.Close()
			return nil, lockError(path, err)
		}
	}
}

// Holder returns the holder of the lock at path, such as "hob serve (pid 4711)", or "". It writes
// nothing, and needs only read access to the folder.
func Holder(path string) (string, error) {
	folder, err := os.OpenFile(filepath.Dir(path), os.O_RDONLY|syscall.O_DIRECTORY, 0)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", lockError(path, err)
	}
	defer folder.Close()
	if free, err := flockFolder(folder); err != nil || !free {
		return holderOf(folder, path), err
	}
	f, err := openAt(folder, path, os.O_RDONLY)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ELOOP) {
		return "", nil
	}
	if err != nil {
		return "", lockError(path, err)
	}
	defer f.Close()
	if free, err := flock(f); err != nil || !free {
		return readHolder(f), err
	}
	return "", nil
}

// lockError adds the failed operation to an error without one.
func lockError(path string, err error) error {
	if held, bad := (*LockedError)(nil), (*FolderError)(nil); errors.As(err, &held) || errors.As(err, &bad) {
		return err
	}
	return fmt.Errorf("lock %s: %w", path, err)
}

// openLock opens the lock file in its folder, and creates it if necessary. It follows no link,
// because it writes to the file.
func openLock(folder *os.File, path string) (*os.File, error) {
	f, err := openAt(folder, path, os.O_RDWR|os.O_CREATE)
	switch {
	case errors.Is(err, syscall.ELOOP):
		return nil, notLockError(path, "is a link")
	case errors.Is(err, syscall.EISDIR):
		return nil, notLockError(path, "is a folder")
	case err != nil:
		return nil, err
	}
	if err := checkLock(f, path); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// openAt opens a file in an open folder, even if the path already leads elsewhere. It does not
// block on a pipe.
func openAt(folder *os.File, path string, flags int) (*os.File, error) {
	const always = syscall.O_CLOEXEC | syscall.O_NOFOLLOW | syscall.O_NONBLOCK | syscall.O_NOCTTY
	for {
		fd, err := unix.Openat(int(folder.Fd()), filepath.Base(path), flags|always, 0o600)
		if err == nil {
			return os.NewFile(uintptr(fd), path), nil
		}
		if !errors.Is(err, syscall.EINTR) {
			return nil, &os.PathError{Op: "open", Path: path, Err: err}
		}
	}
}

// flock takes the kernel's lock on an open file, and reports whether it was free.
func flock(f *os.File) (free bool, err error) {
	err = syscall.EINTR
	for errors.Is(err, syscall.EINTR) {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// flockFolder is flock for a folder. Some file systems, such as NFS, lock only files open for
// writing, which a folder never is: then it reports true, and only the lock on the file counts.
func flockFolder(folder *os.File) (free bool, err error) {
	free, err = flock(folder)
	if errors.Is(err, syscall.EBADF) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOLCK) || errors.Is(err, syscall.ENOTSUP) {
		return true, nil
	}
	return free, err
}

// holderOf returns the holder of a folder's lock, as the file in it says.
func holderOf(folder *os.File, path string) string {
	f, err := openAt(folder, path, os.O_RDONLY)
	if err != nil {
		return unknownHolder
	}
	defer f.Close()
	return readHolder(f)
}

// tryLock returns false and no error if the file was removed meanwhile: the lock would be on a file
// that nobody else sees.
func tryLock(f, folder *os.File, path, who string) (bool, error) {
	free, err := flock(f)
	if err != nil {
		return false, err
	}
	if !free {
		return false, &LockedError{Path: path, By: readHolder(f)}
	}
	mine, err := f.Stat()
	if err != nil {
		return false, err
	}
	there, err := openAt(folder, path, os.O_RDONLY)
	if err != nil {
		return false, nil //nolint:nilerr // it was removed and recreated
	}
	defer there.Close()
	if info, err := there.Stat(); err != nil || !os.SameFile(mine, info) {
		return false, err
	}
	return true, writeHolder(f, fmt.Sprintf("%s (pid %d)\n", who, os.Getpid()))
}

// WaitLock takes the lock at path, and waits while another process has it. onWait, if not nil, is
// called with the holder before the wait, and whenever the holder changes. If ctx ends, it returns
// the cause.
func WaitLock(ctx context.Context, path, who string, onWait func(holder string)) (*FileLock, error) {
	holder := ""
	for {
		held, err := Lock(path, who)
		var other *LockedError
		if !errors.As(err, &other) {
			return held, err
		}
		if other.By != holder && onWait != nil {
			onWait(other.By)
		}
		holder = other.By
		if err := retry.Wait(ctx, 100*time.Millisecond); err != nil {
			return nil, fmt.Errorf("wait for %s, held by %s: %w", path, other.By, err)
		}
	}
}

// Release releases the lock. A second call does nothing.
func (h *FileLock) Release() error {
	if h.file == nil {
		return nil
	}
	err := errors.Join(h.file.Truncate(0), h.file.Close(), h.folder.Close())
	h.file = nil
	if err != nil {
		return fmt.Errorf("release lock: %w", err)
	}
	return nil
}

// unknownHolder is the name of a holder that has not written its own.
const unknownHolder = "another process"

func readHolder(f *os.File) string {
	text, err := io.ReadAll(io.LimitReader(io.NewSectionReader(f, 0, 4096), 4096))
	line, _, _ := strings.Cut(string(text), "\n") // the rest is from an earlier holder
	if who := strings.TrimSpace(line); err == nil && who != "" {
		return who
	}
	return unknownHolder
}

// writeHolder overwrites the text of a holder that was killed. It does not truncate the file,
// because some file systems write a truncated file to the disk when it is closed.
func writeHolder(f *os.File, line string) error {
	if _, err := f.WriteAt([]byte(line), 0); err != nil {
		return err
	}
	return f.Truncate(int64(len(line)))
}
