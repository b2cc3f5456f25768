package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/campaigns"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/game"
)

func gameExportCommand(a *program) *cobra.Command {
	var shape string
	cmd := &cobra.Command{
		Use: "export [FILE]", Short: "write a campaign to a file", Args: checkArgs(0, 1, "name one file: hob game export mill.jsonl"),
	}
	name := campaignFlag(cmd)
	cmd.RunE = asRunE(func(ctx context.Context, args []string) error {
		if err := campaigns.CheckShape(shape); err != nil {
			return err
		}
		toFile := len(args) > 0 && args[0] != "-"
		if toFile {
			if err := campaigns.CheckTarget(args[0]); err != nil {
				return err
			}
		}
		return a.edit(ctx, *name, func(t campaigns.Campaign) error {
			if !toFile {
				return campaigns.Export(ctx, a.stdout, t.Log, shape)
			}
			if err := campaigns.ExportFile(ctx, args[0], t.Log, shape); err != nil {
				return err
			}
			_, err := fmt.Fprintf(a.Stderr, "%s is in %s.\n", display.Clean(t.ID), display.Clean(args[0]))
			return err
		})
	})
	cmd.Flags().StringVar(&shape, "as", "", "only the state: hob, 000, 002 or 003")
	return cmd
}

func gameImportCommand(a *program) *cobra.Command {
	var im game.Import
	var cut bool
	cmd := a.withText(&cobra.Command{
		Use: "import FILE", Short: "read a campaign from a file", Args: checkArgs(1, 1, "name one file: hob game import mill.jsonl"),
	}, func(ctx context.Context, s *app.Environment, args []string) (string, error) {
		file := campaigns.File{Path: args[0], Stdin: a.stdin}
		in, err := campaigns.Import(ctx, s, file, cut, im)
		if err != nil {
			return "", err
		}
		a.warn(file.String(), in.Warnings)
		return fmt.Sprintf("%s is here: %s.\n", display.Clean(in.Campaign), display.Count(int(in.Turns), "turn")), nil
	})
	cmd.Flags().StringVar(&im.ID, "name", "", "what the campaign is called here (as the file)")
	cmd.Flags().StringVar(&im.Seed, "seed", "", "a word for the dice of a save")
	cmd.Flags().StringVar(&im.Lang, "lang", "", "language of the texts of a save: en, ru or zh")
	cmd.Flags().BoolVar(&cut, "cut", false, "cut away the end of a log whose last line was not written whole")
	return cmd
}

// warn prints the warnings about a file that is used in spite of them.
func (a *program) warn(file string, warnings []string) {
	for _, w := range warnings {
		fmt.Fprintf(a.Stderr, "hob: %s: %s\n", file, display.Clean(w))
	}
}

func gameVerifyCommand(a *program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "verify [FILE]", Short: "check that a campaign is what was written, and its dice those that were sealed",
		Args: checkArgs(0, 1, "name one file: hob game verify mill.jsonl"),
	}
	name := campaignFlag(cmd)
	return a.withOwnResult(cmd, func(ctx context.Context, args []string) (result, error) {
		var r campaigns.Report
		var err error
		switch {
		case len(args) == 0:
			err = a.edit(ctx, *name, func(t campaigns.Campaign) (err error) {
				r, err = campaigns.Verify(ctx, t.Log)
				return err
			})
		case *name != "":
			err = exit.Errorf(exit.Usage, "-c names a campaign and %s is a file: verify one of the two", args[0])
		default:
			r, err = campaigns.VerifyFile(ctx, campaigns.File{Path: args[0], Stdin: a.stdin})
		}
		return reportResult(r), err
	})
}

// reportResult renders the report on an event log. Problems are a failure.
func reportResult(r campaigns.Report) result {
	got := result{value: r}
	for _, p := range r.Problems {
		got.text += display.Clean(p) + "\n"
	}
	got.text += fmt.Sprintf("%s, %s, %s: the log is whole.\n", display.Count(int(r.Turns), "turn"), display.Count(int(r.Events), "change"),
		display.Count(int(r.Rolls), "throw"))
	if n := len(r.Problems); n > 0 {
		got.failure = exit.Errorf(exit.Failed, "the campaign has %s", display.Count(n, "problem"))
	}
	return got
}
