package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/campaigns"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/exec"
	"hob/internal/game/rules"
	"hob/internal/game/saga"
)

func gameExecCommand(a *program) *cobra.Command {
	var world, out, lang, seed string
	var events bool
	cmd := &cobra.Command{
		Use: "exec --world FILE", Short: "play a game that comes as JSON Lines", Args: cobra.NoArgs,
		Long: "exec reads a world (hob's own, or a save of one of the three systems that hob's game comes from) and then calls as JSON Lines from\n" +
			"standard input, and answers each with one line. docs/game_exec.md has all forms. --out writes the final save: the whole log\n" +
			"as JSON Lines, or, where FILE ends in .json, the final state alone.",
		Example: "  echo '{\"tool\":\"look\",\"args\":{}}' | hob game exec --world mill.jsonl",
		RunE: does(func(ctx context.Context, _ []string) error {
			if world == "" || world == "-" {
				return exit.Errorf(exit.Usage, "say in which world: hob game exec --world FILE")
			}
			if lang != "" && !slices.Contains(rules.Langs(), lang) {
				return exit.Errorf(exit.Usage, "there are no texts in %q: use --lang en, ru or zh", lang)
			}
			return a.execTale(ctx, world, out, events, game.Import{Seed: seed, Lang: lang})
		}),
	}
	cmd.Flags().StringVar(&world, "world", "", "the world to begin with")
	cmd.Flags().StringVar(&out, "out", "", "where the final save goes")
	cmd.Flags().StringVar(&lang, "lang", "", "language of the texts: en, ru or zh")
	cmd.Flags().StringVar(&seed, "seed", "", "a word for the dice (follows from the world)")
	cmd.Flags().BoolVar(&events, "events", false, "answers have tool_event and state_patch")
	return cmd
}

func (a *program) execTale(ctx context.Context, file, out string, events bool, im game.Import) error {
	if err := checkTarget(out); err != nil {
		return err
	}
	data, err := a.readGameFile(file)
	if err != nil {
		return err
	}
	if im.Opt, err = campaigns.Options(); err != nil {
		return err
	}
	t, warnings, err := game.Read(ctx, data, saga.NewMemory(), im)
	if err != nil {
		return exit.Errorf(exit.Usage, "%s: %v", file, err)
	}
	for _, w := range warnings {
		fmt.Fprintf(a.Stderr, "hob: %s: %s\n", file, display.Clean(w))
	}
	if im.Lang == "" {
		im.Lang = t.World().Self().Lang
	}
	g := exec.Game{Saga: t, Book: im.Opt.Book, Lang: im.Lang, Events: events, Now: time.Now}
	err = g.Run(ctx, a.stdin, a.stdout)
	var line *exec.LineError
	if errors.As(err, &line) {
		return exit.Errorf(exit.Usage, "%v", line)
	}
	if err != nil || out == "" {
		return err
	}
	return writeWhole(out, func(w io.Writer) error { return saveTo(ctx, t, w, out) })
}

// saveTo writes a campaign in the form that a file's name asks for: its state where that is .json, else its log.
func saveTo(ctx context.Context, t *saga.Saga, w io.Writer, file string) error {
	if !strings.EqualFold(filepath.Ext(file), ".json") {
		return t.Export(ctx, w)
	}
	state, err := game.State(ctx, t, "hob")
	if err != nil {
		return err
	}
	_, err = w.Write(append(state, '\n'))
	return err
}
