package main

import (
	"context"
	"fmt"
	"strconv"
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

// ofCampaign adds the flag that names a campaign.
func ofCampaign(cmd *cobra.Command, name *string) {
	cmd.Flags().StringVarP(name, "campaign", "c", "", "the campaign (the one that was changed last)")
}

func gameListCommand(a *program) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "list the campaigns", Args: cobra.NoArgs,
		RunE: does(func(ctx context.Context, _ []string) error { return a.listCampaigns(ctx, asJSON) }),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}

func (a *program) listCampaigns(ctx context.Context, asJSON bool) error {
	s, err := a.Load()
	if err != nil {
		return err
	}
	list, err := campaigns.List(ctx, s)
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(list)
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(a.stdout, "There is no campaign yet: hob game new begins one.")
		return err
	}
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CAMPAIGN\tTITLE\tCHANGED")
	for _, c := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\n", display.Clean(c.Campaign), display.Clean(c.Title), c.Changed.Local().Format("2006-01-02 15:04"))
	}
	return w.Flush()
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

// turnsOf reads a number of turns, 1 where none is given.
func turnsOf(args []string) (int, error) {
	if len(args) == 0 {
		return 1, nil
	}
	n, err := strconv.Atoi(args[0])
	if err != nil || n < 1 {
		return 0, exit.Errorf(exit.Usage, "%q is no number of turns: 1 or more", args[0])
	}
	return n, nil
}

// player is who plays in a terminal.
const player = "terminal"

// edit calls do with a campaign of the journal; see [campaigns.Edit].
func (a *program) edit(ctx context.Context, name string, do func(campaigns.Campaign) error) error {
	s, err := a.Load()
	if err != nil {
		return err
	}
	return campaigns.Edit(ctx, s, name, do)
}
