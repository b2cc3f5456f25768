package main

import (
	"context"
	"fmt"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/store"
)

func grantCommand(a *program) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "grant", Short: "what may be done without asking again",
		Long: "grant lists what you have allowed for good: one tool, and one host or folder that it may use without a question. What\n" +
			"runs programs, costs money or changes rights cannot be allowed for good.",
		Example: "  hob grant\n  hob grant add fetch wttr.in\n  hob grant revoke 3",
		Args:    cobra.NoArgs,
		RunE:    does(func(ctx context.Context, _ []string) error { return a.listGrants(ctx, asJSON) }),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	cmd.AddCommand(&cobra.Command{
		Use: "add TOOL HOST|FOLDER", Short: "allow a tool one host or folder for good",
		Args: wants(2, 2, "say which tool and what it may use: hob grant add fetch example.org"),
		RunE: does(func(ctx context.Context, args []string) error { return a.addGrant(ctx, args[0], args[1]) }),
	}, &cobra.Command{
		Use: "revoke NUMBER", Short: "take back what was allowed",
		Args: wants(1, 1, "say which: hob grant revoke NUMBER, of those that hob grant lists"),
		RunE: does(func(ctx context.Context, args []string) error { return a.revokeGrant(ctx, args[0]) }),
	})
	return cmd
}

func (a *program) listGrants(ctx context.Context, asJSON bool) error {
	s, err := a.Load()
	if err != nil {
		return err
	}
	all := []event.Grant{}
	err = s.WithJournal(ctx, func(db *store.DB) error {
		some, err := db.Grants().InForce(ctx)
		all = append(all, some...)
		return err
	})
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(all)
	}
	if len(all) == 0 {
		_, err := fmt.Fprintln(a.stdout, "Nothing is allowed for good.")
		return err
	}
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NUMBER\tSINCE\tBY\tWHAT")
	for _, g := range all {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\n", g.ID, g.Time.Local().Format("2006-01-02 15:04"), display.Clean(g.By), display.Clean(g.String()))
	}
	return w.Flush()
}

func (a *program) addGrant(ctx context.Context, name, where string) error {
	s, err := a.Load()
	if err != nil {
		return err
	}
	g, err := s.AddGrant(ctx, name, where)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%d: %s asks no more. hob grant revoke %d takes it back.\n", g.ID, display.Clean(g.String()), g.ID)
	return err
}

func (a *program) revokeGrant(ctx context.Context, number string) error {
	id, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return exit.Errorf(exit.Usage, "%q is no number of what was allowed: hob grant lists it", number)
	}
	s, err := a.Load()
	if err != nil {
		return err
	}
	there := false
	err = s.WithJournal(ctx, func(db *store.DB) (err error) {
		there, err = db.Grants().Revoke(ctx, id)
		return err
	})
	switch {
	case err != nil:
		return err
	case !there:
		return exit.Errorf(exit.Usage, "nothing is allowed under number %d: hob grant lists what is", id)
	}
	_, err = fmt.Fprintf(a.stdout, "%d is taken back.\n", id)
	return err
}
