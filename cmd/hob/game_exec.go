package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/campaigns"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/exec"
)

func gameExecCommand(a *program) *cobra.Command {
	var world, out, lang, seed string
	var events bool
	cmd := &cobra.Command{
		Use: "exec --world FILE", Short: "play a game that comes as JSON Lines", Args: cobra.NoArgs,
		Long: "exec reads a world (hob's own, or a save of one of the three systems that hob's game comes from) and then calls as JSON Lines from\n" +
			"standard input, and answers each with one line. docs/game_exec.md has all forms. --out writes the final save: the whole log\n" +
			"as JSON Lines, or, where FILE ends in .json, the final state alone.",
		Example: "  echo '{\"tool\":\"look\",\"args\":{}}' | hob game exec --world mill.jsonl",
		RunE: does(func(ctx context.Context, _ []string) error {
			if world == "" || world == "-" {
				return exit.Errorf(exit.Usage, "say in which world: hob game exec --world FILE")
			}
			if lang != "" {
				if err := campaigns.CheckLang(lang); err != nil {
					return err
				}
			}
			return a.execGame(ctx, world, out, events, game.Import{Seed: seed, Lang: lang})
		}),
	}
	cmd.Flags().StringVar(&world, "world", "", "the world to begin with")
	cmd.Flags().StringVar(&out, "out", "", "where the final save goes")
	cmd.Flags().StringVar(&lang, "lang", "", "language of the texts: en, ru or zh")
	cmd.Flags().StringVar(&seed, "seed", "", "a word for the dice (follows from the world)")
	cmd.Flags().BoolVar(&events, "events", false, "answers have tool_event and state_patch")
	return cmd
}

func (a *program) execGame(ctx context.Context, file, out string, events bool, im game.Import) error {
	if err := campaigns.CheckTarget(out); err != nil {
		return err
	}
	data, err := campaigns.File{Path: file}.Read()
	if err != nil {
		return err
	}
	if im.Opt, err = campaigns.Options(); err != nil {
		return err
	}
	g, warnings, err := exec.Open(ctx, data, im)
	if err != nil {
		return exit.Errorf(exit.Usage, "%s: %v", file, err)
	}
	for _, w := range warnings {
		fmt.Fprintf(a.Stderr, "hob: %s: %s\n", file, display.Clean(w))
	}
	g.Events, g.Now = events, time.Now
	if err := g.Run(ctx, a.stdin, a.stdout); err != nil || out == "" {
		return asUsage[*exec.LineError](err)
	}
	shape := ""
	if strings.EqualFold(filepath.Ext(out), ".json") {
		shape = "hob"
	}
	return campaigns.ExportFile(ctx, out, g.Saga, shape)
}
