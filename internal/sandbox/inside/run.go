//go:build linux

package inside

import (
	"cmp"
	"runtime"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// spareThreads makes the threads that the runtime may come to need, while they can be had: it ends the process when it
// needs one more and the command has taken all that there are. It keeps those that have nothing to do.
func spareThreads() {
	var made sync.WaitGroup
	enough := make(chan struct{})
	for range ownTasks / 2 {
		made.Add(1)
		go func() {
			runtime.LockOSThread() // what blocks so has the thread to itself
			defer runtime.UnlockOSThread()
			made.Done()
			<-enough
		}()
	}
	made.Wait()
	close(enough)
}

// run puts up the last walls, starts the command and waits for its end and that of all it started.
func (h *helper) run() (Ended, error) {
	var ended Ended
	var err error
	spareThreads()
	if len(h.spec.Copies) > 0 {
		h.mounts, err = unix.Open("/proc/self/mountinfo", unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err != nil {
			return ended, atStage("copies", err)
		}
	}
	if h.spec.Tier == T3 {
		// Only the thread that starts the command goes into the Landlock domain: from within, no other can be signalled.
		// It stays, because its end would be taken for the helper's by Pdeathsig.
		done := make(chan struct{})
		go func() {
			runtime.LockOSThread()
			ended, err = h.launch()
			close(done)
			select {}
		}()
		<-done
	} else {
		ended, err = h.launch()
	}
	if err != nil || h.first == 0 {
		return ended, err
	}
	if h.spec.Tier == T3 {
		h.resetScore() // what it started would outlive it
	}
	h.releaseStreams()
	return h.watch(), nil
}

// launch locks this thread in and starts the command.
func (h *helper) launch() (Ended, error) {
	s := &h.spec
	if err := dropPrivileges(s.Tier == T1); err != nil {
		return Ended{}, atStage("capabilities", err)
	}
	abi, err := restrict(places(s, h.temp), s.Network)
	if err != nil {
		return Ended{}, atStage("landlock", err)
	}
	thread := 0
	if s.Tier == T3 {
		thread = unix.Gettid()
	}
	program, err := filter(s, thread)
	if err != nil {
		return Ended{}, atStage("seccomp", err)
	}
	if err := install(program, s.Tier != T3); err != nil {
		return Ended{}, atStage("seccomp", err)
	}
	if err := dropCapabilities(); err != nil {
		return Ended{}, atStage("capabilities", err)
	}
	if err := unix.CloseRange(SocketFD, ^uint(0), unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return Ended{}, atStage("descriptors", err)
	}
	if s.Tier != T3 {
		ignoreSignals()
	}
	send(Message{Ready: true, Ruleset: abi, Unprotected: s.Tier == T3 && len(s.Protect) > 0}, h.listener)
	return h.start(), nil
}

// start starts the command's first process. When it cannot, the Ended says so as a shell would.
func (h *helper) start() Ended {
	s := &h.spec
	if len(s.Args) == 0 {
		return Ended{Exit: exitNotFound, Error: "there is no command"}
	}
	if s.Args[0] == "" {
		return Ended{Exit: exitNotFound, Error: "the program's name is empty"}
	}
	name := s.Args[0]
	if name == ProgramPath && s.Tier == T3 {
		name = s.Program
	}
	path, err := LookUp(s.Dir, name, s.Env)
	if err == nil {
		h.first, err = syscall.ForkExec(path, s.Args, &syscall.ProcAttr{
			Env:   h.environ(),
			Files: []uintptr{0, 1, 2},
			Sys:   &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL},
		})
	}
	if err == nil {
		return Ended{}
	}
	exit, sentence := Explain(name, path, err)
	return Ended{Exit: exit, Error: cmp.Or(sentence, name+": cannot be run: "+err.Error())}
}

// releaseStreams gives the command's streams to the command alone, so that they end when all who had them are gone.
func (h *helper) releaseStreams() {
	if null, err := unix.Open("/dev/null", unix.O_RDWR|unix.O_CLOEXEC, 0); err == nil {
		for fd := range 3 {
			unix.Dup3(null, fd, unix.O_CLOEXEC) //nolint:errcheck // null and fd are descriptors
		}
		unix.Close(null) //nolint:errcheck // nothing was written
	} else {
		for fd := range 3 {
			unix.Close(fd) //nolint:errcheck // nothing was written
		}
	}
	if h.listener >= 0 {
		unix.Close(h.listener) //nolint:errcheck // the other end has it
	}
	if h.spec.Tier == T1 {
		dropAllCapabilities()
	}
}

// watch waits for the end. This thread does nothing but reap, at once: zombies count against the command's limits.
func (h *helper) watch() Ended {
	go h.guard()
	var status unix.WaitStatus
	for {
		pid, err := unix.Wait4(-1, &status, 0, nil)
		if pid == h.first || err != nil && err != unix.EINTR {
			break
		}
	}
	left := 0
	over := h.over.Load()
	if over == nil {
		left = h.countLeft()
	}
	h.killAll()
	if over == nil {
		return endedBy(status, left, "")
	}
	return endedBy(status, 0, *over)
}

// guard ends everything when the other end of the socket wants it or is gone, or when a limit is passed.
func (h *helper) guard() {
	polled := []unix.PollFd{{Fd: SocketFD, Events: unix.POLLIN}}
	if h.mounts >= 0 {
		polled = append(polled, unix.PollFd{Fd: int32(h.mounts), Events: unix.POLLPRI})
	}
	count := !h.spec.Group && (h.spec.Tier == T3 || unix.Getuid() == 0) // RLIMIT_NPROC does not hold root, and in T3 it is set far above
	over := ""
	for over == "" {
		wait := tick
		if h.spec.Group {
			wait = -1
		}
		n, err := unix.Poll(polled, wait)
		if err == unix.EINTR {
			continue
		}
		if n != 0 || err != nil {
			switch {
			case err == nil && polled[0].Revents == 0: // the mounts are others
				if !copiesStand(&h.spec) {
					over = OverReplaced
				}
				continue
			case h.takeOrder():
				continue
			}
			break
		}
		over = exceededLimit(&h.spec, count)
	}
	h.over.Store(&over)
	h.killRunning()
}

func endedBy(status unix.WaitStatus, left int, over string) Ended {
	e := Ended{Exit: status.ExitStatus(), Left: left, Over: over}
	if status.Signaled() {
		e.Exit, e.Signal = -1, int(status.Signal())
	}
	return e
}
