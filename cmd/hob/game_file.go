package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/campaigns"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/rules"
	"hob/internal/game/saga"
	"hob/internal/game/saves"
	"hob/internal/game/world"
	"hob/internal/skills/gamemaster"
)

func gameExportCommand(a *program) *cobra.Command {
	var name, shape string
	cmd := &cobra.Command{
		Use: "export [FILE]", Short: "write a campaign to a file", Args: wants(0, 1, "name one file: hob game export mill.jsonl"),
		Long: "export writes the whole log as JSON Lines: every turn, every throw, all branches. With --as it writes only the present state: as\n" +
			"one line in hob's own form, or as a save of one of the three systems that hob's game comes from.",
		Example: "  hob game export mill.jsonl\n  hob game export --as 002 campaign.json",
		RunE: does(func(ctx context.Context, args []string) error {
			if shape != "" && !slices.Contains(game.Shapes(), shape) {
				return exit.Errorf(exit.Usage, "--as %s: there are hob, 000, 002 and 003", shape)
			}
			if len(args) > 0 && args[0] != "-" {
				if err := checkTarget(args[0]); err != nil {
					return err
				}
			}
			return a.withTale(ctx, name, func(t campaigns.Campaign) error {
				write := func(w io.Writer) error {
					if shape == "" {
						return t.Export(ctx, w)
					}
					state, err := game.State(ctx, t.Saga, shape)
					if err == nil {
						_, err = w.Write(append(state, '\n'))
					}
					return err
				}
				if len(args) == 0 || args[0] == "-" {
					return write(a.stdout)
				}
				if err := writeWhole(args[0], write); err != nil {
					return err
				}
				_, err := fmt.Fprintf(a.Stderr, "%s is in %s.\n", display.Clean(t.ID), display.Clean(args[0]))
				return err
			})
		}),
	}
	ofCampaign(cmd, &name)
	cmd.Flags().StringVar(&shape, "as", "", "only the state: hob, 000, 002 or 003")
	return cmd
}

func gameImportCommand(a *program) *cobra.Command {
	var id, seed, lang string
	var cut bool
	cmd := &cobra.Command{
		Use: "import FILE", Short: "read a campaign from a file", Args: wants(1, 1, "name one file: hob game import mill.jsonl"),
		Long: "import reads what export wrote, or a save of one of the three systems that hob's game comes from. A log is checked whole before\n" +
			"anything is kept: one byte that differs, and it is refused. What is wrong with a save is said, and kept as it is.",
		RunE: does(func(ctx context.Context, args []string) error {
			return a.importTale(ctx, args[0], id, cut, game.Import{Seed: seed, Lang: lang})
		}),
	}
	cmd.Flags().StringVar(&id, "name", "", "what the campaign is called here (as the file)")
	cmd.Flags().StringVar(&seed, "seed", "", "a word for the dice of a save")
	cmd.Flags().StringVar(&lang, "lang", "", "language of the texts of a save: en, ru or zh")
	cmd.Flags().BoolVar(&cut, "cut", false, "cut away the end of a log whose last line was not written whole")
	return cmd
}

func (a *program) importTale(ctx context.Context, file, id string, cut bool, im game.Import) error {
	if im.Lang != "" && !slices.Contains(rules.Langs(), im.Lang) {
		return exit.Errorf(exit.Usage, "there are no texts in %q: use --lang en, ru or zh", im.Lang)
	}
	if id == "" {
		if id = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)); campaigns.CheckName(id) != nil {
			return exit.Errorf(exit.Usage, "%s does not say what the campaign is called: give it a name with --name", inputName(file))
		}
	}
	if err := campaigns.CheckName(id); err != nil {
		return err
	}
	data, err := a.readGameFile(file)
	if err != nil {
		return err
	}
	im.ID = id
	var t *saga.Saga
	var warnings []string
	err = a.addTale(ctx, gamemaster.Campaign{ID: id, Strange: true}, func(log saga.Log, opt saga.Options) (title string, err error) {
		im.Opt = opt
		if cut && saves.IsLog(data) {
			var n int
			if t, n, err = saga.Recover(ctx, bytes.NewReader(data), log, opt); n > 0 {
				warnings = []string{"its end was not whole: " + display.Count(n, "byte") + " cut away"}
			}
		} else {
			t, warnings, err = game.Read(ctx, data, log, im)
		}
		if err != nil {
			return "", exit.Errorf(exit.Failed, "import %s: %v", inputName(file), tornEnd(err, data))
		}
		return t.World().Self().Title, nil
	})
	if err != nil {
		return err
	}
	for _, w := range warnings {
		fmt.Fprintf(a.Stderr, "hob: %s: %s\n", inputName(file), display.Clean(w))
	}
	_, err = fmt.Fprintf(a.stdout, "%s is here: %s.\n", display.Clean(id), display.Count(int(t.Turns()), "turn"))
	return err
}

