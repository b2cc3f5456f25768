package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/eval"
)

func gameEvalCommand(a *program) *cobra.Command {
	var e eval.StoryOptions
	cmd := a.withResult(&cobra.Command{
		Use: "eval", Short: "measure how a model runs a story", Args: cobra.NoArgs,
		Long: "eval says to a model what players really say, thirty lines in the three tales that come with hob: two things at once, an attempt,\n" +
			"a lie about what is there, something impossible, a question to somebody. Each is one turn of a story that begins anew, with the\n" +
			"same dice. It counts what the model called and whether that was right, how often its words did not agree with what happened,\n" +
			"tokens and time. Nothing of it is kept: no story, no chat and no file of yours is touched.\n\n" +
			"--json prints model, lang, turns and their total. A turn has its tale, line and words; the reply, the reason that it ended with, and\n" +
			"the calls (tool, args, applied, and the code why not); changed: what was called changed the world or threw dice; right: by a tool that\n" +
			"is right there, or nothing changed where that is right; still: nothing changed though something should; problems: what was wrong with\n" +
			"its words; flagged and rewrites: how often that was so, and how often they were written again; fallback: told in the engine's own words;\n" +
			"unreadable: replies that were neither words nor a call; requests, prompt and eval tokens of plan, in which it calls, and of tell, in\n" +
			"which it tells what happened; seconds. In the total these are sums, with median_seconds and worst_seconds.",
		Example: "  hob game eval --model MODEL\n  hob game eval --model MODEL --tale dungeon --lang ru --turns 3",
	}, func(ctx context.Context, s *app.Environment, _ []string) (result, error) {
		ctx, stop := client.UntilInterrupted(ctx)
		defer stop()
		out, err := eval.Stories(ctx, s, e, a.progress())
		return result{value: out}, err
	})
	cmd.Flags().StringVar(&e.Tale, "tale", "", "one tale: cosy, mystery or dungeon (all of them)")
	cmd.Flags().StringVar(&e.Lang, "lang", "en", "language of the tales: en, ru or zh")
	cmd.Flags().IntVar(&e.Turns, "turns", 0, "the first N lines of each tale (all)")
	return cmd
}

// progress is where a command writes what happens as it goes on: nowhere where a program reads what it prints.
func (a *program) progress() io.Writer {
	if a.json {
		return io.Discard
	}
	return a.stdout
}
