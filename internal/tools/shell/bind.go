package shell

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/sandbox"
	"hob/internal/tools"
)

// unknownNames is what is said in a profile of a command that could run files which are known only when it runs.
const unknownNames = "names files that cannot be told beforehand"

// bind says what a command will run in and on: the sandbox and its limits, the workspace, and the files in it that the
// command names.
//
// Those are all files that are named in the command line, be it as a program, as an argument or within an argument, and
// those that well-known programs read by themselves, such as a Makefile. They are found by reading the line as a shell
// would, without running any of it. What it cannot see: files that are named only within other files, such as what a
// script reads in or a Makefile runs; programs outside the workspace; what is in a folder that is named, unless by a
// pattern; and what a name comes to that is worked out when the command runs, of which the profile says so. It
// only looks: a command that was approved looks again when nothing else can write, see [Tool.pin].
//
// A file that may be meant and is not there is listed without a sum. One that is too large to be read each time, or that
// cannot be read, has in place of the sum what changes with any write to it: its number, its size and the time of its last
// change, which no program can set. The error says that there are too many.
func (s *ShellTool) bind(ctx context.Context, args json.RawMessage) (event.Binding, error) {
	var in networkArgs
	if err := json.Unmarshal(args, &in); err != nil {
		return event.Binding{}, fmt.Errorf("look at what the command would run: %w", err)
	}
	dir, err := filepath.EvalSymlinks(s.cfg.Dir)
	if err != nil {
		return event.Binding{}, fmt.Errorf("look at what the command would run: %w", err)
	}
	tier := s.cfg.Sandbox.Tier(ctx)
	files, open, err := filesNamed(ctx, []string{dir, s.cfg.Dir}, in.Language, in.Command, tier >= sandbox.T3)
	if err != nil {
		return event.Binding{}, err
	}
	profile := s.profile(tier, in)
	if open {
		profile += " · " + unknownNames
	}
	return event.Binding{Profile: profile, Dir: dir, Files: files}, nil
}

// profile is what the sandbox allows one command, in a line that is another one when any of it is.
func (s *ShellTool) profile(tier sandbox.Tier, in networkArgs) string {
	if s.isOff(tier) {
		return "commands are switched off"
	}
	parts := []string{"sandbox " + tier.String()}
	if tier == sandbox.T4 {
		parts[0] = "no sandbox (T4)"
	}
	switch hosts := slices.Sorted(slices.Values(s.cfg.Hosts)); {
	case tier == sandbox.T4:
		parts = append(parts, "all of the network")
	case !in.Network || s.cfg.Serve == nil || tier == sandbox.T3:
		parts = append(parts, "no network")
	default:
		parts = append(parts, "network: "+strings.Join(hosts, ", "))
	}
	memory, processes := "the sandbox's default of memory", "the sandbox's default of processes"
	if s.cfg.Memory > 0 {
		memory = fmt.Sprintf("%s of memory", display.Limit(s.cfg.Memory))
	}
	if s.cfg.Processes > 0 {
		processes = display.Count(s.cfg.Processes, "process")
	}
	parts = append(parts, memory, processes, s.profileTime(in), display.Limit(s.cfg.Most)+" of output")
	if s.cfg.ReadOnly {
		parts = append(parts, "read-only")
	}
	if len(s.cfg.Read) > 0 {
		parts = append(parts, "reads "+strings.Join(slices.Sorted(slices.Values(s.cfg.Read)), ", "))
	}
	return strings.Join(parts, " · ")
}

// profileTime is how long one command may run.
func (s *ShellTool) profileTime(in networkArgs) string {
	switch {
	case in.Background && s.cfg.Background != nil:
		return "in the background for " + s.cfg.Background.cfg.Timeout.String()
	case in.Timeout > 0:
		return (time.Duration(in.Timeout) * time.Second).String()
	}
	return s.cfg.Timeout.String()
}

// resourcesOf returns the hosts that a command may reach: those that the owner has listed. A command names no hosts of its own. Where
// no sandbox holds it, it may reach all.
func (s *ShellTool) resourcesOf(args json.RawMessage) []tools.Resource {
	var in networkArgs
	_ = json.Unmarshal(args, &in) // it is valid
	switch tier := s.cfg.Sandbox.Tier(tools.Unbounded{}); {
	case s.isOff(tier) || tier == sandbox.T3:
		return nil
	case tier == sandbox.T4:
		return []tools.Resource{{Host: "*"}}
	case !in.Network || s.cfg.Serve == nil:
		return nil
	}
	resources := make([]tools.Resource, 0, len(s.cfg.Hosts))
	for _, host := range s.cfg.Hosts {
		for _, own := range []string{":443", ":80"} {
			host = strings.TrimSuffix(host, own)
		}
		resources = append(resources, tools.Resource{Host: host})
	}
	return resources
}
