//go:build linux

// Command offline runs another command in a network namespace of its own, where there is nothing but loopback.
//
//	go run ./internal/egress/offline -- go test ./...
//
// The suite runs under it: a test that needs the network, or a dial that was not meant to be, fails. The command sees
// HOB_OFFLINE=1, keeps its user, and its exit status is this one's. What it downloads must be there before.
//
// As root that takes CLONE_NEWNET. As an ordinary user it takes a user namespace, too, in which the user is mapped to
// itself; namespaces can be made inside of it. The one capability that bringing loopback up needs is given up before the
// command starts. Where the kernel gives none of this, a sentence says so and the command runs with the network there is.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"

	sandbox "hob/internal/sandbox/inside"
)

// variable has the value 1 for a command that has nothing but loopback.
const variable = "HOB_OFFLINE"

// inside is the first argument of the second half.
const inside = "__offline"

const (
	exitUsage  = 2
	exitBroken = 125 // the second half could not prepare the namespace
)

func main() {
	args := os.Args[1:]
	if len(args) > 1 && args[0] == inside {
		fmt.Fprintln(os.Stderr, "offline:", enter(args[1:]))
		os.Exit(exitBroken)
	}
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		fmt.Fprintln(os.Stderr, "offline: say which command: offline -- go test ./...")
		os.Exit(exitUsage)
	}
	os.Exit(run(args))
}

// run runs the command and returns its exit status.
func run(args []string) int {
	refused := errors.New("no network namespace was tried")
	for _, flags := range ways(os.Geteuid()) {
		cmd := half(args, flags)
		if refused = cmd.Start(); refused == nil {
			return wait(cmd)
		}
	}
	fmt.Fprintf(os.Stderr, "offline: the kernel gives no network namespace (%v): running with the network that is there\n", refused)
	cmd := command(args[0], args[1:]...)
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "offline:", err)
		return exitBroken
	}
	return wait(cmd)
}

// ways are the flags to try: root in a container may not have what root usually has.
func ways(uid int) []uintptr {
	if uid == 0 {
		return []uintptr{unix.CLONE_NEWNET, unix.CLONE_NEWUSER | unix.CLONE_NEWNET}
	}
	return []uintptr{unix.CLONE_NEWUSER | unix.CLONE_NEWNET}
}

// half is the second half of this program, in its namespaces.
func half(args []string, flags uintptr) *exec.Cmd {
	cmd := command("/proc/self/exe", append([]string{inside}, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: flags}
	if flags&unix.CLONE_NEWUSER != 0 {
		uid, gid := os.Geteuid(), os.Getegid()
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
		cmd.SysProcAttr.AmbientCaps = []uintptr{unix.CAP_NET_ADMIN}
	}
	return cmd
}

func command(path string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.Background(), path, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd
}

// wait passes signals on and returns the exit status.
func wait(cmd *exec.Cmd) int {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, unix.SIGTERM, unix.SIGINT, unix.SIGHUP, unix.SIGQUIT)
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case s := <-signals:
			_ = cmd.Process.Signal(s) // fails only when it has ended
		case err := <-ended:
			if state := cmd.ProcessState; state != nil && state.ExitCode() >= 0 {
				return state.ExitCode()
			}
			fmt.Fprintln(os.Stderr, "offline:", err)
			return 1
		}
	}
}

// enter is the second half: it brings loopback up and becomes the command. It returns only an error.
func enter(args []string) error {
	if err := sandbox.RaiseLoopback(); err != nil {
		return fmt.Errorf("bring loopback up: %w", err)
	}
	path, err := exec.LookPath(args[0])
	if err != nil {
		return err
	}
	if err := os.Setenv(variable, "1"); err != nil {
		return err
	}
	runtime.LockOSThread() // what counts are the capabilities of the thread that becomes the command
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("give up capabilities: %w", err)
	}
	if err := inheritNone(); err != nil {
		return fmt.Errorf("give up capabilities: %w", err)
	}
	return syscall.Exec(path, args, os.Environ())
}

// inheritNone empties the set of capabilities that programs could ask for.
func inheritNone() error {
	who := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	if err := unix.Capget(&who, &sets[0]); err != nil {
		return err
	}
	sets[0].Inheritable, sets[1].Inheritable = 0, 0
	return unix.Capset(&who, &sets[0])
}
