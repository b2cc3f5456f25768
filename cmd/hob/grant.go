package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/store"
)

func grantCommand(a *program) *cobra.Command {
	cmd := a.withResult(&cobra.Command{
		Use: "grant", Short: "what may be done without asking again",
		Args: cobra.NoArgs,
	}, func(ctx context.Context, s *app.Environment, _ []string) (result, error) {
		all, err := app.ReadJournal(ctx, s, func(db *store.DB) ([]event.Grant, error) { return db.Grants().InForce(ctx) })
		t := newTable("NUMBER", "SINCE", "BY", "WHAT").in(s.Zone())
		for _, g := range all {
			t.add(g.ID, g.Time, g.By, g)
		}
		return result{value: append([]event.Grant{}, all...), text: t.text("Nothing is allowed for good.\n")}, err
	})
	cmd.AddCommand(a.withText(&cobra.Command{
		Use: "add TOOL HOST|FOLDER", Short: "allow a tool one host or folder for good",
		Args: checkArgs(2, 2, "say which tool and what it may use: hob grant add fetch example.org"),
	}, func(ctx context.Context, s *app.Environment, args []string) (string, error) {
		g, err := s.AddGrant(ctx, args[0], args[1])
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%d: %s asks no more. hob grant revoke %d takes it back.\n", g.ID, display.Clean(g.String()), g.ID), nil
	}), a.withText(&cobra.Command{
		Use: "revoke NUMBER", Short: "take back what was allowed",
		Args: checkArgs(1, 1, "say which: hob grant revoke NUMBER, of those that hob grant lists"),
	}, func(ctx context.Context, s *app.Environment, args []string) (string, error) {
		id, err := strconv.ParseInt(args[0], 10, 64)
		if err != nil {
			return "", exit.Errorf(exit.Usage, "%q is no number of what was allowed: hob grant lists it", args[0])
		}
		known, err := app.ReadJournal(ctx, s, func(db *store.DB) (bool, error) {
			return db.Grants().Revoke(app.WithOwnersCause(ctx, "grant"), id)
		})
		switch {
		case err != nil:
			return "", err
		case !known:
			return "", exit.Errorf(exit.Usage, "nothing is allowed under number %d: hob grant lists what is", id)
		}
		return fmt.Sprintf("%d is taken back.\n", id), nil
	}))
	return cmd
}
