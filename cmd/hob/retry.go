package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/commands"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/exit"
)

func retryCommand(a *program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "retry [ID]", Short: "try again what was parked",
		Args: checkArgs(0, 1, "hob retry takes the ID of one turn: hob retry without one lists them"),
		RunE: a.besideServer(func(ctx context.Context, s *app.Environment, args []string) (err error) {
			id := int64(0)
			if len(args) == 1 {
				if id, err = strconv.ParseInt(args[0], 10, 64); err != nil || id < 1 {
					return exit.Errorf(exit.Usage, "%q is no ID of a turn: hob retry lists them", args[0])
				}
			}
			a.wait.Program = a.json
			return a.retry(ctx, s, id)
		}),
	}
	cmd.Flags().BoolVar(&a.json, "json", false, "print what happens as JSON Lines; of several, the list as one JSON value")
	a.waitFlag(cmd)
	return cmd
}

// retry resumes a parked turn and shows the rest of it. For id 0 it takes the only one, or lists
// them all.
func (a *program) retry(ctx context.Context, s *app.Environment, id int64) error {
	all, err := s.ParkedTurns(ctx)
	if err != nil {
		return err
	}
	if only, one := commands.OnlyParked(all); id == 0 && one {
		id = only.ID
	}
	i := slices.IndexFunc(all, func(p event.ParkedTurn) bool { return p.ID == id })
	switch {
	case id > 0 && i < 0:
		return exit.Errorf(exit.Usage, "turn %d is not parked: hob retry lists those that are", id)
	case id == 0 && a.json:
		return a.printJSON(append([]event.ParkedTurn{}, all...))
	case id == 0:
		for _, p := range all {
			fmt.Fprintf(a.out, "%-5d %s\n", p.ID, display.Clean(p.Describe(s.Zone())))
		}
		if len(all) == 0 {
			fmt.Fprintln(a.out, "Nothing is parked.")
		}
		return nil
	}
	h, err := client.Reach(ctx, a.Loader, s, app.NewModel(s), "hob retry", a.modelWait())
	if err != nil {
		return err
	}
	h.Chat = all[i].Chat
	begin := func(ctx context.Context) error { return h.Retry(ctx, h.Chat, all[i].ID) }
	end, err := h.GoOn(ctx, h.Chat, all[i].ID, begin, client.NewView(a.terminal(), a.json))
	return closeAfterTurn(h, end, err)
}
