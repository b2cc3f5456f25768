package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"hob/internal/campaigns"
	"hob/internal/display"
)

// mover is what undo and redo of a campaign have in common.
type mover struct {
	use, short, none, done string
	move                   func(ctx context.Context, t campaigns.Campaign, n int, user string) (campaigns.Moved, error)
}

func gameUndoCommand(a *program) *cobra.Command {
	return a.moveCommand(mover{
		use: "undo", short: "take back what the last turns changed", none: "There is nothing to take back.", done: "Taken back",
		move: campaigns.Undo,
	})
}

func gameRedoCommand(a *program) *cobra.Command {
	return a.moveCommand(mover{
		use: "redo", short: "do again what was taken back", none: "There is nothing to do again.", done: "Done again",
		move: campaigns.Redo,
	})
}

func (a *program) moveCommand(m mover) *cobra.Command {
	var name string
	var asJSON bool
	cmd := &cobra.Command{
		Use: m.use + " [TURNS]", Short: m.short, Args: wants(0, 1, "say how many turns: hob game "+m.use+" 2"),
		RunE: does(func(ctx context.Context, args []string) error {
			n, err := turnsOf(args)
			if err != nil {
				return err
			}
			return a.edit(ctx, name, func(t campaigns.Campaign) error {
				moved, err := m.move(ctx, t, n, player)
				if err != nil {
					return err
				}
				if asJSON {
					return a.printJSON(moved)
				}
				if moved.Turns == 0 {
					_, err = fmt.Fprintln(a.stdout, m.none)
					return err
				}
				fmt.Fprintf(a.stdout, "%s: %s.\n", m.done, display.Count(moved.Turns, "turn"))
				return a.printScene(ctx, t)
			})
		}),
	}
	ofCampaign(cmd, &name)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}

// printScene prints where a campaign is now: what happened last, and what can be seen.
func (a *program) printScene(ctx context.Context, t campaigns.Campaign) error {
	scene, err := campaigns.Look(ctx, t)
	if err != nil {
		return err
	}
	if last := scene.Last; last.Turn > 0 {
		fmt.Fprintf(a.stdout, "Turn %d: %s\n", last.Turn, display.Clean(last.Text))
	}
	if scene.Look != "" {
		fmt.Fprintf(a.stdout, "\n%s\n", display.Clean(scene.Look))
	}
	return nil
}

func gameBranchCommand(a *program) *cobra.Command {
	var name string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "branch [LABEL]", Short: "give the present turn a name to come back to, or list the names",
		Args:    wants(0, 1, "give it one name: hob game branch before-the-crypt"),
		Example: "  hob game branch before-the-crypt\n  hob game switch before-the-crypt",
		RunE: does(func(ctx context.Context, args []string) error {
			return a.edit(ctx, name, func(t campaigns.Campaign) error {
				if len(args) == 0 {
					return a.printBranches(campaigns.BranchesOf(t), asJSON)
				}
				l, err := campaigns.Label(ctx, t, args[0], player)
				if err != nil {
					return err
				}
				if asJSON {
					return a.printJSON(l)
				}
				word := display.Clean(args[0])
				if campaigns.CheckName(args[0]) != nil {
					word = strconv.Quote(args[0])
				}
				_, err = fmt.Fprintf(a.stdout, "Turn %d is %q now: hob game switch %s comes back to it.\n", l.Turn, display.Clean(args[0]), word)
				return err
			})
		}),
	}
	ofCampaign(cmd, &name)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}

func (a *program) printBranches(all campaigns.Branches, asJSON bool) error {
	if asJSON {
		return a.printJSON(all)
	}
	fmt.Fprintf(a.stdout, "%s is at turn %d.\n", display.Clean(all.Campaign), all.Head)
	for _, b := range all.Labels {
		fmt.Fprintf(a.stdout, "turn %d  %s\n", b.Turn, display.Clean(b.Label))
	}
	for _, turn := range all.Unlabelled() {
		fmt.Fprintf(a.stdout, "turn %d  (the end of another branch)\n", turn)
	}
	return nil
}

func gameSwitchCommand(a *program) *cobra.Command {
	var name string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "switch LABEL|TURN", Short: "go to a turn of this or another branch",
		Args: wants(1, 1, "say where to: hob game switch LABEL, of those that hob game branch lists, or the number of a turn"),
		RunE: does(func(ctx context.Context, args []string) error {
			return a.edit(ctx, name, func(t campaigns.Campaign) error {
				now, err := campaigns.Switch(ctx, t, args[0], player)
				if err != nil {
					return err
				}
				if asJSON {
					return a.printJSON(now)
				}
				fmt.Fprintf(a.stdout, "%s is at turn %d.\n", display.Clean(t.ID), now.Head)
				return a.printScene(ctx, t)
			})
		}),
	}
	ofCampaign(cmd, &name)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}
