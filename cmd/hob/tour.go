package main

import (
	"context"

	"github.com/spf13/cobra"

	"hob/internal/client/tour"
)

func tourCommand(a *program) *cobra.Command {
	return &cobra.Command{
		Use: "tour", Short: "show in a minute what hob does, without a model", Args: cobra.NoArgs,
		Long: "tour plays five steps in a chat and a folder of their own, which it removes at the end: a file is written and read,\n" +
			"a command runs in the sandbox, a question is asked, a change is taken back. A script plays the model; all else is\n" +
			"real. Enter goes on, Ctrl-C leaves. Without a terminal it runs through, and its question is answered no.",
		RunE: asRunE(func(ctx context.Context, _ []string) error { return a.tour(ctx) }),
	}
}

func (a *program) tour(ctx context.Context) error { return tour.Run(ctx, a.terminal(), a.Loader) }
