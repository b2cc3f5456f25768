package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/client/prompt"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/model"
	"hob/internal/session"
	"hob/internal/surface/cli"
)

func askCommand(a *program) *cobra.Command {
	var q client.Question
	var from client.Sources
	cmd := &cobra.Command{
		Use:   "ask [flags] [WORDS ...]",
		Short: "ask one question",
	}
	cmd.RunE = a.besideServer(func(ctx context.Context, s *app.Environment, args []string) error {
		if err := session.CheckName(event.Chat(q.Chat)); err != nil {
			return exit.Errorf(exit.Usage, "%v", err)
		}
		from.Words = args
		if err := q.Compose(ctx, s, a.terminal(), from); err != nil {
			return err
		}
		if q.ID == "" {
			q.ID = rand.Text()
		}
		apart := q.HasForeignText() && !cmd.Flags().Changed("chat")
		if apart {
			q.MoveApart()
		}
		a.wait.Program = a.json
		err := a.ask(ctx, s, app.NewModel(s), q)
		if apart && !a.json && cli.IsTerminal(a.stdout) {
			fmt.Fprintf(a.Stderr, "hob: this has a chat of its own: hob ask --chat %s \"...\" goes on with it\n", q.Chat)
		}
		if len(args) == 0 && !a.json && exit.StatusOf(err) == exit.Model {
			fmt.Fprintln(a.Stderr, `hob: chores that need no model are read from words alone: hob ask "note buy milk"`)
		}
		return err
	})
	cmd.Flags().BoolVar(&a.json, "json", false, "print what happens as JSON Lines")
	cmd.Flags().StringVar(&q.Chat, "chat", "main", "conversation; with an attachment one of its own")
	cmd.Flags().BoolVar(&q.New, "new", false, "begin a new conversation: the model forgets the old one, the journal does not")
	cmd.Flags().StringVar(&q.ID, "id", "", "id of this input: the same id twice is one question")
	cmd.Flags().StringArrayVarP(&from.Files, "file", "f", nil, "file to ask about; may be given several times")
	cmd.Flags().BoolVar(&from.Mine, "mine", false, "you wrote what comes by --file or standard input: it counts as your words")
	a.waitFlag(cmd)
	return cmd
}

// ask plays one turn. Its error carries the exit status of that turn.
func (a *program) ask(ctx context.Context, s *app.Environment, e *model.Model, q client.Question) error {
	h, err := client.Reach(ctx, a.Loader, s, e, "hob ask", a.modelWait())
	if err != nil {
		return err
	}
	if q.Command && !a.json { // a program gets the events of a turn, and a command has none
		o := prompt.Options{Chat: event.Chat(q.Chat), Fresh: q.New, Tour: a.tour}
		if is, err := prompt.RunCommand(ctx, a.terminal(), h, o, q.Text); is {
			return cmp.Or(err, h.Close())
		}
	}
	v := &lastReminder{View: client.NewView(a.terminal(), a.json)}
	end, err := h.Turn(ctx, &q, v)
	if a.json && !q.Command {
		h.Refused = false // a program gets the exit status of the reason alone
	} else if !a.json {
		a.sayWhoReminds(ctx, h, event.Chat(q.Chat), q.Text, v.made)
	}
	return closeAfterTurn(h, end, err)
}

// closeAfterTurn closes the client. Its error carries the exit status of the turn.
func closeAfterTurn(h *client.Client, end event.Ended, err error) error {
	if away := (*client.AwayError)(nil); errors.As(err, &away) {
		err = away.ExitError()
	}
	if err := cmp.Or(err, h.Close()); err != nil {
		return err
	}
	if h.Refused && end.Reason == event.Done {
		return exit.Silently(exit.Failed)
	}
	return client.ExitOf(end)
}
