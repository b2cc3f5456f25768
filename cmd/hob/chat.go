package main

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

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/session"
	"hob/internal/surface/cli"
	"hob/internal/tools"
)

func chatCommand(a *program) *cobra.Command {
	var chat string
	var fresh bool
	cmd := &cobra.Command{
		Use: "chat", Short: "open the prompt", Args: cobra.NoArgs,
		Long: "chat opens the prompt. Ctrl-C stops the running turn, or parks the one that waits for the model, Ctrl-D leaves, /help shows the rest.",
		RunE: does(func(ctx context.Context, _ []string) error {
			s, err := client.LoadBeside(ctx, a.Loader)
			if err != nil {
				return err
			}
			if err := session.CheckName(event.Chat(chat)); err != nil {
				return exit.Errorf(exit.Usage, "%v", err)
			}
			return a.chat(ctx, s, app.NewModel(s), chat, fresh)
		}),
	}
	cmd.Flags().StringVar(&chat, "chat", "main", "conversation")
	cmd.Flags().BoolVar(&fresh, "new", false, "begin a new conversation: the model forgets the old one, the journal does not")
	a.waitFlag(cmd)
	return cmd
}

// chat reads lines and plays a turn for each, until the input ends.
func (a *program) chat(ctx context.Context, s *app.Environment, e *app.Model, chat string, fresh bool) error {
	s.AtPrompt = true
	if app.IsRoot() {
		fmt.Fprintf(a.Stderr, "hob: %s\n", app.RootWarning)
	}
	h, err := client.Reach(ctx, a.Loader, s, e, "hob chat", a.modelWait())
	if err != nil {
		return err
	}
	err = a.converse(ctx, s, h, talking{chat: chat, fresh: fresh, view: func() client.View { return a.view(false) }})
	return closeAll(err, h.Close())
}

// talking is a conversation at the prompt.
type talking struct {
	chat  string
	fresh bool               // it begins anew
	view  func() client.View // of a turn
}

func (a *program) converse(ctx context.Context, s *app.Environment, h *client.Client, t talking) error {
	chat := t.chat
	if t.fresh {
		if err := h.Reset(ctx, event.Chat(chat)); err != nil {
			return err
		}
	}
	read, err := a.lines(s)
	if err != nil {
		return err
	}
	h.GivesPromptBack = a.keyboard != nil
	others, err := a.others(ctx, s, h, event.Chat(chat))
	if err != nil {
		return err
	}
	for leaving := false; ; {
		others.watch(ctx)
		text, err := a.next(ctx, read)
		others.rest()
		if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
			return nil
		}
		if errors.Is(err, cli.ErrInterrupted) {
			if leaving {
				return nil
			}
			leaving = a.interrupted(ctx, h, event.Chat(chat))
			continue
		}
		leaving = false
		if err != nil {
			return err
		}
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if text == "exit" || text == "quit" {
			return nil
		}
		command := tools.IsCommand(text) && !ledBy(ctx, h, event.Chat(chat), text)
		if command {
			err := a.slash(ctx, h, others, text)
			if errors.Is(err, errLeave) {
				return nil
			}
			if err != nil && !errors.Is(err, errTool) {
				fmt.Fprintf(a.Stderr, "hob: %v\n", err)
			}
			if !errors.Is(err, errTool) {
				continue
			}
		}
		q := client.Question{Chat: chat, Id: rand.Text(), Text: text, Command: command, After: others.seen}
		_, err = h.Turn(ctx, q, others.noting(t.view()))
		if err = a.free(err); err != nil {
			return err
		}
	}
}

// interrupted parks the turn that waits for the model, or says how to leave; then the next interrupt does.
func (a *program) interrupted(ctx context.Context, h *client.Client, chat event.Chat) (leaving bool) {
	if p, err := h.Park(ctx, chat); err == nil && p != nil {
		fmt.Fprintf(a.Stderr, "%s.\n", &client.AwayError{Parked: *p})
		return false
	}
	fmt.Fprintln(a.Stderr, "Ctrl-C again, or Ctrl-D, leaves.")
	return true
}

// free gives the prompt back to who waits for a model that is away. Without a terminal nobody has one.
func (a *program) free(err error) error {
	away := (*client.AwayError)(nil)
	if !errors.As(err, &away) {
		return err
	}
	if a.keyboard == nil {
		return away.ExitError()
	}
	if !away.Parked.Waits() {
		fmt.Fprintf(a.Stderr, "%s.\n", away)
	}
	return nil
}

// next reads a message. A signal that ends hob ends the wait for it, so that the terminal is left as it was.
func (a *program) next(ctx context.Context, read func(context.Context) (string, error)) (string, error) {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	return read(ctx)
}

// lines returns what reads the next message: at a terminal with editing and history, elsewhere line by line.
func (a *program) lines(s *app.Environment) (func(context.Context) (string, error), error) {
	if isTerminal(a.stdin) && isTerminal(a.stdout) {
		history, err := cli.OpenHistory(s.HistoryPath())
		if err != nil {
			return nil, err
		}
		a.keyboard = cli.NewPrompt(a.stdin, a.stdout, history)
		a.keyboard.Complete = func(line string) []string { return completions(line) }
		fmt.Fprintln(a.stdout, "This is hob. Say what you want; /help shows what else there is, Ctrl-D leaves.")
		return func(ctx context.Context) (string, error) { return a.keyboard.Read(ctx, "› ") }, nil
	}
	scan := bufio.NewScanner(a.stdin)
	scan.Buffer(nil, maxPrompt)
	return func(context.Context) (string, error) {
		if scan.Scan() {
			return scan.Text(), nil
		}
		if err := scan.Err(); err != nil {
			return "", fmt.Errorf("read standard input: %w", err)
		}
		return "", io.EOF
	}, nil
}
