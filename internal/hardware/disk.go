package hardware

import (
	"errors"
	"io/fs"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// FreeSpace returns how many bytes this user can write to the disk that path is on.
func FreeSpace(path string) (uint64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(path, &st); err != nil {
		return 0, &fs.PathError{Op: "look at the disk of", Path: path, Err: err}
	}
	return st.Bavail * uint64(st.Bsize), nil
}

// Room returns how many bytes can be written below path, or below the nearest folder above it that is
// there and may be looked at: what does not exist yet will be made on that disk.
func (p Probe) Room(path string) (uint64, error) {
	for {
		room, err := p.Free(path)
		above := filepath.Dir(path)
		hidden := errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)
		if !hidden || above == path {
			return room, err
		}
		path = above
	}
}
