package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// switchCommand switches tools on or off.
func switchCommand(a *app, on bool) *cobra.Command {
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
func (a *app) switchTools(ctx context.Context, names []string, on bool) error {
	s, err := a.load()
	if err != nil {
		return err
	}
	kit, err := a.kit(s, past{})
	if err != nil {
		return err
	}
	known := allNames(kit)
	for _, name := range names {
		if !slices.Contains(known, name) {
			return failed(exitUsage, "there is no tool %q: there are %s", name, strings.Join(known, ", "))
		}
	}
	db, err := s.openJournal(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		if on {
			err = db.DeleteSetting(ctx, switchedOff+name)
		} else {
			err = db.SetSetting(ctx, switchedOff+name, time.Now().UTC().Format(time.RFC3339))
		}
		if err != nil {
			return closeAll(err, db.Close())
		}
	}
	state := "ENABLED"
	if !on {
		state = "DISABLED"
	}
	for _, name := range names {
		fmt.Fprintf(a.stdout, "%s: %s\n", name, state)
		_, missing := kit.ByName(name)
		if on && (missing != nil || len(s.Policy.Tools) > 0 && !slices.Contains(s.Policy.Tools, name)) {
			fmt.Fprintf(a.stderr, "hob: the configuration still leaves %s out: see [shell] enabled and [policy] tools\n", name)
		}
	}
	return db.Close()
}

// allNames returns the names of all tools, those too that the configuration leaves out.
func allNames(k kit) []string {
	names := []string{"job", "run_command"}
	for _, t := range k.All() {
		names = append(names, t.Name())
	}
	slices.Sort(names)
	return slices.Compact(names)
}
