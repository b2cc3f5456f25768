package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/campaigns"
	"hob/internal/client"
	"hob/internal/commands"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/game/author"
	"hob/internal/game/proof"
	"hob/internal/game/tales"
)

func gameTaleCommand(a *program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "tale", Short: "the tales that stories begin with: list them, and write your own",
		Args: checkArgs(0, 0, "say what to do: hob game tale list, new, write, add or check"),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(listTalesCommand(a), newTaleCommand(a), writeTaleCommand(a), addTaleCommand(a), checkTaleCommand(a))
	return cmd
}

func listTalesCommand(a *program) *cobra.Command {
	return a.withResult(&cobra.Command{Use: "list", Short: "list the tales", Args: cobra.NoArgs}, func(_ context.Context, s *app.Environment, _ []string) (result, error) {
		list := campaigns.TaleFolder(s.TalesDir()).List()
		return result{value: list, text: a.terminal().Clean(talesText(list))}, nil
	})
}

// talesText returns a line for each tale, and the problems of those that cannot be played.
func talesText(list campaigns.TaleList) string {
	var b strings.Builder
	for _, t := range list.Tales {
		if t.OK {
			fmt.Fprintf(&b, "%s  %s (%s)%s\n", t.Tale, commands.OneLine(t.Title), strings.Join(t.Langs, ", "), writtenMark(t.Written))
			continue
		}
		fmt.Fprintf(&b, "%s  cannot be begun: %s\n", t.Tale, commands.OneLine(t.Problems[0]))
		if n := len(t.Problems); n > 1 {
			fmt.Fprintf(&b, "    and %d more: hob game tale check %s\n", n-1, t.Tale)
		}
	}
	for _, p := range list.Problems {
		fmt.Fprintf(&b, "! %s\n", commands.OneLine(p))
	}
	return b.String()
}

func newTaleCommand(a *program) *cobra.Command {
	var lang string
	cmd := &cobra.Command{
		Use: "new NAME", Short: "write a small tale for you to make your own of",
		Args: checkArgs(1, 1, "say what it shall be called, such as hob game tale new mill"),
		RunE: a.withConfig(func(_ context.Context, s *app.Environment, args []string) error {
			folder := campaigns.TaleFolder(s.TalesDir())
			names, err := folder.New(args[0], lang)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.out, "%s and %s beside it are there, with a small tale that can be played: hob game play %s\nWrite your own in its place, "+
				"then hob game tale check %s.\n", filepath.Join(string(folder), names[0]), names[1], args[0], args[0])
			return err
		}),
	}
	cmd.Flags().StringVar(&lang, "lang", "en", "language of its words: en, ru or zh")
	return cmd
}

// writtenMark is the mark in a list for a tale with lines that a model wrote.
func writtenMark(written []tales.Written) string {
	if len(written) == 0 {
		return ""
	}
	return ", written by a model"
}

// writtenText lists the lines of a tale that a model wrote.
func writtenText(written []tales.Written) string {
	var b strings.Builder
	for _, w := range written {
		fmt.Fprintf(&b, "Lines %d to %d of %s were written by a model, %s.\n", w.First, w.Last, w.File, commands.OneLine(w.Model))
	}
	return b.String()
}

func writeTaleCommand(a *program) *cobra.Command {
	var o author.Order
	cmd := a.withResult(&cobra.Command{
		Use: "write ABOUT", Short: "have the model write a tale",
		Args: checkArgs(1, 1, `say in one text what it is about: hob game tale write "a lighthouse keeper's divorce"`),
	}, func(ctx context.Context, s *app.Environment, args []string) (result, error) {
		ctx, stop := client.UntilInterrupted(ctx)
		defer stop()
		o.Premise = args[0]
		return a.writeTale(ctx, s, o)
	})
	cmd.Flags().StringVar(&o.ID, "name", "", "what the tale is called (from what it is about)")
	cmd.Flags().StringVar(&o.Lang, "lang", "en", "language of its words: en, ru or zh")
	cmd.Flags().StringVar(&o.Size, "size", "short", "how much there is in it: short, medium or long")
	return cmd
}

