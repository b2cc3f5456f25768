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
		Long: "memory lists the facts that hob was told to remember, and what waits for a yes: what strangers' words led to, and\n" +
			"another value of what you have one of, such as a birthday. With a number it shows one fact and its history.\n" +
			"accept takes one that waits; replace does so in the place of the fact that is known, and keep drops it.\n" +
			"hob undo takes back each of these.",
		Example: "  hob memory                      what is known\n" +
			"  hob memory 12                   one fact, and what it was before\n" +
			"  hob memory forget my address    forget a fact\n" +
			"  hob memory edit me              change them in your editor",
	}, func(ctx context.Context, s *app.Environment, args []string) (got result, err error) {
		err = a.withFacts(ctx, s, func(facts app.KnownFacts) error {
			table, by := commands.New(commands.Deps{Memory: facts, Now: s.Clock()}), ownerRequest()
			by.Args = strings.Join(args, " ")
			answer, err := table.Run(ctx, "memory", by)
			if err != nil {
				return exit.Errorf(exit.Failed, "%v", err)
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
		Long: "edit writes the facts of you, or of the house, to a temporary file that only you can read, opens it in $VISUAL or\n" +
			"$EDITOR, and does what you changed there: another text, a line less, a line more. All of it is done or nothing.",
		Example: "  hob memory edit          what is known of you\n  hob memory edit house    what is known of the house",
		Args:    checkArgs(0, 1, "hob memory edit takes me or house"),
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

// withFacts calls do with what is known.
func (a *program) withFacts(ctx context.Context, s *app.Environment, do func(app.KnownFacts) error) error {
	if err := s.MakeState(); err != nil {
		return err
	}
	return s.EditJournal(ctx, func(db *store.DB) error { return do(app.Known(db)) })
}

// ownerRequest is the owner at the terminal, who asks for a row of the table of commands.
func ownerRequest() commands.Request {
	return commands.Request{
		Surface: commands.Terminal, Chat: "main",
		Principal: event.Principal{Platform: "cli", Scope: "private", Level: event.Owner},
	}
}
