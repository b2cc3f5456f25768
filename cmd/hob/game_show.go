package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"hob/internal/campaigns"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/game/chart"
	"hob/internal/game/rules/land"
)

func gameMapCommand(a *program) *cobra.Command {
	var out string
	var view land.View
	cmd := &cobra.Command{
		Use: "map", Short: "draw what the party knows of the map", Args: cobra.NoArgs,
	}
	name := campaignFlag(cmd)
	cmd.RunE = asRunE(func(ctx context.Context, _ []string) error {
		return a.edit(ctx, *name, func(t campaigns.Campaign) error {
			m, err := campaigns.Map(ctx, t, view)
			if err != nil {
				return err
			}
			return a.drawMap(m, out)
		})
	})
	cmd.Flags().StringVarP(&out, "out", "o", "", "a file: .png, .svg or .txt (the terminal)")
	cmd.Flags().BoolVar(&view.Zones, "zones", false, "the open world instead of the places around")
	cmd.Flags().BoolVar(&view.Reveal, "all", false, "also what nobody has seen: it spoils")
	cmd.Flags().BoolVar(&view.Dark, "dark", false, "light on dark")
	return cmd
}

// drawMap draws a map into a file, or as text on the terminal.
func (a *program) drawMap(m chart.Map, out string) error {
	if out == "" {
		width, _ := a.terminal().Size()
		_, err := fmt.Fprint(a.stdout, chart.Text(m, width))
		return err
	}
	legend, err := campaigns.Draw(out, m)
	if err != nil {
		return err
	}
	for _, line := range legend {
		fmt.Fprintln(a.stdout, display.Clean(line))
	}
	_, err = fmt.Fprintf(a.Stderr, "The map is in %s.\n", display.Clean(out))
	return err
}

func gameRecapCommand(a *program) *cobra.Command {
	var turns int
	var since int64
	cmd := a.withCampaign(&cobra.Command{
		Use: "recap", Short: "what happened so far", Args: cobra.NoArgs,
		PreRunE: func(*cobra.Command, []string) error {
			if turns < 1 {
				return exit.Errorf(exit.Usage, "--turns %d: 1 or more", turns)
			}
			return nil
		},
	}, func(ctx context.Context, t campaigns.Campaign, _ []string) (result, error) {
		past, err := campaigns.Recap(ctx, t, turns, since)
		text := ""
		for _, b := range past.Bullets {
			text += fmt.Sprintf("%d  %s\n", b.Turn, display.Clean(b.Text))
		}
		return result{value: past, text: cmp.Or(text, "Nothing has happened yet.\n")}, err
	})
	cmd.Flags().IntVar(&turns, "turns", 20, "how many turns back")
	cmd.Flags().Int64Var(&since, "since", 0, "only after this turn")
	return cmd
}

func gameFairCommand(a *program) *cobra.Command {
	var reveal bool
	cmd := a.withCampaign(&cobra.Command{
		Use: "fair", Short: "the seal of the dice, and their seed when the story is over", Args: cobra.NoArgs,
	}, func(_ context.Context, t campaigns.Campaign, _ []string) (result, error) {
		seal := campaigns.SealOf(t, reveal)
		text := "The seal: " + seal.Commitment + "\n"
		if reveal {
			text += "The seed: " + seal.Seed + "\n"
		}
		return result{value: seal, text: text}, nil
	})
	cmd.Flags().BoolVar(&reveal, "reveal", false, "show the seed")
	return cmd
}
