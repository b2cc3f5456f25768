package main

import (
	"context"

	"github.com/spf13/cobra"

	"hob/internal/client/tour"
)

func tourCommand(a *program) *cobra.Command {
	return &cobra.Command{
		Use: "tour", Short: "show in a minute what hob does, without a model", Args: cobra.NoArgs,
		RunE: asRunE(func(ctx context.Context, _ []string) error { return a.tour(ctx) }),
	}
}

func (a *program) tour(ctx context.Context) error { return tour.Run(ctx, a.terminal(), a.Loader) }
