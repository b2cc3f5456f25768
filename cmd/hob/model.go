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
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/model"
	"hob/internal/surface/cli"
)

func modelCommand(a *program) *cobra.Command {
	cmd := a.withResult(&cobra.Command{
		Use: "model [NAME]", Short: "list, choose and pull models, or show one", Args: cobra.MaximumNArgs(1),
	}, func(ctx context.Context, s *app.Environment, args []string) (result, error) {
		if len(args) > 0 {
			return showModel(ctx, s, args[0])
		}
		return listModels(ctx, s, args)
	})
	cmd.AddCommand(
		a.withResult(&cobra.Command{Use: "list", Short: "list the models that Ollama has", Args: cobra.NoArgs}, listModels),
		suggestCommand(a),
		a.withResult(&cobra.Command{
			Use: "use NAME", Short: "make a model the one that hob uses", Args: oneName,
		},
			func(ctx context.Context, s *app.Environment, args []string) (result, error) {
				err := s.UseModel(ctx, app.NewModel(s), args[0])
				text := fmt.Sprintf("hob uses %s now (%s)\n", args[0], s.ConfigPath)
				return result{value: map[string]string{"used": args[0], "config": s.ConfigPath}, text: text}, err
			}),
		a.withResult(&cobra.Command{
			Use: "pull NAME", Short: "download a model", Args: oneName,
		},
			func(ctx context.Context, s *app.Environment, args []string) (result, error) {
				ctx, stop := client.UntilInterrupted(ctx)
				defer stop()
				fmt.Fprintf(a.Stderr, "hob: %s: %s\n", args[0], app.NewModel(s).PlanPull(ctx, args[0]).Describe())
				err := a.pull(ctx, s, args[0])
				text := fmt.Sprintf("%s is here. Use it: hob model use %s\n", args[0], args[0])
				return result{value: map[string]string{"pulled": args[0]}, text: text}, err
			}),
		parseCommand(a),
		tryCommand(a),
	)
	return cmd
}

// oneName requires exactly one argument, the name of a model.
func oneName(cmd *cobra.Command, args []string) error {
	if len(args) != 1 || strings.TrimSpace(args[0]) == "" {
		return exit.Errorf(exit.Usage, "say which model: %s %s", cmd.CommandPath(), model.ProposedHere(cmd.Context()).Name)
	}
	return nil
}

// listModels lists the models on the server and marks the one in use. If there are none, the text
// says which would work here.
func listModels(ctx context.Context, s *app.Environment, _ []string) (result, error) {
	e := app.NewModel(s)
	all, err := app.ListModels(ctx, e)
	if err != nil {
		return result{}, err
	}
	t := newTable("  MODEL", "SIZE", "PARAMETERS", "QUANTIZATION", "NOTES")
	for _, m := range all {
		mark, notes := " ", []string{}
		if m.Used {
			mark = "*"
		}
		if m.TokensPerSecond > 0 {
			notes = append(notes, rate(m.TokensPerSecond)+" tokens a second")
		}
		if m.Remote != "" {
			notes = append(notes, "runs on "+m.Remote)
		}
		t.add(mark+" "+m.Name, display.Bytes(m.Size), m.Parameters, m.Quantization, strings.Join(notes, ", "))
	}
	r := result{value: all, text: t.text("")}
	if len(all) == 0 {
		suggested, err := e.Suggest(ctx)
		if err != nil {
			return result{}, err
		}
		r.text = "Ollama has no models yet. Get one: hob model pull " + e.WantedName() + "\n\n" + suggestionText(suggested)
	}
	return r, nil
}

// pull downloads a model. It shows the progress in one updated line of a terminal, else in a line
// for each tenth.
func (a *program) pull(ctx context.Context, s *app.Environment, name string) error {
	width := 0
	if cli.IsTerminal(a.rawStderr) {
		width, _ = (&cli.Terminal{Out: a.rawStderr}).Size()
	}
	e := app.NewModel(s)
	bar := cli.NewProgress(a.Stderr, width, time.Now)
	err := e.Pull(ctx, e.PlanPull(ctx, name), func(done, total int64) {
		_ = bar.Update(name, done, total) // a closed terminal does not stop the download
	})
	return cmp.Or(err, bar.End())
}
