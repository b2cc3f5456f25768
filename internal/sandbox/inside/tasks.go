//go:build linux

package inside

import (
	"strconv"

	"golang.org/x/sys/unix"

	"hob/internal/sandbox/proc"
)

// task is a process as /proc/PID/stat shows it.
type task struct {
	pid, parent int
	threads     int
	stopped     bool
	dead        bool // a zombie: it ended, and nobody has asked for its status yet
}

// tasks returns the processes that descend from self, parents before children. In a pid namespace those are all others.
func tasks(self int) []task {
	children := map[int][]task{}
	for _, process := range proc.Processes() {
		if t, ok := readTask(process); ok {
			t.pid, _ = strconv.Atoi(process)
			children[t.parent] = append(children[t.parent], t)
		}
	}
	found := children[self]
	for i := 0; i < len(found); i++ {
		found = append(found, children[found[i].pid]...)
	}
	return found
}

// readTask reads a process by its number, or a thread by "PID/task/TID".
func readTask(name string) (task, bool) {
	stat := proc.ReadStat(name)
	state := stat.State()
	return task{
		parent:  int(stat.Number(proc.Parent)),
		threads: int(stat.Number(proc.Threads)),
		stopped: state == 'T' || state == 't',
		dead:    state == 'Z' || state == 'X',
	}, len(stat) >= proc.Threads
}

// countLeft counts the processes that still run when the first has ended.
func (h *helper) countLeft() int {
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
			h.killRunning()
			unix.Poll(nil, 1) //nolint:errcheck // dying takes them a moment
		}
	}
}

// killRunning kills all that runs now. In T3 all are stopped before any is killed: what is stopped does not fork, and keeps
// counting against the limits.
func (h *helper) killRunning() {
	if h.spec.Tier != T3 {
		h.signal(unix.SIGKILL)
		return
	}
	for pid := range h.signal(unix.SIGSTOP) {
		unix.Kill(pid, unix.SIGKILL) //nolint:errcheck // it may have been killed by another
	}
}
