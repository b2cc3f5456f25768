package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"hob/internal/campaigns"
	"hob/internal/display"
	"hob/internal/exit"
)

// historyMove is the shared part of undo and redo of a campaign.
type historyMove struct {
	use, short, none, done string
	move                   func(ctx context.Context, t campaigns.Campaign, n int, user string) (campaigns.MoveResult, error)
}

func gameUndoCommand(a *program) *cobra.Command {
	return a.moveCommand(historyMove{
		use: "undo", short: "take back what the last turns changed", none: "There is nothing to take back.\n", done: "Taken back", move: campaigns.Undo,
	})
}

func gameRedoCommand(a *program) *cobra.Command {
	return a.moveCommand(historyMove{
		use: "redo", short: "do again what was taken back", none: "There is nothing to do again.\n", done: "Done again", move: campaigns.Redo,
	})
}

func (a *program) moveCommand(m historyMove) *cobra.Command {
	n := 1
	return a.withCampaign(&cobra.Command{
		Use: m.use + " [TURNS]", Short: m.short, Args: checkArgs(0, 1, "say how many turns: hob game "+m.use+" 2"),
		PreRunE: func(_ *cobra.Command, args []string) (err error) {
			if len(args) == 0 {
				return nil
			}
			if n, err = strconv.Atoi(args[0]); err != nil || n < 1 {
				return exit.Errorf(exit.Usage, "%q is no number of turns: 1 or more", args[0])
			}
			return nil
		},
	}, func(ctx context.Context, t campaigns.Campaign, _ []string) (result, error) {
		moved, err := m.move(ctx, t, n, player)
		if moved.Turns == 0 {
			return result{value: moved, text: m.none}, err
		}
		return result{value: moved, text: m.done + ": " + display.Count(moved.Turns, "turn") + ".\n" + sceneText(moved.Scene)}, err
	})
}

// sceneText describes the present scene of a campaign: the last events, and what can be seen.
func sceneText(s campaigns.Scene) (text string) {
	if s.Last.Turn > 0 {
		text = fmt.Sprintf("Turn %d: %s\n", s.Last.Turn, display.Clean(s.Last.Text))
	}
	if s.Look != "" {
		text += "\n" + display.Clean(s.Look) + "\n"
	}
	return text
}

func gameBranchCommand(a *program) *cobra.Command {
	return a.withCampaign(&cobra.Command{
		Use: "branch [LABEL]", Short: "give the present turn a name to come back to, or list the names",
		Args: checkArgs(0, 1, "give it one name: hob game branch before-the-crypt"),
	}, func(ctx context.Context, t campaigns.Campaign, args []string) (result, error) {
		if len(args) == 0 {
			all := campaigns.BranchesOf(t)
			return result{value: all, text: branchesText(all)}, nil
		}
		l, err := campaigns.Label(ctx, t, args[0], player)
		word := display.Clean(l.Name)
		if campaigns.CheckName(l.Name) != nil {
			word = strconv.Quote(l.Name)
		}
		return result{value: l, text: fmt.Sprintf("Turn %d is %q now: hob game switch %s comes back to it.\n", l.Turn, display.Clean(l.Name), word)}, err
	})
}

func branchesText(all campaigns.Branches) string {
	text := fmt.Sprintf("%s is at turn %d.\n", display.Clean(all.Campaign), all.Head)
	for _, b := range all.Labels {
		text += fmt.Sprintf("turn %d  %s\n", b.Turn, display.Clean(b.Name))
	}
	for _, turn := range all.Unlabelled() {
		text += fmt.Sprintf("turn %d  (the end of another branch)\n", turn)
	}
	return text
}

func gameSwitchCommand(a *program) *cobra.Command {
	return a.withCampaign(&cobra.Command{
		Use: "switch LABEL|TURN", Short: "go to a turn of this or another branch",
		Args: checkArgs(1, 1, "say where to: hob game switch LABEL, of those that hob game branch lists, or the number of a turn"),
	}, func(ctx context.Context, t campaigns.Campaign, args []string) (result, error) {
		now, err := campaigns.Switch(ctx, t, args[0], player)
		return result{value: now, text: fmt.Sprintf("%s is at turn %d.\n%s", display.Clean(t.ID), now.Head, sceneText(now.Scene))}, err
	})
}
