//go:build linux

package sandbox

import (
	"os"
	"syscall"

	"hob/internal/sandbox/cgroup"
	"hob/internal/sandbox/inside"
)

// helperTasks are the processes and threads of the helper, which count beside those of the command.
const helperTasks = 8

// launch is a command with everything that its start needs.
type launch struct {
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
func (l *launch) spec() inside.Spec {
	limits := l.rules.Limits
	s := inside.Spec{
		Tier: inside.Tier(l.tier), Workspace: l.rules.Workspace, ReadOnly: l.rules.ReadOnly, Protect: l.protect,
		Read: l.rules.Read, Network: l.rules.Serve != nil && l.tier < T3,
		Args: l.Args, Env: withMark(l.Env, l.mark), Dir: l.rules.Workspace,
		Processes: limits.Processes, Memory: limits.Memory, FileSize: limits.FileSize, OpenFiles: limits.OpenFiles,
		Group: l.leaf != nil && l.bounds.Memory && l.bounds.Processes,
	}
	_, s.Copies = l.copies()
	if l.Program != "" {
		s.Program, s.Args = l.exe, inside.ProgramArgs(l.Program, l.Args...)
	}
	return s
}

// joinLeaf has a process born in the leaf: what was moved there later could have forked before.
func (l *launch) joinLeaf(attr *syscall.SysProcAttr) {
	if l.leaf != nil {
		attr.UseCgroupFD, attr.CgroupFD = true, l.leaf.FD()
	}
}

// killLeaf kills everything of the command, where there is a leaf.
func (l *launch) killLeaf() {
	if l.leaf != nil && l.leaf.Kill() == nil {
		l.leaf.WaitEmpty(killTime)
	}
}

// dropLeaf removes the leaf and notes in the outcome if its memory was full. One that cannot be removed is left to the next start.
func (l *launch) dropLeaf(o *Outcome) {
	if l.leaf == nil {
		return
	}
	if l.bounds.Memory && o.Signal != "" && !o.TimedOut && !o.Stopped && !o.Flooded && l.leaf.OutOfMemory() {
		o.Over = "memory"
	}
	_ = l.leaf.Remove()
	l.leaf = nil
}
