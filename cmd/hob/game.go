package main

import (
	"context"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/campaigns"
	"hob/internal/display"
	"hob/internal/exit"
)

func gameCommand(a *program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "game", Short: "stories: campaigns, their maps and their history",
		Args: checkArgs(0, 0, "say what to do: hob game play, new, do, tools, list, map, recap, undo, redo, branch, switch, export, import, verify, fair, remove, tale, exec or eval"),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(gamePlayCommand(a), gameEvalCommand(a), gameNewCommand(a), gameDoCommand(a), gameToolsCommand(a), gameListCommand(a), gameMapCommand(a), gameRecapCommand(a),
		gameUndoCommand(a), gameRedoCommand(a), gameBranchCommand(a), gameSwitchCommand(a), gameExportCommand(a), gameImportCommand(a), gameVerifyCommand(a), gameFairCommand(a),
		gameRemoveCommand(a), gameTaleCommand(a), gameExecCommand(a))
	return cmd
}

// withCampaign makes cmd print the result of run for the campaign that -c names.
func (a *program) withCampaign(cmd *cobra.Command, run func(ctx context.Context, t campaigns.Campaign, args []string) (result, error)) *cobra.Command {
	name := campaignFlag(cmd)
	return a.withResult(cmd, func(ctx context.Context, s *app.Environment, args []string) (got result, err error) {
		err = campaigns.Edit(ctx, s, *name, func(t campaigns.Campaign) (err error) {
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

// player is the id of the person who plays in a terminal.
const player = "terminal"

func gameListCommand(a *program) *cobra.Command {
	return a.withResult(&cobra.Command{Use: "list", Short: "list the campaigns", Args: cobra.NoArgs}, func(ctx context.Context, s *app.Environment, _ []string) (result, error) {
		list, err := campaigns.List(ctx, s)
		t := newTable("CAMPAIGN", "TITLE", "CHANGED").in(s.Zone())
		for _, c := range list {
			t.add(c.Campaign, c.Title, c.Changed)
		}
		return result{value: list, text: t.text("There is no campaign yet: hob game play cosy begins a story, and hob game new a world of its own.\n")}, err
	})
}

func gameRemoveCommand(a *program) *cobra.Command {
	var sure bool
	cmd := a.withText(&cobra.Command{
		Use: "remove NAME --yes", Short: "take a campaign away for good", Args: checkArgs(1, 1, "say which: hob game remove NAME --yes"),
	}, func(ctx context.Context, s *app.Environment, args []string) (string, error) {
		if !sure {
			return "", exit.Errorf(exit.Usage, "this cannot be taken back: hob game export -c %s keeps a copy, and --yes says that you are sure", args[0])
		}
		if err := campaigns.Remove(ctx, s, args[0]); err != nil {
			return "", err
		}
		return display.Clean(args[0]) + " is gone.\n", nil
	})
	cmd.Flags().BoolVar(&sure, "yes", false, "I am sure")
	return cmd
}