// writeTale has a model write a tale. What it asks the model for goes to standard error.
func (a *program) writeTale(ctx context.Context, s *app.Environment, o author.Order) (result, error) {
	folder := campaigns.TaleFolder(s.TalesDir())
	t, err := folder.Write(ctx, o, app.NewTaleAuthor(app.NewModel(s)), func(part string, question int, problem string) {
		if problem != "" {
			fmt.Fprintf(a.Stderr, "    that cannot be used, and is asked for again: %s\n", commands.OneLine(problem))
		}
		fmt.Fprintf(a.Stderr, "%s ...\n", commands.OneLine(part))
	})
	if err != nil {
		return result{}, err
	}
	text := fmt.Sprintf("%s is there: %s\n", t.Tale.Tale, commands.OneLine(t.Title)) + writtenText(t.Written) +
		fmt.Sprintf("It is proven that it can be won, and hob game tale check %s prints how.\nPlay it: hob game play %s\n", t.Tale.Tale, t.Tale.Tale)
	return result{value: t, text: a.terminal().Clean(text)}, nil
}

func addTaleCommand(a *program) *cobra.Command {
	var name, lang string
	cmd := a.withResult(&cobra.Command{
		Use: "add FILE", Short: "make a tale of choices of a story in Ink",
		Args: checkArgs(1, 1, "name one file: hob game tale add orchard.ink.json"),
	}, func(ctx context.Context, s *app.Environment, args []string) (result, error) {
		t, err := campaigns.TaleFolder(s.TalesDir()).Add(ctx, campaigns.File{Path: args[0], Stdin: a.stdin}, name, lang)
		if err != nil {
			return result{}, err
		}
		text := fmt.Sprintf("%s is there: %s. It has %s, and hob has come to each.\nPlay it: hob game play %s\n", t.Tale, commands.OneLine(t.Title),
			display.Count(len(t.Proof.Proofs), "end"), t.Tale)
		return result{value: t, text: a.terminal().Clean(text)}, nil
	})
	cmd.Flags().StringVar(&name, "name", "", "what the tale is called (as the file)")
	cmd.Flags().StringVar(&lang, "lang", "en", "language of the story: en, ru or zh")
	return cmd
}

func checkTaleCommand(a *program) *cobra.Command {
	replay := false
	cmd := a.withResult(&cobra.Command{
		Use: "check NAME|FILE", Short: "say all that is wrong with a tale, and how it can be won",
		Args: checkArgs(1, 1, "say which tale: its name, or one of its files"),
	}, func(ctx context.Context, s *app.Environment, args []string) (result, error) {
		folder := campaigns.TaleFolder(s.TalesDir())
		t, err := folder.Check(ctx, args[0])
		if err != nil {
			return result{value: t}, err
		}
		if !t.OK {
			text := ""
			for _, p := range t.Problems {
				text += commands.OneLine(p) + "\n"
			}
			return result{t, text, exit.Errorf(exit.Failed, "the tale %s cannot be begun: mend what is said above", display.Clean(t.Tale))}, nil
		}
		won, err := folder.Replay(ctx, args[0], t)
		if err != nil {
			return result{value: t}, err
		}
		text := fmt.Sprintf("%s can be begun in %s.\n", t.Tale, strings.Join(t.Langs, ", ")) + a.terminal().Clean(writtenText(t.Written))
		for i, p := range t.Proof.Proofs {
			text += "\n" + a.terminal().Clean(proofText(p, t.Proof.Bound, won[i], replay))
		}
		return result{value: t, text: text + a.terminal().Clean(wordlessText(t.Wordless))}, nil
	})
	cmd.Flags().BoolVar(&replay, "replay", false, "play the way to win, and print what comes of each step")
	return cmd
}

// wordlessText lists the moments for which a tale has no text of its own.
func wordlessText(keys []string) string {
	if len(keys) == 0 {
		return ""
	}
	text := fmt.Sprintf("\nhob's own words tell %s for which the tale has none. A line for each would be:\n", display.Count(len(keys), "moment"))
	for _, key := range keys {
		text += "  " + commands.OneLine(key) + "\n"
	}
	return text
}

// proofText prints a way to win: its steps, and with replay the text that players read at each.
func proofText(p proof.Proof, bound int, lines []proof.Line, replay bool) string {
	var b strings.Builder
	most := 1
	for _, s := range p.Steps {
		most = max(most, s.Tries)
	}
	luck := "It needs no luck."
	if most > 1 {
		luck = fmt.Sprintf("Dice decide some of it: a step is tried up to %s.", display.Count(most, "time"))
	}
	fmt.Fprintf(&b, "It can be won in %s, %s of the story. %s Found among %s, of %d at most.\n",
		display.Count(len(p.Steps), "step"), display.Count(int(p.Minutes), "minute"), luck, display.Count(p.States, "state"), bound)
	for i, l := range lines {
		fmt.Fprintf(&b, "%3d. %s\n", i+1, commands.OneLine(l.Label))
		if replay {
			b.WriteString("     " + commands.OneLine(l.Text) + "\n")
		}
	}
	return b.String()
}
