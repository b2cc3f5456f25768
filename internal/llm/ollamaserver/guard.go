package ollamaserver

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// guard is a shell that waits for the end of its input and then kills its process group, to which the server and its
// runners belong. The input is a pipe that nobody but this process holds the other end of, so the kernel ends it when
// this process dies, however it dies.
//
// A death signal from the kernel (Linux has one) is not enough. It reaches the server alone; SIGKILL would leave the
// runners, and on SIGTERM the server is often ended by SIGPIPE, when it writes to the log that nobody reads any more,
// before it has ended them.
//
// The guard is its group's first process, and Ctrl-C in a terminal does not reach the group. While it lives, no other
// process can get the group's number.
type guard struct {
	cmd  *exec.Cmd
	hold *os.File // keeps the shell waiting
}

func newGuard() (*guard, error) {
	input, hold, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make pipe: %w", err)
	}
	cmd := exec.Command("/bin/sh", "-c", "read -r line; kill -s KILL 0")
	cmd.Stdin = input
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = cmd.Start()
	if err := errors.Join(err, input.Close()); err != nil {
		return nil, errors.Join(err, hold.Close())
	}
	return &guard{cmd: cmd, hold: hold}, nil
}

// member puts a command that has not been started yet into the group.
func (g *guard) member(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: g.cmd.Process.Pid}
}

// kill ends everybody in the group, the guard included. It is called once.
func (g *guard) kill() {
	_ = syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL) // the guard is there, so this cannot miss
	_ = g.cmd.Wait()                                      // it was killed, and says so
	_ = g.hold.Close()
}
