// Package prompt is the open prompt: a person types lines, and each is a turn, a command or a call of a tool.
//
//   - A line that begins with a slash is a command of the prompt itself, such as /stop, or one of package commands, or a tool.
//     In a chat with an open story, the story takes some of them.
//   - At a terminal (live.go) a person can type at any time, with editing, completion and a history. One goroutine shows what
//     happens in the chat, whoever began it, above the line.
//   - Elsewhere (this file) a line is a line of the input, and each is played to its end before the next is read.
package prompt

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/surface/cli"
	"hob/internal/surface/cli/live"
	"hob/internal/tools"
)

// Options says which conversation is held.
type Options struct {
	Chat    event.Chat
	Fresh   bool     // begin a new conversation
	Opening []string // lines that are played before the first is read; the first of them is a command
	Story   bool     // show only what players see
	Notes   []string // lines that are shown before the first line is read
	Shows   []int64  // the events of the chat that Notes tell

	Tour func(context.Context) error // what /tour plays; nil: nothing
	// Unanswered is called, at a terminal, after a turn that no model answered. nil: nothing is.
	Unanswered func(context.Context) (Offer, error)
}

// An Offer is something that hob could do. What has no question only says something.
type Offer struct {
	Note      string                      // what there is to say; "": nothing
	Question  string                      // asks whether to do it
	Otherwise string                      // what is said if the answer is not yes
	Do        func(context.Context) error // does it, on a terminal that nobody else writes to
}

// conversation is a conversation at the prompt.
type conversation struct {
	Options
	terminal *cli.Terminal
	client   *client.Client
	out, err io.Writer     // for answers of commands, and for errors
	seen     int64         // the Seq of the last event that was shown
	screen   *live.Prompt  // nil without a terminal
	language func() string // in which hob speaks
}

// Run plays the lines that it reads, until the input ends or a line leaves.
func Run(ctx context.Context, t *cli.Terminal, env *app.Environment, h *client.Client, o Options) error {
	c := &conversation{Options: o, terminal: t, client: h, out: t.Out, err: t.Err, language: t.Language}
	if err := c.playOpening(ctx); err != nil {
		return err
	}
	if c.Fresh {
		if err := h.Reset(ctx, c.Chat); err != nil {
			return err
		}
	}
	if t.IsInteractive() && t.Env("TERM") != "dumb" {
		return runLive(ctx, c, env)
	}
	for _, note := range c.Notes {
		fmt.Fprintf(t.Err, "· %s\n", note)
	}
	return c.playLines(ctx)
}

// playOpening plays the lines that open the conversation. Each has to be done.
func (c *conversation) playOpening(ctx context.Context) error {
	for i, line := range c.Opening {
		end, err := c.playTurn(ctx, line, i == 0, i+1 < len(c.Opening))
		if err != nil {
			return err
		}
		if end.Reason != event.Done {
			return exit.Silently(exit.Failed)
		}
	}
	return nil
}

// playLines plays the lines of the input, to its end.
func (c *conversation) playLines(ctx context.Context) error {
	scan := bufio.NewScanner(c.terminal.In)
	scan.Buffer(nil, client.MaxInput)
	for scan.Scan() {
		if err := c.playLine(ctx, strings.TrimSpace(scan.Text())); errors.Is(err, errLeave) {
			return nil
		} else if err != nil {
			return err
		}
	}
	if err := scan.Err(); err != nil {
		return fmt.Errorf("read standard input: %w", err)
	}
	return nil
}

// playLine plays one line. The error of a command is printed; any other ends the conversation.
func (c *conversation) playLine(ctx context.Context, line string) error {
	text, isCall, isCommand := c.readLine(ctx, line)
	if isCommand {
		err := c.runCommand(ctx, text)
		if errors.Is(err, errLeave) {
			return err
		}
		return c.printError(err)
	}
	if text == "" {
		return nil
	}
	_, err := c.playTurn(ctx, text, isCall, false)
	if away := (*client.AwayError)(nil); errors.As(err, &away) { // nobody is there to whom the prompt could be given back
		return away.ExitError()
	}
	return err
}

// readLine says what a line is: words for the chat, the call of a tool, or a command of the prompt.
func (c *conversation) readLine(ctx context.Context, line string) (text string, isCall, isCommand bool) {
	if command, ok := strings.CutPrefix(line, "!"); ok && strings.TrimSpace(command) != "" {
		return "/run_command " + strings.TrimSpace(command), true, false
	}
	switch {
	case line == "exit" || line == "quit":
		return "/quit", false, true
	case !tools.IsCommand(line) || c.isForStory(ctx, line):
		return line, false, false
	case isToolCall(line):
		return line, true, false
	}
	return line, false, true
}

// printError prints an error that does not end the conversation, if there is one.
func (c *conversation) printError(err error) error {
	if err != nil && !errors.Is(err, cli.ErrInterrupted) {
		fmt.Fprintf(c.err, "hob: %s\n", app.Translate(c.language(), "", err.Error()))
	}
	return nil
}

// playTurn plays the turn of a line. isCall says that the line calls a tool, goesOn that another line follows by itself.
func (c *conversation) playTurn(ctx context.Context, line string, isCall, goesOn bool) (event.Ended, error) {
	view := client.NewView(c.terminal, false)
	if c.Story {
		view = &storyView{View: view, goesOn: goesOn, plain: !cli.IsTerminal(c.terminal.Out)}
	}
	q := &client.Question{
		Chat: string(c.Chat), ID: rand.Text(), Text: line, Command: isCall, Typed: !isCall && cli.IsTerminal(c.terminal.In), After: c.seen,
	}
	end, err := c.client.Turn(ctx, q, view)
	c.seen = q.After
	return end, err
}
