package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/eval"
	"hob/internal/exit"
)

func tryCommand(a *program) *cobra.Command {
	var t eval.TryOptions
	var asMarkdown bool
	cmd := a.withResult(&cobra.Command{
		Use: "try NAME", Short: "measure how a model calls tools, and keep what that says of it", Args: oneName,
	}, func(ctx context.Context, s *app.Environment, args []string) (result, error) {
		ctx, stop := client.UntilInterrupted(ctx)
		defer stop()
		if t.Runs < 1 || t.Runs > maxRuns {
			return result{}, exit.Errorf(exit.Usage, "--runs takes a number from 1 to %d", maxRuns)
		}
		t.Version = version()
		progress := a.progress()
		if asMarkdown {
			progress = a.Stderr // the card alone goes to standard output, which is usually a file; the run takes minutes
		}
		out, err := eval.Try(ctx, s, args[0], t, progress, a.Stderr)
		switch {
		case err != nil:
			return result{}, err
		case asMarkdown:
			_, err = io.WriteString(a.stdout, cardMarkdown(out))
			return result{failure: failUnless(out.Mode != "")}, err
		case out.Mode == "":
			return result{value: out, failure: exit.Errorf(exit.Failed, "it called no tool in any of the three ways there are, so nothing of it was kept: try another model")}, nil
		}
		return result{value: out}, nil
	})
	cmd.Flags().IntVar(&t.Runs, "runs", 1, "make each check so many times; it passes if more than half of them do")
	cmd.Flags().IntVar(&t.Replay, "replay", 0, "play the last N turns again and compare")
	cmd.Flags().StringVar(&t.Chat, "chat", "main", "the chat whose turns --replay plays")
	cmd.Flags().BoolVar(&t.Dry, "dry-run", false, "keep nothing of what is found")
	cmd.Flags().BoolVar(&asMarkdown, "markdown", false, "print a card to share, as Markdown")
	exclude(cmd, "json", "markdown")
	return cmd
}

// maxRuns limits --runs: this many take hours on a slow machine.
const maxRuns = 20
