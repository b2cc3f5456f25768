//go:build linux

package inside_test

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// programs are what the tests run inside.
func programs() map[string]func([]string) int {
	return map[string]func([]string) int{
		"calls":       tryCalls,
		"foreign":     callAsForeigner,
		"ids":         tryIDs,
		"foreign ids": fchmodAsForeigner,
		"sockets":     trySockets,
		"fds":         listDescriptors,
		"exit":        func(args []string) int { n, _ := strconv.Atoi(args[0]); return n },
		"shared":      hideInSharedMemory,
		"resident":    fillMemory,
		"get":         getOverLoopback,
		"signal":      signalHelper,
		"slow":        slowHelper,
		"crowd":       crowd,
		"hold":        hold,
	}
}

// refusal is a system call and what it must answer.
type refusal struct {
	name   string
	number uintptr
	args   [4]uintptr
	want   syscall.Errno
}

// refusals are all that the filter must refuse. The arguments are such that the kernel alone would answer something
// else, where that is possible without harm.
func refusals() []refusal {
	const perm, nosys = unix.EPERM, unix.ENOSYS
	text := uintptr(unsafe.Pointer(unsafe.StringData("tmpfs\x00")))
	rs := []refusal{
		{"unshare user", unix.SYS_UNSHARE, [4]uintptr{unix.CLONE_NEWUSER}, perm},
		{"unshare nothing", unix.SYS_UNSHARE, [4]uintptr{0}, perm},
		{"clone user", unix.SYS_CLONE, [4]uintptr{unix.CLONE_NEWUSER | uintptr(unix.SIGCHLD)}, perm},
		{"clone mount", unix.SYS_CLONE, [4]uintptr{unix.CLONE_NEWNS | uintptr(unix.SIGCHLD)}, perm},
		{"clone that continues", unix.SYS_CLONE, [4]uintptr{uintptr(unix.SIGCONT)}, perm},
		{"timer_create", unix.SYS_TIMER_CREATE, [4]uintptr{0, 0, 0}, nosys},
		{"fcntl that continues", unix.SYS_FCNTL, [4]uintptr{0, unix.F_SETSIG, uintptr(unix.SIGCONT)}, perm},
		{"prctl that continues", unix.SYS_PRCTL, [4]uintptr{unix.PR_SET_PDEATHSIG, uintptr(unix.SIGCONT)}, perm},
		{"clone3", unix.SYS_CLONE3, [4]uintptr{0, 0}, nosys},
		{"setns", unix.SYS_SETNS, [4]uintptr{0, 0}, perm},
		{"mount", unix.SYS_MOUNT, [4]uintptr{text, 0, text, 0}, perm},
		{"umount", unix.SYS_UMOUNT2, [4]uintptr{0}, perm},
		{"pivot_root", unix.SYS_PIVOT_ROOT, [4]uintptr{0, 0}, perm},
		{"chroot", unix.SYS_CHROOT, [4]uintptr{0}, perm},
		{"open_tree", unix.SYS_OPEN_TREE, [4]uintptr{0, 0, 0}, perm},
		{"move_mount", unix.SYS_MOVE_MOUNT, [4]uintptr{0, 0, 0, 0}, perm},
		{"fsopen", unix.SYS_FSOPEN, [4]uintptr{text, 0}, perm},
		{"fsconfig", unix.SYS_FSCONFIG, [4]uintptr{0, 0, 0, 0}, perm},
		{"fsmount", unix.SYS_FSMOUNT, [4]uintptr{0, 0, 0}, perm},
		{"fspick", unix.SYS_FSPICK, [4]uintptr{0, 0, 0}, perm},
		{"mount_setattr", unix.SYS_MOUNT_SETATTR, [4]uintptr{0, 0, 0, 0}, perm},
		{"io_uring_setup", unix.SYS_IO_URING_SETUP, [4]uintptr{1, 0}, nosys},
		{"io_uring_enter", unix.SYS_IO_URING_ENTER, [4]uintptr{0}, nosys},
		{"io_uring_register", unix.SYS_IO_URING_REGISTER, [4]uintptr{0}, nosys},
		{"bpf", unix.SYS_BPF, [4]uintptr{0, 0, 0}, perm},
		{"keyctl", unix.SYS_KEYCTL, [4]uintptr{0, 0}, perm},
		{"add_key", unix.SYS_ADD_KEY, [4]uintptr{0, 0, 0, 0}, perm},
		{"request_key", unix.SYS_REQUEST_KEY, [4]uintptr{0, 0, 0, 0}, perm},
		{"perf_event_open", unix.SYS_PERF_EVENT_OPEN, [4]uintptr{0}, perm},
		{"userfaultfd", unix.SYS_USERFAULTFD, [4]uintptr{0xffff}, perm},
		{"ptrace traceme", unix.SYS_PTRACE, [4]uintptr{unix.PTRACE_TRACEME}, perm},
		{"process_vm_readv", unix.SYS_PROCESS_VM_READV, [4]uintptr{1}, perm},
		{"process_vm_writev", unix.SYS_PROCESS_VM_WRITEV, [4]uintptr{1}, perm},
		{"pidfd_getfd", unix.SYS_PIDFD_GETFD, [4]uintptr{0, 0}, perm},
		{"kcmp", unix.SYS_KCMP, [4]uintptr{1, 1}, perm},
		{"kexec_load", unix.SYS_KEXEC_LOAD, [4]uintptr{0, 0, 0, 0xff}, perm},
		{"init_module", unix.SYS_INIT_MODULE, [4]uintptr{0}, perm},
		{"finit_module", unix.SYS_FINIT_MODULE, [4]uintptr{^uintptr(0)}, perm},
		{"delete_module", unix.SYS_DELETE_MODULE, [4]uintptr{0}, perm},
		{"swapon", unix.SYS_SWAPON, [4]uintptr{0}, perm},
		{"swapoff", unix.SYS_SWAPOFF, [4]uintptr{0}, perm},
		{"reboot", unix.SYS_REBOOT, [4]uintptr{0, 0, 0}, perm},
		{"syslog", unix.SYS_SYSLOG, [4]uintptr{10}, perm}, // the size of the kernel's log
		{"acct", unix.SYS_ACCT, [4]uintptr{text}, perm},
		{"quotactl", unix.SYS_QUOTACTL, [4]uintptr{0}, perm},
		{"name_to_handle_at", unix.SYS_NAME_TO_HANDLE_AT, [4]uintptr{0}, perm},
		{"open_by_handle_at", unix.SYS_OPEN_BY_HANDLE_AT, [4]uintptr{0}, perm},
		{"lookup_dcookie", unix.SYS_LOOKUP_DCOOKIE, [4]uintptr{0}, perm},
		{"nfsservctl", unix.SYS_NFSSERVCTL, [4]uintptr{0}, perm},
		{"settimeofday", unix.SYS_SETTIMEOFDAY, [4]uintptr{0, 0}, perm},
		{"clock_settime", unix.SYS_CLOCK_SETTIME, [4]uintptr{99, 0}, perm},
		{"adjtimex", unix.SYS_ADJTIMEX, [4]uintptr{0}, perm},
		{"clock_adjtime", unix.SYS_CLOCK_ADJTIME, [4]uintptr{99, 0}, perm},
		{"sethostname", unix.SYS_SETHOSTNAME, [4]uintptr{text, 5}, perm},
		{"setdomainname", unix.SYS_SETDOMAINNAME, [4]uintptr{text, 5}, perm},
		{"vhangup", unix.SYS_VHANGUP, [4]uintptr{}, perm},
		{"fanotify_init", unix.SYS_FANOTIFY_INIT, [4]uintptr{^uintptr(0)}, perm},
		{"ioctl TIOCSTI", unix.SYS_IOCTL, [4]uintptr{0, unix.TIOCSTI, text}, perm},
		{"ioctl TIOCSTI, high bits", unix.SYS_IOCTL, [4]uintptr{0, unix.TIOCSTI | 1<<40, text}, perm},
		{"ioctl TIOCLINUX", unix.SYS_IOCTL, [4]uintptr{0, unix.TIOCLINUX, text}, perm},
		{"personality", unix.SYS_PERSONALITY, [4]uintptr{0x0400000}, perm}, // READ_IMPLIES_EXEC
		{"memfd_create", unix.SYS_MEMFD_CREATE, [4]uintptr{text, 0}, perm},
		{"memfd_secret", unix.SYS_MEMFD_SECRET, [4]uintptr{0}, perm},
		{"shmget", unix.SYS_SHMGET, [4]uintptr{0, 4096, 0o1600}, perm},
	}
	if runtime.GOARCH == "amd64" {
		rs = append(rs, refusal{"x32 getpid", 0x40000000 | unix.SYS_GETPID, [4]uintptr{}, nosys})
	}
	return rs
}

