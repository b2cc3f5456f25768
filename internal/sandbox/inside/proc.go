//go:build linux

package inside

import (
	"fmt"
	"strconv"

	"golang.org/x/sys/unix"
)

// layProc mounts a /proc that shows this pid namespace. It is read-only: nobody inside has anything to write there, and
// root without capabilities could otherwise write some of /proc/sys.
func layProc(s *Spec) error {
	const flags = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC
	if s.Group || unix.Getuid() != 0 || !ownPidMax() {
		return wrap("mount /proc", unix.Mount("proc", "proc", "proc", flags|unix.MS_RDONLY, ""))
	}
	if err := unix.Mount("proc", "proc", "proc", flags, ""); err != nil {
		return wrap("mount /proc", err)
	}
	// RLIMIT_NPROC does not hold root. The numbers below 300 are given out once only.
	if err := writeFile("proc/sys/kernel/pid_max", 0, strconv.Itoa(300+max(s.Processes, 1)+1)); err != nil {
		return wrap("limit the process numbers", err)
	}
	return wrap("make /proc read-only", setAttr(unix.AT_FDCWD, "proc", 0, unix.MOUNT_ATTR_RDONLY))
}

// ownPidMax says whether kernel.pid_max belongs to a pid namespace. Before Linux 6.14 it is the whole machine's, and
// root could really change it from in here.
func ownPidMax() bool {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return false
	}
	var major, minor int
	fmt.Sscanf(unix.ByteSliceToString(u.Release[:]), "%d.%d", &major, &minor) //nolint:errcheck // then it is an old one
	return major > 6 || major == 6 && minor >= 14
}
