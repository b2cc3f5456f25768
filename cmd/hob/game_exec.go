package main

import (
	"context"

	"github.com/spf13/cobra"

	"hob/internal/campaigns"
	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/exec"
)

func gameExecCommand(a *program) *cobra.Command {
	var world, out string
	var im game.Import
	var events bool
	cmd := &cobra.Command{
		Use: "exec --world FILE", Short: "play a game that comes as JSON Lines", Args: cobra.NoArgs,
		RunE: asRunE(func(ctx context.Context, _ []string) error {
			if world == "" || world == "-" {
				return exit.Errorf(exit.Usage, "say in which world: hob game exec --world FILE")
			}
			return a.execGame(ctx, world, out, events, im)
		}),
	}
	cmd.Flags().StringVar(&world, "world", "", "the world to begin with")
	cmd.Flags().StringVar(&out, "out", "", "where the final save goes")
	cmd.Flags().StringVar(&im.Lang, "lang", "", "language of the texts: en, ru or zh")
	cmd.Flags().StringVar(&im.Seed, "seed", "", "a word for the dice (follows from the world)")
	cmd.Flags().BoolVar(&events, "events", false, "answers have tool_event and state_patch")
	return cmd
}

func (a *program) execGame(ctx context.Context, world, out string, events bool, im game.Import) error {
	g, warnings, err := campaigns.OpenGame(ctx, world, out, im)
	if err != nil {
		return err
	}
	a.warn(world, warnings)
	g.Events = events
	if err := g.Run(ctx, a.stdin, a.stdout); err != nil || out == "" {
		return asUsageError[*exec.LineError](err)
	}
	return campaigns.Save(ctx, out, g.Log)
}
