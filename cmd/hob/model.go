package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/llm/ollama"
	"hob/internal/surface/cli"
)

func modelCommand(a *program) *cobra.Command {
	var asJSON bool
	list := func(ctx context.Context, _ []string) error { return a.listModels(ctx, asJSON) }
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
				if asJSON {
					return a.printJSON(map[string]string{"pulled": args[0]})
				}
				_, err = fmt.Fprintf(a.stdout, "%s is here. Use it: hob model use %s\n", args[0], args[0])
				return err
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

func (a *program) listModels(ctx context.Context, asJSON bool) error {
	s, err := a.Load()
	if err != nil {
		return err
	}
	e := app.NewModel(s)
	rows, err := e.Installed(ctx)
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(rows)
	}
	if len(rows) == 0 {
		fmt.Fprintf(a.stdout, "Ollama has no models yet. Get one: hob model pull %s\n", e.WantedName())
		return nil
	}
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		mark, where := " ", ""
		if r.Used {
			mark = "*"
		}
		if r.Remote != "" {
			where = "runs on " + r.Remote
		}
		fmt.Fprintf(w, "%s %s\t%s\t%s\t%s\t%s\n", mark, r.Name, display.Bytes(r.Size), r.Parameters, r.Quantization, where)
	}
	return w.Flush()
}

func (a *program) useModel(ctx context.Context, name string, asJSON bool) error {
	s, err := a.Load()
	if err != nil {
		return err
	}
	if err := s.UseModel(ctx, name); err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(map[string]string{"used": name, "config": s.ConfigPath})
	}
	_, err = fmt.Fprintf(a.stdout, "hob uses %s now (%s)\n", name, s.ConfigPath)
	return err
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
	return closeAll(err, bar.End())
}
