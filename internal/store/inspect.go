package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
)

const applicationID = 0x686f6221 // "hob!"

// inspect looks at the journal's file before SQLite touches it, and returns whether it was not closed cleanly (or is in use).
// It is an error that is fs.ErrNotExist if there is none. SQLite alone would take an empty file for a new database, and drop
// the write-ahead log of a file that is gone.
func inspect(path string) (unclean bool, err error) {
	log, err := os.Stat(path + "-wal")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	unclean = err == nil && log.Size() > 0
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) && unclean {
		return false, &damage{"it is gone, and its newest events are still in " + path + "-wal"}
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	header := make([]byte, 100) // https://sqlite.org/fileformat2.html#the_database_header
	switch n, err := io.ReadFull(f, header); {
	case n == 0 && err == io.EOF:
		return false, &damage{"it is empty"}
	case err == io.ErrUnexpectedEOF:
		return false, &damage{"it is cut off"}
	case err != nil:
		return false, err
	case !bytes.HasPrefix(header, []byte("SQLite format 3\x00")):
		return false, &damage{"it does not begin like a database"}
	case binary.BigEndian.Uint32(header[68:]) != applicationID:
		return false, &FileError{Op: "open", Path: path, Reason: ErrForeign, Do: advice(ErrForeign, path),
			Err: errors.New("it is the database of another program")}
	}
	return unclean, checkLog(path)
}
