//go:build linux

package inside

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Where in struct seccomp_data things lie. Of arguments only the lower half is looked at, as the kernel does with those
// that are asked about here; the halves are in this order on all processors that have a filter.
const (
	dataNumber = 0
	dataArch   = 4
	dataArgs   = 16
)

// What the filter answers.
const (
	answerAllow = uint32(unix.SECCOMP_RET_ALLOW)
	answerKill  = uint32(unix.SECCOMP_RET_KILL_PROCESS)
	answerPerm  = uint32(unix.SECCOMP_RET_ERRNO) | uint32(unix.EPERM)
	answerNoSys = uint32(unix.SECCOMP_RET_ERRNO) | uint32(unix.ENOSYS)
	answerNoFam = uint32(unix.SECCOMP_RET_ERRNO) | uint32(unix.EAFNOSUPPORT)
	answerNoPro = uint32(unix.SECCOMP_RET_ERRNO) | uint32(unix.EPROTONOSUPPORT)
)

const (
	x32Bit      = 0x40000000 // of the number of a call in x32, amd64's third kind of program
	ipprotoMPTC = 262
	newAnything = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER |
		unix.CLONE_NEWPID | unix.CLONE_NEWNET
	queryPersona    = 0xffffffff
	socketType      = 0xf       // the bits of a socket's type that are no flags
	noRandomPersona = 0x0040000 // ADDR_NO_RANDOMIZE: what debuggers and some compilers set
	ioprioUser      = 3         // IOPRIO_WHO_USER
	idBits          = unix.S_ISUID | unix.S_ISGID
	makesFile       = unix.O_CREAT | unix.O_TMPFILE&^unix.O_DIRECTORY // flags of open with which its mode counts
)

// program is a system call filter in the making.
type program []unix.SockFilter

func (p *program) load(offset uint32) {
	*p = append(*p, unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset})
}

func (p *program) answer(a uint32) {
	*p = append(*p, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: a})
}

// when answers a if what was loaded compares to k as the jump says.
func (p *program) when(jump uint16, k, a uint32) {
	*p = append(*p, unix.SockFilter{Code: unix.BPF_JMP | jump | unix.BPF_K, K: k, Jf: 1})
	p.answer(a)
}

// unless answers a if what was loaded does not compare to k as the jump says.
func (p *program) unless(jump uint16, k, a uint32) {
	*p = append(*p, unix.SockFilter{Code: unix.BPF_JMP | jump | unix.BPF_K, K: k, Jt: 1})
	p.answer(a)
}

// mask keeps those bits of what was loaded.
func (p *program) mask(bits uint32) {
	*p = append(*p, unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: bits})
}

// calls answers a to each of these system calls.
func (p *program) calls(a uint32, numbers []uint32) {
	for _, n := range numbers {
		p.when(unix.BPF_JEQ, n, a)
	}
}

// refuseArgument refuses each of these calls where its argument n has that value.
func (p *program) refuseArgument(n int, value uint32, numbers ...uint32) {
	for _, number := range numbers {
		p.call(number, func(p *program) {
			p.argument(n)
			p.when(unix.BPF_JEQ, value, answerPerm)
		})
	}
}

// call adds what is asked of the arguments of one system call. When nothing answers, it is allowed.
func (p *program) call(number uint32, body func(p *program)) {
	var inner program
	body(&inner)
	inner.answer(answerAllow)
	*p = append(*p, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: number, Jf: uint8(len(inner))})
	*p = append(*p, inner...)
}

// argument loads the lower half of an argument.
func (p *program) argument(n int) { p.load(dataArgs + 8*uint32(n)) }

