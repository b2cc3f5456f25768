//go:build linux

package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"hob/internal/sandbox/cgroup"
	"hob/internal/sandbox/inside"
	"hob/internal/sandbox/probe"
)

// verdict is what was found about this machine, for good.
type verdict struct {
	report Report
	exe    string // this program's file
	bwrap  string
	group  *cgroup.Group // nil: none
}

// Programs are what the self-test needs to be registered with [inside.Enter].
func Programs() map[string]func(args []string) int {
	return map[string]func(args []string) int{probe.Name: probe.Main}
}

// verdict returns what was found, and finds it out when nobody has. One whose context ends leaves that to the next.
func (s *Sandbox) verdict(ctx context.Context) (*verdict, error) {
	if err := acquire(ctx, s.turn, 1); err != nil {
		return nil, err
	}
	defer s.turn.Release(1)
	if s.found != nil {
		return s.found, nil
	}
	v := s.find(ctx)
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	s.found = v
	return v, nil
}

// find tries the tiers, strongest first.
func (s *Sandbox) find(ctx context.Context) *verdict {
	v := &verdict{bwrap: s.cfg.Bwrap}
	v.report.Root, v.report.Tier = os.Getuid() == 0, T4
	exe, err := os.Executable()
	if err != nil {
		v.report.Refused = []Refusal{{Tier: T1, Reason: "hob's own program cannot be found: " + err.Error()}}
		v.report.Group = "not known"
		return v
	}
	v.exe = exe
	group, err := cgroup.Find()
	if v.group, v.report.Group = group, groupText(group, err); err != nil {
		v.group = nil
	}
	for _, tier := range []Tier{T1, T2, T3} {
		if s.cfg.Only != 0 && s.cfg.Only != tier {
			continue
		}
		a, err := s.attempt(ctx, v, tier)
		if err == nil {
			v.report.Tier, v.report.Checks, v.report.Ruleset = tier, a.checks, a.ruleset
			return v
		}
		v.report.Refused = append(v.report.Refused, refuse(tier, err, sysctl))
		if ctx.Err() != nil {
			return v
		}
	}
	return v
}

// groupText says how memory and processes are bounded.
func groupText(g *cgroup.Group, err error) string {
	if err != nil {
		return "none: " + err.Error()
	}
	switch b := g.Bounds(); {
	case b.Memory && b.Processes:
		return "cgroup"
	case b.Memory:
		return "cgroup, for memory alone: " + b.Why
	case b.Processes:
		return "cgroup, for processes alone: " + b.Why
	default:
		return "cgroup, for killing alone: " + b.Why
	}
}

// attempt tests a tier. Where it works without a control group and not in one, there are no control groups.
func (s *Sandbox) attempt(ctx context.Context, v *verdict, tier Tier) (attacked, error) {
	if tier == T2 {
		if _, err := os.Stat(v.bwrap); err != nil {
			return attacked{}, errNoBwrap
		}
	}
	if tier == T3 && v.report.Root && (v.group == nil || !v.group.Bounds().Processes) {
		return attacked{}, errRootBomb
	}
	quick := func(c *probe.Canaries) []probe.Attempt { return []probe.Attempt{c.Quick()} }
	a, err := s.attack(ctx, v, tier, quick)
	if f := (*failure)(nil); v.group == nil || !errors.As(err, &f) || f.stage != "start" {
		return a, err
	}
	bare := *v
	bare.group = nil
	a, again := s.attack(ctx, &bare, tier, quick)
	if again != nil {
		return a, again
	}
	v.group, v.report.Group = nil, "none: a command could not be started in a control group: "+err.Error()
	return a, nil
}

// attacked is the outcome of an attack.
type attacked struct {
	checks  []Check
	ruleset int
}

// errBroken is a tier that does not hold what it promises.
type errBroken struct{ found []string }

func (e errBroken) Error() string { return strings.Join(e.found, "; ") }

