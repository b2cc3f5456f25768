// Package prompt is the open prompt: a person types lines, and each is a turn, a command or a call of a tool.
//
//   - [Run] reads lines until the input ends, and plays them one after another.
//   - A line that begins with a slash is a command of the prompt itself, such as /stop, or one of package commands, or a tool.
//     In a chat with an open story, the story takes some of them.
//   - While a line is being read, a watcher shows what else happens in the chat, above that line.
//
// At a terminal lines are edited and completed, and there is a history; without one a line is a line of the input, and no
// watcher runs. Only one goroutine at a time shows events: the watcher stops before a line is played.
package prompt

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"strings"
	"syscall"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/surface/cli"
	"hob/internal/tools"
)

// Options says which conversation is held.
type Options struct {
	Chat    event.Chat
	Fresh   bool     // begin a new conversation
	Opening []string // lines that are played before the first is read; the first of them is a command
	Story   bool     // show only what players see
	Notes   []string // lines that are shown before the first line is read

	Tour       func(context.Context) error // what /tour plays; nil: nothing
	Unanswered func(context.Context) error // called, at a terminal, after a turn that no model answered; nil: nothing is
}

// conversation is a conversation at the prompt.
type conversation struct {
	Options
	terminal *cli.Terminal
	client   *client.Client
	keyboard *cli.Prompt // nil without a terminal
	read     func(context.Context) (string, error)
	watcher  *watcher
}

// Run plays the lines that it reads, until the input ends or a line leaves.
func Run(ctx context.Context, t *cli.Terminal, env *app.Environment, h *client.Client, o Options) error {
	c := &conversation{Options: o, terminal: t, client: h}
	if err := c.playOpening(ctx); err != nil {
		return err
	}
	if c.Fresh {
		if err := h.Reset(ctx, c.Chat); err != nil {
			return err
		}
	}
	if err := c.openInput(env.HistoryPath()); err != nil {
		return err
	}
	h.GivesPromptBack = c.keyboard != nil
	for _, note := range c.Notes {
		fmt.Fprintf(t.Err, "· %s\n", note)
	}
	var err error
	if c.watcher, err = newWatcher(ctx, c, env); err != nil {
		return err
	}
	return c.playLines(ctx)
}

// playOpening plays the lines that open the conversation. Each has to be done.
func (c *conversation) playOpening(ctx context.Context) error {
	c.watcher = &watcher{client: c.client, chat: c.Chat}
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

// playLines reads lines and plays them. The second interrupt in a row leaves.
func (c *conversation) playLines(ctx context.Context) error {
	for interrupted := false; ; {
		line, err := c.readLine(ctx)
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, context.Canceled), errors.Is(err, cli.ErrInterrupted) && interrupted:
			return nil
		case errors.Is(err, cli.ErrInterrupted):
			interrupted = c.interrupt(ctx)
			continue
		case err != nil:
			return err
		}
		interrupted = false
		if err := c.playLine(ctx, strings.TrimSpace(line)); errors.Is(err, errLeave) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// playLine plays one line. The error of a command is printed; any other ends the conversation.
func (c *conversation) playLine(ctx context.Context, line string) error {
	switch {
	case line == "":
		return nil
	case line == "exit" || line == "quit":
		return errLeave
	case !tools.IsCommand(line) || c.isForStory(ctx, line):
		end, err := c.playTurn(ctx, line, false, false)
		if err == nil && end.Reason == event.NoModel && c.keyboard != nil && c.Unanswered != nil {
			err = c.printError(c.Unanswered(ctx))
		}
		return c.freePrompt(err)
	case isToolCall(line):
		_, err := c.playTurn(ctx, line, true, false)
		return c.freePrompt(err)
	}
	err := c.runCommand(ctx, line)
	if errors.Is(err, errLeave) {
		return err
	}
	return c.printError(err)
}

// printError prints an error that does not end the conversation, if there is one.
func (c *conversation) printError(err error) error {
	if err != nil && !errors.Is(err, cli.ErrInterrupted) {
		fmt.Fprintf(c.terminal.Err, "hob: %v\n", err)
	}
	return nil
}

// playTurn plays the turn of a line. isCall says that the line calls a tool, goesOn that another line follows by itself.
func (c *conversation) playTurn(ctx context.Context, line string, isCall, goesOn bool) (event.Ended, error) {
	view := client.NewView(c.terminal, false)
	if c.Story {
		view = &storyView{View: view, goesOn: goesOn}
	}
	q := client.Question{Chat: string(c.Chat), ID: rand.Text(), Text: line, Command: isCall, Typed: !isCall && c.keyboard != nil, After: c.watcher.lastSeen}
	return c.client.Turn(ctx, q, c.watcher.observe(view))
}

// interrupt parks the turn that waits for the model. Without one it prints how to leave, and reports that the next interrupt
// does.
func (c *conversation) interrupt(ctx context.Context) (leavesNext bool) {
	if p, err := c.client.Park(ctx, c.Chat); err == nil && p != nil {
		fmt.Fprintf(c.terminal.Err, "%s.\n", &client.AwayError{Parked: *p})
		return false
	}
	fmt.Fprintln(c.terminal.Err, "Ctrl-C again, or Ctrl-D, leaves.")
	return true
}

// freePrompt gives the prompt back to a person whose turn waits for a model that is away. Without a terminal there is no
// prompt, and the error is that of the command.
func (c *conversation) freePrompt(err error) error {
	away := (*client.AwayError)(nil)
	if !errors.As(err, &away) {
		return err
	}
	if c.keyboard == nil {
		return away.ExitError()
	}
	if !away.Parked.Waits() {
		fmt.Fprintf(c.terminal.Err, "%s.\n", away)
	}
	return nil
}

// readLine reads a line while the watcher runs. A signal that ends hob ends the wait for the line, so that the terminal is left
// as it was.
func (c *conversation) readLine(ctx context.Context) (string, error) {
	c.watcher.start(ctx)
	defer c.watcher.stop()
	ctx, release := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGHUP)
	defer release()
	return c.read(ctx)
}

// openInput opens what lines are read from: at a terminal a prompt with editing and history, elsewhere the input.
func (c *conversation) openInput(historyPath string) error {
	if c.terminal.IsInteractive() {
		history, err := cli.OpenHistory(historyPath)
		if err != nil {
			return err
		}
		c.keyboard = c.terminal.OpenPrompt(history)
		c.keyboard.Complete = completeLine
		fmt.Fprintln(c.terminal.Out, "This is hob. Say what you want; /help shows what else there is, Ctrl-D leaves.")
		c.read = func(ctx context.Context) (string, error) { return c.keyboard.Read(ctx, "› ") }
		return nil
	}
	scan := bufio.NewScanner(c.terminal.In)
	scan.Buffer(nil, client.MaxInput)
	c.read = func(context.Context) (string, error) {
		if scan.Scan() {
			return scan.Text(), nil
		}
		if err := scan.Err(); err != nil {
			return "", fmt.Errorf("read standard input: %w", err)
		}
		return "", io.EOF
	}
	return nil
}
