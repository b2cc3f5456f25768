//go:build linux

package inside

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Capabilities are what the helper needs in T1, to be given as ambient ones: a process that is not root loses the
// capabilities of a new user namespace when it executes a program.
func Capabilities() []uintptr {
	return []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP}
}

// Environ is the environment of a helper. Two of its threads wait in the kernel, each of which would hold the other up if
// the runtime had one processor to give. Most of its lives are too short for a garbage collector. One that is not would
// fill the command's own limit with what it read of /proc, so that there is one from so much on. The race detector would wait
// for a second at the end of each.
func Environ() []string {
	all := []string{"GOMAXPROCS=2", "GOGC=off", "GOMEMLIMIT=32MiB"}
	if raceDetector {
		all = append(all, "GORACE=atexit_sleep_ms=0")
	}
	return all
}

// maximizeOOMScore has the kernel kill this process, and what it starts, before any other when the machine's memory runs out.
// Without a cgroup much of a command's memory is nobody's: what lies in its sockets and pipes and what its page tables
// take. The kernel would take those who use most for the guilty, such as the model's server. What is started cannot take
// it back: it cannot write to /proc. This process can, alone, with the function returned.
func maximizeOOMScore() (resetScore func()) {
	score, err := unix.Open("/proc/self/oom_score_adj", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return func() {}
	}
	var before [16]byte
	n, err := unix.Read(score, before[:])
	if err == nil {
		_, err = unix.Pwrite(score, []byte("1000"), 0)
	}
	return func() {
		if err == nil {
			unix.Pwrite(score, before[:n], 0) //nolint:errcheck // then it stays as it is
		}
		unix.Close(score) //nolint:errcheck // all is written
	}
}

// ownTasks are the threads of the helper itself, which RLIMIT_NPROC counts with the command's.
const ownTasks = 8

// setLimits bounds this process and all that it starts.
func setLimits(s *Spec) error {
	limits := []struct {
		what  int
		value int64
	}{
		{unix.RLIMIT_CORE, 0},
		{unix.RLIMIT_DATA, max(s.Memory, leastData)},
		{unix.RLIMIT_FSIZE, s.FileSize},
		{unix.RLIMIT_NOFILE, int64(s.OpenFiles)},
		{unix.RLIMIT_NPROC, taskLimit(s)},
	}
	for _, l := range limits {
		if l.value < 0 || l.value == 0 && l.what != unix.RLIMIT_CORE {
			return unix.EINVAL
		}
		if raceDetector && l.what == unix.RLIMIT_DATA {
			continue
		}
		// A limit that is lower already stays. This function, unlike the raw call, keeps the runtime from restoring
		// RLIMIT_NOFILE in the command.
		var now unix.Rlimit
		if err := unix.Getrlimit(l.what, &now); err != nil {
			return err
		}
		v := min(uint64(l.value), now.Max)
		if err := unix.Setrlimit(l.what, &unix.Rlimit{Cur: v, Max: v}); err != nil {
			return err
		}
	}
	return nil
}

// taskLimit is the limit on tasks of this uid. In a user namespace of its own that is the command's; in T3 it counts
// all that the user runs on this machine, so that it is set far above, where it still ends a fork bomb, and the exact
// limit is watched.
func taskLimit(s *Spec) int64 {
	if s.Tier != T3 {
		return int64(s.Processes) + ownTasks
	}
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return int64(s.Processes) + 1<<12
	}
	return int64(info.Procs) + 2*int64(s.Processes) + 1<<9
}

// secureBits are, each with its lock: root has no capabilities for being root (bits 0 and 1), a change of uid changes
// none (2, 3), and none can be made ambient (6, 7). Of keeping them over a change of uid (4, 5) only the lock is set.
const secureBits = 0b1110_1111

// dropPrivileges makes sure that this thread and what it starts never have a capability again, whatever they execute. In T2 the
// bounding set is bwrap's to empty, and in T3 an ordinary user cannot empty it: there no_new_privs is what counts.
func dropPrivileges(must bool) error {
	for c := uintptr(0); c <= 63; c++ {
		err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0)
		if err == unix.EINVAL {
			break // the last one that this kernel knows was the one before
		}
		if err != nil && must {
			return wrap("drop a capability", err)
		}
		if err != nil {
			break
		}
	}
	if err := unix.Prctl(unix.PR_SET_SECUREBITS, secureBits, 0, 0, 0); err != nil && must {
		return wrap("lock the secure bits", err)
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return wrap("clear ambient capabilities", err)
	}
	return wrap("set no_new_privs", unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
}

// dropCapabilities empties the sets of this thread.
func dropCapabilities() error {
	var none [2]unix.CapUserData
	return unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &none[0])
}

// dropAllCapabilities empties the sets of all threads. What the command has, it has from one thread, so that this is for the
// helper's own sake: in T1 it had some, and need none from now on. With cgo, as under the race detector, there is no such call.
func dropAllCapabilities() {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	syscall.AllThreadsSyscall(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&none[0])), 0) //nolint:errcheck // see above
}
