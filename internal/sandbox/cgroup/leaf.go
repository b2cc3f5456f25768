package cgroup

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"hob/internal/sandbox/proc"
)

// Limits bound all that is in a leaf, together.
type Limits struct {
	Memory    int64 // bytes; 0 means no bound
	Processes int   // processes and threads; 0 means no bound
}

// removeTime is how long a leaf is waited for whose processes were killed.
const removeTime = 2 * time.Second

// Leaf is a group for one command. It belongs to one goroutine.
type Leaf struct {
	dir  string
	file *os.File
}

// New makes a leaf. What the group's [Bounds] does not have of l is left out.
func (g *Group) New(l Limits) (*Leaf, error) {
	pid := os.Getpid()
	name := fmt.Sprintf("%s%d-%d-%s", leafPrefix, pid, proc.BornAt(strconv.Itoa(pid)), rand.Text())
	leaf := &Leaf{dir: filepath.Join(g.dir, name)}
	if err := g.mkdir(leaf.dir, 0o755); err != nil {
		return nil, fmt.Errorf("make a control group: %w", err)
	}
	if err := leaf.bound(l, g.bounds); err != nil {
		return nil, errors.Join(fmt.Errorf("bound a control group: %w", err), os.Remove(leaf.dir))
	}
	f, err := os.OpenFile(leaf.dir, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open a control group: %w", err), os.Remove(leaf.dir))
	}
	leaf.file = f
	return leaf, nil
}

func (l *Leaf) bound(limits Limits, b Bounds) error {
	if b.Memory && limits.Memory > 0 {
		if err := write(l.dir, "memory.max", strconv.FormatInt(limits.Memory, 10)); err != nil {
			return err
		}
		// Without swap these are missing, or without effect; an old kernel has no memory.oom.group.
		for _, one := range [][2]string{{"memory.swap.max", "0"}, {"memory.oom.group", "1"}} {
			if err := write(l.dir, one[0], one[1]); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	if b.Processes && limits.Processes > 0 {
		return write(l.dir, "pids.max", strconv.Itoa(limits.Processes))
	}
	return nil
}

// FD is a descriptor of the leaf, for SysProcAttr.CgroupFD. It is valid until [Leaf.Remove].
func (l *Leaf) FD() int { return int(l.file.Fd()) }

// Kill kills everything that is in the leaf, also what is being forked.
func (l *Leaf) Kill() error {
	err := write(l.dir, "cgroup.kill", "1")
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// Before Linux 5.14: one by one, until nobody is left who could have forked.
	for range 100 {
		all, err := members(l.dir)
		if err != nil || len(all) == 0 {
			return err
		}
		for _, pid := range all {
			if pid > 0 {
				_ = unix.Kill(pid, unix.SIGKILL) // it may be dead by now
			}
		}
	}
	return errors.New("kill a control group: its processes fork faster than they can be killed")
}

// Empty reports whether nobody lives in the leaf or below it.
func (l *Leaf) Empty() bool {
	events, err := read(l.dir, "cgroup.events")
	return err != nil || value(events, "populated") == 0
}

// WaitEmpty waits until nobody lives in the leaf, and reports whether that came true.
func (l *Leaf) WaitEmpty(atMost time.Duration) bool {
	until := time.Now().Add(atMost)
	for pause := 100 * time.Microsecond; !l.Empty(); pause = min(2*pause, 20*time.Millisecond) {
		if time.Now().After(until) {
			return false
		}
		<-time.After(pause)
	}
	return true
}

// OutOfMemory reports whether the kernel has killed something in the leaf because there was no memory. Without the memory
// controller that is not known.
func (l *Leaf) OutOfMemory() bool {
	events, _ := read(l.dir, "memory.events")
	return value(events, "oom_kill") > 0
}

// Remove kills what is left in the leaf and takes it away. One that cannot be emptied is left for [Find] of a later
// hob, and is an error.
func (l *Leaf) Remove() error {
	if l.file != nil {
		l.file.Close()
		l.file = nil
	}
	return remove(l.dir)
}

// remove takes away a group with all below it.
func remove(dir string) error {
	leaf := Leaf{dir: dir}
	if !leaf.Empty() {
		_ = leaf.Kill() // what is then still there keeps it from being removed
		leaf.WaitEmpty(removeTime)
	}
	until := time.Now().Add(removeTime)
	for pause := 100 * time.Microsecond; ; pause = min(2*pause, 20*time.Millisecond) {
		err := removeTree(dir)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if !errors.Is(err, syscall.EBUSY) || time.Now().After(until) {
			return fmt.Errorf("remove a control group: %w", err)
		}
		<-time.After(pause)
	}
}

// removeTree removes the folders: the files in them go along.
func removeTree(dir string) error {
	err := os.Remove(dir)
	if !errors.Is(err, syscall.EBUSY) && !errors.Is(err, syscall.ENOTEMPTY) {
		return err
	}
	entries, listErr := os.ReadDir(dir)
	if listErr != nil {
		return listErr
	}
	for _, e := range entries {
		if e.IsDir() {
			if err := removeTree(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return os.Remove(dir)
}

// sweep clears away the leaves of hobs that are dead.
func (g *Group) sweep() {
	entries, err := os.ReadDir(g.dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.IsDir() && madeByDead(e.Name()) {
			_ = remove(filepath.Join(g.dir, e.Name())) // the next start tries again
		}
	}
}

// madeByDead reports whether a name is that of a leaf whose maker is gone.
func madeByDead(name string) bool {
	rest, ok := strings.CutPrefix(name, leafPrefix)
	fields := strings.Split(rest, "-")
	if !ok || len(fields) != 3 {
		return false
	}
	pid, err := strconv.Atoi(fields[0])
	if err != nil {
		return false
	}
	born, err := strconv.ParseUint(fields[1], 10, 64)
	return err == nil && proc.BornAt(strconv.Itoa(pid)) != born
}

// value returns the number that stands after a word at the beginning of a line, 0 when there is none.
func value(text, word string) int64 {
	for line := range strings.Lines(text) {
		if number, ok := strings.CutPrefix(line, word+" "); ok {
			n, _ := strconv.ParseInt(strings.TrimSpace(number), 10, 64) // the kernel writes numbers
			return n
		}
	}
	return 0
}
