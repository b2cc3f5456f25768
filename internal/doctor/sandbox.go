//go:build linux

package doctor

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"hob/internal/app"
	"hob/internal/sandbox"
	"hob/internal/sandbox/probe"
)

// probeTimeout limits one attack of the probe.
const probeTimeout = 5 * time.Second

// checkSandbox attacks the sandbox of commands.
func checkSandbox(ctx context.Context, s *app.Environment) []Check {
	sh := s.NewShell()
	report := sh.Sandbox.Report(ctx)
	found := []Check{checkTier(s, report)}
	for _, r := range report.Refused {
		found = append(found, warn(r.Tier.String()+" refused", r.Advice, "%s", r.Reason))
	}
	if report.Tier == sandbox.T4 {
		return found
	}
	if report.Group == "cgroup" {
		found = append(found, pass("limits", "by a cgroup for each command"))
	} else {
		found = append(found, warn("limits", "run hob as a systemd service with Delegate=yes", "by limits of each process and by looking ten times a second: %s",
			strings.TrimPrefix(report.Group, "none: ")))
	}
	properties, err := attackSandbox(ctx, sh, s, report)
	if err != nil {
		found = append(found, fail("attacks", "", "could not be tried: %v", err))
		for _, c := range report.Checks { // of the self-test
			found = append(found, checkProperty(report.Tier, probe.Property{Name: c.Name, Holds: c.Holds, Broken: !c.Holds, Found: c.Found}))
		}
	}
	for _, p := range properties {
		found = append(found, checkProperty(report.Tier, p))
	}
	return append(found, warn("disk limit", "put [workspace] dir on a file system of its own, or set a quota",
		"NOT ENFORCED: commands can fill the disk of the workspace"))
}

func checkTier(s *app.Environment, r sandbox.Report) Check {
	const name = "tier"
	packages := "allow unprivileged user namespaces, or install bubblewrap"
	if s.Shell.Tier != "" {
		packages = "remove [shell] tier, which takes " + s.Shell.Tier + " or nothing"
	}
	switch r.Tier {
	case sandbox.T1:
		return pass(name, "T1: namespaces of its own, Landlock (ABI %d), system call filter", r.Ruleset)
	case sandbox.T2:
		return pass(name, "T2: namespaces by bwrap, Landlock (ABI %d), system call filter", r.Ruleset)
	case sandbox.T3:
		return warn(name, packages, "T3: Landlock (ABI %d) and system call filter, without namespaces: every command asks", r.Ruleset)
	}
	if s.Shell.AllowUnsandboxed {
		return fail(name, packages, "T4: NO SANDBOX, and [shell] allow_unsandboxed lets commands run: they can do what you can do")
	}
	return warn(name, packages, "T4: there is no sandbox, so commands are switched off, and PDFs are not read")
}

func checkProperty(tier sandbox.Tier, p probe.Property) Check {
	do := ""
	if tier == sandbox.T3 {
		do = "a stronger tier stops it: see tier"
	}
	switch {
	case p.Holds:
		return pass(p.Name, "%s", describeHeld(p))
	case p.Broken:
		return fail(p.Name, "set [shell] enabled = false, and report this", "%s", p.Found)
	}
	return warn(p.Name, do, "%s", p.Found)
}

// describeHeld describes a property that holds. A limit is held, not blocked.
func describeHeld(p probe.Property) string {
	switch p.Name {
	case "detached processes", "output flood":
		return "killed"
	case "process limit", "memory limit", "memfd", "file size limit":
		return "held"
	}
	return p.Found
}

// attackSandbox runs every attack of the probe in the sandbox, two at a time, and returns the
// properties that they tested.
func attackSandbox(ctx context.Context, sh *app.Shell, s *app.Environment, report sandbox.Report) ([]probe.Property, error) {
	dir, clean, err := makeScratchDir(s)
	if err != nil {
		return nil, err
	}
	defer clean()
	canaries, err := probe.Start(dir)
	if err != nil {
		return nil, err
	}
	defer canaries.Close()
	trials := canaries.All()
	seen := make([]probe.Seen, len(trials))
	turn := make(chan struct{}, 2)
	var all sync.WaitGroup
	for i, t := range trials {
		all.Go(func() {
			turn <- struct{}{}
			defer func() { <-turn }()
			seen[i] = trySandbox(ctx, sh, canaries.Workspace(), t)
		})
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("stopped: %w", err)
	}
	return canaries.Judge(probe.Walls{Tier: int(report.Tier), Landlock: report.Ruleset}, seen...), nil
}

// trySandbox runs one attack. It uses a command's limits where the attack sets none.
func trySandbox(ctx context.Context, sh *app.Shell, workspace string, t probe.Attempt) probe.Seen {
	policy, err := sandbox.NewPolicy(sandbox.Rules{Workspace: workspace, Limits: sandbox.Limits{
		Processes: t.Processes, Memory: t.Memory, FileSize: t.FileSize, Output: t.Output, Keep: 256 << 10,
	}})
	if err != nil {
		return probe.Seen{Attempt: t.Name, Err: err}
	}
	out, err := sh.Sandbox.Run(ctx, policy, sandbox.Command{Program: probe.Name, Args: t.Args, Stdin: t.Stdin, Timeout: probeTimeout})
	return probe.Seen{
		Attempt: t.Name, Stdout: append(out.Stdout.Head, out.Stdout.Tail...), Signal: out.Signal,
		TimedOut: out.TimedOut, Flooded: out.Flooded, Over: out.Over, Err: err,
	}
}
