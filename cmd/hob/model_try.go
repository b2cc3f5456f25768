package main

import (
	"context"

	"github.com/spf13/cobra"

	"hob/internal/client"
	"hob/internal/eval"
	"hob/internal/exit"
)

func tryCommand(a *program) *cobra.Command {
	var t eval.TryOptions
	var asJSON bool
	cmd := &cobra.Command{
		Use: "try NAME", Short: "measure how a model calls tools, and keep what that says of it", Args: oneName,
		Long: "try puts a battery of small tasks to the model: one call, several, none, two steps, an error to recover from, odd\n" +
			"letters, nested arguments, a long result, a denial, the context, the speed. It takes a minute or a few. What it finds\n" +
			"becomes the model's profile. With --replay it also plays your last turns again: recorded results are given, nothing is done.",
		Example: "  hob model try MODEL\n  hob model try MODEL --replay 20",
		RunE: asRunE(func(ctx context.Context, args []string) error {
			s, err := a.Load()
			if err != nil {
				return err
			}
			ctx, stop := client.UntilInterrupted(ctx)
			defer stop()
			out, err := eval.Try(ctx, s, args[0], t, a.progress(asJSON), a.Stderr)
			if err == nil && asJSON {
				err = a.printJSON(out)
			}
			switch {
			case err != nil || out.Mode != "":
				return err
			case asJSON:
				return exit.Silently(exit.Failed)
			}
			return exit.Errorf(exit.Failed, "it called no tool in any of the three ways there are, so nothing of it was kept: try another model")
		}),
	}
	cmd.Flags().IntVar(&t.Replay, "replay", 0, "play the last N turns again and compare")
	cmd.Flags().StringVar(&t.Chat, "chat", "main", "the chat whose turns --replay plays")
	cmd.Flags().BoolVar(&t.Dry, "dry-run", false, "keep nothing of what is found")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}
