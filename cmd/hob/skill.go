package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/session"
	local "hob/internal/surface/http"
	"hob/internal/tools"
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
	run := func(do func(ctx context.Context, h *conversation, chat event.Chat, args []string) error) func(*cobra.Command, []string) error {
		return does(func(ctx context.Context, args []string) error {
			return a.withSkills(ctx, event.Chat(chat), func(h *conversation) error { return do(ctx, h, event.Chat(chat), args) })
		})
	}
	one := wants(1, 1, "say which skill, of those that hob skill list lists")
	add(&cobra.Command{
		Use: "list", Short: "list the skills", Args: cobra.NoArgs,
		RunE: run(func(ctx context.Context, h *conversation, chat event.Chat, _ []string) error {
			return a.listSkills(ctx, h, chat, asJSON)
		}),
	}, true)
	add(&cobra.Command{
		Use: "show NAME", Short: "print what a skill says, and what it may", Args: one,
		RunE: run(func(ctx context.Context, h *conversation, chat event.Chat, args []string) error {
			return a.showSkill(ctx, h, chat, args[0], asJSON)
		}),
	}, true)
	add(&cobra.Command{
		Use: "open NAME", Short: "open a skill in a chat", Args: one,
		RunE: run(func(ctx context.Context, h *conversation, chat event.Chat, args []string) error {
			return a.switchSkill(ctx, h, chat, args[0], true)
		}),
	}, false)
	add(&cobra.Command{
		Use: "close NAME", Short: "close a skill in a chat: its tools leave the model's list", Args: one,
		RunE: run(func(ctx context.Context, h *conversation, chat event.Chat, args []string) error {
			return a.switchSkill(ctx, h, chat, args[0], false)
		}),
	}, false)
	cmd.AddCommand(newSkillCommand(a), checkSkillCommand(a))
	return cmd
}

// withSkills does something with the hob that runs, or as one.
func (a *program) withSkills(ctx context.Context, chat event.Chat, do func(h *conversation) error) error {
	s, err := a.beside(ctx)
	if err != nil {
		return err
	}
	if err := session.CheckName(chat); err != nil {
		return exit.Errorf(exit.Usage, "%v", err)
	}
	h, err := a.reach(ctx, s, app.NewModel(s), "hob skill")
	if err != nil {
		return err
	}
	return closeAll(do(h), h.Close())
}

// listSkills prints the skills that are there in a chat.
func (a *program) listSkills(ctx context.Context, h talk, chat event.Chat, asJSON bool) error {
	list, err := h.skillList(ctx, chat)
	if err != nil {
		return err
	}
	if asJSON {
		for i := range list.Skills {
			list.Skills[i].Instructions = "" // hob skill show has them
		}
		return a.printJSON(list)
	}
	var b strings.Builder
	for _, s := range list.Skills {
		fmt.Fprintf(&b, "%s  %s%s\n    %s\n", s.Name, stateOf(s), trustOf(s), inLine(s.Description))
		if names := toolNames(s); names != "" {
			fmt.Fprintf(&b, "    tools: %s\n", names)
		}
	}
	if len(list.Skills) == 0 {
		b.WriteString("There are no skills here.\n")
	}
	for _, p := range list.Problems {
		fmt.Fprintf(&b, "! %s\n", inLine(p))
	}
	_, err = fmt.Fprint(a.stdout, a.plain(b.String()))
	return err
}

// stateOf says whether a skill is open, who opened it, and where it comes from.
func stateOf(s local.Skill) string {
	state := "closed"
	if s.Open {
		state = "open"
	}
	switch {
	case s.Open && s.By == "message":
		state += " (a message was about it)"
	case s.Open && s.By != "":
		state += " (by " + inLine(s.By) + ")"
	}
	return state + ", " + inLine(s.Source)
}

func trustOf(s local.Skill) string {
	if s.Trusted {
		return ""
	}
	return ", not trusted"
}

func toolNames(s local.Skill) string {
	var names []string
	for _, t := range s.Tools {
		names = append(names, inLine(t.Name))
	}
	return strings.Join(names, ", ")
}

// inLine is a text of somebody else's in one line.
func inLine(text string) string { return strings.Join(strings.Fields(display.Clean(text)), " ") }

