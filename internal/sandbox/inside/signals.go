package inside

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// ignoreSignals takes the runtime's handlers away from the signals that it would die of. The first process of a pid
// namespace, which this must be, gets no signal from inside that it has no handler for.
func ignoreSignals() {
	var fallback [4]uintptr // struct sigaction: SIG_DFL
	for _, s := range []unix.Signal{
		unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGILL, unix.SIGTRAP, unix.SIGABRT, unix.SIGBUS, unix.SIGFPE,
		unix.SIGUSR1, unix.SIGSEGV, unix.SIGUSR2, unix.SIGPIPE, unix.SIGALRM, unix.SIGTERM, unix.SIGSTKFLT, unix.SIGTSTP,
		unix.SIGTTIN, unix.SIGTTOU, unix.SIGXCPU, unix.SIGXFSZ, unix.SIGVTALRM, unix.SIGPROF, unix.SIGIO, unix.SIGPWR, unix.SIGSYS,
	} {
		unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(s), uintptr(unsafe.Pointer(&fallback)), 0, 8, 0, 0) //nolint:errcheck // there are no others
	}
}
