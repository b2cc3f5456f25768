package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"hob/internal/campaigns"
	"hob/internal/display"
	"hob/internal/exit"
)

func gameCommand(a *program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "game", Short: "stories: campaigns, their maps and their history",
		Long: "A campaign is a world with rules: who is where, what they carry, what the dice said. It cannot forget, and nothing in it\n" +
			"is lost: every turn can be taken back, and any turn can be the beginning of another branch. None of this needs a model.",
		Example: "  hob game new mill --theme Mill --lang en\n  hob game do look\n  hob game do choices\n  hob game map\n  hob game undo\n  hob game export >mill.jsonl\n  hob game verify",
		Args:    wants(0, 0, "say what to do: hob game play, new, do, tools, list, map, recap, undo, redo, branch, switch, export, import, verify, fair, remove, tale, exec or eval"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(gamePlayCommand(a), gameEvalCommand(a), gameNewCommand(a), gameDoCommand(a), gameToolsCommand(a), gameListCommand(a), gameMapCommand(a), gameRecapCommand(a),
		gameUndoCommand(a), gameRedoCommand(a), gameBranchCommand(a), gameSwitchCommand(a), gameExportCommand(a), gameImportCommand(a), gameVerifyCommand(a), gameFairCommand(a),
		gameRemoveCommand(a), gameTaleCommand(a), gameExecCommand(a))
	return cmd
}

// answer is what a command prints: its value with --json, else its text. After that it ends with failure, of which --json shows only
// the exit status.
type answer struct {
	value   any
	text    string
	failure error
}

// answers has cmd print the answer of run, and gives it --json.
func (a *program) answers(cmd *cobra.Command, run func(ctx context.Context, args []string) (answer, error)) *cobra.Command {
	asJSON := cmd.Flags().Bool("json", false, "print one JSON value")
	cmd.RunE = does(func(ctx context.Context, args []string) error {
		got, err := run(ctx, args)
		switch {
		case err != nil:
			return err
		case *asJSON:
			return closeAll(a.printJSON(got.value), unless(got.failure == nil))
		}
		_, err = io.WriteString(a.stdout, got.text)
		return closeAll(err, got.failure)
	})
	return cmd
}

// answersOf is answers for a command about a campaign, which -c names.
func (a *program) answersOf(cmd *cobra.Command, run func(ctx context.Context, t campaigns.Campaign, args []string) (answer, error)) *cobra.Command {
	name := campaignFlag(cmd)
	return a.answers(cmd, func(ctx context.Context, args []string) (got answer, err error) {
		err = a.edit(ctx, *name, func(t campaigns.Campaign) (err error) {
			got, err = run(ctx, t, args)
			return err
		})
		return got, err
	})
}

// campaignFlag adds the flag that names a campaign.
func campaignFlag(cmd *cobra.Command) *string {
	return cmd.Flags().StringP("campaign", "c", "", "the campaign (the one that was changed last)")
}

// edit calls do with a campaign of the journal; see [campaigns.Edit].
func (a *program) edit(ctx context.Context, name string, do func(campaigns.Campaign) error) error {
	s, err := a.Load()
	if err != nil {
		return err
	}
	return campaigns.Edit(ctx, s, name, do)
}

// player is who plays in a terminal.
const player = "terminal"

func gameListCommand(a *program) *cobra.Command {
	return a.answers(&cobra.Command{Use: "list", Short: "list the campaigns", Args: cobra.NoArgs}, func(ctx context.Context, _ []string) (answer, error) {
		s, err := a.Load()
		if err != nil {
			return answer{}, err
		}
		list, err := campaigns.List(ctx, s)
		if len(list) == 0 {
			return answer{value: list, text: "There is no campaign yet: hob game new begins one.\n"}, err
		}
		lines := []string{"CAMPAIGN\tTITLE\tCHANGED"}
		for _, c := range list {
			lines = append(lines, display.Clean(c.Campaign)+"\t"+display.Clean(c.Title)+"\t"+c.Changed.Local().Format("2006-01-02 15:04"))
		}
		return answer{value: list, text: columns(lines)}, err
	})
}

// columns returns lines whose cells are separated by tabs as columns.
func columns(lines []string) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(lines, "\n"))
	_ = w.Flush() // to memory: it cannot fail
	return b.String()
}

func gameRemoveCommand(a *program) *cobra.Command {
	var sure bool
	cmd := &cobra.Command{
		Use: "remove NAME --yes", Short: "take a campaign away for good", Args: wants(1, 1, "say which: hob game remove NAME --yes"),
		RunE: does(func(ctx context.Context, args []string) error {
			if !sure {
				return exit.Errorf(exit.Usage, "this cannot be taken back: hob game export -c %s keeps a copy, and --yes says that you are sure", args[0])
			}
			s, err := a.Load()
			if err != nil {
				return err
			}
			if err := campaigns.Remove(ctx, s, args[0]); err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.stdout, "%s is gone.\n", display.Clean(args[0]))
			return err
		}),
	}
	cmd.Flags().BoolVar(&sure, "yes", false, "I am sure")
	return cmd
}
