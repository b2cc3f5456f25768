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

// ErrLocked is what every *[LockedError] is.
var ErrLocked = errors.New("held by another process")

// LockedError says that somebody else has the lock.
type LockedError struct {
	Path string
	By   string // such as "hob serve (pid 4711)"
}

func (e *LockedError) Error() string { return fmt.Sprintf("lock %s: held by %s", e.Path, e.By) }

// Is makes a HeldError an [ErrLocked].
func (e *LockedError) Is(target error) bool { return target == ErrLocked }

// FileLock is a lock that this process has.
type FileLock struct{ file, folder *os.File }

// Lock takes the lock at path for who, such as "hob serve", or returns a *[LockedError] at once if somebody has it.
//
// The lock is the kernel's (flock), on the folder of path and on the file: it ends with [FileLock.Release] or with the process,
// however that ends. The folder's is what keeps others out, also where the file was removed. The file stays; its text, such as
// "hob serve (pid 4711)", only says who holds the lock, and means nothing when nobody does. A folder that others can write to,
// and what is no lock of this user's, is a *[FolderError].
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

// Holder returns who has the lock at path, such as "hob serve (pid 4711)", "" if nobody has. It writes nothing, and needs no more
// than to read the folder.
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

// lockError says what was tried, where the error does not.
func lockError(path string, err error) error {
	if held, bad := (*LockedError)(nil), (*FolderError)(nil); errors.As(err, &held) || errors.As(err, &bad) {
		return err
	}
	return fmt.Errorf("lock %s: %w", path, err)
}

// openLock opens the file of the lock in its folder, and makes it if there is none. No link is followed: the file is written to.
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

// openAt opens a file in an open folder, even if the path leads elsewhere already. It does not wait for the other end of a pipe.
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

// flock takes the kernel's lock on an open file and reports whether it was free.
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

// flockFolder is flock for a folder. Some file systems, such as NFS, lock only what is open for writing, which a folder never is:
// there the file alone counts.
func flockFolder(folder *os.File) (free bool, err error) {
	free, err = flock(folder)
	if errors.Is(err, syscall.EBADF) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOLCK) || errors.Is(err, syscall.ENOTSUP) {
		return true, nil
	}
	return free, err
}

// holderOf is who holds the lock of a folder, as the file in it says.
func holderOf(folder *os.File, path string) string {
	f, err := openAt(folder, path, os.O_RDONLY)
	if err != nil {
		return unknownHolder
	}
	defer f.Close()
	return readHolder(f)
}

// tryLock returns false and no error if the file was taken from under it: then the lock would be on a file nobody else sees.
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
		return false, nil //nolint:nilerr // it is gone, and made anew
	}
	defer there.Close()
	if info, err := there.Stat(); err != nil || !os.SameFile(mine, info) {
		return false, err
	}
	return true, writeHolder(f, fmt.Sprintf("%s (pid %d)\n", who, os.Getpid()))
}

// WaitLock takes the lock at path, and waits while somebody else has it. Before it waits, and whenever somebody new has the
// lock, it calls onWait, unless that is nil, with who that is. It returns the context's cause when the context ends.
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

// Release gives the lock back. A second call does nothing.
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

// unknownHolder is who holds a lock whose file does not say it.
const unknownHolder = "another process"

func readHolder(f *os.File) string {
	text, err := io.ReadAll(io.LimitReader(io.NewSectionReader(f, 0, 4096), 4096))
	line, _, _ := strings.Cut(string(text), "\n") // what follows is of a holder before
	if who := strings.TrimSpace(line); err == nil && who != "" {
		return who
	}
	return unknownHolder
}

// writeHolder writes a line over the text of a holder that was killed. It empties no file: some file systems write one that
// was emptied to the disk when it is closed.
func writeHolder(f *os.File, line string) error {
	if _, err := f.WriteAt([]byte(line), 0); err != nil {
		return err
	}
	return f.Truncate(int64(len(line)))
}
