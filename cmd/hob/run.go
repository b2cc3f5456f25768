package main

import (
	"context"
	"fmt"
	"os/exec"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/client/prompt"
	"hob/internal/llm/ollamaserver"
	"hob/internal/model"
	"hob/internal/surface/cli"
)

func runCommand(a *program) *cobra.Command {
	var source string
	cmd := &cobra.Command{
		Use:   "run",
		Short: "open the prompt, and help to get a model",
		Args:  cobra.NoArgs,
		RunE: asRunE(func(ctx context.Context, _ []string) error {
			a.usesInstalled = true
			s, err := client.LoadBeside(ctx, a.Loader)
			if err != nil {
				return err
			}
			o := prompt.Options{Chat: "main"}
			if !a.terminal().HasInput() && !cli.IsTerminal(a.stdin) {
				o.Opening = []string{demonstration(s)}
				fmt.Fprintf(a.out, "› %s\n", o.Opening[0])
			}
			return a.chat(ctx, s, app.NewModel(s), o, source)
		}),
	}
	cmd.Flags().StringVar(&source, "source", "", "the folder tools/ollama of a checkout, to build Ollama from")
	return cmd
}

// demonstration is the chore that hob run shows where nobody can type one: it writes a note, and
// the next time reads it.
func demonstration(s *app.Environment) string {
	if s.HasJournal() {
		return "what are my notes?"
	}
	return "note buy milk"
}

// findOllama returns the path of the Ollama server that hob may start if none answers, or "".
func (a *program) findOllama() string {
	if path, err := exec.LookPath("ollama"); a.usesInstalled && err == nil {
		return path
	}
	return ollamaserver.Find()
}

// offerModel offers once to pull a model. If no server answers, it first builds Ollama from source, the folder tools/ollama of a
// checkout. It offers nothing if there is a model, if neither is possible, or if the disk has no room for it, which it says once.
func (a *program) offerModel(ctx context.Context, s *app.Environment, e *model.Model, source string) (prompt.Offer, error) {
	if e.IsReady(ctx) { // it has answered, and nothing of use
		return prompt.Offer{}, nil
	}
	_, err := s.OllamaClient.Version(ctx)
	isMissing := err != nil
	name := e.WantedName()
	question := "model.pull"
	canBuild := func() bool { return source != "" && s.LocalOllama != nil && ollamaserver.Check(ctx, source) == nil }
	switch {
	case isMissing && !canBuild():
		return prompt.Offer{}, nil
	case isMissing:
		question = "model.build"
	}
	plan := e.PlanPull(ctx, name)
	if full := plan.Check(); full != nil {
		if s.FirstTime(ctx, "model room") {
			return prompt.Offer{Note: full.Error()}, nil
		}
		return prompt.Offer{}, nil
	}
	if !s.FirstTime(ctx, "model") {
		return prompt.Offer{}, nil
	}
	words := wordsIn(a.terminal().Language())
	return prompt.Offer{
		Note:     words.Text("model.fits", name, plan.Describe()),
		Question: words.Text(question), Otherwise: words.Text("model.later", name),
		Do: func(ctx context.Context) error {
			ctx, stop := client.UntilInterrupted(ctx)
			defer stop()
			if isMissing {
				if err := a.buildOllama(ctx, source); err != nil {
					return err
				}
			}
			if err := a.pull(ctx, s, name); err != nil {
				return err
			}
			_, err := fmt.Fprintln(a.out, words.Text("model.here", name))
			return err
		},
	}, nil
}

func (a *program) buildOllama(ctx context.Context, source string) error {
	width := 0
	if cli.IsTerminal(a.rawStderr) {
		width, _ = (&cli.Terminal{Out: a.rawStderr}).Size()
	}
	reporter := ollamaserver.NewReporter(a.Stderr, width)
	defer reporter.End()
	_, err := ollamaserver.Build(ctx, source, reporter.Report)
	return err
}
