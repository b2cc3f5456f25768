package main

import (
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
	var name, out string
	var view land.View
	cmd := &cobra.Command{
		Use: "map", Short: "draw what the party knows of the map", Args: cobra.NoArgs,
		Example: "  hob game map\n  hob game map -o map.png\n  hob game map --all -o map.svg",
		RunE: does(func(ctx context.Context, _ []string) error {
			return a.edit(ctx, name, func(t campaigns.Campaign) error {
				m, err := campaigns.Map(t, view)
				if err != nil {
					return err
				}
				return a.drawMap(m, out)
			})
		}),
	}
	ofCampaign(cmd, &name)
	cmd.Flags().StringVarP(&out, "out", "o", "", "a file: .png, .svg or .txt (the terminal)")
	cmd.Flags().BoolVar(&view.Zones, "zones", false, "the open world instead of the places around")
	cmd.Flags().BoolVar(&view.Reveal, "all", false, "also what nobody has seen: it spoils")
	cmd.Flags().BoolVar(&view.Dark, "dark", false, "light on dark")
	return cmd
}

// drawMap draws a map to a file, or as text to the terminal.
func (a *program) drawMap(m chart.Map, out string) error {
	if out == "" {
		width := 78
		if columns, _ := a.size(); columns > 0 {
			width = columns
		}
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
	var name string
	var turns int
	var since int64
	var asJSON bool
	cmd := &cobra.Command{
		Use: "recap", Short: "what happened so far", Args: cobra.NoArgs,
		RunE: does(func(ctx context.Context, _ []string) error {
			if turns < 1 {
				return exit.Errorf(exit.Usage, "--turns %d: 1 or more", turns)
			}
			return a.edit(ctx, name, func(t campaigns.Campaign) error {
				past, err := campaigns.Recap(ctx, t, turns, since)
				if err != nil {
					return err
				}
				return a.printPast(past, asJSON)
			})
		}),
	}
	ofCampaign(cmd, &name)
	cmd.Flags().IntVar(&turns, "turns", 20, "how many turns back")
	cmd.Flags().Int64Var(&since, "since", 0, "only after this turn")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}

func (a *program) printPast(past campaigns.Past, asJSON bool) error {
	if asJSON {
		return a.printJSON(past)
	}
	if len(past.Bullets) == 0 {
		_, err := fmt.Fprintln(a.stdout, "Nothing has happened yet.")
		return err
	}
	for _, b := range past.Bullets {
		fmt.Fprintf(a.stdout, "%d  %s\n", b.Turn, display.Clean(b.Text))
	}
	return nil
}

func gameFairCommand(a *program) *cobra.Command {
	var name string
	var reveal, asJSON bool
	cmd := &cobra.Command{
		Use: "fair", Short: "the seal of the dice, and their seed when the story is over", Args: cobra.NoArgs,
		Long: "The hash of the dice's seed is shown when a campaign begins. --reveal shows the seed: from then on everybody can compute\n" +
			"every throw, those to come too. docs/dice.md says how.",
		RunE: does(func(ctx context.Context, _ []string) error {
			return a.edit(ctx, name, func(t campaigns.Campaign) error {
				seal := campaigns.SealOf(t, reveal)
				if asJSON {
					return a.printJSON(seal)
				}
				fmt.Fprintf(a.stdout, "The seal: %s\n", seal.Commitment)
				if reveal {
					fmt.Fprintf(a.stdout, "The seed: %s\n", seal.Seed)
				}
				return nil
			})
		}),
	}
	ofCampaign(cmd, &name)
	cmd.Flags().BoolVar(&reveal, "reveal", false, "show the seed")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}
