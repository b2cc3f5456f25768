package main

import (
	"context"

	"github.com/spf13/cobra"

	"hob/internal/daemon"
	"hob/internal/surface/cli"
)

// residentCollection has a smaller heap than the usual one hold what lives on: between turns, a daemon keeps half a megabyte less.
const residentCollection = 70

func serveCommand(a *program) *cobra.Command {
	return &cobra.Command{
		Use: "serve", Short: "be there all the time: Telegram, and the local API", Args: cobra.NoArgs,
		Long: "serve is the daemon. It answers on Telegram where there is a token ([telegram] token_file), and other commands of hob\n" +
			"speak to it. It starts whether Telegram and Ollama can be reached or not, and says so once when they cannot.\n\n" +
			"SIGTERM and Ctrl-C end it: running tools may finish ([serve] drain), and turns that are cut short go on at the next\n" +
			"start. A second one ends it at once. SIGHUP has it read its configuration again, without losing a turn; one with a\n" +
			"mistake is refused, and the old one stays. When it starts and finds a mistake, it works with the last configuration\n" +
			"that it started with.",
		Example: "  hob serve                             in this terminal\n" +
			"  systemctl enable --now hob            as a service, after make install\n" +
			"  systemctl reload hob                  after a change of the configuration",
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
