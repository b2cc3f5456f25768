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
)

// ErrHeld is what every *[HeldError] is.
var ErrHeld = errors.New("held by another process")

// HeldError says that somebody else has the lock.
type HeldError struct {
	Path string
	By   string // such as "hob serve (pid 4711)"
}

func (e *HeldError) Error() string { return fmt.Sprintf("lock %s: held by %s", e.Path, e.By) }

// Is makes a HeldError an [ErrHeld].
func (e *HeldError) Is(target error) bool { return target == ErrHeld }

// Held is a lock that this process has.
type Held struct{ file *os.File }

// Lock takes the lock at path for who, such as "hob serve", or returns a *[HeldError] at once if somebody has it.
//
// The lock is the kernel's (flock): it ends with [Held.Release] or with the process, however that ends. The file stays;
// its text, such as "hob serve (pid 4711)", only says who holds the lock, and means nothing when nobody does.
func Lock(path, who string) (*Held, error) {
	for {
		f, err := openLock(path)
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		held, err := tryLock(f, path, who)
		if err == nil && held != nil {
			return held, nil
		}
		f.Close()
		if err != nil {
			return nil, err
		}
	}
}

func openLock(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
}

// tryLock returns nil and no error if the file was taken from under it: then the lock would be on a file nobody else sees.
func tryLock(f *os.File, path, who string) (*Held, error) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	for errors.Is(err, syscall.EINTR) {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, &HeldError{Path: path, By: readHolder(f)}
	}
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	mine, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if there, err := os.Stat(path); err != nil || !os.SameFile(mine, there) {
		return nil, nil
	}
	if err := writeHolder(f, fmt.Sprintf("%s (pid %d)\n", who, os.Getpid())); err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return &Held{f}, nil
}

// WaitLock takes the lock at path, and waits while somebody else has it. Before it waits, and whenever somebody new has the
// lock, it calls onWait, unless that is nil, with who that is. It returns the context's cause when the context ends.
func WaitLock(ctx context.Context, path, who string, onWait func(holder string)) (*Held, error) {
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	told := ""
	for {
		held, err := Lock(path, who)
		var other *HeldError
		if !errors.As(err, &other) {
			return held, err
		}
		if other.By != told && onWait != nil {
			onWait(other.By)
		}
		told = other.By
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for %s, held by %s: %w", path, other.By, context.Cause(ctx))
		case <-ticker.C:
		}
	}
}

// Release gives the lock back. A second call does nothing.
func (h *Held) Release() error {
	if h.file == nil {
		return nil
	}
	err := errors.Join(h.file.Truncate(0), h.file.Close())
	h.file = nil
	if err != nil {
		return fmt.Errorf("release lock: %w", err)
	}
	return nil
}

func readHolder(f *os.File) string {
	text, err := io.ReadAll(io.LimitReader(io.NewSectionReader(f, 0, 4096), 4096))
	if who := strings.TrimSpace(string(text)); err == nil && who != "" {
		return who
	}
	return "another process"
}

func writeHolder(f *os.File, text string) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(text), 0)
	return err
}
