package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"hob/internal/campaigns"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/saga"
)

// mover is what undo and redo of a campaign have in common.
type mover struct {
	use, short, none, done string
	move                   func(t *saga.Saga, ctx context.Context, n int, by saga.By) (saga.Moved, error)
}

func gameUndoCommand(a *program) *cobra.Command {
	return a.moveCommand(mover{
		use: "undo", short: "take back what the last turns changed", none: "There is nothing to take back.", done: "Taken back",
		move: (*saga.Saga).Undo,
	})
}

func gameRedoCommand(a *program) *cobra.Command {
	return a.moveCommand(mover{
		use: "redo", short: "do again what was taken back", none: "There is nothing to do again.", done: "Done again",
		move: (*saga.Saga).Redo,
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
			return a.withTale(ctx, name, func(t campaigns.Campaign) error {
				moved, err := m.move(t.Saga, ctx, n, saga.By{User: "terminal"})
				if err != nil {
					return err
				}
				if asJSON {
					return a.printJSON(map[string]any{"campaign": t.ID, "turns": moved.Turns, "head": moved.Head, "state_hash": moved.State})
				}
				if moved.Turns == 0 {
					_, err = fmt.Fprintln(a.stdout, m.none)
					return err
				}
				fmt.Fprintf(a.stdout, "%s: %s.\n", m.done, display.Count(moved.Turns, "turn"))
				return a.tellWhere(ctx, t)
			})
		}),
	}
	ofCampaign(cmd, &name)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}

// tellWhere says where a campaign is now: what happened last, and what can be seen.
func (a *program) tellWhere(ctx context.Context, t campaigns.Campaign) error {
	book, err := game.Rules()
	if err != nil {
		return err
	}
	w := t.World()
	past, err := t.Recent(ctx, 10)
	if err != nil {
		return err
	}
	if list := story.Bullets(book, w.Self().Lang, past, 0); len(list) > 0 {
		last := list[len(list)-1]
		fmt.Fprintf(a.stdout, "Turn %d: %s\n", last.Turn, display.Clean(last.Text))
	}
	turn := rules.Turn{Book: book, World: w, Number: t.Head(), Needs: rules.Needs{Counts: &rules.Counts{}}}
	if o := turn.Do(ctx, rules.Call{Tool: "look", Args: []byte("{}")}, nil); o.OK() {
		fmt.Fprintf(a.stdout, "\n%s\n", display.Clean(book.Text(w.Self().Lang, o.Say)))
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
			return a.withTale(ctx, name, func(t campaigns.Campaign) error {
				if len(args) == 0 {
					return a.listBranches(t, asJSON)
				}
				if _, err := strconv.ParseInt(args[0], 10, 64); err == nil || args[0] == "" {
					return exit.Errorf(exit.Usage, "a branch cannot be called %q: give it a name that is no number", args[0])
				}
				if err := t.Branch(ctx, args[0], saga.By{User: "terminal"}); err != nil {
					return err
				}
				if asJSON {
					return a.printJSON(map[string]any{"campaign": t.ID, "label": args[0], "turn": t.Head()})
				}
				word := display.Clean(args[0])
				if campaigns.CheckName(args[0]) != nil {
					word = strconv.Quote(args[0])
				}
				_, err := fmt.Fprintf(a.stdout, "Turn %d is %q now: hob game switch %s comes back to it.\n", t.Head(), display.Clean(args[0]), word)
				return err
			})
		}),
	}
	ofCampaign(cmd, &name)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}

func (a *program) listBranches(t campaigns.Campaign, asJSON bool) error {
	type branch struct {
		Label string `json:"label"`
		Turn  int64  `json:"turn"`
	}
	list := []branch{}
	for _, b := range t.Branches() {
		list = append(list, branch{Label: b.Name, Turn: b.Turn})
	}
	if asJSON {
		return a.printJSON(map[string]any{"campaign": t.ID, "head": t.Head(), "labels": list, "ends": t.Tips()})
	}
	fmt.Fprintf(a.stdout, "%s is at turn %d.\n", display.Clean(t.ID), t.Head())
	named := map[int64]bool{t.Head(): true}
	for _, b := range list {
		named[b.Turn] = true
		fmt.Fprintf(a.stdout, "turn %d  %s\n", b.Turn, display.Clean(b.Label))
	}
	for _, turn := range t.Tips() {
		if !named[turn] {
			fmt.Fprintf(a.stdout, "turn %d  (the end of another branch)\n", turn)
		}
	}
	return nil
}

// knows reports whether a campaign has a turn of that name or number.
func knows(t campaigns.Campaign, where string) bool {
	for _, b := range t.Branches() {
		if b.Name == where {
			return true
		}
	}
	n, err := strconv.ParseInt(where, 10, 64)
	return err == nil && n >= 0 && n <= t.Turns()
}

func gameSwitchCommand(a *program) *cobra.Command {
	var name string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "switch LABEL|TURN", Short: "go to a turn of this or another branch",
		Args: wants(1, 1, "say where to: hob game switch LABEL, of those that hob game branch lists, or the number of a turn"),
		RunE: does(func(ctx context.Context, args []string) error {
			return a.withTale(ctx, name, func(t campaigns.Campaign) error {
				if !knows(t, args[0]) {
					return exit.Errorf(exit.Usage, "%s has no branch and no turn %q: hob game branch lists them", t.ID, args[0])
				}
				moved, err := t.Switch(ctx, args[0], saga.By{User: "terminal"})
				if err != nil {
					return err
				}
				if asJSON {
					return a.printJSON(map[string]any{"campaign": t.ID, "head": moved.Head, "state_hash": moved.State})
				}
				fmt.Fprintf(a.stdout, "%s is at turn %d.\n", display.Clean(t.ID), moved.Head)
				return a.tellWhere(ctx, t)
			})
		}),
	}
	ofCampaign(cmd, &name)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}
