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

// OpenToRead is [Open] for callers that mostly read. If nothing can be written, because the disk is
// full, the medium is read-only, or this user may not, the journal can still be read, and a write
// fails with the error of Open. [DB.Lacks] says which part cannot be read.
func OpenToRead(ctx context.Context, path string, now func() time.Time) (*DB, error) {
	d, err := Open(ctx, path, now)
	open := (*FolderError)(nil)
	switch {
	case err == nil:
		return d, nil
	case errors.As(err, &open) && onReadOnlyDisk(path): // whoever owns it, nobody can change it
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

// errOutdated is why a journal that cannot be migrated cannot be read.
var errOutdated = errors.New("it has an older schema")

// openReadOnly opens a journal without writing anything. It includes the write-ahead log if
// possible: SQLite needs PATH-shm for it, unless the log is empty.
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
	if err := checkPragma(ctx, d.read, "quick_check(1)"); err != nil { // part of the log may have been folded into it
		d.Close()
		return nil, wrap("read", path, err)
	}
	return d, nil
}

// readAs opens a journal for reading with the given SQLite options, and checks that this hob can
// read it.
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

// Lacks says which part of a read-only journal cannot be read, or "".
func (d *DB) Lacks() string { return d.lacks }

// InPlace returns a *[FileError] that is [ErrGone] if path no longer leads to the open file: the
// file or its folder was removed, or something was mounted over it. If that cannot be checked, for
// example in a folder without access, it returns nil. Each write checks it too, so an acknowledged
// write is in a file that can be found.
func (d *DB) InPlace() error {
	if !isReplaced(d.file, d.path) {
		return nil
	}
	return fileError("write to", d.path, ErrGone, "while hob was using it")
}

// InPlace returns an error that is [ErrGone] if the locked folder is no longer in its place.
func (h *FileLock) InPlace() error {
	if h.folder == nil {
		return nil
	}
	if info, err := h.folder.Stat(); err == nil && isReplaced(info, h.folder.Name()) {
		return fmt.Errorf("%s was %w while hob was using it", h.folder.Name(), ErrGone)
	}
	return nil
}

// isReplaced reports whether path now leads to something else.
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

// onReadOnlyDisk reports whether the file system of path is read-only.
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
