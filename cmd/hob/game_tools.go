package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/cmdline"
	"hob/internal/game/rules"
)

func gameToolsCommand(a *program) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "tools [NAME]", Short: "list the tools of the game, or explain one",
		Args:    wants(0, 1, "name one tool: hob game tools move_player"),
		Example: "  hob game tools\n  hob game tools move_player",
		RunE: does(func(_ context.Context, args []string) error {
			book, err := game.Rules()
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return a.listGameTools(book, asJSON)
			}
			tool, err := cmdline.Find(book, args[0])
			if err != nil {
				return exit.Errorf(exit.Usage, "%v", err)
			}
			if asJSON {
				return a.printJSON(cmdline.Describe(tool))
			}
			return a.explainGameTool(tool)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}

func (a *program) listGameTools(book *rules.Book, asJSON bool) error {
	if asJSON {
		return a.printJSON(cmdline.List(book))
	}
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, name := range book.Names() {
		first, _, more := strings.Cut(book.Tool(name).Doc, ". ")
		if more {
			first += "."
		}
		fmt.Fprintf(w, "%s\t%s\n", name, first)
	}
	return w.Flush()
}

func (a *program) explainGameTool(t *rules.Tool) error {
	fmt.Fprintf(a.stdout, "%s\n%s\n", cmdline.Usage(t), t.Doc)
	if t.Class == rules.Reading {
		fmt.Fprintln(a.stdout, "It changes nothing.")
	}
	if len(t.Params) == 0 {
		return nil
	}
	fmt.Fprintln(a.stdout)
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for i := range t.Params {
		p := &t.Params[i]
		fmt.Fprintf(w, "%s\t%s\t%s\n", p.Name, cmdline.Kind(p), p.Doc)
	}
	return w.Flush()
}
