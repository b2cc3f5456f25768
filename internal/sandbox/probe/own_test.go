//go:build linux

package probe_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"hob/internal/sandbox"
)

// own is this test program as a program of its own; see ownMain.
func own(t *testing.T, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], append([]string{ownProgram}, args...)...)
	cmd.Env = append(os.Environ(), "TMPDIR="+scratch(t))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd
}

// ownProgram is the first argument, and the name inside, of what the tests themselves run as another process.
const ownProgram = "__own"

// ownMain does what cannot be done in the process that tests.
func ownMain(args []string) int {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	switch args[0] {
	case "x32": // a call by the number that it has in the table of the x32 kind
		_, _, errno := syscall.RawSyscall(0x40000000|unix.SYS_GETPID, 0, 0, 0)
		fmt.Fprintln(out, errno)
	case "no-landlock":
		if err := refuseLandlock(); err != nil {
			fmt.Fprintln(out, err)
			return 1
		}
		tier, _ := strconv.Atoi(args[1])
		report := sandbox.New(sandbox.Config{Only: sandbox.Tier(tier), Bwrap: bwrap()}).Report(context.Background())
		fmt.Fprintf(out, "tier %d: %+v %+v\n", int(report.Tier), report.Refused, report.Checks)
	case "run":
		tier, _ := strconv.Atoi(args[1])
		policy, err := sandbox.NewPolicy(sandbox.Rules{Workspace: args[2]})
		if err != nil {
			fmt.Fprintln(out, err)
			return 1
		}
		c := script(args[3])
		c.Env = environment()
		o, err := sandbox.New(sandbox.Config{Only: sandbox.Tier(tier), Bwrap: bwrap()}).Run(context.Background(), policy, c)
		fmt.Fprintf(out, "%s %v\n", o.Stdout.Head, err)
	}
	return 0
}

// refuseLandlock has the kernel refuse Landlock's calls from now on, as a service manager's filter does.
func refuseLandlock() error {
	const load, equal, ret = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, unix.BPF_RET | unix.BPF_K
	filter := []unix.SockFilter{
		{Code: load, K: 0},
		{Code: equal, Jt: 2, K: unix.SYS_LANDLOCK_CREATE_RULESET},
		{Code: equal, Jt: 1, K: unix.SYS_LANDLOCK_RESTRICT_SELF},
		{Code: ret, K: 0x7fff0000},
		{Code: ret, K: 0x00050000 | uint32(unix.ENOSYS)},
	}
	runtime.LockOSThread() // no new privileges is said of one thread, and asked of the one that loads the filter
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	const wholeProcess = 1
	if _, _, errno := syscall.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, wholeProcess, uintptr(unsafe.Pointer(&program))); errno != 0 {
		return errno
	}
	return nil
}
