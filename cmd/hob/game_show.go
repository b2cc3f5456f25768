package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/campaigns"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/chart"
	"hob/internal/game/rules/land"
	"hob/internal/game/rules/story"
)

func gameMapCommand(a *program) *cobra.Command {
	var name, out string
	var view land.View
	cmd := &cobra.Command{
		Use: "map", Short: "draw what the party knows of the map", Args: cobra.NoArgs,
		Example: "  hob game map\n  hob game map -o map.png\n  hob game map --all -o map.svg",
		RunE: does(func(ctx context.Context, _ []string) error {
			return a.withTale(ctx, name, func(t campaigns.Campaign) error { return a.drawMap(land.Picture(t.World(), view), view, out) })
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
func (a *program) drawMap(m chart.Map, view land.View, out string) error {
	switch {
	case len(m.Rooms) == 0 && view.Zones:
		return exit.Errorf(exit.Failed, "there is nothing to draw: this world has no zones")
	case len(m.Rooms) == 0:
		return exit.Errorf(exit.Failed, "there is nothing to draw yet: nobody of the party is in a place")
	}
	width := 78
	if columns, _ := a.size(); columns > 0 {
		width = columns
	}
	if out == "" {
		_, err := fmt.Fprint(a.stdout, chart.Text(m, width))
		return err
	}
	var legend []string
	err := writeWhole(out, func(w io.Writer) (err error) {
		switch ext := strings.ToLower(filepath.Ext(out)); ext {
		case ".svg":
			_, err = io.WriteString(w, chart.SVG(m))
		case ".png":
			var p chart.Picture
			if p, err = chart.PNG(m); err == nil {
				legend = p.Legend
				_, err = w.Write(p.PNG)
			}
		case ".txt":
			_, err = io.WriteString(w, chart.Text(m, 78))
		default:
			err = exit.Errorf(exit.Usage, "%s: a map is a .png, .svg or .txt file", out)
		}
		return err
	})
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
			return a.withTale(ctx, name, func(t campaigns.Campaign) error { return a.recapTale(ctx, t, turns, since, asJSON) })
		}),
	}
	ofCampaign(cmd, &name)
	cmd.Flags().IntVar(&turns, "turns", 20, "how many turns back")
	cmd.Flags().Int64Var(&since, "since", 0, "only after this turn")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}

func (a *program) recapTale(ctx context.Context, t campaigns.Campaign, turns int, since int64, asJSON bool) error {
	book, err := game.Rules()
	if err != nil {
		return err
	}
	past, err := t.Recent(ctx, turns)
	if err != nil {
		return err
	}
	type bullet struct {
		Turn int64  `json:"turn"`
		Text string `json:"text"`
	}
	list := []bullet{}
	for _, b := range story.Bullets(book, t.World().Self().Lang, past, since) {
		list = append(list, bullet{Turn: b.Turn, Text: b.Text})
	}
	if asJSON {
		return a.printJSON(map[string]any{"campaign": t.ID, "head": t.Head(), "bullets": list})
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(a.stdout, "Nothing has happened yet.")
		return err
	}
	for _, b := range list {
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
			return a.withTale(ctx, name, func(t campaigns.Campaign) error {
				if asJSON {
					v := map[string]any{"campaign": t.ID, "commitment": t.Commitment()}
					if reveal {
						v["seed"] = t.Reveal()
					}
					return a.printJSON(v)
				}
				fmt.Fprintf(a.stdout, "The seal: %s\n", t.Commitment())
				if reveal {
					fmt.Fprintf(a.stdout, "The seed: %s\n", t.Reveal())
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
