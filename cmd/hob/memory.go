package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/markdown"
	"hob/internal/store"
	"hob/internal/surface/cli"
)

func memoryCommand(a *program) *cobra.Command {
	cmd := a.withResult(&cobra.Command{
		Use: "memory [NUMBER | forget WORDS | accept NUMBER | replace NUMBER | keep NUMBER]", Short: "show and change what hob knows of you",
	}, func(ctx context.Context, s *app.Environment, args []string) (got result, err error) {
		err = a.withFacts(ctx, s, func(facts app.KnownFacts) error {
			table, by := commands.New(commands.Deps{Memory: facts, Now: s.Clock()}), ownerRequest()
			by.Args = strings.Join(args, " ")
			answer, err := table.Run(ctx, "memory", by)
			if err != nil {
				return err
			}
			got = result{value: answer.Data, text: markdown.Plain(answer.Text) + "\n"}
			return nil
		})
		return got, err
	})
	cmd.AddCommand(memoryEditCommand(a))
	return cmd
}

func memoryEditCommand(a *program) *cobra.Command {
	return a.withText(&cobra.Command{
		Use: "edit [me | house]", Short: "change facts in your editor", ValidArgs: []string{"me", "house"},
		Args: checkArgs(0, 1, "hob memory edit takes me or house"),
	}, func(ctx context.Context, s *app.Environment, args []string) (text string, err error) {
		of := append(args, "me")[0]
		err = a.withFacts(ctx, s, func(facts app.KnownFacts) error {
			before, err := facts.Text(ctx, ownerRequest(), of)
			if err != nil {
				return exit.Errorf(exit.Usage, "%v", err)
			}
			after, err := cli.EditText(a.Env, "hob-memory-*.md", before)
			if err != nil {
				return err
			}
			n, err := facts.Apply(ctx, ownerRequest(), of, before, after)
			if err != nil {
				return exit.Errorf(exit.Failed, "nothing was changed: %v", err)
			}
			text = fmt.Sprintf("%d changed; hob undo takes that back\n", n)
			if n == 0 {
				text = "nothing was changed\n"
			}
			return nil
		})
		return text, err
	})
}

// withFacts calls do with the store of known facts.
func (a *program) withFacts(ctx context.Context, s *app.Environment, do func(app.KnownFacts) error) error {
	if err := s.MakeState(); err != nil {
		return err
	}
	return s.EditJournal(ctx, func(db *store.DB) error { return do(app.Known(db)) })
}

// ownerRequest is a request for a row of the command table by the owner at the terminal.
func ownerRequest() commands.Request {
	return commands.Request{
		Surface: commands.Terminal, Chat: "main",
		Principal: event.Principal{Platform: "cli", Scope: "private", Level: event.Owner},
	}
}
