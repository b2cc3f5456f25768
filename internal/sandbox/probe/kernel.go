//go:build linux

package probe

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

func kernel() []attack {
	return []attack{
		{name: "user namespace", try: func(*targets) (string, error) { return reapChild(clone(unix.CLONE_NEWUSER)) }},
		{name: "user namespace by clone3", try: func(*targets) (string, error) { return reapChild(clone3(unix.CLONE_NEWUSER)) }},
		{name: "mount namespace", try: func(*targets) (string, error) { return reapChild(clone(unix.CLONE_NEWNS)) }},
		{name: "network namespace", try: func(*targets) (string, error) { return reapChild(clone(unix.CLONE_NEWNET)) }},
		{name: "mount", try: mount},
		{name: "open a mount", try: func(*targets) (string, error) {
			return closeFD(unix.OpenTree(unix.AT_FDCWD, ".", unix.OPEN_TREE_CLONE))
		}},
		{name: "new file system", try: func(*targets) (string, error) { return closeFD(unix.Fsopen("tmpfs", unix.FSOPEN_CLOEXEC)) }},
		{name: "chroot", try: func(*targets) (string, error) { return "it was done", unix.Chroot("/") }},
		{name: "host name", try: hostName},
		{name: "io_uring", try: ioUring},
		{name: "bpf", try: bpf},
		{name: "perf events", try: perf},
		{name: "user page faults", try: pageFaults},
		{name: "keys", try: func(*targets) (string, error) {
			_, err := unix.KeyctlGetKeyringID(unix.KEY_SPEC_SESSION_KEYRING, true)
			return "a keyring was had", err
		}},
		{name: "add a key", try: func(*targets) (string, error) {
			_, err := unix.AddKey("user", "hob-canary", []byte("x"), unix.KEY_SPEC_PROCESS_KEYRING)
			return "a key was added", err
		}},
		{name: "netlink", try: creating(unix.AF_NETLINK, unix.SOCK_RAW)},
		{name: "other families of sockets", try: families},
		{name: "personality", try: personality},
		{name: "kernel settings", try: touching("/proc/sys/kernel/core_pattern")},
		{name: "system request", try: touching("/proc/sysrq-trigger")},
		{name: "kernel log", try: touching("/dev/kmsg")},
		{name: "kernel's memory", try: touching("/proc/kcore")},
		{name: "block device", try: blockDevice},
	}
}

// mount covers the working folder and uncovers it again.
func mount(*targets) (string, error) {
	if err := unix.Mount("none", ".", "tmpfs", 0, "size=4k"); err != nil {
		return "", err
	}
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	return "it was mounted", unix.Unmount(here, unix.MNT_DETACH)
}

// reapChild waits for the end of a child that clone made.
func reapChild(pid uintptr, errno syscall.Errno) (string, error) {
	if errno != 0 {
		return "", errno
	}
	reap(int(pid))
	return "it was made", nil
}

func reap(pid int) {
	for {
		if _, err := unix.Wait4(pid, nil, 0, nil); err != unix.EINTR {
			return
		}
	}
}

// clone starts a copy of this process that ends at once. The copy has one thread and no runtime to speak of: it makes
// one raw call.
//
//go:norace
//go:nosplit
func clone(flags uintptr) (uintptr, syscall.Errno) {
	pid, _, errno := syscall.RawSyscall6(unix.SYS_CLONE, flags|uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	if pid == 0 && errno == 0 {
		for {
			_, _, _ = syscall.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
		}
	}
	return pid, errno
}

// clone3 is the same by the call whose flags are in memory, where a filter cannot see them.
//
//go:norace
//go:nosplit
func clone3(flags uint64) (uintptr, syscall.Errno) {
	args := [11]uint64{0: flags, 4: uint64(unix.SIGCHLD)}
	pid, _, errno := syscall.RawSyscall(unix.SYS_CLONE3, uintptr(unsafe.Pointer(&args)), unsafe.Sizeof(args), 0)
	if pid == 0 && errno == 0 {
		for {
			_, _, _ = syscall.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
		}
	}
	return pid, errno
}

func ioUring(*targets) (string, error) {
	var about [120]byte // of what the ring is to be like: as usual
	return closeRawFD(syscall.RawSyscall(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&about)), 0))
}

