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
		text := ""
		for _, c := range done.Stopped {
			text += fmt.Sprintf("Stopped the turn in %s.\n", c)
		}
		return result{value: done, text: cmp.Or(text, "No turn is running.\n")}, err
	})
}
