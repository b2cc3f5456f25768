// Package cgroup puts each command into a control group of its own: a leaf, below the group that was delegated to hob.
// A leaf bounds what the command and everything that it starts use together, counts them, and kills them all at once,
// wherever they went.
//
// It knows version 2 alone, wherever that is mounted, beside version 1 or not.
//
// # What it holds to
//
//   - Only a group is used of which hob may write all that it needs and is the only member. A group with other members
//     is never touched, and neither is the root group.
//   - A leaf is joined at birth, by its descriptor ([Leaf.FD]): what was moved later could have forked before.
//   - The kernel lets a group have members or bounded children, not both. Where controllers can be handed on to the
//     leaves hob therefore moves itself, whole, into a child named "daemon", and back if that was in vain. Started
//     again from there it finds its leaves' place one level up.
//   - [Group.Bounds] says what cannot be bounded. A leaf without any controller still kills.
//   - Leaves are named after the process that made them; those of the dead are cleared away by [Find].
//
// A systemd unit with Delegate=yes, or Delegate=memory pids, gives such a group.
package cgroup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Bounds says what leaves bound.
type Bounds struct {
	Memory    bool
	Processes bool
	Why       string // why not both; a sentence without a full stop
}

// Group is where leaves are made. It is safe for concurrent use.
type Group struct {
	dir    string
	bounds Bounds
	mkdir  func(path string, mode fs.FileMode) error
}

// daemonName is the child into which hob moves itself.
const daemonName = "daemon"

// leafPrefix begins the names of leaves.
const leafPrefix = "hob-"

// Find returns the group that was delegated to this process, or why there is none, in a sentence.
func Find() (*Group, error) { return find("/proc/self", os.Mkdir) }

// find is Find where self is the folder of this process in /proc and mkdir makes groups.
func find(self string, mkdir func(string, fs.FileMode) error) (*Group, error) {
	own, err := ownGroup(self)
	if err != nil {
		return nil, err
	}
	g := &Group{dir: own, mkdir: mkdir}
	if filepath.Base(own) == daemonName && g.alone() == nil {
		if up := (&Group{dir: filepath.Dir(own), mkdir: mkdir}); up.usable() == nil && up.empty() && up.ours() == nil {
			up.hand(own)
			up.sweep()
			return up, nil
		}
	}
	if err := g.usable(); err != nil {
		return nil, err
	}
	if err := g.alone(); err != nil {
		return nil, err
	}
	g.sweep()
	g.enable()
	return g, nil
}

// Bounds says what leaves of this group bound.
func (g *Group) Bounds() Bounds { return g.bounds }

// usable reports why leaves cannot be made here.
func (g *Group) usable() error {
	if _, err := os.Stat(filepath.Join(g.dir, "cgroup.type")); err != nil {
		return errors.New("hob runs in the root control group, which belongs to the whole machine")
	}
	kind, err := read(g.dir, "cgroup.type")
	if err != nil {
		return fmt.Errorf("look at hob's control group: %w", err)
	}
	if kind != "domain" {
		return fmt.Errorf("hob's control group is of the kind %q, in which no leaves can be made", kind)
	}
	for _, name := range []string{"", "cgroup.procs", "cgroup.subtree_control"} {
		if unix.Access(filepath.Join(g.dir, name), unix.W_OK) != nil {
			return errors.New("hob's control group is not delegated to it")
		}
	}
	return nil
}

// alone reports who else is in the group.
func (g *Group) alone() error {
	members, err := members(g.dir)
	if err != nil {
		return fmt.Errorf("look who is in hob's control group: %w", err)
	}
	if len(members) != 1 || members[0] != os.Getpid() {
		return errors.New("hob shares its control group with other processes")
	}
	return g.ours()
}

// ours reports who else has groups below this one.
func (g *Group) ours() error {
	entries, err := os.ReadDir(g.dir)
	if err != nil {
		return fmt.Errorf("look at hob's control group: %w", err)
	}
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), leafPrefix) && e.Name() != daemonName {
			return errors.New("hob's control group has children that are not hob's")
		}
	}
	return nil
}

// empty reports whether nobody is directly in the group.
func (g *Group) empty() bool {
	members, err := members(g.dir)
	return err == nil && len(members) == 0
}

// controllers are those that leaves are bounded by.
func controllers() []string { return []string{"memory", "pids"} }

// enable hands the controllers on to the leaves. The group must have no members for that, so that hob moves out of it
// first, and back when nothing came of it.
func (g *Group) enable() {
	there, err := read(g.dir, "cgroup.controllers")
	if err != nil || !strings.Contains(there, "memory") && !strings.Contains(there, "pids") {
		g.bounds.Why = "neither the memory nor the pids controller was delegated"
		return
	}
	daemon := filepath.Join(g.dir, daemonName)
	if err := g.mkdir(daemon, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		g.bounds.Why = plain("no group can be made beside the leaves", err)
		return
	}
	if err := move(daemon); err != nil {
		_ = os.Remove(daemon)
		g.bounds.Why = plain("hob cannot be moved out of the leaves' way", err)
		return
	}
	g.hand(daemon)
	if !g.bounds.Memory && !g.bounds.Processes {
		g.back(daemon)
	}
}

// hand enables each controller by itself: one that cannot be had takes no other with it.
func (g *Group) hand(daemon string) {
	var missing []string
	for _, name := range controllers() {
		err := write(g.dir, "cgroup.subtree_control", "+"+name)
		if err == nil {
			// What counts is that those below have it.
			var there string
			there, err = read(daemon, "cgroup.controllers")
			if err == nil && !slices.Contains(strings.Fields(there), name) {
				err = errors.New("it was not delegated")
			}
		}
		switch {
		case err != nil:
			missing = append(missing, plain("the "+name+" controller cannot be had", err))
		case name == "memory":
			g.bounds.Memory = true
		default:
			g.bounds.Processes = true
		}
	}
	g.bounds.Why = strings.Join(missing, "; ")
}

// back undoes the move.
func (g *Group) back(daemon string) {
	if move(g.dir) == nil {
		_ = os.Remove(daemon)
	}
}

// move puts this process, with all its threads, into a group.
func move(dir string) error { return write(dir, "cgroup.procs", strconv.Itoa(os.Getpid())) }

// plain is a sentence about an error, without the path that the error names.
func plain(what string, err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return what + ": " + err.Error()
}

// read returns what a control file says.
func read(dir, name string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, name))
	return strings.TrimSpace(string(text)), err
}

// write says something to a control file. It never makes one.
func write(dir, name, text string) error {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// members returns who is in a group. Those of other process namespaces are 0.
func members(dir string) ([]int, error) {
	text, err := read(dir, "cgroup.procs")
	if err != nil {
		return nil, err
	}
	var all []int
	for line := range strings.FieldsSeq(text) {
		pid, err := strconv.Atoi(line)
		if err != nil {
			return nil, fmt.Errorf("read the members of %s: %w", dir, err)
		}
		all = append(all, pid)
	}
	return all, nil
}
