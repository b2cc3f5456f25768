package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"hob/internal/app"
)

// switchCommand switches tools on or off.
func switchCommand(a *program, on bool) *cobra.Command {
	verb, short := "enable", "let the agent use a tool again"
	if !on {
		verb, short = "disable", "keep the agent from using a tool, until it is enabled again"
	}
	return a.withText(&cobra.Command{
		Use: verb + " NAME ...", Short: short,
		Args: checkArgs(1, -1, "say which tool: hob tool "+verb+" NAME, of those that hob tool lists"),
	}, func(ctx context.Context, s *app.Environment, names []string) (string, error) {
		switches, err := s.SetSwitches(ctx, names, on)
		if err != nil {
			return "", err
		}
		text := ""
		for _, one := range switches {
			text += one.Label() + "\n"
			if on && one.Excluded {
				fmt.Fprintf(a.Stderr, "hob: the configuration still leaves %s out: see [shell] enabled and [policy] tools\n", one.Tool)
			}
		}
		return text, nil
	})
}