// tornEnd says what can be done about a log whose writing was broken off: that its last line is all that is wrong.
func tornEnd(err error, data []byte) error {
	var damaged *saga.DamagedError
	whole := int64(bytes.Count(data, []byte("\n")))
	if !errors.As(err, &damaged) || bytes.HasSuffix(data, []byte("\n")) || whole == 0 || damaged.Line != whole+1 {
		return err
	}
	return errors.New("its last line was not written whole: use an undamaged copy, or take what stands before it with hob game import --cut")
}

// inputName is what a file on the command line is called in a sentence.
func inputName(file string) string {
	if file == "-" {
		return "standard input"
	}
	return file
}

func gameVerifyCommand(a *program) *cobra.Command {
	var name string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "verify [FILE]", Short: "check that a campaign is what was written, and its dice those that were sealed",
		Args: wants(0, 1, "name one file: hob game verify mill.jsonl"),
		Long: "verify reads the whole log: that no byte of it was changed, that every state follows from the one before, that every die is the one\n" +
			"that the sealed seed gives, and that the world is one that can be.",
		RunE: does(func(ctx context.Context, args []string) error {
			if len(args) == 0 {
				return a.withTale(ctx, name, func(t campaigns.Campaign) error { return a.verifyTale(ctx, t.Saga, asJSON) })
			}
			if name != "" {
				return exit.Errorf(exit.Usage, "-c names a campaign and %s is a file: verify one of the two", args[0])
			}
			data, err := a.readGameFile(args[0])
			if err != nil {
				return err
			}
			if !saves.IsLog(data) {
				return exit.Errorf(exit.Usage, "%s is no export of hob's: only these can be verified", inputName(args[0]))
			}
			opt, err := campaigns.Options()
			if err != nil {
				return err
			}
			t, err := saga.Import(ctx, bytes.NewReader(data), saga.NewMemory(), opt)
			if err != nil {
				return exit.Errorf(exit.Failed, "%s: %v", inputName(args[0]), tornEnd(err, data))
			}
			return a.verifyTale(ctx, t, asJSON)
		}),
	}
	ofCampaign(cmd, &name)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}

func (a *program) verifyTale(ctx context.Context, t *saga.Saga, asJSON bool) error {
	r, err := t.Verify(ctx, (*world.World).Validate)
	if err != nil {
		return err
	}
	if asJSON {
		err = a.printJSON(map[string]any{
			"turns": r.Turns, "events": r.Events, "rolls": r.Rolls, "state_hash": r.State, "commitment": r.Commitment, "problems": r.Problems,
		})
	} else {
		for _, p := range r.Problems {
			fmt.Fprintln(a.stdout, display.Clean(p))
		}
		_, err = fmt.Fprintf(a.stdout, "%s, %s, %s: the log is whole.\n", display.Count(int(r.Turns), "turn"), display.Count(int(r.Events), "change"),
			display.Count(int(r.Rolls), "throw"))
	}
	if err == nil && len(r.Problems) > 0 {
		return exit.Errorf(exit.Failed, "the campaign has %s", display.Count(len(r.Problems), "problem"))
	}
	return err
}
