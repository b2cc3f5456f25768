//go:build linux

package probe

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

func inspecting() []attack {
	listed := notT3("processes of one user see each other without namespaces")
	return []attack{
		{name: "signal", try: named(func(t *targets) (string, error) { return "hob can be killed", unix.Kill(t.PID, 0) }), gap: ruleset(6, "signals")},
		{name: "environment", try: func(t *targets) (string, error) { return procFile(t, "environ", t.EnvironSum) }},
		{name: "command line", try: func(t *targets) (string, error) { return procFile(t, "cmdline", t.CmdlineSum) }, gap: listed},
		{name: "memory by file", try: memoryByFile},
		{name: "memory by call", try: named(memoryByCall)},
		{name: "descriptors", try: descriptors},
		{name: "steal a descriptor", try: named(steal)},
		{name: "ptrace", try: named(seize)},
		{name: "limits", try: named(limits)},
	}
}

// named guards an attack on hob's number: in another pid namespace it is the number of a stranger, or of nobody.
func named(try func(*targets) (string, error)) func(*targets) (string, error) {
	return func(t *targets) (string, error) {
		if inode("/proc/self/ns/pid") != t.Namespace {
			return "", errors.New("hob has no number here")
		}
		return try(t)
	}
}

// procFile reads a file that the kernel shows of hob.
func procFile(t *targets, name, want string) (string, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", t.PID, name))
	if err != nil {
		return "", err
	}
	if len(text) == 0 || sum(text) != want {
		return "", errors.New("it is another process's")
	}
	return "it was read", nil
}

func memoryByFile(t *targets) (string, error) {
	f, err := os.Open(fmt.Sprintf("/proc/%d/mem", t.PID))
	if err != nil {
		return "", err
	}
	defer f.Close()
	p := make([]byte, markSize)
	if _, err := f.ReadAt(p, int64(t.Mark)); err != nil {
		return "", err
	}
	return t.marked(p)
}

func memoryByCall(t *targets) (string, error) {
	p := make([]byte, markSize)
	local := []unix.Iovec{{Base: &p[0], Len: markSize}}
	if _, err := unix.ProcessVMReadv(t.PID, local, []unix.RemoteIovec{{Base: t.Mark, Len: markSize}}, 0); err != nil {
		return "", err
	}
	return t.marked(p)
}

func (t *targets) marked(p []byte) (string, error) {
	if sum(p) != t.MarkSum {
		return "", errors.New("it is another process's")
	}
	return "hob's memory was read", nil
}

func descriptors(t *targets) (string, error) {
	to, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", t.PID, t.Stray))
	if err == nil && to != t.Secret {
		err = errors.New("it is another process's")
	}
	return "hob's open files were seen", err
}

func steal(t *targets) (string, error) {
	pidfd, err := unix.PidfdOpen(t.PID, 0)
	if err != nil {
		return "", err
	}
	defer unix.Close(pidfd)
	fd, err := unix.PidfdGetfd(pidfd, t.Stray, 0)
	if err != nil {
		return "", err
	}
	f := os.NewFile(uintptr(fd), "stolen")
	defer f.Close()
	return t.secretIn(f)
}

// seize attaches to hob without stopping it; the end of the probe lets it go.
func seize(t *targets) (string, error) {
	_, _, errno := syscall.RawSyscall6(unix.SYS_PTRACE, unix.PTRACE_SEIZE, uintptr(t.PID), 0, 0, 0, 0)
	if errno != 0 {
		return "", errno
	}
	return "it was attached", nil
}

// limits sets one of hob's limits to what it is.
func limits(t *targets) (string, error) {
	var now [2]uint64
	pid, core := uintptr(t.PID), uintptr(unix.RLIMIT_CORE)
	if _, _, errno := syscall.RawSyscall6(unix.SYS_PRLIMIT64, pid, core, 0, uintptr(unsafe.Pointer(&now)), 0, 0); errno != 0 {
		return "", errno
	}
	if _, _, errno := syscall.RawSyscall6(unix.SYS_PRLIMIT64, pid, core, uintptr(unsafe.Pointer(&now)), 0, 0, 0); errno != 0 {
		return "", errno
	}
	return "hob's limits can be changed", nil
}
