package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/session"
	"hob/internal/tools"
)

// switchCommand builds hob tool enable or disable.
func switchCommand(a *program, on bool) *cobra.Command {
	verb, short := "enable", "let the agent use a tool again"
	if !on {
		verb, short = "disable", "keep the agent from using a tool, until it is enabled again"
	}
	var chat string
	cmd := &cobra.Command{
		Use: verb + " NAME ...", Short: short,
		Args: checkArgs(1, -1, "say which tool: hob tool "+verb+" NAME, of those that hob tool lists"),
	}
	cmd.Flags().StringVar(&chat, "chat", "", "only in this conversation; without it everywhere")
	return a.withText(cmd, func(ctx context.Context, s *app.Environment, names []string) (string, error) {
		if err := session.CheckName(event.Chat(chat)); chat != "" && err != nil {
			return "", exit.Errorf(exit.Usage, "%v", err)
		}
		switches, err := s.SetSwitches(ctx, event.Chat(chat), names, on)
		if err != nil {
			return "", err
		}
		text := ""
		for i, one := range switches {
			if hint := tools.OldNameHint(names[i], one.Tool); hint != "" {
				fmt.Fprintf(a.Stderr, "hob: %s\n", hint)
			}
			if chat != "" {
				text += one.LabelIn(event.Chat(chat)) + "\n"
			} else {
				text += one.Label() + "\n"
			}
			if on && chat != "" && !one.On {
				fmt.Fprintf(a.Stderr, "hob: %s is still off everywhere: hob tool enable %s\n", one.Tool, one.Tool)
			}
			if on && one.Excluded {
				fmt.Fprintf(a.Stderr, "hob: the configuration still leaves %s out: see [shell] enabled and [policy] tools\n", one.Tool)
			}
		}
		return text, nil
	})
}