// showSkill prints all that there is to say of a skill.
func (a *program) showSkill(ctx context.Context, h talk, chat event.Chat, name string, asJSON bool) error {
	list, err := h.skillList(ctx, chat)
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
	fmt.Fprintf(&b, "%s  %s%s\n%s\n", s.Name, stateOf(s), trustOf(s), strings.TrimSpace(s.Description))
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
func limitsOf(s local.Skill) string {
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
func (a *program) switchSkill(ctx context.Context, h talk, chat event.Chat, name string, open bool) error {
	text, err := turnSkill(ctx, h, chat, name, open)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.stdout, a.plain(text))
	return err
}

// turnSkill opens or closes a skill for who sits at this machine, and returns a sentence about it.
func turnSkill(ctx context.Context, h talk, chat event.Chat, name string, open bool) (string, error) {
	list, err := h.skillList(ctx, chat)
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
func openedSentence(ctx context.Context, h talk, chat event.Chat, name string) (string, error) {
	text := fmt.Sprintf("The skill %s is open in %s", name, chat)
	list, err := h.skillList(ctx, chat)
	if err != nil {
		return "", err
	}
	if s, err := skillNamed(list, name); err == nil && toolNames(s) != "" {
		return text + ": " + toolNames(s) + ".", nil
	}
	return text + ".", nil
}

// skillNamed returns the skill of a name, in small and capital letters alike, or one sentence that says which was meant.
func skillNamed(list local.SkillList, name string) (local.Skill, error) {
	var names []string
	for _, s := range list.Skills {
		if strings.EqualFold(s.Name, strings.TrimSpace(name)) {
			return s, nil
		}
		names = append(names, s.Name)
	}
	switch near := tools.Nearest(name, names); {
	case near != "":
		return local.Skill{}, exit.Errorf(exit.Usage, "there is no skill %q here: did you mean %s?", name, near)
	case len(names) == 0:
		return local.Skill{}, exit.Errorf(exit.Usage, "there is no skill %q: there are none here", name)
	}
	return local.Skill{}, exit.Errorf(exit.Usage, "there is no skill %q here: there are %s", name, strings.Join(names, ", "))
}

// skillHelp is what /help says of skills and tools.
const skillHelp = `  /skill  the skills; /skill NAME opens one in this chat, /skill close NAME closes it
  /tools  the tools: each is a command, such as /list_files notes, and no model is asked
  /help NAME  how a tool is called
`

// errTool says that a line calls a tool, which is a turn of its own.
var errTool = errors.New("it calls a tool")

// skillLine does what a line about skills or tools says, and reports whether it is one.
func (a *program) skillLine(ctx context.Context, h talk, chat event.Chat, line string) (bool, error) {
	words := strings.Fields(line)
	switch word := strings.ToLower(words[0]); {
	case word == "/skill" || word == "/skills":
		switch {
		case len(words) == 1:
			return true, a.listSkills(ctx, h, chat, false)
		case len(words) == 2:
			return true, a.switchSkill(ctx, h, chat, words[1], true)
		case len(words) == 3 && (words[1] == "close" || words[1] == "open"):
			return true, a.switchSkill(ctx, h, chat, words[2], words[1] == "open")
		}
		return true, errors.New("/skill lists the skills, /skill NAME opens one, /skill close NAME closes it")
	case word == "/tools" && len(words) == 1:
		return true, a.tellCommands(ctx, h, chat, "")
	case word == "/help" && len(words) == 2:
		return true, a.tellCommands(ctx, h, chat, words[1])
	}
	return false, nil
}

// tellCommands prints how a tool is called as a command, or each in two lines.
func (a *program) tellCommands(ctx context.Context, h talk, chat event.Chat, name string) error {
	all, err := h.commands(ctx, chat)
	if err != nil {
		return err
	}
	var b strings.Builder
	var names []string
	for _, c := range all {
		names = append(names, c.Name)
		if name == "" {
			fmt.Fprintf(&b, "/%s\n    %s\n", c.Line, inLine(c.About))
		}
		word, _, _ := strings.Cut(c.Line, " ")
		if name = strings.TrimPrefix(name, "/"); strings.EqualFold(c.Name, name) || strings.EqualFold(word, name) {
			b.WriteString("/" + c.Usage)
		}
	}
	if b.Len() == 0 && name != "" {
		if near := tools.Nearest(name, names); near != "" {
			return fmt.Errorf("there is no tool %q here: did you mean %s?", name, near)
		}
		return fmt.Errorf("there is no tool %q here: /tools lists them", name)
	}
	_, err = fmt.Fprint(a.stdout, a.plain(b.String()))
	return err
}
