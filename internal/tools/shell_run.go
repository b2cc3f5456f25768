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
	r := &plainRun{Command: c, mark: runMark + "=" + rand.Text(), stop: make(chan struct{}), killed: make(chan struct{})}
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
	born     uint64
	stop     chan struct{} // closed when the command must end
	killed   chan struct{} // closed when its end has come
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
	r.born = bornAt(strconv.Itoa(cmd.Process.Pid)) // it is there, dead or alive, until Wait
	r.watch(cmd.Process.Pid, flood)
	_ = cmd.Wait() // it has ended; what the error would say is in ProcessState
	r.out.Duration = time.Since(began)
	drained := make(chan struct{})
	go func() { reading.Wait(); close(drained) }()
	r.collect(drained)
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
		close(r.killed)
		r.out.Left = r.reap(pid)
		return
	case <-flood:
		r.out.Flooded = true
	case <-r.stop:
	}
	_ = unix.Kill(-pid, unix.SIGKILL)
	close(r.killed)
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
		found, unsure := r.marked(pid)
		killed += r.killAll(found)
		_ = unix.Kill(-pid, unix.SIGKILL) // fails when nobody is left
		if len(found) == 0 && !unsure {
			break
		}
		if len(found) == 0 {
			<-time.After(time.Millisecond) // it takes a process less to become another program
		}
	}
	return killed
}

// collect waits until all output is read, and goes on looking for processes that hold it up.
func (r *plainRun) collect(drained <-chan struct{}) {
	patience := time.NewTimer(drainTime)
	defer patience.Stop()
	again := time.NewTicker(drainTime / 20)
	defer again.Stop()
	for {
		select {
		case <-drained:
			return
		case <-patience.C: // somebody who got away holds the other end
			return
		case <-again.C:
			found, _ := r.marked(0)
			r.killAll(found)
		}
	}
}

// killAll ends the processes and waits until they are dead. It returns how many there were: one that is another
// process by now is left alone.
func (r *plainRun) killAll(processes []int) int {
	killed := 0
	for _, p := range processes {
		fd, err := unix.PidfdOpen(p, 0)
		if err != nil {
			continue
		}
		// From here on the descriptor means one process; whether that is the right one is asked once more.
		if ours, _ := r.carries(strconv.Itoa(p)); ours && unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0) == nil {
			killed++
			dead := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
			for {
				if _, err := unix.Poll(dead, int(killTime.Milliseconds())); !errors.Is(err, unix.EINTR) {
					break
				}
			}
		}
		unix.Close(fd)
	}
	return killed
}

// marked returns the living processes other than pid that carry the mark, and whether there are some that may.
func (r *plainRun) marked(pid int) (found []int, unsure bool) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, false
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, false
	}
	for _, name := range names {
		p, err := strconv.Atoi(name)
		if err != nil || p == pid {
			continue
		}
		ours, perhaps := r.carries(name)
		if ours {
			found = append(found, p)
		}
		unsure = unsure || perhaps
	}
	return found, unsure
}

// carries reports whether a process, named by its number, lives and carries the mark. That of one which is just
// becoming another program cannot be seen for a moment: perhaps it does, if it is younger than the command.
func (r *plainRun) carries(process string) (yes, perhaps bool) {
	env, err := os.ReadFile("/proc/" + process + "/environ") // an error for other users' processes
	if err != nil {
		return false, false
	}
	if len(env) > 0 {
		return bytes.Contains(append([]byte{0}, env...), []byte("\x00"+r.mark+"\x00")), false
	}
	if _, err := os.Readlink("/proc/" + process + "/exe"); err != nil {
		return false, false // dead, or a part of the kernel
	}
	return false, bornAt(process) >= r.born
}

// bornAt returns when a process began, in the kernel's ticks since the machine's start, 0 for one that is gone.
func bornAt(process string) uint64 {
	stat, err := os.ReadFile("/proc/" + process + "/stat")
	if err != nil {
		return 0
	}
	const state, starttime = 3, 22              // numbers of fields in proc_pid_stat(5)
	_, rest, _ := bytes.Cut(stat, []byte(") ")) // a name with ") " in it makes the number wrong and the process old
	fields := bytes.Fields(rest)
	if len(fields) <= starttime-state {
		return 0
	}
	ticks, err := strconv.ParseUint(string(fields[starttime-state]), 10, 64)
	if err != nil {
		return 0
	}
	return ticks
}

// drain reads a stream to its end, keeps its ends, and calls full when the command has written too much.
func (r *plainRun) drain(pipe io.Reader, into *ends, full func()) {
	buf := make([]byte, 32<<10)
	for {
		n, err := pipe.Read(buf)
		into.add(buf[:n])
		if r.written.Add(int64(n)) > r.Most {
			full()
			<-r.killed // a flood that nobody drinks stands still
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
