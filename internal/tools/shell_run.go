package tools

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// drainTime is how long the output of a command is still read after everything of it was killed.
const drainTime = 500 * time.Millisecond

// killTime is how long a process that was killed is waited for; only one that hangs in the kernel needs it.
const killTime = time.Second

// runMark names the variable by which the processes of a command are known, also those that left its group.
const runMark = "HOB_COMMAND"

// RunPlain runs a command as the user that hob runs as, in a session and process group of its own, with no walls around
// it. It kills the group when the command ends, is cancelled or runs out of time, and then every process that carries
// the command's mark in its environment: that finds what has left the group, unless it has also changed its
// environment or its user.
func RunPlain(ctx context.Context, c Command) (Outcome, error) {
	if err := ctx.Err(); err != nil {
		return Outcome{}, err
	}
	r := &plainRun{Command: c, mark: runMark + "=" + rand.Text(), stop: make(chan struct{})}
	done := make(chan error, 1)
	go func() {
		// The kernel kills the command when the thread that started it ends, and so when hob is killed. The thread is
		// kept for the command's whole life, lest it end for reasons of Go's.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		done <- r.run()
	}()
	timeout := time.NewTimer(c.Timeout)
	defer timeout.Stop()
	select {
	case err := <-done:
		return r.out, err
	case <-timeout.C:
		r.timedOut.Store(true)
	case <-ctx.Done():
	}
	close(r.stop)
	err := <-done
	return r.out, err
}

// plainRun is one command under way.
type plainRun struct {
	Command
	mark     string
	stop     chan struct{} // closed when the command must end
	timedOut atomic.Bool
	written  atomic.Int64
	out      Outcome
}

func (r *plainRun) run() error {
	stdout, outPipe, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("make a pipe: %w", err)
	}
	stderr, errPipe, err := os.Pipe()
	if err != nil {
		stdout.Close()
		outPipe.Close()
		return fmt.Errorf("make a pipe: %w", err)
	}
	cmd := exec.Command("/bin/sh", "-c", "--", r.Line)
	cmd.Dir, cmd.Env = r.Dir, append(r.Env[:len(r.Env):len(r.Env)], r.mark)
	cmd.Stdout, cmd.Stderr = outPipe, errPipe // standard input is /dev/null
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	began := time.Now()
	err = cmd.Start()
	outPipe.Close() // the command has its own by now
	errPipe.Close()
	if err != nil {
		stdout.Close()
		stderr.Close()
		return err
	}
	flood := make(chan struct{})
	var once sync.Once
	full := func() { once.Do(func() { close(flood) }) }
	outs := [2]ends{{keep: r.Keep}, {keep: r.Keep}}
	var reading sync.WaitGroup
	for i, pipe := range []*os.File{stdout, stderr} {
		reading.Go(func() { r.drain(pipe, &outs[i], full) })
	}
	r.watch(cmd.Process.Pid, flood)
	_ = cmd.Wait() // it has ended; what the error would say is in ProcessState
	r.out.Duration = time.Since(began)
	drained := make(chan struct{})
	go func() { reading.Wait(); close(drained) }()
	patience := time.NewTimer(drainTime)
	defer patience.Stop()
	select {
	case <-drained:
	case <-patience.C: // somebody who escaped holds the other end
	}
	stdout.Close() // wakes a reader that still waits
	stderr.Close()
	<-drained
	r.out.Stdout, r.out.Stderr = outs[0].output(), outs[1].output()
	r.settle(cmd.ProcessState)
	return nil
}

// watch waits for the end of the command, or brings it about, and leaves nothing of it running. When it returns the
// command's first process is dead and not yet reaped, so that until then its number means nobody else.
func (r *plainRun) watch(pid int, flood <-chan struct{}) {
	dead := make(chan struct{})
	go func() { waitDead(pid); close(dead) }()
	select {
	case <-dead:
		r.out.Left = r.reap(pid)
		return
	case <-flood:
		r.out.Flooded = true
	case <-r.stop:
	}
	
	<-dead
	r.reap(pid) // what it forked while it was being killed, and what had left its group
}

// waitDead waits until the process has ended and leaves it to be reaped.
func waitDead(pid int) {
	for {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

// reap kills the command's group and all that carry its mark, and returns how many there were beside the command.
func (r *plainRun) reap(pid int) int {
	killed := 0
	for range 10 { // each round catches what was forked during the one before
		marked := r.marked(pid)
		_ = unix.Kill(-pid, unix.SIGKILL) // fails when nobody is left
		if len(marked) == 0 {
			break
		}
		for _, p := range marked {
			if r.kill(p) {
				killed++
			}
		}
	}
	return killed
}

// kill ends process p and waits until it is dead. It reports false for one that is another process by now.
func (r *plainRun) kill(p int) bool {
	fd, err := unix.PidfdOpen(p, 0)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	if !r.has(strconv.Itoa(p)) || unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0) != nil {
		return false
	}
	dead := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	for {
		if _, err := unix.Poll(dead, int(killTime.Milliseconds())); !errors.Is(err, unix.EINTR) {
			return true
		}
	}
}

// marked returns the living processes other than pid that carry the mark.
func (r *plainRun) marked(pid int) []int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil
	}
	var found []int
	for _, name := range names {
		p, err := strconv.Atoi(name)
		if err != nil || p == pid {
			continue
		}
		if r.has(name) {
			found = append(found, p)
		}
	}
	return found
}

// has reports whether a process, named by its number, lives and carries the mark.
func (r *plainRun) has(process string) bool {
	env, err := os.ReadFile("/proc/" + process + "/environ") // empty for the dead, an error for other users'
	return err == nil && bytes.Contains(append([]byte{0}, env...), []byte("\x00"+r.mark+"\x00"))
}

// drain reads a stream to its end, keeps its ends, and calls full when the command has written too much.
func (r *plainRun) drain(pipe io.Reader, into *ends, full func()) {
	buf := make([]byte, 32<<10)
	for {
		n, err := pipe.Read(buf)
		into.add(buf[:n])
		if r.written.Add(int64(n)) > r.Most {
			full()
		}
		if err != nil {
			return
		}
	}
}

// settle fills in how the command ended.
func (r *plainRun) settle(state *os.ProcessState) {
	r.out.Exit = state.ExitCode()
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		r.out.Signal = status.Signal().String()
		r.out.TimedOut = r.timedOut.Load()
	}
}

// ends keeps the beginning and the end of a stream.
type ends struct {
	keep  int
	head  []byte
	ring  []byte // the newest bytes after head; next is where the oldest of them is
	next  int
	total int64
}

func (e *ends) add(p []byte) {
	e.total += int64(len(p))
	if room := e.keep - len(e.head); room > 0 {
		n := min(room, len(p))
		e.head, p = append(e.head, p[:n]...), p[n:]
	}
	if len(p) > e.keep {
		p = p[len(p)-e.keep:]
	}
	if room := e.keep - len(e.ring); room > 0 {
		n := min(room, len(p))
		e.ring, p = append(e.ring, p[:n]...), p[n:]
	}
	for len(p) > 0 {
		n := copy(e.ring[e.next:], p)
		p, e.next = p[n:], (e.next+n)%len(e.ring)
	}
}

func (e *ends) output() Output {
	tail := append(bytes.Clone(e.ring[e.next:]), e.ring[:e.next]...)
	return Output{Head: e.head, Tail: tail, Total: e.total}
}
