package sandboxtest

import (
	"os"
	"syscall"
)

// OwnMounts is for a process that may mount file systems, which nobody else sees, where the kernel lets it.
func OwnMounts() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Geteuid() != 0 {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	return attr
}

// MountTmpfs mounts a file system at a folder, in a process with [OwnMounts].
func MountTmpfs(dir, options string) error {
	if err := syscall.Mount("none", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return err
	}
	return syscall.Mount("hob", dir, "tmpfs", 0, options)
}

// RemountReadOnly has nothing written any more to what [MountTmpfs] mounted.
func RemountReadOnly(dir string) error {
	return syscall.Mount("hob", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
}

// Setfsuid gives this thread the rights of a user on files.
func Setfsuid(uid int) error { return syscall.Setfsuid(uid) }