// attack lets the probe attack a tier. The error says that the tier must not be used.
func (s *Sandbox) attack(ctx context.Context, v *verdict, tier Tier, pick func(*probe.Canaries) []probe.Attempt) (a attacked, err error) {
	canaries, err := probe.Start(cmp.Or(s.cfg.Scratch, os.TempDir()))
	if err != nil {
		return a, err
	}
	defer func() { err = errors.Join(err, canaries.Close()) }()
	// A repository, so that what is protected there is made and mounted, too.
	if err := os.Mkdir(filepath.Join(canaries.Workspace(), ".git"), 0o755); err != nil {
		return a, fmt.Errorf("lay out the sandbox's self-test: %w", err)
	}
	var seen []probe.Seen
	open := false // what is protected in the workspace is not
	for _, trial := range pick(canaries) {
		one, walls, err := v.try(ctx, tier, canaries.Workspace(), trial)
		if err != nil {
			return a, err
		}
		a.ruleset, open = walls.Ruleset, walls.Unprotected
		seen = append(seen, one)
	}
	var broken []string
	for _, p := range canaries.Judge(probe.Walls{Tier: int(tier), Landlock: a.ruleset}, seen...) {
		a.checks = append(a.checks, Check{Name: p.Name, Holds: p.Holds, Found: p.Found})
		if p.Broken {
			broken = append(broken, p.Name+": "+p.Found)
		}
	}
	a.checks = append(a.checks, repository(canaries.Workspace(), open))
	if len(broken) > 0 {
		return a, errBroken{broken}
	}
	return a, nil
}

// repository checks the protection of a workspace's repository. It was made for the trials: what of it was
// missing had to be there before the first one began.
func repository(workspace string, open bool) Check {
	c := Check{Name: "write git hooks and settings", Holds: true, Found: "blocked"}
	_, hooks := os.Stat(filepath.Join(workspace, ".git", "hooks"))
	_, config := os.Stat(filepath.Join(workspace, ".git", "config"))
	switch {
	case open:
		c.Holds, c.Found = false, "possible, Landlock protects nothing in a folder that can be written"
	case hooks != nil || config != nil:
		c.Holds, c.Found = false, "they are missing"
	}
	return c
}

// trialTime is how long a trial may take. It takes a moment; but a machine that stands still for half a minute just then must
// not lose its sandbox for that.
const trialTime = 2 * time.Minute

// try runs one trial of the probe.
func (v *verdict) try(ctx context.Context, tier Tier, workspace string, t probe.Attempt) (probe.Seen, inside.Message, error) {
	policy, err := NewPolicy(Rules{
		Workspace: workspace,
		Limits:    Limits{Processes: t.Processes, Memory: t.Memory, FileSize: t.FileSize, Output: t.Output, Keep: 1 << 20},
	})
	if err != nil {
		return probe.Seen{}, inside.Message{}, err
	}
	p, err := v.start(ctx, tier, policy, Command{
		Program: probe.Name, Args: t.Args, Stdin: t.Stdin, Timeout: trialTime,
		Env: []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + workspace},
	}, bound{})
	if err != nil {
		return probe.Seen{}, inside.Message{}, err
	}
	o := p.Wait()
	if err := context.Cause(ctx); err != nil {
		return probe.Seen{}, inside.Message{}, err
	}
	seen := probe.Seen{Attempt: t.Name, Stdout: o.Stdout.Head, Signal: o.Signal, TimedOut: o.TimedOut, Flooded: o.Flooded, Over: o.Over}
	if o.Error != "" {
		seen.Err = errors.New(o.Error)
	}
	return seen, p.walls, nil
}

// start starts a command in a tier.
func (v *verdict) start(ctx context.Context, tier Tier, p Policy, c Command, b bound) (*Process, error) {
	protected, err := protect(p.rules)
	if err != nil {
		return nil, err
	}
	l := launch{Command: c, bound: b, rules: p.rules, protect: append(protected, b.spared...), tier: tier, bwrap: v.bwrap, exe: v.exe, mark: newMark()}
	if v.group == nil {
		return start(ctx, &l)
	}
	l.bounds = v.group.Bounds()
	if l.leaf, err = v.group.New(cgroup.Limits{Memory: p.rules.Limits.Memory, Processes: p.rules.Limits.Processes + helperTasks}); err != nil {
		return nil, &failure{stage: "start", err: err}
	}
	process, err := start(ctx, &l)
	if err != nil {
		err = errors.Join(err, l.leaf.Remove())
	}
	return process, err
}
