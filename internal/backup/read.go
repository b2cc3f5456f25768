package backup

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"hob/internal/linux"
)

var (
	errReplaced = errors.New("it was replaced whenever it was read") // another file has the name already
	errSpool    = errors.New("keep a large file for the backup")
)

const (
	readings   = 5                      // of a file that is being written to
	inMemory   = 8 << 20                // bytes
	clockStep  = 100 * time.Millisecond // a file system's clock may stand still for so long
	writeTime  = 10 * time.Second       // a write may take so long: a file gets its time at the beginning
	spoolName  = "spool"
	tempPrefix = ".hob-tmp-" // of files that tools are writing, which have not happened yet
)

// reading is what reading a file came to.
type reading struct {
	content io.Reader
	size    int64
	sum     [sha256.Size]byte
	still   bool // it was not written to meanwhile
	open    bool // a program that may write to it has it open, and it was written to just now
	torn    bool // it was written to each time that it was read
}

// read reads a file whole, until it was not written to meanwhile or two readings agree. A write in the middle of which the kernel
// turned to something else shows neither, so readings of a file that somebody writes to do not count. The content is there until the next call.
func (c *collector) read(e *entry) (is reading, err error) {
	if strings.HasPrefix(filepath.Base(e.rel), tempPrefix) {
		return is, fs.ErrNotExist
	}
	for n := range readings {
		last := is.sum
		is, err = c.readOnce(e)
		switch {
		case errors.Is(err, errReplaced):
			var gone error
			if e.info, gone = e.root.Lstat(e.rel); gone != nil {
				return is, gone
			}
		case err != nil:
			return is, err
		case is.still || n > 0 && is.sum == last && !is.open:
			return is, nil
		}
	}
	is.torn = true
	return is, err
}

func (c *collector) readOnce(e *entry) (is reading, err error) {
	f, err := e.root.OpenFile(e.rel, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return is, err
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil {
		return is, err
	}
	if !os.SameFile(before, e.info) || !before.Mode().IsRegular() {
		return is, errReplaced
	}
	began, open := time.Now(), hasWriter(f)
	h := sha256.New()
	if is.content, is.size, err = c.keep(io.TeeReader(io.LimitReader(f, before.Size()), h), before.Size()); err != nil {
		return is, err
	}
	after, err := f.Stat()
	if err != nil {
		return is, err
	}
	e.info, is.sum = before, [sha256.Size]byte(h.Sum(nil))
	age := began.Sub(changeTime(before))
	is.open = (open || hasWriter(f)) && age <= writeTime
	is.still = is.size == after.Size() && changeTime(before).Equal(changeTime(after)) && age > clockStep && !is.open
	return is, nil
}

// hasWriter reports whether a process has a file open to write to it, as far as the kernel says it.
func hasWriter(f *os.File) bool {
	raw, err := f.SyscallConn()
	if err != nil {
		return false
	}
	has := false
	err = raw.Control(func(fd uintptr) { has = linux.HasWriter(int(fd)) })
	return err == nil && has
}

// keep reads a file of about that size to its end, into memory or, where it is large, into a file.
func (c *collector) keep(r io.Reader, size int64) (content io.Reader, n int64, err error) {
	if size <= inMemory {
		raw, err := io.ReadAll(r)
		return bytes.NewReader(raw), int64(len(raw)), err
	}
	if c.spool == nil {
		if c.spool, err = os.OpenFile(filepath.Join(c.dir, spoolName), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600); err != nil {
			return nil, 0, fmt.Errorf("%w: %w", errSpool, err)
		}
	}
	to := &failingWriter{Writer: io.NewOffsetWriter(c.spool, 0)}
	n, err = io.Copy(to, r)
	if to.err != nil {
		err = fmt.Errorf("%w: %w", errSpool, to.err)
	}
	return io.NewSectionReader(c.spool, 0, n), n, err
}

// changeTime is when anything of a file last changed.
func changeTime(info fs.FileInfo) time.Time {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return linux.ChangeTime(st)
	}
	return info.ModTime()
}

// failingWriter remembers that writing failed.
type failingWriter struct {
	io.Writer
	err error
}

func (w *failingWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	w.err = err
	return n, err
}
