//go:build linux

package sandbox

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"hob/internal/sandbox/proc"
)

// killTime is how long what was killed is waited for; only what hangs in the kernel needs it.
const killTime = 2 * time.Second

// haltTime is how long processes are stopped that fork meanwhile, before they are killed all the same.
const haltTime = 5 * time.Second

// settleTime is how long a process that is becoming another program is waited for. It takes a millisecond, and longer
// where it waits for a processor in the middle of it.
const settleTime = 2 * time.Second

// maxHeld is how many killed processes are waited for one by one.
const maxHeld = 100

// markName names the variable by which the processes of a command are known, wherever they went. Its value says which
// hob started it: the namespace of its process number, the number, when that process began, and a random text that is
// the command's own.
const markName = "HOB_COMMAND"

// mark is a command's mark, as it stands in an environment.
type mark struct {
	text string
	born uint64 // when the command began, in the kernel's ticks: what is older is not its
}

func newMark() mark {
	return mark{text: fmt.Sprintf("%s=%s.%s", markName, self(), rand.Text())}
}

// self names this process among all that there ever were on this machine.
func self() string {
	pid := os.Getpid()
	return fmt.Sprintf("%s.%d.%d", namespace(), pid, proc.BornAt(strconv.Itoa(pid)))
}

// namespace names the namespace in which process numbers mean what they mean here.
func namespace() string {
	link, err := os.Readlink("/proc/self/ns/pid") // pid:[4026531836]
	if err != nil {
		return "0"
	}
	return strings.Trim(link, "pid:[]")
}

// sight reports whether a process, named by its number, lives and is one of those looked for, or, while that cannot be
// seen, may be one.
type sight func(process string) (yes, perhaps bool)

// reap kills all that carry the mark except one process, and returns how many there were. It calls each in every round.
func (m mark) reap(except int, each func()) int { return reap(m.on, settleTime, except, each) }

func reap(on sight, settle time.Duration, except int, each func()) int {
	killed := 0
	until := time.Now().Add(settle)
	for rounds := 0; rounds < 10; { // each catches what was forked during the one before
		found, unsure := marked(except, on)
		if len(found) > 1 {
			found = halt(on, found, except)
		}
		n := killAll(found, on)
		killed += n
		each()
		switch {
		case n > 0:
			rounds++
		case unsure && time.Now().Before(until):
			<-time.After(time.Millisecond)
		default:
			return killed
		}
	}
	return killed
}

// halt stops all that are found, until there is nobody new, and returns them: what is stopped does not fork.
func halt(on sight, found []int, except int) []int {
	stopped := map[int]bool{}
	until := time.Now().Add(haltTime)
	for fresh := true; fresh && time.Now().Before(until); {
		fresh = false
		for _, p := range found {
			if !stopped[p] && signal(p, unix.SIGSTOP, on) {
				stopped[p], fresh = true, true
			}
		}
		found, _ = marked(except, on)
	}
	return found
}

// killMarked kills those that carry the mark now.
func (m mark) killMarked() {
	found, _ := marked(0, m.on)
	killAll(found, m.on)
}

// on is the sight of those that carry the mark. Of a process that is just becoming another program nothing can be seen
// for a moment: perhaps it does, if it is younger than the command.
func (m mark) on(process string) (yes, perhaps bool) {
	if text, seen := markOf(process); seen {
		return text == m.text, false
	}
	if _, err := os.Readlink("/proc/" + process + "/exe"); err != nil {
		return false, false // dead, or a part of the kernel, or another user's
	}
	return false, proc.BornAt(process) >= m.born
}

// markOf returns a process's mark, "" when it has none; not seen means that its environment cannot be read, or is not
// there yet.
func markOf(process string) (text string, seen bool) {
	env, err := os.ReadFile("/proc/" + process + "/environ")
	if err == nil && len(env) == 0 {
		if !proc.HasEnvironment(process) {
			return "", false
		}
		env, err = os.ReadFile("/proc/" + process + "/environ")
	}
	if err != nil {
		return "", false
	}
	for variable := range bytes.SplitSeq(env, []byte{0}) {
		if bytes.HasPrefix(variable, []byte(markName+"=")) {
			return string(variable), true
		}
	}
	return "", true
}

// Sweep kills what commands of a hob that is dead left behind: those of the tiers without a namespace of their own
// outlive a hob that was killed. It returns how many processes there were. hob calls it when it starts.
func Sweep(ctx context.Context) int {
	here := namespace()
	orphan := func(process string) (yes, perhaps bool) {
		text, _ := markOf(process)
		return ctx.Err() == nil && text != "" && startedByDead(text, here), false
	}
	return reap(orphan, 0, os.Getpid(), func() {})
}

// startedByDead reports whether a mark is of a hob that is gone. A mark from another namespace says nothing.
func startedByDead(text, here string) bool {
	fields := strings.Split(strings.TrimPrefix(text, markName+"="), ".")
	if len(fields) != 4 || fields[0] != here {
		return false
	}
	born, err := strconv.ParseUint(fields[2], 10, 64)
	if err != nil || born == 0 {
		return false
	}
	if _, err := strconv.Atoi(fields[1]); err != nil {
		return false
	}
	return proc.BornAt(fields[1]) != born
}

// marked returns the processes other than except on which the mark is, and whether there are some on which it may be.
func marked(except int, on sight) (found []int, unsure bool) {
	for _, process := range proc.Processes() {
		p, err := strconv.Atoi(process)
		if err != nil || p == except {
			continue
		}
		ours, perhaps := on(process)
		if ours {
			found = append(found, p)
		}
		unsure = unsure || perhaps
	}
	return found, unsure
}

// killAll ends the processes and waits until they are dead. It returns how many there were: one that is another
// process by now is left alone.
func killAll(processes []int, on sight) int {
	killed := 0
	var held []int
	for _, p := range processes {
		fd, err := unix.PidfdOpen(p, 0)
		if err != nil {
			continue
		}
		if kill(fd, p, unix.SIGKILL, on) {
			killed++
			if len(held) < maxHeld {
				held = append(held, fd)
				continue
			}
		}
		unix.Close(fd)
	}
	until := time.Now().Add(killTime)
	for _, fd := range held {
		waitDead(fd, time.Until(until))
		unix.Close(fd)
	}
	return killed
}

// signal sends a signal to a process if the mark is on it.
func signal(pid int, s unix.Signal, on sight) bool {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	return kill(fd, pid, s, on)
}

// kill sends a signal to the process that the descriptor means, which is one and the same from now on; whether it is
// the right one is asked once more.
func kill(fd, pid int, s unix.Signal, on sight) bool {
	ours, _ := on(strconv.Itoa(pid))
	return ours && unix.PidfdSendSignal(fd, s, nil, 0) == nil
}

// waitDead waits until the process that a descriptor means is dead, or for so long.
func waitDead(pidfd int, atMost time.Duration) {
	dead := []unix.PollFd{{Fd: int32(pidfd), Events: unix.POLLIN}}
	for {
		if _, err := unix.Poll(dead, max(int(atMost.Milliseconds()), 0)); !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

// withMark is an environment with the command's mark, and no other.
func withMark(env []string, m mark) []string {
	own := slices.DeleteFunc(slices.Clone(env), func(v string) bool { return strings.HasPrefix(v, markName+"=") })
	return append(own, m.text)
}
