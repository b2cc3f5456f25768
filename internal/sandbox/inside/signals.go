//go:build linux

package inside

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// ignoreSignals has the signals ignored that the runtime would die of. The default is not enough, although the first
// process of a pid namespace, which this must be, gets no signal from inside that it has no handler for: a signal that
// comes while the first thread has it blocked, as in a fork, is not dropped, and then the kernel takes it for one that ends
// all threads.
//
// The runtime gives the command the defaults back, except for 32 and 34, which it leaves to C libraries: these the command
// begins with ignored. 33 is the runtime's own, and signals that stop a process do not end it.
func ignoreSignals() {
	ignore := [4]uintptr{1} // struct sigaction: SIG_IGN
	for _, s := range []unix.Signal{
		unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGILL, unix.SIGTRAP, unix.SIGABRT, unix.SIGBUS, unix.SIGFPE,
		unix.SIGUSR1, unix.SIGSEGV, unix.SIGUSR2, unix.SIGPIPE, unix.SIGALRM, unix.SIGTERM, unix.SIGSTKFLT,
		unix.SIGXCPU, unix.SIGXFSZ, unix.SIGVTALRM, unix.SIGPROF, unix.SIGIO, unix.SIGPWR, unix.SIGSYS, 32,
	} {
		ignoreSignal(s, &ignore)
	}
	for s := unix.Signal(34); s <= 64; s++ {
		ignoreSignal(s, &ignore)
	}
}

func ignoreSignal(s unix.Signal, ignore *[4]uintptr) {
	unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(s), uintptr(unsafe.Pointer(ignore)), 0, 8, 0, 0) //nolint:errcheck // there are no others
}
