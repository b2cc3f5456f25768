package main

import (
	"context"

	"github.com/spf13/cobra"

	"hob/internal/eval"
	"hob/internal/exit"
	"hob/internal/llm/profile"
)

func parseCommand(a *program) *cobra.Command {
	var asLines bool
	cmd := &cobra.Command{
		Use: "parse --jsonl", Short: "read what a model wrote, and say which calls that comes to", Args: cobra.NoArgs,
		RunE: asRunE(func(ctx context.Context, _ []string) error {
			if !asLines {
				return exit.Errorf(exit.Usage, "parse reads JSON Lines: hob model parse --jsonl <replies.jsonl")
			}
			book, err := profile.Seeds()
			if err != nil {
				return err
			}
			return eval.ParseLines(ctx, a.stdin, a.stdout, book)
		}),
	}
	cmd.Flags().BoolVar(&asLines, "jsonl", false, "read and print JSON Lines")
	return cmd
}
