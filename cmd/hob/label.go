package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/display"
)

func labelCommand(a *program) *cobra.Command {
	cmd := a.withResult(&cobra.Command{
		Use: "label", Short: "which files strangers may have had a hand in",
		Args: cobra.NoArgs,
	}, func(ctx context.Context, s *app.Environment, _ []string) (result, error) {
		all, err := s.Labels(ctx)
		return result{value: all, text: labelLines(s, all)}, err
	})
	cmd.AddCommand(a.withText(&cobra.Command{
		Use: "clear PATH ...", Short: "say that you have looked through files, or through all in a folder",
		Args: checkArgs(1, -1, "say which files: hob label clear PATH, of those that hob label lists"),
	}, func(ctx context.Context, s *app.Environment, paths []string) (text string, _ error) {
		for _, p := range paths {
			had, err := s.ClearLabel(ctx, p)
			if err != nil {
				return text, err
			}
			what := "it had no label"
			if had {
				what = "cleared"
			}
			text += fmt.Sprintf("%s: %s\n", display.Clean(p), what)
		}
		return text, nil
	}))
	return cmd
}

// labelLines returns a line for each file with a label.
func labelLines(s *app.Environment, all []app.LabelledFile) (text string) {
	for _, l := range all {
		path, from := s.DisplayPath(l.Path), l.Source
		switch {
		case l.Name:
			path, from = path+"/", "only the name; "+from
		case l.Command:
			path, from = path+"/", "a command may have written there; "+from
		}
		text += fmt.Sprintf("%s  (%s)\n", display.Clean(path), display.Clean(from))
	}
	return cmp.Or(text, "No file is known to come from strangers.\n")
}
