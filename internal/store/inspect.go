package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

const applicationID = 0x686f6221 // "hob!"

// inspect checks the journal's files before SQLite touches them, and returns whether they were not
// closed cleanly (or are in use). If there is no journal, the error is fs.ErrNotExist. SQLite alone
// would take an empty file for a new database, drop the write-ahead log of a missing file, and open
// a read-only file without an error.
//
// It does not open PATH: see checkLog.
func inspect(path string) (unclean bool, err error) {
	log, err := os.Stat(path + "-wal")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	unclean = err == nil && log.Size() > 0
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && unclean:
		return false, &damage{"it is gone, and its newest events are still in " + path + "-wal"}
	case err != nil:
		return false, err
	case info.IsDir():
		return false, syscall.EISDIR
	case !info.Mode().IsRegular():
		return false, fmt.Errorf("it is no regular file but %v", info.Mode().Type())
	case info.Size() == 0:
		return false, &damage{"it is empty"}
	case info.Size() < 512: // the smallest page size
		return false, &damage{"it is cut off"}
	}
	if err := unix.Faccessat(unix.AT_FDCWD, path, unix.R_OK|unix.W_OK, unix.AT_EACCESS); err != nil {
		return false, err
	}
	return unclean, checkLog(path)
}

// RestorePath is the file that exists while a restore of the journal at path, and of the files
// beside it, is unfinished.
func RestorePath(path string) string { return path + ".restore" }

// checkHalfRestored refuses a journal whose restore is unfinished.
func checkHalfRestored(path string) error {
	if _, err := os.Lstat(RestorePath(path)); err != nil {
		return nil //nolint:nilerr // the same cause will keep the journal from being opened
	}
	return fileError("open", path, ErrRestore, "a restore was cut short")
}
