package prompt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/commands"
	"hob/internal/display"
	"hob/internal/surface/cli"
	"hob/internal/surface/http/api"
	"hob/internal/tools"
)

// errLeave is the error of a line that leaves the prompt.
var errLeave = errors.New("leave")

// ownCommands are the commands of the prompt itself; the others are those of every surface.
func ownCommands() commands.Table {
	return commands.NewTable(
		commands.Command{Name: "new", Summary: "begin a new conversation: the model forgets the old one, the journal does not"},
		commands.Command{Name: "stop", Summary: "stop the turn that runs in this chat, such as one that began elsewhere"},
		commands.Command{Name: "edit", Summary: "write the next message in your editor, as Ctrl-G does"},
		commands.Command{Name: "tour", Summary: "show in a minute what hob does, in a folder of its own"},
		commands.Command{Name: "help", Args: []commands.Arg{{Name: "NAME"}}, Summary: "this; or how a tool is called"},
		commands.Command{Name: "quit", Alias: "exit", Summary: "leave, as Ctrl-D does"},
	)
}

// tables are all commands, in the order in which help shows them.
func tables() []commands.Table { return []commands.Table{commands.New(commands.Deps{}), ownCommands()} }

// byOwner is a command of the owner's at the prompt.
func byOwner() commands.Request {
	return commands.Request{Surface: commands.Terminal, From: "owner", Principal: app.LocalOwner()}
}

// helpText is what /help prints in a language.
func helpText(lang string) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, t := range tables() {
		for _, c := range t.For(byOwner()) {
			fmt.Fprintf(w, "  %s\t%s\n", strings.TrimSpace("/"+c.Name+" "+c.Usage()), app.Translate(lang, "", c.Summary))
		}
	}
	_ = w.Flush() // to memory: it cannot fail
	for _, key := range []string{"help.tools", "help.keys", "help.stop"} {
		b.WriteString("  " + cli.Words(lang).Text(key) + "\n")
	}
	return b.String()
}

// completeLine returns the lines that one can become.
func completeLine(line string) (all []string) {
	for _, t := range tables() {
		all = append(all, t.Complete(line, byOwner())...)
	}
	return all
}

// isToolCall reports whether a line that begins with a slash names no command, and so a tool.
func isToolCall(line string) bool {
	name, _ := commands.Split(line)
	for _, t := range tables() {
		if _, ok := t.Find(name, commands.Terminal); ok {
			return false
		}
	}
	return name != "q" // quit, too
}

// runCommand runs a line that names a command.
func (c *conversation) runCommand(ctx context.Context, line string) error {
	name, args := commands.Split(line)
	hint := ""
	switch {
	case name == "quit" || name == "exit" || name == "q":
		return errLeave
	case name == "help" && args == "":
		_, err := fmt.Fprint(c.out, helpText(c.language()))
		return err
	case name == "help":
		name = "tools"
	case name == "new":
		return c.begin(ctx)
	case name == "tour" && c.Tour != nil:
		return c.lend(func() error { return c.Tour(ctx) })
	case name == "edit":
		return c.edit()
	case name == "stop" && args == "":
		return c.stopTurn(ctx)
	case name == "stop": // of a process, which is the old name of kill
		name, hint = "kill", "\n\n"+commands.OldNameHint("stop N", "kill N")+"."
	}
	reply, err := c.client.Command(ctx, api.CommandRequest{Name: name, Args: args, Chat: c.Chat})
	own, err := app.TranslateAnswer(c.language(), name, commands.Answer{Text: reply.Text + hint, Choices: reply.Choices}, err)
	if err != nil {
		return err
	}
	reply.Text, reply.Choices = own.Text, own.Choices
	_, err = fmt.Fprint(c.rendered(), renderReply(c.terminal, reply))
	return err
}

// RunCommand runs a line that names a command at the prompt, for who has no prompt. It reports whether the line does. What would
// begin a turn in this very process, which then ends, has a command of its own that plays it.
func RunCommand(ctx context.Context, t *cli.Terminal, h *client.Client, o Options, line string) (is bool, err error) {
	c := &conversation{Options: o, terminal: t, client: h, out: t.WrapWriter(t.Out), err: t.Err, language: t.Language}
	text, _, is := c.readLine(ctx, line)
	if !is || !tools.IsCommand(line) {
		return false, nil
	}
	if c.Fresh {
		if err := h.Reset(ctx, c.Chat); err != nil {
			return true, err
		}
	}
	name, args := commands.Split(text)
	if h.Here != nil && (name == "retry" || name == "approve" && args != "") {
		return true, fmt.Errorf("no hob is running: %s does it and shows what comes of it", strings.TrimSpace("hob "+name+" "+args))
	}
	err = c.runCommand(ctx, text)
	if errors.Is(err, errLeave) {
		err = errors.New("there is no prompt to leave")
	}
	return true, err
}

// rendered is where text goes that has its lines and looks already.
func (c *conversation) rendered() io.Writer {
	if c.screen != nil {
		return c.screen
	}
	return c.terminal.Out
}

// begin begins a new conversation.
func (c *conversation) begin(ctx context.Context) error {
	if err := c.client.Reset(ctx, c.Chat); err != nil {
		return err
	}
	_, err := fmt.Fprintln(c.out, cli.Words(c.language()).Text("new"))
	return err
}

// stopTurn stops the turn that runs in the chat.
func (c *conversation) stopTurn(ctx context.Context) error {
	stopped, err := c.client.Stop(ctx, c.Chat)
	if err == nil && !stopped {
		err = errors.New("no turn is running")
	}
	return err
}

// mostChoices is how many rows of choices a terminal shows. A keyboard of more, such as the switches of all tools, would only repeat what
// the text says.
const mostChoices = 10

// renderReply renders the answer of a command for a terminal. The choices are lines to type.
func renderReply(t *cli.Terminal, reply api.CommandReply) string {
	width := 0
	if cli.IsTerminal(t.Out) {
		width, _ = t.Size()
	}
	var b strings.Builder
	if text, is := unfence(reply.Text); is && width > 0 {
		b.WriteString(cli.Wrap(text, width) + "\n")
	} else {
		b.WriteString(cli.Markdown(keepLines(reply.Text), width, t.Color()))
	}
	if len(reply.Choices) > mostChoices {
		return b.String()
	}
	for _, row := range reply.Choices {
		for _, c := range row {
			b.WriteString(cli.Wrap(fmt.Sprintf("  %s: %s", commands.OneLine(c.Label), commands.OneLine(c.Line)), width) + "\n")
		}
	}
	return b.String()
}

// unfence returns the text of an answer that is one block to be shown as it is, such as how a tool is called, and reports whether
// it is one.
func unfence(text string) (string, bool) {
	first, rest, _ := strings.Cut(text, "\n")
	if fence := strings.Trim(first, "`"); fence != "" || len(first) < len("```") {
		return "", false
	}
	inner, ok := strings.CutSuffix(strings.TrimSpace(rest), "\n"+first)
	return display.Clean(inner), ok && !strings.Contains(inner, first)
}

// keepLines returns Markdown whose lines end where they do in text, as on a phone: alone, the end of a line is a blank.
func keepLines(text string) string {
	lines, fenced := strings.Split(text, "\n"), false
	for i, line := range lines {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		} else if !fenced && line != "" {
			lines[i] += "  "
		}
	}
	return strings.Join(lines, "\n")
}
