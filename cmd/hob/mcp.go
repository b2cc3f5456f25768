package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"hob/internal/client"
	"hob/internal/daemon"
	"hob/internal/event"
	"hob/internal/surface/cli"
)

func mcpCommand(a *program) *cobra.Command {
	chat := "mcp"
	cmd := &cobra.Command{
		Use: "mcp", Short: "offer hob's tools to other agents (Model Context Protocol)", Args: cobra.NoArgs,
		RunE: asRunE(func(ctx context.Context, _ []string) error {
			collectAt(usualCollection)
			ctx, stop := client.UntilInterrupted(ctx)
			defer stop()
			if cli.IsTerminal(a.stdin) {
				fmt.Fprintln(a.Stderr, "hob mcp is for another program that starts it: it reads the Model Context Protocol here. Ctrl-C ends it; hob help mcp says more.")
			}
			return daemon.ServeMCP(ctx, a.Loader, event.Chat(chat), a.stdin, a.stdout)
		}),
	}
	cmd.Flags().StringVar(&chat, "chat", chat, "the chat that the calls belong to: its stored results (out:7), its past")
	return cmd
}
