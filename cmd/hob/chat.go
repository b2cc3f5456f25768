package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/client/prompt"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/session"
)

func chatCommand(a *program) *cobra.Command {
	var chat string
	var o prompt.Options
	cmd := &cobra.Command{
		Use: "chat", Short: "open the prompt", Args: cobra.NoArgs,
		Long: "chat opens the prompt. Ctrl-C stops the running turn, or parks the one that waits for the model, Ctrl-D leaves, /help shows the rest.",
		RunE: asRunE(func(ctx context.Context, _ []string) error {
			s, err := client.LoadBeside(ctx, a.Loader)
			if err != nil {
				return err
			}
			o.Chat = event.Chat(chat)
			if err := session.CheckName(o.Chat); err != nil {
				return exit.Errorf(exit.Usage, "%v", err)
			}
			return a.chat(ctx, s, app.NewModel(s), o)
		}),
	}
	cmd.Flags().StringVar(&chat, "chat", "main", "conversation")
	cmd.Flags().BoolVar(&o.Fresh, "new", false, "begin a new conversation: the model forgets the old one, the journal does not")
	a.waitFlag(cmd)
	return cmd
}

// chat opens the prompt.
func (a *program) chat(ctx context.Context, s *app.Environment, e *app.Model, o prompt.Options) error {
	s.AtPrompt = true
	if app.IsRoot() {
		fmt.Fprintf(a.Stderr, "hob: %s\n", app.RootWarning)
	}
	o.Tour = a.tour
	h, err := client.Reach(ctx, a.Loader, s, e, "hob chat", a.modelWait())
	if err != nil {
		return err
	}
	return cmp.Or(prompt.Run(ctx, a.terminal(), s, h, o), h.Close())
}
