package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/session"
)

func skillCommand(a *program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "skill", Short: "what hob knows how to do: list, open and close skills, and write your own",
		Args: checkArgs(0, 0, "say what to do: hob skill list, show, open, close, new or check"),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var chat string
	add := func(c *cobra.Command) {
		c.Flags().StringVar(&chat, "chat", "main", "conversation")
		cmd.AddCommand(c)
	}
	one := checkArgs(1, 1, "say which skill, of those that hob skill list lists")
	add(a.withOwnResult(&cobra.Command{Use: "list", Short: "list the skills", Args: cobra.NoArgs}, func(ctx context.Context, _ []string) (got result, _ error) {
		err := a.withSkills(ctx, event.Chat(chat), func(h *client.Client) error {
			list, err := h.SkillList(ctx, event.Chat(chat))
			got = result{value: list.WithoutInstructions(), text: a.terminal().Clean(list.Lines())} // hob skill show prints the instructions
			return err
		})
		return got, err
	}))
	add(a.withOwnResult(&cobra.Command{
		Use: "show NAME", Short: "print what a skill says, and what it may", Args: one,
	}, func(ctx context.Context, args []string) (got result, _ error) {
		err := a.withSkills(ctx, event.Chat(chat), func(h *client.Client) error {
			s, err := client.FindSkill(ctx, h, event.Chat(chat), args[0])
			got = result{value: s, text: a.terminal().Clean(s.Details())}
			return err
		})
		return got, err
	}))
	add(&cobra.Command{
		Use: "open NAME", Short: "open a skill in a chat", Args: one,
		RunE: asRunE(func(ctx context.Context, args []string) error {
			return a.switchSkill(ctx, event.Chat(chat), args[0], true)
		}),
	})
	add(&cobra.Command{
		Use: "close NAME", Short: "close a skill in a chat: its tools leave the model's list", Args: one,
		RunE: asRunE(func(ctx context.Context, args []string) error {
			return a.switchSkill(ctx, event.Chat(chat), args[0], false)
		}),
	})
	cmd.AddCommand(newSkillCommand(a), checkSkillCommand(a))
	return cmd
}

// withSkills calls do with the running hob, or with one in this process.
func (a *program) withSkills(ctx context.Context, chat event.Chat, do func(h *client.Client) error) error {
	s, err := client.LoadBeside(ctx, a.Loader)
	if err != nil {
		return err
	}
	if err := session.CheckName(chat); err != nil {
		return exit.Errorf(exit.Usage, "%v", err)
	}
	h, err := client.Reach(ctx, a.Loader, s, app.NewModel(s), "hob skill", a.modelWait())
	if err != nil {
		return err
	}
	return cmp.Or(do(h), h.Close())
}

// switchSkill opens or closes a skill.
func (a *program) switchSkill(ctx context.Context, chat event.Chat, name string, open bool) error {
	return a.withSkills(ctx, chat, func(h *client.Client) error {
		text, err := client.SwitchSkill(ctx, h, chat, name, open)
		if err == nil {
			_, err = fmt.Fprintln(a.out, a.terminal().Clean(text))
		}
		return err
	})
}
