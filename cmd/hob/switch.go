package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/commands"
	"hob/internal/exit"
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
	kit, err := s.StandaloneTools(ctx, app.JournalTools(nil))
	if err != nil {
		return err
	}
	defer kit.Skills.Close()
	known := map[string]commands.Switch{}
	switches, err := s.LoadSwitches(ctx, kit)
	if err != nil {
		return err
	}
	var listed []string
	for _, one := range switches {
		known[one.Tool] = one
		if !one.Story {
			listed = append(listed, one.Tool)
		}
	}
	for _, name := range names {
		if _, ok := known[name]; !ok {
			return exit.Errorf(exit.Usage, "there is no tool %q: there are %s, and those of hob game tools", name, strings.Join(listed, ", "))
		}
	}
	db, err := s.OpenJournal(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := app.SwitchTool(ctx, db, name, on); err != nil {
			return closeAll(err, db.Close())
		}
	}
	for _, name := range names {
		fmt.Fprintln(a.stdout, commands.Switch{Tool: name, On: on}.Label())
		if on && known[name].Excluded {
			fmt.Fprintf(a.Stderr, "hob: the configuration still leaves %s out: see [shell] enabled and [policy] tools\n", name)
		}
	}
	return db.Close()
}
