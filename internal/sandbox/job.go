package sandbox

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"hob/internal/sandbox/cgroup"
	"hob/internal/sandbox/inside"
)

// helperTasks are the processes and threads of the helper, which count beside those of the command.
const helperTasks = 8

// maxArgument is what the kernel takes of one argument or variable, the NUL at its end included.
const maxArgument = 128 << 10

var errTooLong = errors.New("the command or its environment is too long; write it to a file and run that")

// job is a command with everything that its start needs.
type job struct {
	Command
	bound
	rules   Rules
	protect []string
	tier    Tier
	bwrap   string
	exe     string // this program's file; needed only for a Program
	mark    mark
	leaf    *cgroup.Leaf // nil where there are none
	bounds  cgroup.Bounds

	stdin, stdout, stderr *os.File // the command's ends
}

// spec is the specification that the helper gets.
func (j *job) spec() inside.Spec {
	l := j.rules.Limits
	s := inside.Spec{
		Tier: inside.Tier(j.tier), Workspace: j.rules.Workspace, ReadOnly: j.rules.ReadOnly, Protect: j.protect,
		Read: j.rules.Read, Network: j.rules.Serve != nil && j.tier < T3,
		Args: j.Args, Env: withMark(j.Env, j.mark), Dir: j.rules.Workspace,
		Processes: l.Processes, Memory: l.Memory, FileSize: l.FileSize, OpenFiles: l.OpenFiles,
		Group: j.leaf != nil && j.bounds.Memory && j.bounds.Processes,
	}
	_, s.Copies = j.copies()
	if j.Program != "" {
		s.Program, s.Args = j.exe, inside.ProgramArgs(j.Program, j.Args...)
	}
	return s
}

// joinLeaf has a process born in the leaf: what was moved there later could have forked before.
func (j *job) joinLeaf(attr *syscall.SysProcAttr) {
	if j.leaf != nil {
		attr.UseCgroupFD, attr.CgroupFD = true, j.leaf.FD()
	}
}

// killLeaf kills everything of the command, where there is a leaf.
func (j *job) killLeaf() {
	if j.leaf != nil && j.leaf.Kill() == nil {
		j.leaf.WaitEmpty(killTime)
	}
}

// dropLeaf removes the leaf and notes in the outcome if its memory was full. One that cannot be removed is left to the next start.
func (j *job) dropLeaf(o *Outcome) {
	if j.leaf == nil {
		return
	}
	if j.bounds.Memory && o.Signal != "" && !o.TimedOut && !o.Stopped && !o.Flooded && j.leaf.OutOfMemory() {
		o.Over = "memory"
	}
	_ = j.leaf.Remove()
	j.leaf = nil
}

// check refuses commands that mean nothing.
func (c *Command) check() error {
	if c.Program == "" && (len(c.Args) == 0 || c.Args[0] == "") {
		return errors.New("the command names no program")
	}
	for _, list := range [][]string{c.Args, c.Env, {c.Program}} {
		for _, s := range list {
			switch {
			case strings.ContainsRune(s, 0):
				return errors.New("the command holds a NUL, which no program can be given")
			case len(s) >= maxArgument:
				return errTooLong
			}
		}
	}
	for _, v := range c.Env {
		if i := strings.IndexByte(v, '='); i < 1 {
			return fmt.Errorf("the environment variable %q is not of the form NAME=value", v)
		}
	}
	return nil
}
