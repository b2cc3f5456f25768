//go:build linux

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"hob/internal/retry"
)

// Bounds on waiting for other processes.
const (
	lockPause = 20 * time.Millisecond
	lockTries = 250 // for others to be done with what they write
)

var errOthersWrite = errors.New("another hob runs something that could change the files of this command: wait until that has ended, or stop it")

// A sharedLock keeps the writers of several processes from running beside an approved command of one of them: who writes has a
// part of the lock, and an approved command all of it. It is the kernel's lock on a file (flock), which ends with the process.
// The zero path has no lock.
type sharedLock struct {
	path string

	mu    sync.Mutex
	file  *os.File
	parts int
	whole bool
}

// take takes a part, and waits for it while another process has all.
func (l *sharedLock) take(ctx context.Context) error {
	if l.path == "" {
		return nil
	}
	return poll(ctx, 0, l.tryPart)
}

// poll tries to lock until that works, so many times, or with 0 until ctx ends.
func poll(ctx context.Context, tries int, try func() (bool, error)) error {
	return retry.Policy{Backoff: retry.Backoff{First: lockPause, Max: lockPause}, Tries: tries}.Do(ctx, func() error {
		ok, err := try()
		if err == nil && !ok {
			return errOthersWrite
		}
		return retry.Stop(err)
	})
}

// more takes a part where this process has one already, or all.
func (l *sharedLock) more() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.parts++
}

// drop gives a part back.
func (l *sharedLock) drop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.parts--; l.parts == 0 && !l.whole && l.file != nil {
		_, _ = l.flock(unix.LOCK_UN) // of a file that is open, which cannot fail
	}
}

// takeAll takes the whole lock, whatever parts this process has; the returned function goes back to those. Where other
// processes do not let go of theirs it fails, and that function waits until this process's parts are there again.
func (l *sharedLock) takeAll(ctx context.Context) (back func(), err error) {
	if l.path == "" {
		return func() {}, nil
	}
	return l.back, poll(ctx, lockTries, l.tryAll)
}

// back goes back from all of the lock, or from having tried for it, to the parts. One try that fails loses them.
func (l *sharedLock) back() {
	for !l.tryBack() {
		<-time.After(lockPause)
	}
}

func (l *sharedLock) tryBack() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	how := unix.LOCK_UN
	if l.parts > 0 {
		how = unix.LOCK_SH
	}
	if l.file != nil {
		if ok, err := l.flock(how); !ok && err == nil {
			return false
		}
	}
	l.whole = false
	return true
}

func (l *sharedLock) tryPart() (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.parts == 0 && !l.whole {
		if ok, err := l.flock(unix.LOCK_SH); !ok {
			return false, err
		}
	}
	l.parts++
	return true, nil
}

func (l *sharedLock) tryAll() (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.whole = true // a try that fails has lost the parts, and nobody may believe that they are there
	return l.flock(unix.LOCK_EX)
}

// flock asks the kernel, and reports false if another process is in the way.
func (l *sharedLock) flock(how int) (bool, error) {
	if l.file == nil {
		file, err := openOwn(l.path)
		if err != nil {
			return false, err
		}
		l.file = file
	}
	for {
		err := unix.Flock(int(l.file.Fd()), how|unix.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, unix.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, unix.EINTR):
			return false, fmt.Errorf("lock %s: %w", l.path, err)
		}
	}
}

// openOwn opens a file of this user's, which it makes if it is missing. It follows no link.
func openOwn(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the lock of the workspace: %w", err)
	}
	var st unix.Stat_t
	err = unix.Fstat(int(file.Fd()), &st)
	if err == nil && (st.Mode&unix.S_IFMT != unix.S_IFREG || int(st.Uid) != os.Geteuid()) {
		err = errors.New("it is no regular file of this user's; remove it")
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("open the lock of the workspace, %s: %w", path, err)
	}
	return file, nil
}
