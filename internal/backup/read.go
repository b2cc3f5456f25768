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
)

var (
	errReplaced = errors.New("it was replaced whenever it was read") // another file has the name by now
	errSpool    = errors.New("keep a large file for the backup")
)

const (
	readings   = 5                      // of a file that is being written to
	inMemory   = 8 << 20                // bytes
	clockStep  = 100 * time.Millisecond // a file system's clock may stand still for so long
	spoolName  = "spool"
	tempPrefix = ".hob-tmp-" // of files that tools are writing, which have not happened yet
)

// read reads a file whole, until it was not written to meanwhile or two readings agree. torn says that neither came about. done ends
// the use of the content.
func (c *collector) read(e *entry) (content io.Reader, size int64, torn bool, done func(), err error) {
	done = func() {}
	if strings.HasPrefix(filepath.Base(e.rel), tempPrefix) {
		return nil, 0, false, done, fs.ErrNotExist
	}
	var last [sha256.Size]byte
	for n := range readings {
		done()
		var sum [sha256.Size]byte
		var still bool
		content, size, sum, still, done, err = c.readOnce(e)
		if err != nil && !errors.Is(err, errReplaced) {
			return nil, 0, false, done, err
		}
		if err == nil && (still || n > 0 && sum == last) {
			return content, size, false, done, nil
		}
		if last = sum; err != nil {
			if e.info, err = e.root.Lstat(e.rel); err != nil {
				return nil, 0, false, done, err
			}
			err = errReplaced
		}
	}
	return content, size, true, done, err
}

// readOnce reads a file. still says that it was not written to meanwhile, as far as its times tell.
func (c *collector) readOnce(e *entry) (content io.Reader, size int64, sum [sha256.Size]byte, still bool, done func(), err error) {
	done = func() {}
	f, err := e.root.OpenFile(e.rel, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, sum, false, done, err
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil {
		return nil, 0, sum, false, done, err
	}
	if !os.SameFile(before, e.info) || !before.Mode().IsRegular() {
		return nil, 0, sum, false, done, errReplaced
	}
	var to interface {
		io.Reader
		io.Writer
	}
	rewind := func() error { return nil }
	if before.Size() <= inMemory {
		to = &bytes.Buffer{}
	} else {
		spool, err := os.OpenFile(filepath.Join(c.dir, spoolName), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
		if err != nil {
			return nil, 0, sum, false, done, fmt.Errorf("%w: %w", errSpool, err)
		}
		done = func() { spool.Close() }
		to, rewind = spool, func() error { _, err := spool.Seek(0, io.SeekStart); return err }
	}
	h := sha256.New()
	began := time.Now()
	kept := &failingWriter{Writer: to}
	size, err = io.Copy(io.MultiWriter(kept, h), io.LimitReader(f, before.Size()))
	if kept.err != nil {
		err = fmt.Errorf("%w: %w", errSpool, kept.err)
	}
	if err == nil {
		err = rewind()
	}
	if err != nil {
		done()
		return nil, 0, sum, false, func() {}, err
	}
	after, err := f.Stat()
	if err != nil {
		return nil, 0, sum, false, done, err
	}
	e.info = before
	still = size == after.Size() && changed(before).Equal(changed(after)) && began.Sub(changed(before)) > clockStep
	return to, size, [sha256.Size]byte(h.Sum(nil)), still, done, nil
}

// changed is when anything of a file last changed.
func changed(info fs.FileInfo) time.Time {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(st.Ctim.Unix())
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