// allowances are calls that must go through: the kernel answers them.
func allowances() []refusal {
	return []refusal{
		{"personality query", unix.SYS_PERSONALITY, [4]uintptr{0xffffffff}, 0},
		{"ioctl FIONREAD on nothing", unix.SYS_IOCTL, [4]uintptr{99, unix.TIOCINQ}, unix.EBADF},
		{"clone flags that do not go together", unix.SYS_CLONE, [4]uintptr{unix.CLONE_SIGHAND}, unix.EINVAL},
		{"prctl of another signal", unix.SYS_PRCTL, [4]uintptr{unix.PR_SET_PDEATHSIG, uintptr(unix.SIGTERM)}, 0},
		{"prctl of another kind", unix.SYS_PRCTL, [4]uintptr{unix.PR_GET_DUMPABLE, uintptr(unix.SIGCONT)}, 0},
		{"fcntl of another kind", unix.SYS_FCNTL, [4]uintptr{0, unix.F_GETFD, uintptr(unix.SIGCONT)}, 0},
		{"getpid", unix.SYS_GETPID, [4]uintptr{}, 0},
	}
}

// tryCalls makes the calls and prints what each answers.
func tryCalls([]string) int {
	runtime.LockOSThread()
	for _, c := range append(refusals(), allowances()...) {
		r, _, errno := syscall.RawSyscall6(c.number, c.args[0], c.args[1], c.args[2], c.args[3], 0, 0)
		if c.number == unix.SYS_CLONE && errno == 0 && r == 0 {
			syscall.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
		}
		fmt.Printf("%s: %d\n", c.name, errno)
	}
	return 0
}

