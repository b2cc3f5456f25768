//go:build linux

package sandbox

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"hob/internal/retry"
	"hob/internal/sandbox/inside"
	"hob/internal/sandbox/proc"
)

// plain runs a command without walls, in a session and process group of its own. It kills the group when the command
// ends or must end, and then every process that carries the command's mark in its environment: that finds what has left
// the group, unless it has also changed its environment or its user. A cgroup finds all.
type plain struct {
	*launch
	cmd    *exec.Cmd
	over   chan struct{} // closed when the first process is dead, though not reaped, and nothing else is left
	left   int           // valid when over is closed
	failed string        // why the program could not be started
	exit   int           // and the status that stands for it
}

func (r *plain) begin(ctx context.Context) error {
	r.over = make(chan struct{})
	if err := context.Cause(ctx); err != nil {
		return err
	}
	args, env := r.Args, withMark(r.Env, r.mark)
	path, err := inside.LookUp(r.rules.Workspace, args[0], env)
	if r.Program != "" {
		path, args, err = "/proc/self/exe", inside.ProgramArgs(r.Program, r.Args...), nil
	}
	if err == nil {
		r.cmd = &exec.Cmd{
			Path: path, Args: args, Env: env, Dir: r.rules.Workspace, Stdin: r.stdin, Stdout: r.stdout, Stderr: r.stderr,
			SysProcAttr: &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL},
		}
		r.joinLeaf(r.cmd.SysProcAttr)
		err = r.cmd.Start()
	}
	if err != nil {
		return r.notStarted(path, err)
	}
	pid := r.cmd.Process.Pid
	r.bound(pid)
	r.mark.born = proc.BornAt(strconv.Itoa(pid)) // it is there, dead or alive, until Wait
	go func() {
		waitUnreaped(pid)
		r.left = r.reap(pid)
		close(r.over)
	}()
	return nil
}

// notStarted makes an outcome of a program that is missing or cannot be run. Other errors, and a missing folder, it returns.
func (r *plain) notStarted(path string, err error) error {
	if _, gone := os.Stat(r.rules.Workspace); gone != nil {
		return gone
	}
	if r.exit, r.failed = inside.Explain(r.Args[0], path, err); r.failed == "" {
		return err
	}
	r.cmd = nil
	close(r.over)
	return nil
}

// bound sets what limits can be set from without. That of processes is left out: without walls it would count all
// processes of the user.
func (r *plain) bound(pid int) {
	l := r.rules.Limits
	for _, one := range []struct {
		what int
		most uint64
	}{
		{unix.RLIMIT_DATA, uint64(l.Memory)},
		{unix.RLIMIT_FSIZE, uint64(l.FileSize)},
		{unix.RLIMIT_NOFILE, uint64(l.OpenFiles)},
		{unix.RLIMIT_CORE, 0},
	} {
		var now unix.Rlimit
		if unix.Prlimit(pid, one.what, nil, &now) != nil {
			continue
		}
		most := min(one.most, now.Max)
		_ = unix.Prlimit(pid, one.what, &unix.Rlimit{Cur: most, Max: most}, nil) // it may have ended by now
	}
}

func (r *plain) ended() <-chan struct{} { return r.over }

func (r *plain) kill() {
	if r.cmd == nil {
		return
	}
	r.killLeaf()
	_ = unix.Kill(-r.cmd.Process.Pid, unix.SIGKILL) // what had left the group is found when its first process is dead
	retry.Within(r.over, 2*killTime)
}

// reap kills the command's group and all that carry its mark, and returns how many there were beside the command.
func (r *plain) reap(pid int) int {
	killed := r.mark.reap(pid, func() { _ = unix.Kill(-pid, unix.SIGKILL) }) // fails when nobody is left
	r.killLeaf()
	return killed
}

func (r *plain) killEscaped() { r.mark.killMarked() }

func (r *plain) settle(o *Outcome) {
	defer r.dropLeaf(o)
	if r.cmd == nil {
		o.Exit, o.Error = r.exit, r.failed
		return
	}
	if !isClosed(r.over) { // it hangs in the kernel, and so would a wait for it
		o.setKilled()
		go func() { _ = r.cmd.Wait() }()
		return
	}
	_ = r.cmd.Wait() // what the error would say is in ProcessState
	state := r.cmd.ProcessState
	o.Exit = state.ExitCode()
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		o.Signal = status.Signal().String()
	}
	switch {
	case !o.TimedOut && !o.Stopped && !o.Flooded:
		o.Left = r.left
	case o.Signal == "": // it ended by itself in the same moment
		o.TimedOut, o.Stopped = false, false
	}
}

// waitUnreaped waits until the process has ended and leaves it to be reaped, so that its number means nobody else.
func waitUnreaped(pid int) {
	for {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}
