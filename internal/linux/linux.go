//go:build linux

// Package linux has what hob asks of Linux's kernel in more than one place, or in a file that is for every system otherwise. hob
// runs on Linux. Elsewhere it builds, for whoever wants to carry it there, and what needs one of these fails with ENOSYS.
package linux

import (
	"errors"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Flags, under the kernel's names.
const (
	OPath, ONoAtime          = unix.O_PATH, unix.O_NOATIME
	EmptyPath, NoAutomount   = unix.AT_EMPTY_PATH, unix.AT_NO_AUTOMOUNT
	NoReplace, Exchange      = unix.RENAME_NOREPLACE, unix.RENAME_EXCHANGE
	StatxBasic, StatxMountID = unix.STATX_BASIC_STATS, unix.STATX_MNT_ID
)

// StatxInfo is what [Statx] finds.
type StatxInfo = unix.Statx_t

// Statx is statx(2).
func Statx(dir int, path string, flags, mask int, found *StatxInfo) error {
	return unix.Statx(dir, path, flags, mask, found)
}

// Renameat2 is renameat2(2).
func Renameat2(fromDir int, from string, toDir int, to string, flags uint) error {
	return unix.Renameat2(fromDir, from, toDir, to, flags)
}

// Syncfs brings all that was written to the file system of an open file to the disk.
func Syncfs(fd int) error { return unix.Syncfs(fd) }

// ChangeTime is when anything of a file last changed.
func ChangeTime(st *syscall.Stat_t) time.Time { return time.Unix(st.Ctim.Unix()) }

// HasWriter reports whether a process has a file open to write to it: then the kernel refuses a lease for reading (fcntl(2),
// F_SETLEASE). Where leases cannot be had, as of files of others, it reports false.
func HasWriter(fd int) bool {
	_, err := unix.FcntlInt(uintptr(fd), unix.F_SETLEASE, unix.F_RDLCK)
	if err == nil {
		_, err = unix.FcntlInt(uintptr(fd), unix.F_SETLEASE, unix.F_UNLCK)
	}
	return errors.Is(err, unix.EAGAIN)
}

// NewSealable makes a file in memory, which [Seal] makes one that nobody can change.
func NewSealable(name string) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

// Seal makes a file of [NewSealable] one that nobody can change.
func Seal(f *os.File) error {
	_, err := unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_WRITE|unix.F_SEAL_GROW|unix.F_SEAL_SHRINK|unix.F_SEAL_SEAL)
	return err
}

// DropTyped drops what was typed at a terminal and not read.
func DropTyped(fd int) error { return unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH) }

// PeerOf asks who is at the other end of a socket of this machine.
func PeerOf(fd int) (pid, uid int, err error) {
	cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, 0, err
	}
	return int(cred.Pid), int(cred.Uid), nil
}
