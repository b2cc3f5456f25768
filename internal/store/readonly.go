package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// OpenToRead is [Open] for callers that mostly read. Where nothing can be written, because the disk is full, the medium is
// read-only, or this user may not, the journal can be read all the same, and writing to it fails with what Open would have said.
// [DB.Lacks] says what of it cannot be read.
func OpenToRead(ctx context.Context, path string, now func() time.Time) (*DB, error) {
	d, err := Open(ctx, path, now)
	open := (*FolderError)(nil)
	switch {
	case err == nil:
		return d, nil
	case errors.As(err, &open) && onReadOnlyDisk(path): // whose ever it is, nobody changes it, hob included
	case !errors.Is(err, ErrFull) && !errors.Is(err, ErrReadOnly):
		return nil, err
	}
	if path, bad := filepath.Abs(path); bad == nil {
		if d, bad = openReadOnly(ctx, path, now); bad == nil {
			d.unusable = err
			return d, nil
		} else if errors.Is(bad, ErrDamaged) || errors.Is(bad, ErrNewer) || errors.Is(bad, errOutdated) {
			return nil, bad
		}
	}
	return nil, err
}

// errOutdated is why a journal cannot be read where it cannot be brought up to date.
var errOutdated = errors.New("it has an older schema")

// openReadOnly opens a journal without writing anything. Its write-ahead log is read with it where that is possible: SQLite needs
// PATH-shm beside it, unless nothing is in the log.
func openReadOnly(ctx context.Context, path string, now func() time.Time) (*DB, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	log, err := os.Stat(path + "-wal")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err != nil || log.Size() == 0 {
		return readAs(ctx, path, now, info, readerOptions+"&mode=ro&immutable=1")
	}
	if err := checkLog(path); err != nil {
		return nil, wrap("open", path, err)
	}
	d, err := readAs(ctx, path, now, info, readerOptions+"&mode=ro")
	if err == nil || errors.Is(err, ErrDamaged) || errors.Is(err, ErrNewer) || errors.Is(err, errOutdated) {
		return d, err
	}
	if d, err = readAs(ctx, path, now, info, readerOptions+"&mode=ro&immutable=1"); err != nil {
		return nil, err
	}
	d.lacks = fmt.Sprintf("the newest events are in %s-wal and cannot be read here: copy both files to a folder that can be written to, "+
		"and read them there", path)
	if err := checkPragma(ctx, d.read, "quick_check(1)"); err != nil { // half of the log may have been folded into it
		d.Close()
		return nil, wrap("read", path, err)
	}
	return d, nil
}

// readAs opens a journal for reading, in a way that SQLite knows, and looks whether it is one that this hob can read.
func readAs(ctx context.Context, path string, now func() time.Time, info os.FileInfo, how string) (_ *DB, err error) {
	migrations, err := migrationsOf(migrationFiles)
	if err != nil {
		return nil, err
	}
	d := &DB{path: path, now: now, file: info}
	if d.read, err = connectChecked(path, how, readers, d.InPlace); err != nil {
		return nil, wrap("read", path, err)
	}
	d.write = d.read
	defer func() {
		if err != nil {
			d.Close()
		}
	}()
	version, err := d.version(ctx, "read", len(migrations))
	if err != nil {
		return nil, wrap("read", path, err)
	}
	if version < len(migrations) {
		return nil, &FileError{Op: "read", Path: path, Reason: ErrReadOnly, Err: errOutdated,
			Do: "copy it to a folder that can be written to, with what lies beside it under the same name, and read it there"}
	}
	return d, nil
}

// Lacks says what of the journal cannot be read where nothing can be written, "" if nothing.
func (d *DB) Lacks() string { return d.lacks }

// InPlace returns a *[FileError] that is [ErrGone] if another file, or none, lies where the journal was opened: it was removed, or
// its folder was, or something was mounted over it. Where that cannot be seen, such as in a folder that may not be entered any
// more, it is taken to be there. Each write looks itself, so what is acknowledged is in a file that can be found.
func (d *DB) InPlace() error {
	if !isReplaced(d.file, d.path) {
		return nil
	}
	return fileError("write to", d.path, ErrGone, "while hob was using it")
}

// InPlace returns an error that is [ErrGone] if the folder that is locked is not where it was.
func (h *FileLock) InPlace() error {
	if h.folder == nil {
		return nil
	}
	info, err := h.folder.Stat()
	if err == nil && isReplaced(info, h.folder.Name()) {
		return fmt.Errorf("%s was %w while hob was using it", h.folder.Name(), ErrGone)
	}
	return nil
}

// isReplaced reports whether path leads to something else than it did.
func isReplaced(was os.FileInfo, path string) bool {
	if was == nil {
		return false
	}
	is, err := os.Stat(path)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
	}
	return !os.SameFile(was, is)
}

// onReadOnlyDisk reports whether nobody can write to the file system that path is on.
func onReadOnlyDisk(path string) bool {
	var at unix.Statfs_t
	for {
		switch err := unix.Statfs(path, &at); {
		case err == nil:
			return at.Flags&1 != 0 // ST_RDONLY; MNT_RDONLY elsewhere
		case errors.Is(err, unix.ENOENT) && filepath.Dir(path) != path:
			path = filepath.Dir(path)
		case !errors.Is(err, unix.EINTR):
			return false
		}
	}
}
