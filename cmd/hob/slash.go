package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/surface/cli"
	"hob/internal/surface/http/api"
)

// errLeave is what a line that ends the prompt comes to.
var errLeave = errors.New("leave")

// errTool says that a line calls a tool, which is a turn of its own.
var errTool = errors.New("it calls a tool")

// ownLines are the commands of the prompt itself; the others are those of the table.
func ownLines() commands.Table {
	return commands.NewTable(
		commands.Command{Name: "new", Summary: "begin a new conversation: the model forgets the old one, the journal does not"},
		commands.Command{Name: "stop", Args: []commands.Arg{{Name: "N"}}, Summary: "stop the turn that runs in this chat, such as one that began elsewhere; or job N"},
		commands.Command{Name: "yes", Summary: "allow, once, what was asked last"},
		commands.Command{Name: "no", Summary: "deny it"},
		commands.Command{Name: "help", Args: []commands.Arg{{Name: "NAME"}}, Summary: "this; or how a tool is called"},
		commands.Command{Name: "quit", Alias: "exit", Summary: "leave, as Ctrl-D does"},
	)
}

// atPrompt is the owner at the prompt.
func atPrompt(chat event.Chat) commands.Request {
	return commands.Request{Surface: commands.Terminal, Chat: chat, From: "owner", Standing: app.LocalOwner()}
}

// help is what /help prints.
func help() string {
	var b strings.Builder
	for _, t := range []commands.Table{commands.New(commands.Deps{}), ownLines()} {
		for _, c := range t.For(atPrompt("")) {
			fmt.Fprintf(&b, "  %-29s %s\n", strings.TrimSpace("/"+c.Name+" "+c.Usage()), c.Summary)
		}
	}
	b.WriteString("  Every tool is a command, too, such as /list_files notes, and no model is asked.\n")
	b.WriteString("  Ctrl-C stops the running turn, or parks the one that waits for the model; twice leaves. A line that ends in \\ goes on in the next.\n")
	return b.String()
}

// completions are the lines that one can become.
func completions(line string) []string {
	by := atPrompt("")
	return append(commands.New(commands.Deps{}).Complete(line, by), ownLines().Complete(line, by)...)
}

// slash does what a line that begins with a word after a / says. Its error is errTool where that word is none of hob's own.
func (a *program) slash(ctx context.Context, h *client.Client, o *others, line string) error {
	name, args := commands.Split(line)
	switch {
	case name == "quit" || name == "exit" || name == "q":
		return errLeave
	case name == "help" && args != "":
		name = "tools"
	case name == "help":
		_, err := fmt.Fprint(a.stdout, help())
		return err
	case name == "new":
		if err := h.Reset(ctx, o.chat); err != nil {
			return err
		}
		_, err := fmt.Fprintln(a.stdout, "A new conversation begins.")
		return err
	case name == "stop" && args != "":
		name, args = "jobs", "stop "+args
	}
	if done, err := a.controlLine(ctx, h, o, "/"+name); done {
		return err
	}
	if _, ok := commands.New(commands.Deps{}).Find(name, commands.Terminal); !ok {
		return errTool
	}
	reply, err := h.Command(ctx, api.CommandRequest{Name: name, Args: args, Chat: o.chat})
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(a.stdout, a.render(reply))
	return err
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

// render is the answer of a command for the terminal. What can be done next are lines to type.
func (a *program) render(reply api.CommandReply) string {
	width := 0
	if isTerminal(a.stdout) {
		width, _ = a.size()
	}
	var b strings.Builder
	b.WriteString(cli.Markdown(keepLines(reply.Text), width, a.color()))
	for _, row := range reply.Choices {
		for _, c := range row {
			fmt.Fprintf(&b, "  %s: %s\n", commands.OneLine(c.Label), commands.OneLine(c.Line))
		}
	}
	return b.String()
}