// filter is the whole program. helper is the thread in T3 that must not be signalled, else 0.
func filter(s *Spec, helper int) (program, error) {
	arch, ok := auditArch()
	if !ok {
		return nil, errNoFilter
	}
	var p program
	p.load(dataArch)
	p.unless(unix.BPF_JEQ, arch, answerKill)
	p.load(dataNumber)
	if runtime.GOARCH == "amd64" {
		p.when(unix.BPF_JGE, x32Bit, answerNoSys)
	}
	p.calls(answerNoSys, absent())
	p.calls(answerPerm, refused())
	p.calls(answerPerm, uncounted(s))
	p.call(unix.SYS_CLONE, func(p *program) {
		p.argument(0)
		p.when(unix.BPF_JSET, newAnything, answerPerm)
		p.mask(exitSignal)
		p.when(unix.BPF_JEQ, uint32(unix.SIGCONT), answerPerm) // see refuseLateSignals
	})
	p.call(unix.SYS_IOCTL, func(p *program) {
		p.argument(1)
		p.when(unix.BPF_JEQ, unix.TIOCSTI, answerPerm)
		p.when(unix.BPF_JEQ, unix.TIOCLINUX, answerPerm)
	})
	p.call(unix.SYS_PERSONALITY, func(p *program) {
		p.argument(0)
		for _, k := range []uint32{0, queryPersona, noRandomPersona} {
			p.when(unix.BPF_JEQ, k, answerAllow)
		}
		p.answer(answerPerm)
	})
	p.refuseIDBits()
	p.restrictSockets(s)
	if helper != 0 {
		p.refuseOthersLimits()
		p.protectThread(uint32(helper))
	}
	p.refuseLateSignals() // of F_SETSIG protectThread has refused more
	p.answer(answerAllow)
	return p, nil
}

// modeCall is a system call that gives a file a mode, and where its arguments are. One with flags takes notice of the mode only
// where they say that it makes a file; flags is -1 for the others.
type modeCall struct {
	number      uint32
	mode, flags int
}

// modeCalls are all of them but openat2 and fchmodat2, which are [absent].
func modeCalls() []modeCall {
	return append([]modeCall{
		{unix.SYS_FCHMOD, 1, -1}, {unix.SYS_FCHMODAT, 2, -1}, {unix.SYS_MKDIRAT, 2, -1}, {unix.SYS_MKNODAT, 2, -1},
		{unix.SYS_OPENAT, 3, 2},
	}, modeCallsHere()...)
}

// refuseIDBits refuses to make a file set-uid or set-gid. Within the walls that would do nothing, but the workspace is a folder of the
// machine, where it would run as hob's user for anybody who finds it. File capabilities need no rule: the kernel lets nobody
// set an attribute security.* without capabilities, and no command has any.
func (p *program) refuseIDBits() {
	for _, c := range modeCalls() {
		p.call(c.number, func(p *program) {
			if c.flags >= 0 {
				p.argument(c.flags)
				p.unless(unix.BPF_JSET, makesFile, answerAllow)
			}
			p.argument(c.mode)
			p.when(unix.BPF_JSET, idBits, answerPerm)
		})
	}
}

// restrictSockets adds which kinds of socket can be made. A pair that is connected to itself for good reaches nobody and is made
// in every tier, because some programs talk to their own children so; one of datagrams could still send to a name.
func (p *program) restrictSockets(s *Spec) {
	var families []uint32
	switch {
	case s.Tier == T3:
	case s.Network:
		families = []uint32{unix.AF_UNIX, unix.AF_INET, unix.AF_INET6}
	default:
		families = []uint32{unix.AF_UNIX}
	}
	only := func(p *program) {
		p.argument(2)
		p.when(unix.BPF_JEQ, ipprotoMPTC, answerNoPro)
		p.argument(0)
		for _, f := range families {
			p.when(unix.BPF_JEQ, f, answerAllow)
		}
		p.answer(answerNoFam)
	}
	p.call(unix.SYS_SOCKET, only)
	if s.Tier != T3 {
		p.call(unix.SYS_SOCKETPAIR, only)
		return
	}
	p.call(unix.SYS_SOCKETPAIR, func(p *program) {
		p.argument(0)
		p.unless(unix.BPF_JEQ, unix.AF_UNIX, answerNoFam)
		p.argument(1)
		p.mask(socketType)
		p.when(unix.BPF_JEQ, unix.SOCK_STREAM, answerAllow)
		p.when(unix.BPF_JEQ, unix.SOCK_SEQPACKET, answerAllow)
		p.answer(answerNoFam)
	})
}

// refuseOthersLimits refuses to change the limits or the share of the processor of a process by its number: in T3 that could be
// anybody's of the same user, hob and the helper included. 0 is the caller.
func (p *program) refuseOthersLimits() {
	for _, n := range []uint32{
		unix.SYS_PRLIMIT64, unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR,
	} {
		p.call(n, func(p *program) { p.onlyZero(0) })
	}
	for _, c := range []struct{ number, user uint32 }{{unix.SYS_SETPRIORITY, unix.PRIO_USER}, {unix.SYS_IOPRIO_SET, ioprioUser}} {
		p.call(c.number, func(p *program) {
			p.argument(0)
			p.when(unix.BPF_JEQ, c.user, answerPerm) // all of the user's, and 0 is the user who asks
			p.onlyZero(1)
		})
	}
}