// trySockets makes sockets of the families given as numbers, with the protocol after a colon.
func trySockets(args []string) int {
	for _, a := range args {
		var family, kind, protocol int
		fmt.Sscanf(a, "%d:%d:%d", &family, &kind, &protocol)
		fd, _, errno := syscall.RawSyscall(unix.SYS_SOCKET, uintptr(family), uintptr(kind), uintptr(protocol))
		if errno == 0 {
			unix.Close(int(fd))
		}
		fmt.Println(a, int(errno))
	}
	for _, kind := range []int{unix.SOCK_STREAM | unix.SOCK_CLOEXEC, unix.SOCK_SEQPACKET, unix.SOCK_DGRAM} {
		pair, err := unix.Socketpair(unix.AF_UNIX, kind, 0)
		if err == nil {
			unix.Close(pair[0])
			unix.Close(pair[1])
		}
		errno, _ := err.(syscall.Errno)
		fmt.Println("pair", kind&0xf, int(errno))
	}
	return 0
}

// listDescriptors prints the open descriptors, but for the one with which it looks.
func listDescriptors([]string) int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	for _, e := range entries {
		if to, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && filepath.Base(to) != "fd" && to != "anon_inode:[eventpoll]" && to != "anon_inode:[eventfd]" {
			fmt.Println(e.Name())
		}
	}
	return 0
}

// hideInSharedMemory fills megabytes of memory piece by piece, giving each back from its page tables, where it stays
// allocated, and then waits.
func hideInSharedMemory(args []string) int {
	megabytes, _ := strconv.Atoi(args[0])
	for range megabytes / 8 {
		m, err := unix.Mmap(-1, 0, 8<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_ANONYMOUS)
		if err != nil {
			fmt.Println(err)
			return 1
		}
		for i := 0; i < len(m); i += 4096 {
			m[i] = 1
		}
		unix.Madvise(m, unix.MADV_DONTNEED)
	}
	return hold(nil)
}

