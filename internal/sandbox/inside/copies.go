//go:build linux

package inside

import (
	"errors"
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// layCopies shows the copies of Copies in the place of what the workspace has there. They lie on a file system of their own
// that has no place anywhere, so that they can be reached, and changed, by no other name.
func layCopies(s *Spec) error {
	if len(s.Copies) == 0 {
		return nil
	}
	root, err := unix.Open(s.Workspace[1:], unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return wrap("open the workspace", err)
	}
	defer unix.Close(root)
	store, err := privateFiles()
	if err != nil {
		return wrap("make a place for copies", err)
	}
	defer unix.Close(store)
	for i, c := range s.Copies {
		rel, ok := strings.CutPrefix(c.Path, s.Workspace+"/")
		if !ok {
			return errors.New(c.Path + " is to be shown as a copy, but is not in the workspace")
		}
		if err := layCopy(root, rel, store, strconv.Itoa(i), c); err != nil {
			return wrap("show the copy of "+c.Path, err)
		}
	}
	return nil
}

// copiesStand reports whether all copies are in their places.
func copiesStand(s *Spec) bool {
	mounts, err := readMounts()
	workspace, ok := mounts[s.Workspace]
	for _, c := range s.Copies {
		m, there := mounts[c.Path]
		ok = ok && there && m.ReadOnly && m.Device != workspace.Device
	}
	return ok && err == nil
}

// privateFiles makes a file system that is mounted nowhere.
func privateFiles() (int, error) {
	made, err := unix.Fsopen("tmpfs", unix.FSOPEN_CLOEXEC)
	if err != nil {
		return -1, err
	}
	defer unix.Close(made)
	if err := unix.FsconfigCreate(made); err != nil {
		return -1, err
	}
	return unix.Fsmount(made, unix.FSMOUNT_CLOEXEC, writable)
}

// layCopy writes one copy to name in store and mounts it over path below root.
func layCopy(root int, path string, store int, name string, c Copy) error {
	there, err := beneath(root, path)
	if err != nil {
		return err
	}
	defer unix.Close(there)
	if err := writeCopy(store, name, c); err != nil {
		return err
	}
	return mountTree(store, name, 0, onlyRead, there)
}

// writeCopy makes the file name in store of what can be read from the copy's descriptor.
func writeCopy(store int, name string, c Copy) error {
	fd, err := unix.Openat(store, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	to, from := os.NewFile(uintptr(fd), name), os.NewFile(uintptr(c.FD), c.Path)
	defer to.Close()
	defer from.Close()
	if _, err := io.Copy(to, from); err != nil {
		return err
	}
	return unix.Fchmod(fd, c.Mode)
}
