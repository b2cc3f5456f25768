package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// The possible faults of a journal's file. A *[FileError] is one of these.
var (
	ErrDamaged  = errors.New("damaged")           // the content differs from what was written
	ErrForeign  = errors.New("not hob's journal") // another kind of file
	ErrNewer    = errors.New("newer than this hob")
	ErrFull     = errors.New("no room")
	ErrReadOnly = errors.New("not writable")
	ErrBusy     = errors.New("in use")
	ErrDisk     = errors.New("the disk failed")
	ErrGone     = errors.New("removed or replaced") // while it was open: nobody will ever read what is written to it
	ErrRestore  = errors.New("half restored")       // a restore was interrupted and has to be finished
)

// FileError says why the journal's file cannot be used, and what to do.
type FileError struct {
	Op     string // such as "open" or "append to"
	Path   string
	Reason error  // one of the sentinels above
	Do     string // what a person can do, a sentence without a full stop
	Err    error  // the underlying error
}

func (e *FileError) Error() string {
	return fmt.Sprintf("%s the journal %s: %v (%v): %s", e.Op, e.Path, e.Reason, e.Err, e.Do)
}

// Unwrap returns Reason and Err.
func (e *FileError) Unwrap() []error { return []error{e.Reason, e.Err} }

// fileError returns a *FileError with the advice for its reason.
func fileError(op, path string, reason error, seen string) *FileError {
	return &FileError{Op: op, Path: path, Reason: reason, Do: advice(reason, path), Err: errors.New(seen)}
}

// IsFull reports whether an error means that the disk, or a person's quota, is full.
func IsFull(err error) bool { return errors.Is(err, ErrFull) || reasonOf(err) == ErrFull }

// ForPeople returns a short cause why hob cannot write, and when it goes on, for somebody far from
// the machine.
func (e *FileError) ForPeople() (cause, mended string) {
	mended = "when that is mended"
	switch e.Reason {
	case ErrFull:
		return "the disk is full", "when there is room"
	case ErrReadOnly:
		return "nothing can be written to the disk", mended
	case ErrGone:
		return "the folder for it is gone", mended
	}
	return "something is wrong with the disk", mended
}

// damage is a fault in a file's content.
type damage struct{ what string }

func (d *damage) Error() string { return d.what }

// wrap turns an error about the file at path into a *FileError, and adds op and path to any other.
// It returns nil and the typed errors of this package unchanged.
func wrap(op, path string, err error) error {
	if err == nil {
		return nil
	}
	var dup *DuplicateError
	var file *FileError
	var conflict *RequestConflictError
	var folder *FolderError
	if errors.As(err, &folder) || errors.As(err, &dup) || errors.As(err, &file) || errors.As(err, &conflict) {
		return err
	}
	reason := reasonOf(err)
	if reason == nil {
		return fmt.Errorf("%s the journal %s: %w", op, path, err)
	}
	return &FileError{Op: op, Path: path, Reason: reason, Do: advice(reason, path), Err: err}
}

// reasonOf returns the sentinel for err, or nil.
func reasonOf(err error) error {
	var found *damage
	var code *sqlite.Error
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return nil
	case errors.As(err, &found):
		return ErrDamaged
	case errors.As(err, &code):
		return reasonOfCode(code.Code())
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return ErrFull
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return ErrReadOnly
	case errors.Is(err, syscall.EIO):
		return ErrDisk
	}
	return nil
}

// reasonOfCode maps SQLite's result codes, https://sqlite.org/rescode.html.
func reasonOfCode(code int) error {
	switch code {
	case sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS:
		return ErrDamaged
	case sqlite3.SQLITE_IOERR_SHMSIZE: // the file beside it could not grow
		return ErrFull
	}
	switch code & 0xff {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return ErrDamaged
	case sqlite3.SQLITE_FULL:
		return ErrFull
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN:
		return ErrReadOnly
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL:
		return ErrBusy
	case sqlite3.SQLITE_IOERR:
		return ErrDisk
	}
	return nil
}

// advice returns what a person can do.
func advice(reason error, path string) string {
	switch reason {
	case ErrDamaged:
		return fmt.Sprintf("move it away together with what lies beside it under the same name, and hob starts a new one; "+
			"\"hob journal dump\" prints what is readable of it, \"hob restore\" brings a backup back, and copies from before a migration, if any, "+
			"are %s.v*.bak", path)
	case ErrForeign:
		return "name another file, or move this one away and hob starts a new one"
	case ErrNewer:
		return fmt.Sprintf("update hob, or go back to a copy from before the migration, %s.v*.bak", path)
	case ErrFull:
		return "make room on its disk; everything that was journaled is safe"
	case ErrGone:
		return "put it back where it was, or start hob again and it begins with what is there now; nothing more is taken in meanwhile"
	case ErrRestore:
		return "run \"hob restore\" again with the same file, which finishes it"
	case ErrReadOnly:
		if onReadOnlyDisk(path) {
			return "it is on a read-only file system: mount that for writing"
		}
		return fmt.Sprintf("let the user with id %d write to it and to the directory it is in", os.Geteuid())
	case ErrBusy:
		return "another process has been writing to it for seconds: wait for it, or end it"
	default:
		return "look at the kernel's messages (journalctl -k), and at quotas and limits on file size; what was journaled is safe " +
			"if the disk is"
	}
}
