package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"hob/internal/client"
	"hob/internal/event"
)

func stopCommand(a *program) *cobra.Command {
	return a.withOwnResult(&cobra.Command{
		Use: "stop [CHAT]", Short: "stop what hob is doing now",
		Args: cobra.MaximumNArgs(1),
	}, func(ctx context.Context, args []string) (result, error) {
		s, err := a.LoadStateDir() // a broken configuration must not keep hob from being stopped
		if err != nil {
			return result{}, err
		}
		ctx, leave := client.UntilInterrupted(ctx)
		defer leave()
		done, err := client.Stop(ctx, a.Loader, s, event.Chat(first(args)))
		text, noTurn := "", "No turn is running.\n"
		if len(args) > 0 { // the name may be misspelled, and a turn may run in another chat
			noTurn = fmt.Sprintf("No turn is running in %s.\n", args[0])
		}
		for _, c := range done.Stopped {
			text += fmt.Sprintf("Stopped the turn in %s.\n", c)
		}
		return result{value: done, text: cmp.Or(text, noTurn)}, err
	})
}
