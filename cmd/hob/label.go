package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"hob/internal/display"
)

func labelCommand(a *program) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "label", Short: "which files strangers may have had a hand in",
		Long: "label lists the files that were written while a conversation held the words of strangers, such as a page from the web.\n" +
			"Whoever reads them reads strangers, and hob is as careful then. When you have looked through a file, clear its label.",
		Example: "  hob label\n  hob label clear notes/page.md",
		Args:    cobra.NoArgs,
		RunE:    does(func(ctx context.Context, _ []string) error { return a.listLabels(ctx, asJSON) }),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	cmd.AddCommand(&cobra.Command{
		Use: "clear PATH ...", Short: "say that you have looked through files, or through all in a folder",
		Args: wants(1, -1, "say which files: hob label clear PATH, of those that hob label lists"),
		RunE: does(func(ctx context.Context, args []string) error { return a.clearLabels(ctx, args) }),
	})
	return cmd
}

func (a *program) listLabels(ctx context.Context, asJSON bool) error {
	s, err := a.Load()
	if err != nil {
		return err
	}
	all, err := s.Labels(ctx)
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(all)
	}
	for _, l := range all {
		path, from := s.DisplayPath(l.Path), l.Source
		switch {
		case l.Name:
			path, from = path+"/", "only the name; "+from
		case l.Command:
			path, from = path+"/", "a command may have written there; "+from
		}
		fmt.Fprintf(a.stdout, "%s  (%s)\n", display.Clean(path), display.Clean(from))
	}
	if len(all) == 0 {
		fmt.Fprintln(a.stdout, "No file is known to come from strangers.")
	}
	return nil
}

func (a *program) clearLabels(ctx context.Context, paths []string) error {
	s, err := a.Load()
	if err != nil {
		return err
	}
	for _, p := range paths {
		had, err := s.ClearLabel(ctx, p)
		if err != nil {
			return err
		}
		what := "it had no label"
		if had {
			what = "cleared"
		}
		fmt.Fprintf(a.stdout, "%s: %s\n", display.Clean(p), what)
	}
	return nil
}
