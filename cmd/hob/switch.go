package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/exit"
	"hob/internal/store"
)

// switchCommand switches tools on or off.
func switchCommand(a *program, on bool) *cobra.Command {
	verb, short := "enable", "let the agent use a tool again"
	if !on {
		verb, short = "disable", "keep the agent from using a tool, until it is enabled again"
	}
	return &cobra.Command{
		Use: verb + " NAME ...", Short: short,
		Args: wants(1, -1, "say which tool: hob tool "+verb+" NAME, of those that hob tool lists"),
		RunE: does(func(ctx context.Context, names []string) error { return a.switchTools(ctx, names, on) }),
	}
}

// switchTools keeps that tools are switched on or off. A hob that runs goes by it from its next request on.
func (a *program) switchTools(ctx context.Context, names []string, on bool) error {
	s, err := a.Load()
	if err != nil {
		return err
	}
	kit, err := s.StandaloneTools(ctx, app.JournalTools{})
	if err != nil {
		return err
	}
	defer kit.Skills.Close()
	known := allNames(kit)
	for _, name := range names {
		if _, none := kit.ByName(name); none != nil && !slices.Contains(known, name) {
			return exit.Errorf(exit.Usage, "there is no tool %q: there are %s", name, strings.Join(known, ", "))
		}
	}
	db, err := s.OpenJournal(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := switchTool(ctx, db, name, on); err != nil {
			return closeAll(err, db.Close())
		}
	}
	for _, name := range names {
		fmt.Fprintln(a.stdout, switched(name, on))
		if on && leavesOut(s, kit, name) {
			fmt.Fprintf(a.Stderr, "hob: the configuration still leaves %s out: see [shell] enabled and [policy] tools\n", name)
		}
	}
	return db.Close()
}

// switchTool keeps that a tool is switched on or off.
func switchTool(ctx context.Context, db *store.DB, name string, on bool) error {
	if on {
		return db.DeleteSetting(ctx, app.SwitchedOff+name)
	}
	return db.SetSetting(ctx, app.SwitchedOff+name, time.Now().UTC().Format(time.RFC3339))
}

// switched says how a tool is switched.
func switched(name string, on bool) string {
	if on {
		return name + ": ENABLED"
	}
	return name + ": DISABLED"
}

// leavesOut reports whether the agent cannot use a tool however it is switched.
func leavesOut(s *app.Environment, k app.Toolset, name string) bool {
	_, missing := k.ByName(name)
	return missing != nil || len(s.Policy.Tools) > 0 && !slices.Contains(s.Policy.Tools, name)
}

// allNames returns the names of all tools that are listed, those too that the configuration leaves out.
func allNames(k app.Toolset) []string {
	names := []string{"job", "run_command"}
	for _, t := range k.Shown() {
		names = append(names, t.Name())
	}
	slices.Sort(names)
	return slices.Compact(names)
}
