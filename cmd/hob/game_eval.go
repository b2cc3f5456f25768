package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/eval"
)

func gameEvalCommand(a *program) *cobra.Command {
	var e eval.StoryOptions
	cmd := a.withResult(&cobra.Command{
		Use: "eval", Short: "measure how a model runs a story", Args: cobra.NoArgs,
	}, func(ctx context.Context, s *app.Environment, _ []string) (result, error) {
		ctx, stop := client.UntilInterrupted(ctx)
		defer stop()
		out, err := eval.Stories(ctx, s, e, a.progress())
		return result{value: out}, err
	})
	cmd.Flags().StringVar(&e.Tale, "tale", "", "one tale: cosy, mystery or dungeon (all of them)")
	cmd.Flags().StringVar(&e.Lang, "lang", "en", "language of the tales: en, ru or zh")
	cmd.Flags().IntVar(&e.Turns, "turns", 0, "the first N lines of each tale (all)")
	return cmd
}

// progress is the writer for progress messages. With --json they are discarded.
func (a *program) progress() io.Writer {
	if a.json {
		return io.Discard
	}
	return a.stdout
}