// onlyZero refuses a call whose argument is something else, and looks no further.
func (p *program) onlyZero(n int) {
	p.argument(n)
	p.when(unix.BPF_JEQ, 0, answerAllow)
	p.answer(answerPerm)
}

// protectThread refuses to signal a thread. The calls that name a process or thread have it in the first argument, except for those
// that name a thread of a process: they have it in the second. Two ways name it where a filter cannot look, and are closed
// to all: a descriptor of its folder in /proc, and a file that sends the signal of one's choice to whom it belongs.
func (p *program) protectThread(thread uint32) {
	p.refuseArgument(0, thread, unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_PIDFD_OPEN)
	p.refuseArgument(1, thread, unix.SYS_TGKILL, unix.SYS_RT_TGSIGQUEUEINFO)
	p.when(unix.BPF_JEQ, unix.SYS_PIDFD_SEND_SIGNAL, answerPerm)
	p.refuseArgument(1, unix.F_SETSIG, unix.SYS_FCNTL)
}

// absent are calls that programs do without when the kernel does not know them.
func absent() []uint32 {
	return []uint32{
		unix.SYS_CLONE3,                                                              // its flags are in memory, where a filter cannot look
		unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER, // makes calls that no filter sees
		unix.SYS_OPENAT2,   // its mode is in memory, too
		unix.SYS_FCHMODAT2, // programs have to do without it on kernels before 6.6, and then do what refuseIDBits knows
	}
}

// refused are calls that no command needs and that have been the way through many walls.
func refused() []uint32 {
	return append([]uint32{
		// namespaces and mounts
		unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT,
		unix.SYS_OPEN_TREE, unix.SYS_MOVE_MOUNT, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK,
		unix.SYS_MOUNT_SETATTR, unix.SYS_OPEN_TREE_ATTR, unix.SYS_LISTMOUNT, unix.SYS_STATMOUNT,
		// the kernel itself
		unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD,
		unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_REBOOT, unix.SYS_SYSLOG,
		unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_NFSSERVCTL,
		unix.SYS_FANOTIFY_INIT, unix.SYS_FANOTIFY_MARK, unix.SYS_VHANGUP, unix.SYS_LOOKUP_DCOOKIE,
		// keys, which belong to the user and not to a namespace
		unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL,
		// other processes
		unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE,
		unix.SYS_PIDFD_GETFD, unix.SYS_KCMP,
		// files by number rather than by name
		unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_OPEN_BY_HANDLE_AT,
		// the clock and the machine's name
		unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_ADJTIMEX, unix.SYS_CLOCK_ADJTIME,
		unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME,
	}, refusedHere()...)
}

const memfdSecret = 447 // the same on every processor; package unix has no name for it on 32-bit ARM

// uncounted are the calls that make memory that no limit but a cgroup's counts, and in T3 those that reach what other
// programs of the same user share: it has no namespaces of its own.
func uncounted(s *Spec) []uint32 {
	var calls []uint32
	if !s.Group {
		calls = append(calls, unix.SYS_MEMFD_CREATE, memfdSecret, unix.SYS_SHMGET, unix.SYS_MSGGET)
	}
	if s.Tier == T3 {
		calls = append(calls, unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV,
			unix.SYS_MSGCTL, unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP, unix.SYS_SEMCTL, unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK)
	}
	return calls
}

// install puts the filter on this thread and what it starts, or on every thread of this process.
func install(p program, everywhere bool) error {
	flags := 0
	if everywhere {
		flags = unix.SECCOMP_FILTER_FLAG_TSYNC
	}
	fprog := unix.SockFprog{Len: uint16(len(p)), Filter: &p[0]}
	thread, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, uintptr(flags), uintptr(unsafe.Pointer(&fprog)))
	if errno != 0 {
		return errno
	}
	if thread != 0 {
		return unix.ESRCH // a thread of ours has a filter of its own: there is none
	}
	return nil
}
