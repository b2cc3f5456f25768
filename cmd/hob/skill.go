package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/commands"
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
		return a.printJSON(list.Brief()) // hob skill show has the instructions
	}
	var b strings.Builder
	for _, s := range list.Skills {
		fmt.Fprintf(&b, "%s  %s%s\n    %s\n", s.Name, stateOf(s), s.TrustWords(), commands.InLine(s.Description))
		if names := toolNames(s); names != "" {
			fmt.Fprintf(&b, "    tools: %s\n", names)
		}
	}
	if len(list.Skills) == 0 {
		b.WriteString("There are no skills here.\n")
	}
	for _, p := range list.Problems {
		fmt.Fprintf(&b, "! %s\n", commands.InLine(p))
	}
	_, err = fmt.Fprint(a.stdout, a.plain(b.String()))
	return err
}

// stateOf says whether a skill is open, who opened it, and where it comes from.
func stateOf(s commands.Skill) string {
	state := "closed"
	if s.Open {
		state = "open"
	}
	switch {
	case s.Open && s.By == "message":
		state += " (a message was about it)"
	case s.Open && s.By != "":
		state += " (by " + commands.InLine(s.By) + ")"
	}
	return state + ", " + commands.InLine(s.Source)
}

func toolNames(s commands.Skill) string {
	var names []string
	for _, t := range s.Tools {
		names = append(names, commands.InLine(t.Name))
	}
	return strings.Join(names, ", ")
}

// showSkill prints all that there is to say of a skill.
func (a *program) showSkill(ctx context.Context, h client.Backend, chat event.Chat, name string, asJSON bool) error {
	list, err := h.SkillList(ctx, chat)
	if err != nil {
		return err
	}
	s, err := skillNamed(list, name)
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(s)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s%s\n%s\n", s.Name, stateOf(s), s.TrustWords(), strings.TrimSpace(s.Description))
	for _, part := range []struct{ head, text string }{{"Conventions", s.Conventions}, {"Instructions", s.Instructions}} {
		if text := strings.TrimSpace(part.text); text != "" {
			fmt.Fprintf(&b, "\n%s\n%s\n", part.head, text)
		}
	}
	if len(s.Tools) > 0 {
		b.WriteString("\nTools\n")
	}
	for _, t := range s.Tools {
		line := t.Usage
		if line == "" {
			line = t.Name
		}
		if t.Listed {
			line += "  (the model is told of it)"
		}
		fmt.Fprintf(&b, "  %s\n", line)
	}
	b.WriteString("\n" + limitsOf(s))
	_, err = fmt.Fprint(a.stdout, a.plain(b.String()))
	return err
}

// limitsOf says for whom and where a skill is there, and what a turn about it may do, in lines.
func limitsOf(s commands.Skill) string {
	var b strings.Builder
	line := func(head string, all []string, none string) {
		if text := strings.Join(all, ", "); text != "" || none != "" {
			if text == "" {
				text = none
			}
			fmt.Fprintf(&b, "%-10s %s\n", head, text)
		}
	}
	line("level", []string{s.Level.String()}, "")
	line("platforms", s.Platforms, "all")
	line("scopes", s.Scopes, "all")
	line("keywords", s.Keywords, "")
	line("tags", s.Tags, "")
	line("pages", s.Pages, "")
	if s.Narrows {
		line("allowed", s.Allowed, "nothing but its own tools")
	}
	if s.Leads {
		line("leads", []string{"the chat, while it is open"}, "")
	}
	return b.String()
}

// switchSkill opens or closes a skill.
func (a *program) switchSkill(ctx context.Context, h client.Backend, chat event.Chat, name string, open bool) error {
	text, err := turnSkill(ctx, h, chat, name, open)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.stdout, a.plain(text))
	return err
}

// turnSkill opens or closes a skill for who sits at this machine, and returns a sentence about it.
func turnSkill(ctx context.Context, h client.Backend, chat event.Chat, name string, open bool) (string, error) {
	list, err := h.SkillList(ctx, chat)
	if err != nil {
		return "", err
	}
	s, err := skillNamed(list, name)
	if err != nil {
		return "", err
	}
	w := session.Wish{Chat: chat, Skill: s.Name, By: "owner", Standing: app.LocalOwner()}
	switch {
	case open && s.Open:
		return fmt.Sprintf("The skill %s is open in %s already.", s.Name, chat), nil
	case open:
		if err := h.OpenSkill(ctx, w); err != nil {
			return "", err
		}
		return openedSentence(ctx, h, chat, s.Name)
	case !s.Open:
		return fmt.Sprintf("The skill %s is not open in %s.", s.Name, chat), nil
	}
	return fmt.Sprintf("The skill %s is closed in %s.", s.Name, chat), h.CloseSkill(ctx, w)
}

// openedSentence says that a skill is open now, and with which tools.
func openedSentence(ctx context.Context, h client.Backend, chat event.Chat, name string) (string, error) {
	text := fmt.Sprintf("The skill %s is open in %s", name, chat)
	list, err := h.SkillList(ctx, chat)
	if err != nil {
		return "", err
	}
	if s, err := skillNamed(list, name); err == nil && toolNames(s) != "" {
		return text + ": " + toolNames(s) + ".", nil
	}
	return text + ".", nil
}

// skillNamed returns the skill of a name, or one sentence that says which was meant.
func skillNamed(list commands.SkillList, name string) (commands.Skill, error) {
	s, err := list.Named(name)
	if err != nil {
		return s, exit.Errorf(exit.Usage, "%v", err)
	}
	return s, nil
}
