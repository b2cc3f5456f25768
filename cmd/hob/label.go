package main

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/tools/files/origins"
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

// labelled is a file with its label in `hob label --json`.
type labelled struct {
	Path    string `json:"path"`
	Name    bool   `json:"name,omitempty"`    // of a folder: only its name is theirs
	Command bool   `json:"command,omitempty"` // of a folder: a command that may have written there has not ended
	event.Label
}

func (a *program) listLabels(ctx context.Context, asJSON bool) error {
	s, err := a.Load()
	if err != nil {
		return err
	}
	marked := map[string]event.Label{}
	err = s.WithJournal(ctx, func(db *store.DB) error {
		some, err := db.Origins().All(ctx)
		maps.Copy(marked, some)
		return err
	})
	if err != nil {
		return err
	}
	all := []labelled{}
	for _, mark := range slices.Sorted(maps.Keys(marked)) {
		path, name, command := origins.MarkOf(mark)
		all = append(all, labelled{path, name, command, marked[mark]})
	}
	if asJSON {
		return a.printJSON(all)
	}
	for _, l := range all {
		path, from := s.ShownPath(l.Path), l.Source
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
	return s.WithJournal(ctx, func(db *store.DB) error {
		for _, p := range paths {
			whole := p
			if !filepath.IsAbs(p) {
				whole = filepath.Join(s.WorkspaceDir, p)
			}
			both := []string{filepath.Clean(whole), app.Resolved(whole)}
			before, err := db.Origins().All(ctx)
			if err != nil {
				return err
			}
			if err := db.Origins().Forget(ctx, both); err != nil {
				return err
			}
			after, err := db.Origins().All(ctx)
			if err != nil {
				return err
			}
			what := "cleared"
			if len(after) == len(before) {
				what = "it had no label"
			}
			fmt.Fprintf(a.stdout, "%s: %s\n", display.Clean(p), what)
		}
		return nil
	})
}