// fillMemory fills that many megabytes and waits.
func fillMemory(args []string) int {
	megabytes, _ := strconv.Atoi(args[0])
	m, err := unix.Mmap(-1, 0, megabytes<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	for i := 0; i < len(m); i += 4096 {
		m[i] = 1
	}
	return hold(nil)
}

// hold prints a line and waits to be killed, whatever other signals come.
func hold([]string) int {
	signal.Ignore(syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
	fmt.Println("holding")
	for {
		unix.Pause()
	}
}

// getOverLoopback prints what the one who listens at an address says.
func getOverLoopback(args []string) int {
	conn, err := net.Dial("tcp", args[0])
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer conn.Close()
	said, err := io.ReadAll(conn)
	fmt.Println(string(said), err)
	return 0
}

// signalHelper tries to end every thread of the helper, its parent, and prints what it is answered.
func signalHelper([]string) int {
	helper := os.Getppid()
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", helper))
	if err != nil {
		fmt.Println(err)
		return 1
	}
	for _, e := range threads {
		tid, _ := strconv.Atoi(e.Name())
		for name, err := range map[string]error{
			"kill":   unix.Kill(tid, unix.SIGKILL),
			"tgkill": unix.Tgkill(helper, tid, unix.SIGKILL),
			"group":  unix.Kill(-helper, unix.SIGKILL),
		} {
			fmt.Println(name, err)
		}
		// A folder of /proc is a descriptor of its process, and a thread has one, too.
		if folder, err := unix.Open(fmt.Sprintf("/proc/%d", tid), unix.O_RDONLY|unix.O_DIRECTORY, 0); err == nil {
			fmt.Println("folder", unix.PidfdSendSignal(folder, unix.SIGKILL, nil, 0))
		}
		// A file can belong to a thread, and then sends it a signal when there is something to read.
		pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		if err != nil {
			continue
		}
		owner := [2]int32{0, int32(tid)} // F_OWNER_TID
		syscall.Syscall(syscall.SYS_FCNTL, uintptr(pair[0]), unix.F_SETOWN_EX, uintptr(unsafe.Pointer(&owner)))
		unix.FcntlInt(uintptr(pair[0]), unix.F_SETSIG, int(unix.SIGKILL))
		unix.FcntlInt(uintptr(pair[0]), unix.F_SETFL, unix.O_ASYNC)
		unix.Write(pair[1], []byte("x"))
	}
	return 0
}

// slowHelper tries to take processor time from the helper, its parent, and then from itself, and prints the answers.
func slowHelper([]string) int {
	helper := os.Getppid()
	one := [1]uint64{1}
	for _, c := range []refusal{
		{"priority", unix.SYS_SETPRIORITY, [4]uintptr{unix.PRIO_PROCESS, uintptr(helper), 19}, 0},
		{"priority of all", unix.SYS_SETPRIORITY, [4]uintptr{unix.PRIO_USER, 0, 19}, 0},
		{"own priority", unix.SYS_SETPRIORITY, [4]uintptr{unix.PRIO_PROCESS, 0, 19}, 0},
		{"disk priority", unix.SYS_IOPRIO_SET, [4]uintptr{1, uintptr(helper), 3 << 13}, 0},
		{"disk priority of all", unix.SYS_IOPRIO_SET, [4]uintptr{3, 0, 3 << 13}, 0},
		{"own disk priority", unix.SYS_IOPRIO_SET, [4]uintptr{1, 0, 3 << 13}, 0},
		{"processors", unix.SYS_SCHED_SETAFFINITY, [4]uintptr{uintptr(helper), 8, uintptr(unsafe.Pointer(&one))}, 0},
		{"own processors", unix.SYS_SCHED_SETAFFINITY, [4]uintptr{0, 8, uintptr(unsafe.Pointer(&one))}, 0},
		{"scheduler", unix.SYS_SCHED_SETSCHEDULER, [4]uintptr{uintptr(helper), 5, uintptr(unsafe.Pointer(new(int32)))}, 0},
		{"own scheduler", unix.SYS_SCHED_SETSCHEDULER, [4]uintptr{0, 5, uintptr(unsafe.Pointer(new(int32)))}, 0},
	} {
		_, _, errno := syscall.RawSyscall(c.number, c.args[0], c.args[1], c.args[2])
		fmt.Printf("%s: %d\n", c.name, errno)
	}
	return 0
}

// crowd maps more than it may ever use, becomes as many as it can, unless it is to stay alone, and is there for so many
// milliseconds.
func crowd(args []string) int {
	if _, err := unix.Mmap(-1, 0, 16<<30, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_NORESERVE); err != nil {
		fmt.Println(err)
		return 1
	}
	for len(args) == 1 {
		pid, _, errno := syscall.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
		if errno != 0 {
			break
		}
		for pid == 0 {
			syscall.RawSyscall6(unix.SYS_PPOLL, 0, 0, 0, 0, 0, 0)
		}
	}
	milliseconds, _ := strconv.Atoi(args[0])
	unix.Poll(nil, milliseconds)
	return 0
}
