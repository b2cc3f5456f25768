package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/commands"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/llm/ollama"
	"hob/internal/surface/cli"
)

func modelCommand(a *program) *cobra.Command {
	var asJSON bool
	list := func(ctx context.Context, _ []string) error {
		s, err := a.Load()
		if err != nil {
			return err
		}
		e := app.NewModel(s)
		all, err := e.Models(ctx)
		if err != nil {
			return err
		}
		return a.printResult(result{value: all, text: modelTable(all).text("Ollama has no models yet. Get one: hob model pull " + e.WantedName() + "\n")}, asJSON)
	}
	cmd := &cobra.Command{
		Use: "model", Short: "list, choose and pull models", Args: cobra.NoArgs, RunE: does(list),
		Example: "  hob model\n  hob model pull qwen3:4b\n  hob model use qwen3:4b",
	}
	cmd.PersistentFlags().BoolVar(&asJSON, "json", false, "print one JSON value")
	cmd.AddCommand(
		&cobra.Command{Use: "list", Short: "list the models that Ollama has", Args: cobra.NoArgs, RunE: does(list)},
		&cobra.Command{Use: "use NAME", Short: "make a model the one that hob uses", Args: oneName,
			RunE: does(func(ctx context.Context, args []string) error { return a.useModel(ctx, args[0], asJSON) })},
		&cobra.Command{Use: "pull NAME", Short: "download a model", Args: oneName,
			RunE: does(func(ctx context.Context, args []string) error {
				s, err := a.Load()
				if err != nil {
					return err
				}
				ctx, stop := client.UntilInterrupted(ctx)
				defer stop()
				if err := a.pull(ctx, s, args[0]); err != nil {
					return err
				}
				text := fmt.Sprintf("%s is here. Use it: hob model use %s\n", args[0], args[0])
				return a.printResult(result{value: map[string]string{"pulled": args[0]}, text: text}, asJSON)
			})},
		parseCommand(a),
		tryCommand(a),
	)
	return cmd
}

// oneName wants the name of a model.
func oneName(cmd *cobra.Command, args []string) error {
	if len(args) != 1 || strings.TrimSpace(args[0]) == "" {
		return exit.Errorf(exit.Usage, "say which model: %s qwen3:4b", cmd.CommandPath())
	}
	return nil
}

// modelTable returns a row for each model on the server, with a mark before the one in use.
func modelTable(all []commands.Model) *table {
	t := newTable()
	for _, m := range all {
		mark, where := " ", ""
		if m.Used {
			mark = "*"
		}
		if m.Remote != "" {
			where = "runs on " + m.Remote
		}
		t.add(mark+" "+m.Name, display.Bytes(m.Size), m.Parameters, m.Quantization, where)
	}
	return t
}

func (a *program) useModel(ctx context.Context, name string, asJSON bool) error {
	s, err := a.Load()
	if err != nil {
		return err
	}
	if err := app.NewModel(s).UseModel(ctx, name); err != nil {
		return err
	}
	text := fmt.Sprintf("hob uses %s now (%s)\n", name, s.ConfigPath)
	return a.printResult(result{value: map[string]string{"used": name, "config": s.ConfigPath}, text: text}, asJSON)
}

func (a *program) pull(ctx context.Context, s *app.Environment, name string) error {
	width := 0
	if cli.IsTerminal(a.Stderr) {
		width, _ = a.terminal().Size()
	}
	bar := cli.NewProgress(a.Stderr, width, time.Now)
	err := s.OllamaClient.Pull(ctx, name, func(p ollama.Progress) {
		_ = bar.Update(name, p.Completed, p.Total) // a terminal that is gone does not end the download
	})
	return cmp.Or(err, bar.End())
}
