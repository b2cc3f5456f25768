package inside

import (
	"bytes"
	"strconv"

	"golang.org/x/sys/unix"
)

// task is a process as /proc/PID/stat tells of it.
type task struct {
	pid, parent int
	threads     int
	stopped     bool
	dead        bool // a zombie: it ended, and nobody has asked for its status yet
}

// tasks returns the processes that descend from self, parents before children. In a pid namespace those are all others.
func tasks(self int) []task {
	names, err := folder("/proc")
	if err != nil {
		return nil
	}
	children := map[int][]task{}
	for _, name := range names {
		if name[0] < '1' || name[0] > '9' {
			continue
		}
		if t, ok := readTask(name); ok {
			children[t.parent] = append(children[t.parent], t)
		}
	}
	found := children[self]
	for i := 0; i < len(found); i++ {
		found = append(found, children[found[i].pid]...)
	}
	return found
}

func readTask(name string) (task, bool) {
	var buf [1024]byte
	line := readProc(name, "stat", buf[:])
	// The name in parentheses can hold anything; what follows the last ")" cannot.
	i := bytes.LastIndexByte(line, ')')
	if i < 0 || i+4 > len(line) {
		return task{}, false
	}
	pid, _ := strconv.Atoi(name)
	fields := bytes.Fields(line[i+1:]) // state, ppid, ...; the threads are the 20th of the line
	if len(fields) < 18 {
		return task{}, false
	}
	return task{
		pid:     pid,
		parent:  number(fields[1]),
		threads: number(fields[17]),
		stopped: fields[0][0] == 'T' || fields[0][0] == 't',
		dead:    fields[0][0] == 'Z' || fields[0][0] == 'X',
	}, true
}

func number(b []byte) int {
	n, _ := strconv.Atoi(string(b))
	return n
}

// readProc reads what fits into buf of a file of a process; nothing when it is gone.
func readProc(pid, name string, buf []byte) []byte {
	fd, err := unix.Open("/proc/"+pid+"/"+name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	n := 0
	for n < len(buf) {
		m, err := unix.Read(fd, buf[n:])
		if err == unix.EINTR {
			continue
		}
		if err != nil || m == 0 {
			break
		}
		n += m
	}
	return buf[:n]
}

// left counts the processes that still run when the first has ended.
func (h *helper) left() int {
	for {
		pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
		if err == unix.ECHILD {
			return 0 // what loses its parent becomes a child of ours, so that there is nothing
		}
		if pid == 0 || err != nil && err != unix.EINTR {
			break
		}
	}
	n := 0
	for _, t := range tasks(unix.Getpid()) {
		if !t.dead {
			n++
		}
	}
	return n
}

// killAll ends all that descends from this process, and returns when nothing does any more.
func (h *helper) killAll() {
	for {
		pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
		switch {
		case err == unix.ECHILD:
			return
		case err == nil && pid == 0:
			h.strike()
			unix.Poll(nil, 1) //nolint:errcheck // dying takes them a moment
		}
	}
}

// strike kills all that runs now. In a pid namespace that is one call, which no fork slips through. In T3 all are stopped
// before any is killed: what is stopped does not fork, and keeps counting against the limits.
func (h *helper) strike() {
	if h.spec.Tier != T3 {
		unix.Kill(-1, unix.SIGKILL) //nolint:errcheck // there may be nobody left
		return
	}
	self := unix.Getpid()
	stopped := map[int]bool{}
	for fresh := true; fresh; {
		fresh = false
		for _, t := range tasks(self) {
			if !t.dead && !stopped[t.pid] && unix.Kill(t.pid, unix.SIGSTOP) == nil {
				stopped[t.pid], fresh = true, true
			}
		}
	}
	for pid := range stopped {
		unix.Kill(pid, unix.SIGKILL) //nolint:errcheck // it may have been killed by another
	}
}
