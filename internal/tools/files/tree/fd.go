package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"hob/internal/linux"
)

// Inode identifies a file or folder while it is open.
type Inode struct{ Dev, Ino uint64 }

// Control calls do with the descriptor of file, without changing how it blocks.
func Control(file *os.File, do func(fd int) error) error {
	conn, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var inner error
	if err := conn.Control(func(fd uintptr) { inner = do(int(fd)) }); err != nil {
		return err
	}
	return inner
}

// RealPath returns the path of an open file without links, as the kernel knows it.
func RealPath(file *os.File) (string, error) {
	var path string
	err := Control(file, func(fd int) (err error) {
		path, err = os.Readlink("/proc/self/fd/" + strconv.Itoa(fd))
		return err
	})
	return path, err
}

// mountOf returns the identity of the mount that file is on. Where the kernel cannot say, it is that of the device.
func mountOf(file *os.File) (uint64, error) {
	var st linux.StatxInfo
	err := Control(file, func(fd int) error {
		return linux.Statx(fd, "", linux.EmptyPath, linux.StatxMountID, &st)
	})
	if err != nil {
		return 0, fmt.Errorf("look at the mount of %s: %w", filepath.Base(file.Name()), err)
	}
	if st.Mask&linux.StatxMountID != 0 {
		return st.Mnt_id, nil
	}
	return unix.Mkdev(st.Dev_major, st.Dev_minor), nil
}

func ownerOf(info fs.FileInfo) (uid, gid int, ok bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(st.Uid), int(st.Gid), true
}

// unlink removes a name in a folder: with [unix.AT_REMOVEDIR] that of an empty folder, else that of anything but a folder.
// Unlike [os.Root.Remove] it never does the one for the other.
func unlink(dir *os.File, name string, flags int) error {
	return Control(dir, func(fd int) error {
		if err := unix.Unlinkat(fd, name, flags); err != nil {
			return &fs.PathError{Op: "unlink", Path: name, Err: err}
		}
		return nil
	})
}

// KindOf names what is neither a file nor a folder.
func KindOf(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	case mode&fs.ModeSymlink != 0:
		return "a link"
	}
	return "something special"
}

// IgnoreMissing is nil for the error that something is not there, and else err.
func IgnoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// SaveAll writes content to file.
func SaveAll(file *os.File, content []byte) error {
	_, err := file.Write(content)
	return err
}
