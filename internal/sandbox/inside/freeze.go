//go:build linux

package inside

import (
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"hob/internal/sandbox/proc"
)

// Bounds on stopping what runs.
const (
	freezeTries = 40   // rounds of stopping and, where something could not stop, letting go on
	freezeLooks = 20   // looks in each round
	freezePause = 2    // milliseconds between two looks
	cleanLooks  = 2    // in a row that find everything stopped
	exitSignal  = 0xff // the bits of clone's flags that are the signal of the child's end
)

// takeOrder takes an order from the socket and reports whether the command goes on.
func (h *helper) takeOrder() bool {
	var packet [64]byte
	n, _, err := recv(packet[:], unix.MSG_DONTWAIT)
	if err == unix.EAGAIN {
		return true
	}
	if err != nil {
		return false
	}
	order := string(packet[:n])
	switch what, _, _ := strings.Cut(order, " "); what {
	case OrderFreeze:
		frozen := h.freeze()
		send(Message{Frozen: &frozen, Order: order}, -1)
		return true
	case OrderThaw:
		h.signal(unix.SIGCONT)
		return true
	}
	return false
}

// freeze stops everything that runs in here, and reports whether it is. Nothing can then go on by itself: the filter refuses
// all by which the kernel would send somebody the signal to continue.
func (h *helper) freeze() bool {
	for range freezeTries {
		clean := 0
		for range freezeLooks {
			if h.signal(unix.SIGSTOP); h.allStopped() {
				if clean++; clean == cleanLooks {
					return true
				}
				continue
			}
			clean = 0
			unix.Poll(nil, freezePause) //nolint:errcheck // it waits
		}
		// Who waits in vfork for a child to begin cannot stop before that has begun: another moment will do.
		h.signal(unix.SIGCONT)
		unix.Poll(nil, freezePause) //nolint:errcheck // it waits
	}
	return false
}

// signal sends a signal to everything in here. In a pid namespace that is one call, which no fork slips through; in T3 it
// returns the processes that got the signal.
func (h *helper) signal(s unix.Signal) (sent map[int]bool) {
	if h.spec.Tier != T3 {
		unix.Kill(-1, s) //nolint:errcheck // there may be nobody left
		return nil
	}
	self := unix.Getpid()
	sent = map[int]bool{}
	for fresh := true; fresh; {
		fresh = false
		for _, t := range tasks(self) {
			if !t.dead && !sent[t.pid] && unix.Kill(t.pid, s) == nil {
				sent[t.pid], fresh = true, true
			}
		}
	}
	return sent
}

// allStopped reports whether no thread of any process in here can run.
func (h *helper) allStopped() bool {
	for _, t := range tasks(unix.Getpid()) {
		if t.dead && t.threads <= 1 {
			continue
		}
		pid := strconv.Itoa(t.pid)
		threads, err := proc.Names("/proc/" + pid + "/task")
		if err != nil {
			continue // it is gone
		}
		for _, thread := range threads {
			if one, ok := readTask(pid + "/task/" + thread); ok && !one.dead && !one.stopped {
				return false
			}
		}
	}
	return true
}

// refuseLateSignals refuses all by which a process could have the kernel send a signal to continue later, when everything is
// stopped: a timer, a descriptor that becomes ready, and the end of a parent or a child. What the signal of a timer is stands
// in memory, where a filter cannot look.
func (p *program) refuseLateSignals() {
	p.when(unix.BPF_JEQ, unix.SYS_TIMER_CREATE, answerNoSys)
	for _, c := range []struct {
		number, what uint32
		signal       int // the argument that is the signal; what is done stands before it
	}{{unix.SYS_FCNTL, unix.F_SETSIG, 2}, {unix.SYS_PRCTL, unix.PR_SET_PDEATHSIG, 1}} {
		p.call(c.number, func(p *program) {
			p.argument(c.signal - 1)
			p.unless(unix.BPF_JEQ, c.what, answerAllow)
			p.argument(c.signal)
			p.when(unix.BPF_JEQ, uint32(unix.SIGCONT), answerPerm)
		})
	}
}
