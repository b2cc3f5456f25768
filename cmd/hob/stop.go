package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/event"
)

func stopCommand(a *program) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "stop [CHAT]", Short: "stop what hob is doing now",
		Long: "stop ends the turn that runs, here or in another window, with all programs that it started, and withdraws what it\n" +
			"asks. Without a chat it stops all. What was done stays done: hob undo --turn takes it back. A turn that was cut\n" +
			"short when hob was killed is ended, too, and does not go on.",
		Example: "  hob stop         everything\n  hob stop main    only that conversation",
		Args:    cobra.MaximumNArgs(1),
		RunE: does(func(ctx context.Context, args []string) error {
			s, err := a.LoadStateDir() // whatever the configuration says, what runs can be stopped
			if err != nil {
				return err
			}
			var chat event.Chat
			if len(args) > 0 {
				chat = event.Chat(args[0])
			}
			return a.stop(ctx, s, chat, asJSON)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}

func (a *program) stop(ctx context.Context, s *app.Environment, chat event.Chat, asJSON bool) error {
	ctx, leave := client.UntilInterrupted(ctx)
	defer leave()
	done, err := client.Stop(ctx, a.Loader, s, chat)
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(done)
	}
	for _, c := range done.Stopped {
		fmt.Fprintf(a.stdout, "Stopped the turn in %s.\n", c)
	}
	if len(done.Stopped) == 0 {
		fmt.Fprintln(a.stdout, "No turn is running.")
	}
	return nil
}