// pageFaults asks to serve page faults of user code.
func pageFaults(*targets) (string, error) {
	const userOnly = 1
	return closeRawFD(syscall.RawSyscall(unix.SYS_USERFAULTFD, unix.O_CLOEXEC|userOnly, 0, 0))
}

// bpf makes a map of one number.
func bpf(*targets) (string, error) {
	about := [16]uint32{0: 2, 1: 4, 2: 8, 3: 1} // an array, key size, value size, entries
	return closeRawFD(syscall.RawSyscall(unix.SYS_BPF, 0, uintptr(unsafe.Pointer(&about)), unsafe.Sizeof(about)))
}

// closeRawFD closes the descriptor that a raw call made.
func closeRawFD(fd, _ uintptr, errno syscall.Errno) (string, error) {
	if errno != 0 {
		return "", errno
	}
	return closeFD(int(fd), nil)
}

// perf counts this process's page faults.
func perf(*targets) (string, error) {
	about := unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_PAGE_FAULTS, Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{}))}
	return closeFD(unix.PerfEventOpen(&about, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC))
}

func hostName(*targets) (string, error) {
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		return "", err
	}
	return "it can be set", unix.Sethostname([]byte(unix.ByteSliceToString(u.Nodename[:])))
}

// families tries every family of sockets but those of the internet and of this machine, and those with an attack of
// their own.
func families(*targets) (string, error) {
	var had []string
	for family := range 64 {
		switch family {
		case unix.AF_UNIX, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK, unix.AF_PACKET, unix.AF_VSOCK:
			continue
		}
		for _, kind := range []int{unix.SOCK_STREAM, unix.SOCK_DGRAM, unix.SOCK_RAW, unix.SOCK_SEQPACKET} {
			if fd, err := unix.Socket(family, kind|unix.SOCK_CLOEXEC, 0); err == nil {
				had = append(had, fmt.Sprint(family))
				_ = unix.Close(fd)
				break
			}
		}
	}
	if len(had) == 0 {
		return "", unix.EAFNOSUPPORT
	}
	return "families " + strings.Join(had, ", "), nil
}

// personality asks for memory that is readable and executable alike.
func personality(*targets) (string, error) {
	const readImpliesExec = 0x0400000
	was, _, errno := syscall.RawSyscall(unix.SYS_PERSONALITY, readImpliesExec, 0, 0)
	if errno != 0 {
		return "", errno
	}
	_, _, _ = syscall.RawSyscall(unix.SYS_PERSONALITY, was, 0, 0)
	return "it was changed", nil
}

// touching is an attack that opens something of the kernel's to write to it, and writes nothing.
func touching(path string) func(*targets) (string, error) {
	return func(*targets) (string, error) {
		flags := unix.O_WRONLY | unix.O_CLOEXEC | unix.O_NONBLOCK
		if path == "/proc/kcore" {
			flags = unix.O_RDONLY | unix.O_CLOEXEC
		}
		_, err := closeFD(unix.Open(path, flags, 0))
		return "it was opened", err
	}
}

// blockDevice makes a device file of the machine's first disk and opens it.
func blockDevice(*targets) (string, error) {
	for _, major := range []uint32{8, 254, 253, 252, 259, 7, 1} {
		if err := unix.Mknod("disk", unix.S_IFBLK|0o600, int(unix.Mkdev(major, 0))); err != nil {
			return "", err
		}
		fd, err := unix.Open("disk", unix.O_RDONLY|unix.O_CLOEXEC, 0)
		_ = unix.Unlink("disk")
		if err == nil {
			_ = unix.Close(fd)
			return "a disk was opened", nil
		}
	}
	return "", errors.New("none could be opened")
}
