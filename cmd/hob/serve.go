package main

import (
	"context"

	"github.com/spf13/cobra"

	"hob/internal/daemon"
	"hob/internal/surface/cli"
)

// residentCollection keeps the idle daemon's heap half a megabyte smaller than [usualCollection].
const residentCollection = 70

func serveCommand(a *program) *cobra.Command {
	return &cobra.Command{
		Use: "serve", Short: "be there all the time: Telegram, and the local API", Args: cobra.NoArgs,
		RunE: asRunE(func(ctx context.Context, _ []string) error {
			collectAt(residentCollection)
			out, log := a.terminal(), &cli.Terminal{Out: a.rawStderr}
			a.Stderr = log.WrapWriter(a.Stderr)
			return daemon.Serve(ctx, daemon.Config{
				Loader: a.Loader, Stdout: out.WrapWriter(a.stdout), Interactive: cli.IsTerminal(a.stdout), LogToPerson: cli.IsTerminal(a.rawStderr),
				Terminal: func() bool { return cli.IsTerminal(a.stdin) },
			})
		}),
	}
}
