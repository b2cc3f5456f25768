package main

import (
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
		Long: "A skill is words and tools that belong together. It opens in a chat when a message is about it, when the model wants it,\n" +
			"or when you say so, and stays open until you close it or begin a new conversation.",
		Example: "  hob skill list\n  hob skill show memory\n  hob skill open memory --chat main\n  hob skill new tea-time\n  hob skill check tea-time",
		Args:    wants(0, 0, "say what to do: hob skill list, show, open, close, new or check"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var chat string
	var asJSON bool
	add := func(c *cobra.Command, jsons bool) {
		c.Flags().StringVar(&chat, "chat", "main", "conversation")
		if jsons {
			c.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
		}
		cmd.AddCommand(c)
	}
	run := func(do func(ctx context.Context, h *client.Client, chat event.Chat, args []string) error) func(*cobra.Command, []string) error {
		return does(func(ctx context.Context, args []string) error {
			return a.withSkills(ctx, event.Chat(chat), func(h *client.Client) error { return do(ctx, h, event.Chat(chat), args) })
		})
	}
	one := wants(1, 1, "say which skill, of those that hob skill list lists")
	add(&cobra.Command{
		Use: "list", Short: "list the skills", Args: cobra.NoArgs,
		RunE: run(func(ctx context.Context, h *client.Client, chat event.Chat, _ []string) error {
			return a.listSkills(ctx, h, chat, asJSON)
		}),
	}, true)
	add(&cobra.Command{
		Use: "show NAME", Short: "print what a skill says, and what it may", Args: one,
		RunE: run(func(ctx context.Context, h *client.Client, chat event.Chat, args []string) error {
			return a.showSkill(ctx, h, chat, args[0], asJSON)
		}),
	}, true)
	add(&cobra.Command{
		Use: "open NAME", Short: "open a skill in a chat", Args: one,
		RunE: run(func(ctx context.Context, h *client.Client, chat event.Chat, args []string) error {
			return a.switchSkill(ctx, h, chat, args[0], true)
		}),
	}, false)
	add(&cobra.Command{
		Use: "close NAME", Short: "close a skill in a chat: its tools leave the model's list", Args: one,
		RunE: run(func(ctx context.Context, h *client.Client, chat event.Chat, args []string) error {
			return a.switchSkill(ctx, h, chat, args[0], false)
		}),
	}, false)
	cmd.AddCommand(newSkillCommand(a), checkSkillCommand(a))
	return cmd
}

// withSkills does something with the hob that runs, or as one.
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
	return closeAll(do(h), h.Close())
}

// listSkills prints the skills that are there in a chat.
func (a *program) listSkills(ctx context.Context, h client.Backend, chat event.Chat, asJSON bool) error {
	list, err := h.SkillList(ctx, chat)
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(list.WithoutInstructions()) // hob skill show has the instructions
	}
	_, err = fmt.Fprint(a.stdout, a.terminal().Clean(list.Lines()))
	return err
}

// showSkill prints all that there is to say of a skill.
func (a *program) showSkill(ctx context.Context, h client.Backend, chat event.Chat, name string, asJSON bool) error {
	s, err := client.FindSkill(ctx, h, chat, name)
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(s)
	}
	_, err = fmt.Fprint(a.stdout, a.terminal().Clean(s.Details()))
	return err
}

// switchSkill opens or closes a skill.
func (a *program) switchSkill(ctx context.Context, h client.Backend, chat event.Chat, name string, open bool) error {
	text, err := client.SwitchSkill(ctx, h, chat, name, open)
	if err == nil {
		_, err = fmt.Fprintln(a.stdout, a.terminal().Clean(text))
	}
	return err
}
