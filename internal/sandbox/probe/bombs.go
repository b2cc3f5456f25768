//go:build linux

package probe

import (
	"bytes"
	"errors"
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// detachedWord is what detach found when the process is under way; whether it outlived the command is seen outside, by
// the lock on a file of this name in the workspace.
const (
	detachedWord = "it was started"
	lockName     = "detached.lock"
)

func memory() []attack {
	of := func(name string, try func(*targets) (string, error)) attack {
		return attack{name: name, attempt: name, try: try, outside: killedIf(overMemory)}
	}
	return []attack{
		of("memory", func(t *targets) (string, error) { return t.swallow(2*t.Memory, unix.MAP_PRIVATE) }),
		of("memory of many", manyEaters),
		of("shared memory", func(t *targets) (string, error) { return t.swallow(2*t.Memory, unix.MAP_SHARED) }),
	}
}

// detach starts a process in a session of its own whose parent ends at once. It holds a lock, and hob's end of the
// output.
func detach(*targets) (string, error) {
	fd, err := unix.Open(lockName, unix.O_CREAT|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return "", err
	}
	if err := unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return "", err
	}
	pid, errno := startDetached()
	if errno != 0 {
		return "", errno
	}
	reap(int(pid))
	return detachedWord, nil
}

// startDetached starts a copy of this process that starts a session and a copy of itself, and ends. The second copy stays.
//
//go:norace
//go:nosplit
func startDetached() (uintptr, syscall.Errno) {
	pid, _, errno := syscall.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	if pid != 0 || errno != 0 {
		return pid, errno
	}
	_, _, _ = syscall.RawSyscall(unix.SYS_SETSID, 0, 0, 0)
	pid, _, _ = syscall.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	if pid != 0 {
		_, _, _ = syscall.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
	}
	for {
		_, _, _ = syscall.RawSyscall6(unix.SYS_PPOLL, 0, 0, 0, 0, 0, 0)
	}
}

// startEater starts a copy of this process that writes to every page of size bytes at at, and stays.
//
//go:norace
//go:nosplit
func startEater(at unsafe.Pointer, size uintptr) (uintptr, syscall.Errno) {
	pid, _, errno := syscall.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	if pid != 0 || errno != 0 {
		return pid, errno
	}
	for i := uintptr(0); i < size; i += 4096 {
		*(*byte)(unsafe.Add(at, i)) = 1
	}
	for {
		_, _, _ = syscall.RawSyscall6(unix.SYS_PPOLL, 0, 0, 0, 0, 0, 0)
	}
}

// forkBurst starts many more processes than the limit, all of which stay.
func forkBurst(t *targets) (string, error) {
	started, err := t.startEaters(4*t.Processes+100, nil, 0)
	switch {
	case err == nil:
		return "all processes were started", nil
	case started > t.Processes:
		return "the limit came late", nil
	}
	return "", err
}

// startEaters starts so many processes with [startEater] and waits for the one who watches, then ends them. It returns how many
// were started, and why no more.
func (t *targets) startEaters(count int, at unsafe.Pointer, size uintptr) (int, error) {
	var started []int
	defer func() {
		for _, pid := range started {
			_ = unix.Kill(pid, unix.SIGKILL)
		}
		for _, pid := range started {
			reap(pid)
		}
	}()
	for range count {
		pid, errno := startEater(at, size)
		if errno != 0 {
			return len(started), errno
		}
		started = append(started, int(pid))
	}
	t.wait()
	return count, nil
}

// wait gives who watches the time to notice. It does so in many steps: on a machine that stands still meanwhile, the time of
// one of them at most has passed for both when it goes on.
func (t *targets) wait() {
	for range patienceSteps {
		<-time.After(time.Duration(t.Patience) * time.Millisecond / patienceSteps)
	}
}

const patienceSteps = 10

// swallow takes size bytes of memory and writes to every page.
func (t *targets) swallow(size int64, kind int) (string, error) {
	p, err := unix.Mmap(-1, 0, int(size), unix.PROT_READ|unix.PROT_WRITE, kind|unix.MAP_ANON)
	if err != nil {
		return "", err
	}
	defer func() { _ = unix.Munmap(p) }()
	for i := 0; i < len(p); i += 4096 {
		p[i] = 1
	}
	t.wait()
	return "it was had", nil
}

// manyEaters takes in each of five processes a part of the limit that is allowed to it alone.
func manyEaters(t *targets) (string, error) {
	size := t.Memory * 4 / 10
	p, err := unix.Mmap(-1, 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return "", err
	}
	_, err = t.startEaters(5, unsafe.Pointer(&p[0]), uintptr(size))
	return "it was had", err
}

// memfd keeps memory in a file that has no name and no folder.
func memfd(t *targets) (string, error) {
	fd, err := unix.MemfdCreate("hob", unix.MFD_CLOEXEC)
	if err != nil {
		return "", err
	}
	defer unix.Close(fd)
	p := make([]byte, 1<<20)
	for range 2 * t.Memory >> 20 {
		if _, err := unix.Write(fd, p); err != nil {
			return "", err
		}
	}
	t.wait()
	return "it was had", nil
}

// largeFile writes one byte past the limit; the file itself stays small.
func largeFile(t *targets) (string, error) {
	f, err := os.Create("large")
	if err != nil {
		return "", err
	}
	defer f.Close()
	_, err = f.WriteAt([]byte{1}, t.FileSize)
	return "it was written", err
}

// flood writes far more than is let through.
func flood(t *targets) (string, error) {
	line := bytes.Repeat([]byte{'\n'}, 1<<16)
	for range 64 * t.Output >> 16 {
		if _, err := os.Stdout.Write(line); err != nil {
			return "", errors.New("nobody listened")
		}
	}
	return "all of it was written", nil
}

func ioctlByte(fd int, request uintptr, p *byte) error {
	_, _, errno := syscall.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(unsafe.Pointer(p)))
	if errno != 0 {
		return errno
	}
	return nil
}
