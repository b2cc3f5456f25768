package store

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// The layouts are those of https://sqlite.org/walformat.html.
const (
	walHeaderSize   = 32
	frameHeaderSize = 24
	indexHeaderSize = 48  // twice, at the beginning of PATH-shm
	indexSize       = 136 // both headers and the checkpoint information
	walMagic        = 0x377f0682
)

// walIndex is the part of PATH-shm that says how much of PATH-wal is committed.
type walIndex struct {
	salt   [8]byte // of the generation of the log
	frames uint32  // committed frames
	folded uint32  // of these, frames already copied to the database
}

// checkLog returns a *damage if committed frames of the write-ahead log are missing or corrupt.
//
// SQLite reads the log as far as its checksums match and ignores the rest, because a power cut may
// leave a torn end. PATH-shm knows better: SQLite counts a commit there only after its frames are
// synced, and the count outlives a killed process. So a log with fewer frames than the count has
// lost acknowledged data. After a power cut PATH-shm may be old or missing, but never ahead of the
// log, and then there is no conclusion.
//
// It never closes PATH-shm. SQLite's locks on that file belong to the process, and the kernel drops
// all of them when the process closes the file through any descriptor: another connection of this
// process would lose its protection. (For the same reason inspect does not open PATH.) This costs
// one descriptor each time a journal is opened after a crash, or while it is in use.
func checkLog(path string) error {
	fd, err := syscall.Open(path+"-shm", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if errors.Is(err, syscall.ENOENT) {
		return nil
	}
	if err != nil {
		return &fs.PathError{Op: "open", Path: path + "-shm", Err: err}
	}
	return compareIndex(fd, path+"-wal")
}

// compareIndex does the work of checkLog; fd is PATH-shm.
func compareIndex(fd int, log string) error {
	before, err := readIndex(fd)
	if err != nil || before == nil || before.frames == 0 {
		return err
	}
	lost, err := findLoss(log, *before)
	if err != nil || lost == nil {
		return err
	}
	// The two files were not read at the same moment. If another process is writing, the count has
	// changed meanwhile.
	if after, err := readIndex(fd); err != nil || after == nil || *after != *before {
		return err
	}
	return lost
}

// readIndex returns nil if there is no valid index.
func readIndex(fd int) (*walIndex, error) {
	data := make([]byte, indexSize)
	if n, err := syscall.Pread(fd, data, 0); n < len(data) {
		return nil, err
	}
	header := data[:indexHeaderSize]
	initialized := header[12] != 0
	s0, s1 := checksum(binary.NativeEndian, 0, 0, header[:40])
	if !initialized || s0 != binary.NativeEndian.Uint32(header[40:]) || s1 != binary.NativeEndian.Uint32(header[44:]) {
		return nil, nil
	}
	return &walIndex{
		salt:   [8]byte(header[32:40]),
		frames: binary.NativeEndian.Uint32(header[16:]),
		folded: binary.NativeEndian.Uint32(data[2*indexHeaderSize:]),
	}, nil
}

// findLoss returns a *damage if the log at path lacks frames that the index counts, in a way that
// would mislead SQLite. If SQLite would not read the log at all, that matters only if it has frames
// that are not in the database. A wrong beginning of a log always matters, because its old pages
// would replace newer ones in the database.
func findLoss(path string, index walIndex) (lost *damage, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		if index.folded >= index.frames {
			return nil, nil
		}
		return &damage{fmt.Sprintf("%s is missing, and the newest events were in it", path)}, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	good, err := countFrames(bufio.NewReaderSize(f, 64<<10), index)
	switch {
	case err != nil:
		return nil, err
	case good < 0, good >= int64(index.frames):
		return nil, nil
	case good == 0 && index.folded >= index.frames:
		return nil, nil
	}
	return &damage{fmt.Sprintf("of %d pages in %s only the first %d are as they were written", index.frames, path, good)}, nil
}

// countFrames returns how many frames, up to the index's count, follow each other with valid
// checksums, or -1 if the log is of another generation than the index.
func countFrames(r io.Reader, index walIndex) (good int64, err error) {
	header := make([]byte, walHeaderSize)
	if short, err := readFull(r, header); short || err != nil {
		return 0, err
	}
	magic := binary.BigEndian.Uint32(header)
	size := binary.BigEndian.Uint32(header[8:])
	var order binary.ByteOrder = binary.LittleEndian
	if magic == walMagic|1 {
		order = binary.BigEndian
	}
	s0, s1 := checksum(order, 0, 0, header[:24])
	if magic&^1 != walMagic || size < 512 || size > 65536 ||
		s0 != binary.BigEndian.Uint32(header[24:]) || s1 != binary.BigEndian.Uint32(header[28:]) {
		return 0, nil
	}
	if [8]byte(header[16:24]) != index.salt {
		return -1, nil
	}
	frame := make([]byte, frameHeaderSize+size)
	for good < int64(index.frames) {
		if short, err := readFull(r, frame); short || err != nil {
			return good, err
		}
		s0, s1 = checksum(order, s0, s1, frame[:8])
		s0, s1 = checksum(order, s0, s1, frame[frameHeaderSize:])
		if !bytes.Equal(frame[8:16], index.salt[:]) ||
			s0 != binary.BigEndian.Uint32(frame[16:]) || s1 != binary.BigEndian.Uint32(frame[20:]) {
			return good, nil
		}
		good++
	}
	return good, nil
}

// readFull fills p, and reports whether the file ended before that.
func readFull(r io.Reader, p []byte) (short bool, err error) {
	_, err = io.ReadFull(r, p)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return true, nil
	}
	return false, err
}

// checksum continues the log's checksum s0, s1 over data, whose length is a multiple of 8.
func checksum(order binary.ByteOrder, s0, s1 uint32, data []byte) (uint32, uint32) {
	for ; len(data) >= 8; data = data[8:] {
		s0 += order.Uint32(data) + s1
		s1 += order.Uint32(data[4:]) + s0
	}
	return s0, s1
}
